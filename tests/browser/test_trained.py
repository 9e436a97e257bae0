"""Models of every position scheme and architecture, trained for a few steps, are shown as what they are. covers SV22"""

import subprocess

import pytest

import boxes
import conftest
import views

# What the view of positions says of each, and what it draws.
POSITIONS = {
    "sinusoidal": ("sinusoidal", ".clock", []),
    "sinusoidal-halves": ("sinusoidal-halves", ".clock", ["--set", "model.position=sinusoidal-halves"]),
    "learned": ("learned", ".signed-panel", ["--set", "model.position=learned"]),
    "rotary": ("turns queries and keys", ".clock", ["--set", "model.position=rotary"]),
    "alibi": ("alibi", ".slopes", ["--set", "model.position=alibi"]),
    "none": ("set of words", None, ["--set", "model.position=none"]),
    "bahdanau": ("recurrent", None, ["--arch", "bahdanau"]),
}
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@pytest.fixture
def trained(request, tmp_path, browser):
    """A tab at a server with a model of the scheme."""
    if not conftest.PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    model = str(tmp_path / request.param)
    train = [conftest.PROGRAM, "train", "-q", "--train", "builtin:en-fr", "--set", "data.builtin_pairs=2000", "--model", model, "--preset", "tiny",
             "--steps", "20", *POSITIONS[request.param][2]]
    subprocess.run(train, check=True, timeout=300)
    with conftest.serving(model=model) as address:
        context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
        yield conftest.Visit(context, address), request.param
        context.close()


@pytest.mark.parametrize("trained", POSITIONS, indirect=True)
def test_it_is_shown_as_what_it_is(trained):
    visit, scheme = trained
    said, drawn, _ = POSITIONS[scheme]
    page = visit.open("#view=positions")
    page.wait_for_selector(f".positions-view >> text={said}")
    assert drawn is None and page.locator("main svg:visible, main canvas:visible").count() == 0 or page.locator(drawn).first.is_visible()
    for name in ("positions", "story", "heads", "head", "query", "model"):
        page.evaluate("name => location.hash = 'view=' + name", name)
        page.wait_for_selector(f"#tabs [aria-current][data-view={name}]", state="attached")
        page.wait_for_load_state("networkidle")
        if name == "query" and scheme != "bahdanau":
            page.wait_for_selector(".equation")
            assert "agrees with the weights" in page.inner_text(".summary")
        for screen in (PHONE, WIDE):
            page.set_viewport_size(screen)
            for part in steps(page) if name == "story" else [name]:
                assert boxes.wrong(page) == [], f"{part}, {screen['width']}"
    visit.assert_quiet()


def steps(page):
    """The steps of the story, from the first on."""
    page.wait_for_selector(".story[aria-busy=false]")
    for button in page.locator(".story-bars button").all():
        button.click()
        yield page.inner_text(".story-title")
