"""Everyone can use it, it is quick, and no text becomes markup. covers SV22"""

import json

import pytest

import synthetic
import views


def answer_with(page, trace):
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))


@pytest.mark.parametrize("visit", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True, ids=["light", "dark"])
def test_axe_finds_no_serious_problem(visit):
    for page, name in views.walk(visit):
        page.locator(".figure-foot summary").first.click()
        if name == "translate":
            page.locator(".alignment .words:last-child .word").first.click()
            page.wait_for_selector(".choice")
        assert views.serious(page) == [], name


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}}, {"viewport": {"width": 680, "height": 450}}],
                         indirect=True, ids=["phone", "zoom 200 %"])
def test_narrow_screens_do_not_scroll_sideways(visit):
    for page, name in views.walk(visit):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


def test_48_heads_of_80_tokens_draw_quickly(visit):
    """In time of the page's own thread, script, style and layout together, so that a busy machine does not matter."""
    answer_with(visit.page, synthetic.fast_trace(80, 6, 8))
    page = visit.open("#view=heads")
    assert page.locator(".head-cell").count() == 48
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    parts = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
    spent = lambda: sum(each["value"] for each in session.send("Performance.getMetrics")["metrics"] if each["name"] in parts)
    times = []
    for key in "123" * 4:
        before = spent()
        page.keyboard.press(key)
        times.append(1000 * (spent() - before))
    print(f"48 heads of 80 x 80: {', '.join(f'{time:.0f}' for time in times)} ms")
    assert sorted(times)[len(times) // 2] < 50
    assert page.evaluate("document.querySelectorAll('*').length") < 5000


def test_beyond_128_tokens_thumbnails_are_pooled_and_say_so(visit):
    answer_with(visit.page, synthetic.fast_trace(150, 1, 2))
    page = visit.open("#view=heads")
    assert "150 tokens: each cell is the largest weight of a block of 2 by 2." in page.inner_text(".grid-panel .summary")
    assert page.eval_on_selector(".thumb", "canvas => canvas.width") == 75
    page.goto(page.url.replace("view=heads", "view=head"))
    page.wait_for_selector(".map-canvas")
    assert page.evaluate("document.querySelectorAll('*').length") < 5000


HOSTILE = ["<img", "src=x", "onerror=alert(1)>", "</script><script>alert(2)</script>", "\"'><svg/onload=alert(3)>"]


def test_text_stays_text(visit):
    answer_with(visit.page, synthetic.trace(HOSTILE, HOSTILE[::-1], request={"encoding": "f32", "vectors": True}))
    visit.page.on("dialog", lambda dialog: visit.complaints.append("a script of the text ran"))
    for page, name in views.walk(visit):
        if name == "translate":
            assert page.inner_text("#translation") == " ".join(HOSTILE[::-1])
            page.locator(".alignment .words:last-child .word").first.click()
            page.keyboard.press("Escape")
        page.locator(".figure-foot summary").first.click()
        assert page.locator("main img, main script, main svg[onload]").count() == 0, name
    visit.assert_quiet()


def test_a_hostile_sentence_that_is_typed_stays_text(visit):
    page = visit.open()
    page.fill("#sentence", "<img src=x onerror=alert(1)> The cat.")
    page.press("#sentence", "Enter")
    page.wait_for_function("() => document.querySelector('.alignment .word-text').textContent.includes('<')")
    assert page.locator("main img").count() == 0
    visit.assert_quiet()


def test_right_to_left_text_is_laid_out_its_own_way(visit):
    answer_with(visit.page, synthetic.trace("القط الأسود لا يرى الكلب".split(), "the black cat does not see".split()))
    page = visit.open()
    words = page.eval_on_selector_all(".alignment .words:first-child .word", "all => all.map(word => word.getBoundingClientRect().left)")
    assert words == sorted(words, reverse=True)
    others = page.eval_on_selector_all(".alignment .words:last-child .word", "all => all.map(word => word.getBoundingClientRect().left)")
    assert others == sorted(others)
    assert page.eval_on_selector("#sentence", "box => getComputedStyle(box).direction") == "rtl"


def test_a_refusal_is_shown(visit):
    page = visit.open()
    page.route("**/v1/inspect", lambda route: route.fulfill(status=503, content_type="application/json", body='{"error":"Loading model"}'))
    page.fill("#sentence", "The cat.")
    page.press("#sentence", "Enter")
    page.wait_for_selector(".trouble:not(:empty)")
    assert page.inner_text(".trouble") == "Loading model"
