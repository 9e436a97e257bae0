"""A model whose encoder, decoder and cross-attention have settings of their own is shown as what it is."""

import subprocess

import conftest
import pytest
import story
import test_story_numbers as numbers
import views

SETTINGS = {"encoder_heads": 2, "cross_heads": 8, "decoder_window": 2, "encoder_window": 1, "encoder_norm": "pre"}
QUESTION = "q=The+black+cat+does+not+see+the+dog.&prefix=Le+chat+noir+ne+voit+pas"


@pytest.fixture(scope="module")
def narrow_address(tmp_path_factory):
    """A server with such a model, hardly trained."""
    if not conftest.PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    folder = str(tmp_path_factory.mktemp("narrow") / "model")
    settings = [part for name, value in SETTINGS.items() for part in ("--set", f"model.{name}={value}")]
    data = ["--train", "builtin:en-fr", "--set", "data.builtin_pairs=500"]
    train = [conftest.PROGRAM, "train", "-q", "--preset", "tiny", "--steps", "2", "--model", folder]
    subprocess.run([*train, *data, *settings], check=True, timeout=120)
    with conftest.serving(model=folder) as where:
        yield where


@pytest.fixture
def narrow(browser, narrow_address):
    context = browser.new_context(viewport={"width": 1360, "height": 900})
    context.set_default_timeout(20000)
    yield conftest.Visit(context, narrow_address)
    context.close()


PLACES = [("decoder", 4, range(2, 5)), ("decoder", 0, range(0, 1)), ("encoder", 4, range(3, 6))]


@pytest.mark.parametrize("kind, row, seen", PLACES)
def test_keys_outside_the_window_are_hidden_and_the_softmax_agrees(narrow, kind, row, seen):
    page = narrow.open(f"#view=query&kind={kind}&layer=0&head=1&row={row}&end=1&merge=0&{QUESTION}")
    page.wait_for_selector(".equation")
    rows = page.locator(".keys tbody tr")
    hidden = rows.evaluate_all("all => all.map(each => each.classList.contains('hidden-key'))")
    assert [i for i, each in enumerate(hidden) if not each] == [i for i in seen if i < len(hidden)]
    assert "agrees with the weights" in page.inner_text(".summary")
    narrow.assert_quiet()


def test_the_model_tells_what_each_kind_of_attention_has(narrow):
    page = narrow.open(f"#view=model&{QUESTION}")
    page.wait_for_selector(".diagram .block.attention")
    assert "2 / 4 / 8" in page.inner_text(".model-view")
    page.click("[data-block='encoder.0.self']")
    assert "those at most 1 token away" in page.inner_text(".model-view")
    page.click("[data-block='decoder.0.self']")
    assert "the 2 tokens before it" in page.inner_text(".model-view")
    assert not [text for text in views.texts(page, "dt") if text == "decoder norm"]
    narrow.assert_quiet()


@pytest.mark.parametrize("row, seen", [(0, range(0, 2)), (4, range(3, 6))])
def test_the_story_leaves_out_what_is_outside_the_window(narrow, row, seen):
    page = story.open_step(narrow, 1, f"&row={row}&{QUESTION}")
    titles = []
    for _ in story.steps(page):
        titles.append(page.inner_text(".story-title"))
        assert "count something more" not in page.inner_text(".story") and page.evaluate(story.CLASHES) == []
    assert len({*titles}) == 8
    page.locator(".story-bars button").nth(2).click()
    note = page.inner_text(".story-note")
    assert f"at most 1 token away, here {('two', 'three')[row > 0]} with itself" in note
    head = int(note.split("head ")[1].split()[0]) - 1
    truth = page.evaluate(numbers.TRUTH, [row, head])
    assert story.figures(page, ".story-text.score") == [numbers.number(truth["scores"][i]) for i in seen]
    story.open_table(page)
    scores = views.texts(page, ".twin tbody td:nth-child(2)")
    assert [i for i, text in enumerate(scores) if text != "hidden"] == [*seen] and len(scores) == len(truth["scores"])
    weights = [truth["weights"][i] for i in seen]
    assert sum(weights) == pytest.approx(1, abs=1e-5)
    page.keyboard.press("ArrowRight")
    assert numbers.close(story.figures(page, ".story-text.weight"), weights)
    assert page.locator("[data-column=weight] rect").count() == len(seen)
    assert f"of the {len(seen)} tokens in its window" in page.inner_text(".story-words")
    narrow.assert_quiet()
