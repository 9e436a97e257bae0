"""Nothing of the story is cut or lies over another, on any screen, and all of it can be reached. covers SV22"""

import pytest

import boxes
import synthetic
import views
from story import CLASHES, SIZES, answer, hidden, open_step, open_table, sizes, steps


@sizes
@pytest.mark.parametrize("length", views.all_or([2, 9, 63, 249], [9, 249]))
def test_nothing_meets_or_is_cut(visit, length):
    words = [f"Wörterbuch{i}" if i % 5 == 0 else f"w{i}" for i in range(length)]
    layers, heads = (6, 8) if length < 20 else (2, 8) if length < 100 else (1, 1)
    data = synthetic.trace(words, words[::-1], layers, heads, {"encoding": "f32", "vectors": True, "embedding": True})
    answer(visit.page, lambda request: data)
    page = open_step(visit, 1, f"&row={length // 2}")
    for step in steps(page):
        assert page.evaluate(CLASHES) == [], step
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
        rows = page.locator(".story-text.name").count()
        assert rows == length + 1 if length < 16 else 15 <= rows <= 16
        names = views.texts(page, ".story-text.name")
        assert sum(hidden(name) or 1 for name in names) == length + 1
        assert len(words) > 16 or not any(map(hidden, names))
    visit.assert_quiet()


@pytest.mark.parametrize("visit", [{"reduced_motion": "no-preference"}, {"reduced_motion": "reduce"}], indirect=True, ids=["motion", "calm"])
def test_new_columns_fade_in_unless_motion_is_unwelcome(visit, request):
    page = open_step(visit, 4)
    page.evaluate("""() => {
      window.faded = 0;
      document.addEventListener('animationstart', ({animationName}) => { window.faded += animationName === 'story-fade'; });
    }""")
    page.keyboard.press("ArrowRight")
    if "calm" in request.node.name:
        page.wait_for_timeout(500)
        assert page.evaluate("window.faded") == 0
    else:
        page.wait_for_function("() => window.faded > 0")
    assert not page.locator("[data-column=weight]").evaluate("group => group.classList.contains('fresh')")


@pytest.mark.parametrize("visit", [{"color_scheme": "light"}, {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}], indirect=True, ids=["light", "dark phone"])
def test_axe_finds_nothing_serious_in_any_step(visit):
    page = open_step(visit, 1)
    for step in steps(page):
        page.wait_for_timeout(250)  # until columns have faded in
        assert views.serious(page) == [], step


@pytest.mark.parametrize("visit", [SIZES["phone"]], indirect=True)
def test_next_stays_in_reach_on_a_phone(visit):
    page = open_step(visit, 3)
    for selector in (".story-next", ".story-back", ".story-bars button"):
        assert page.locator(selector).first.bounding_box()["height"] >= 44
    place = page.locator(".story-next").bounding_box()
    assert place["y"] + place["height"] <= 844 - 56
    figure, words = page.locator(".story-svg").bounding_box(), page.locator(".story-title").bounding_box()
    assert figure["y"] < words["y"]


@pytest.mark.parametrize("visit", [{"viewport": {"width": width, "height": height}} for width, height in ((390, 844), (360, 640), (720, 450), (1280, 450))],
                         indirect=True, ids=["phone", "small phone", "zoomed", "low"])
def test_all_that_is_said_can_be_brought_into_sight(visit):
    """Where a window is low, nothing stays in front of the text."""
    page = open_step(visit, 1)
    low = page.viewport_size["height"] < 560
    assert page.locator(".story-go").evaluate("bar => getComputedStyle(bar).position") == ("static" if low else "sticky")
    for step in steps(page):
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        words, bar = page.locator(".story-words").bounding_box(), page.locator(".story-go").bounding_box()
        assert words["y"] + words["height"] <= bar["y"] + 1, step
        page.evaluate("window.scrollTo(0, 0)")


@pytest.mark.parametrize("visit", [SIZES["phone"]], indirect=True)
def test_a_phone_has_no_blank_under_the_rows_and_nothing_over_their_titles(visit):
    page = open_step(visit, 1)
    for step in steps(page):
        assert boxes.wrong(page) == [], step
        table, save = page.locator(".figure-foot summary").bounding_box(), page.locator(".save-button").bounding_box()
        assert abs(table["y"] + table["height"] / 2 - save["y"] - save["height"] / 2) <= 2, step
        blank = page.eval_on_selector(".story-svg", "svg => svg.getBoundingClientRect().bottom - Math.max(...[...svg.querySelectorAll('text, rect, path, circle')].map(each => each.getBoundingClientRect().bottom))")
        assert blank <= 16, step
    open_table(page)
    assert save == page.locator(".save-button").bounding_box() and boxes.wrong(page) == []


def test_right_to_left_and_hostile_words(visit):
    words = ["القط", "<img", "src=x", "onerror=alert(1)>", "الأسود"]
    answer(visit.page, lambda request: synthetic.trace(words, words[::-1], request=request))
    page = open_step(visit, 1)
    for _ in steps(page):
        assert page.locator("main img").count() == 0
    visit.assert_quiet()
