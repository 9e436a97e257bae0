"""The word chosen in one view is chosen in all, on either side. covers SV22"""

import json

import pytest

import synthetic
import views

SOURCE, TARGET = "the black cat sleeps soundly".split(), "le chat noir dort très profondément .".split()
PARTNERS = [0, 2, 1, 3, 4, 4, 4]  # the source word of each target word


@pytest.fixture
def page(visit):
    def answer(route):
        trace = synthetic.trace(SOURCE, TARGET, request=json.loads(route.request.post_data))
        soft = [0.9 if j == partner else 0.02 for partner in PARTNERS for j in range(len(SOURCE))]
        trace["alignment"]["soft"]["data"] = synthetic.floats(soft)
        route.fulfill(status=200, content_type="application/json", body=json.dumps(trace))
    visit.page.route("**/v1/inspect", answer)
    return visit


def to(page, view):
    page.click(f"#tabs [data-view={view}]")
    page.wait_for_selector(f"#tabs [aria-current][data-view={view}]")


def in_translate(page):
    page.locator("#translation .output-word").nth(2).click()
    page.keyboard.press("Escape")


def in_story(page):
    page.locator(".story-text.name").nth(1).click()


def in_heads(page):
    page.locator(".strip-line button").nth(2).click()


def in_head(page):
    page.keyboard.press("1")
    page.locator(".map-rows span").nth(1).click()


def in_query(page):
    page.keyboard.press("2")
    page.wait_for_selector(".keys")
    page.locator(".strip-line button").nth(2).click()


def in_positions(page):
    page.wait_for_selector(".signed-row.here")
    page.focus(".places")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")


def in_beam(page):
    page.locator(".node.best").nth(2).focus()
    page.keyboard.press("Enter")


CHOICES = {"translate": in_translate, "story": in_story, "heads": in_heads, "head": in_head, "query": in_query,
           "positions": in_positions, "beam": in_beam}


def assert_shown(page, source, target):
    """In every view of either side."""
    to(page, "translate")
    assert views.texts(page, ".output-word.here") == views.texts(page, ".output-word[aria-current]") == [target]
    to(page, "story")
    assert views.texts(page, ".story-text.on") == [source]
    for view, shown in (("heads", ".strip-word[aria-pressed=true]"), ("head", ".map-rows .here"), ("query", ".query-line th")):
        to(page, view)
        for key, word in (("1", source), ("2", target), ("3", target)):
            page.keyboard.press(key)
            page.wait_for_selector(shown)
            assert views.texts(page, shown)[0] == word, (view, key)
    to(page, "positions")
    page.wait_for_selector(".signed-row.here")
    assert views.texts(page, ".signed-row.here .signed-word") == [source]
    to(page, "beam")
    assert views.texts(page, ".node.chosen .node-word") == [target]
    to(page, "model")
    assert target in views.texts(page, ".diagram text")


@pytest.mark.parametrize("view", CHOICES)
def test_a_word_chosen_in_one_view_is_chosen_in_all(page, view):
    tab = page.open(f"#view={view}&stage=3")
    CHOICES[view](tab)
    assert_shown(tab, "black", "noir")
    page.assert_quiet()


def test_the_address_keeps_it_with_its_side(page):
    tab = page.open("#view=heads&side=source&row=1&stage=3")
    assert_shown(tab, "black", "noir")
    tab.reload()
    tab.wait_for_selector(".diagram")
    assert "side=source" in tab.url
    assert_shown(tab, "black", "noir")


def test_the_way_to_the_other_side_and_back_loses_nothing(page):
    """Two target words of one source word."""
    tab = page.open("#view=heads&row=5")
    tab.keyboard.press("1")
    assert views.texts(tab, ".strip-word[aria-pressed=true]") == ["soundly"]
    tab.keyboard.press("3")
    assert views.texts(tab, ".strip-word[aria-pressed=true]") == ["profondément"]


def test_an_end_is_joined_with_the_end(page):
    tab = page.open("#view=heads&row=7")
    tab.keyboard.press("1")
    assert views.texts(tab, ".strip-word[aria-pressed=true]") == ["⟨end⟩"]


def test_a_key_is_of_its_kind_alone(page):
    tab = page.open("#view=query&kind=cross&row=1&column=4")
    tab.wait_for_selector(".keys tr.chosen")
    tab.keyboard.press("2")
    tab.wait_for_function("() => !location.hash.includes('column=')")


def test_another_text_has_no_chosen_word_yet(page):
    tab = page.open("#view=translate")
    in_translate(tab)
    assert "side=target" in tab.url
    tab.fill("#sentence", "a dog sleeps .")
    tab.wait_for_function("() => location.hash.includes('q=')")
    assert "side=" not in tab.url and "row=" not in tab.url and tab.locator(".output-word.here").count() == 0
