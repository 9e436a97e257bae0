"""The words of the story fit the sentence and the model at hand. covers SV22"""

import re

import pytest

import synthetic
import views
from story import CLASHES, SOURCE, TARGET, answer, hidden, open_step, sizes, steps, with_spec


def attending(words, heads, request):
    """A trace whose heads of the first layer look at the end, but for `heads`: of each {row: (column, weight)}."""
    data = synthetic.trace(words, TARGET, layers=1, heads=len(heads), request=request)
    size = len(words) + 1
    for entry in data["attention"]:
        if entry["kind"] == "encoder":
            rows = [[0.0] * size for _ in range(size)]
            for i, row in enumerate(rows):
                column, weight = heads[entry["head"]].get(i, (size - 1, 1))
                row[column] += weight
                row[size - 1] += 1 - weight
            flat = sum(rows, [])
            entry |= {"tag": "other", "data": synthetic.floats(flat) if entry["dtype"] == "f32" else synthetic.octets(flat)}
    return data


def test_the_story_begins_with_a_word_that_attends_to_another(visit):
    """Not to a mark, the end or itself, however strongly; a chosen word keeps that head."""
    words = "The cat sleeps , it is tired .".split()
    heads = [{0: (7, 0.99), 1: (3, 0.95)}, {1: (1, 0.99), 4: (6, 0.8), 5: (6, 0.6)}, {7: (1, 0.99), 2: (1, 0.45)}]
    answer(visit.page, lambda request: attending(words, heads, request), with_spec(heads=3, encoder_layers=1))
    page = open_step(visit, 4)
    assert views.texts(page, ".story-text.on") == ["it"]
    assert "“it” attends most to “tired”, 80\u00a0%" in page.text_content(".story-words") and "head 2 of 3" in page.text_content(".story-note")
    page.locator(".story-svg").press("ArrowDown")
    assert "“is” attends most to “tired”" in page.text_content(".story-words") and "head 2 of 3" in page.text_content(".story-note")
    visit.assert_quiet()


def test_the_first_story_of_a_model_is_about_two_words(visit):
    page = open_step(visit, 4)
    strongest = page.eval_on_selector_all("[data-column=weight] rect", "all => all.sort((a, b) => b.getAttribute('width') - a.getAttribute('width'))[0].textContent.split(':')[0]")
    assert re.search(r"\w", strongest) and strongest != "⟨end⟩" and [strongest] != views.texts(page, ".story-text.on")


def test_the_strongest_keys_of_a_long_sentence_have_rows(visit):
    words = [f"w{i}" for i in range(60)]
    answer(visit.page, lambda request: attending(words, [{50: (2, 0.9), 30: (31, 0.5)}, {50: (20, 0.7)}], request), with_spec(heads=2, encoder_layers=1))
    page = open_step(visit, 4, "&row=50")
    names = views.texts(page, ".story-text.name")
    assert {"w2", "w20", "w48", "w49", "w50", "w51", "w52", "⟨end⟩"} <= {*names} and len(names) <= 16
    shown = [name if not hidden(name) else None for name in names]
    assert shown.index("w20") - shown.index("w2") == 2 and shown[shown.index("w2") + 1] is None  # a gap between
    assert "w2: 0.9000" in views.texts(page, "[data-column=weight] rect title")
    assert page.evaluate(CLASHES) == []
    visit.assert_quiet()


def test_words_follow_the_sentence(visit):
    def again(request):
        data = synthetic.trace("the dog sees the cat".split(), TARGET, request=request | {"embedding": False})
        data["source"]["tokens"][3]["id"] = data["source"]["tokens"][0]["id"]
        return data | (synthetic.embedding(data["source"]["tokens"]) if request.get("embedding") else {})

    page = open_step(visit, 1)
    assert "No token occurs twice" in page.inner_text(".story-note")
    answer(page, again)
    page.goto(page.url + "&q=the+dog+sees+the+cat")
    page.wait_for_function("() => document.querySelector('.story-note').textContent.includes('the two rows of “the”: the same')")
    assert page.locator(".story-band").count() == 2
    page.keyboard.press("ArrowRight")
    assert "tells one “the” from another" in page.inner_text(".story-words")


def test_subwords_are_named_with_their_pieces(visit):
    model = with_spec() | {"vocabulary": {"source": 8000, "target": 8000, "kind": "subwords"}}
    answer(visit.page, lambda request: synthetic.trace("umbrella cat".split(), ["parapluie"], request=request, subwords=True), model)
    page = open_step(visit, 1)
    assert views.texts(page, ".story-text.name") == ["umbr", "·ella", "cat", "⟨end⟩"]
    assert "“umbrella” is cut into “umbr” and “ella”" in page.inner_text(".story-words") and "8,000" in page.inner_text(".story-words")
    page.locator(".story-bars button").last.click()
    assert "the first piece of “parapluie”" in page.inner_text(".story-words")


def test_one_head_and_one_layer_are_told_as_such(visit):
    answer(visit.page, lambda request: synthetic.trace(SOURCE, TARGET, layers=1, heads=1, request=request), with_spec(heads=1, encoder_layers=1))
    page = open_step(visit, 6)
    assert page.inner_text(".story-title") == "One head" and page.locator(".story-frame").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".story-title") == "One layer"


SCHEMES = {"rotary": ("Nothing is added to the rows", ".story-clock"), "alibi": ("each place costs", ".story-text.score"),
           "none": ("no positions", ".story-text.name"), "learned": ("learned in training", "[data-column=position] path")}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_positions_are_told_as_the_model_has_them(visit, scheme):
    def made(request):
        data = synthetic.trace(SOURCE, TARGET, request=request)
        return data if scheme == "learned" else {name: value for name, value in data.items() if name != "position"}

    answer(visit.page, made, with_spec(position=scheme))
    page = open_step(visit, 2)
    words, mark = SCHEMES[scheme]
    page.wait_for_selector(mark, state="attached")
    assert words in page.inner_text(".story-words") and page.evaluate(CLASHES) == []
    if scheme != "learned":
        assert page.locator("[data-column=position]").count() == 0
    visit.assert_quiet()


@sizes
def test_a_recurrent_model_has_a_story_of_its_own(visit):
    answer(visit.page, lambda request: synthetic.recurrent_trace(SOURCE, TARGET), synthetic.recurrent_model())
    page = open_step(visit, 7)
    assert page.inner_text(".story-where") == "4 of 4"
    page.locator(".story-bars button").first.click()
    titles = []
    for step in steps(page):
        titles.append(page.inner_text(".story-title"))
        assert page.evaluate(CLASHES) == [], step
        assert not re.search(r"\bquery\b|\bhead \d", page.inner_text(".story-words")) or step == 4
    assert len(set(titles)) == 4 and titles[1] == "Read in order"
    visit.assert_quiet()
