"""Eighty tokens, on a wide screen and on a phone. covers SV22"""

import json

import pytest

import synthetic

SOURCE, TARGET = [f"word{i}" for i in range(79)], [f"Wörterbuch{i}" for i in range(64)]
SIZES = [{"viewport": {"width": 1240, "height": 860}}, {"viewport": {"width": 360, "height": 740}}]
# How tall the saved picture is, and where its first words stand while it is painted.
SAVED = """async () => {
  const {raster} = await import('/page/raster.js');
  const [body, words] = ['.figure-body', '.words'].map(name => document.querySelector('.alignment ' + name));
  let left = 0;
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...all) { left ||= words.getBoundingClientRect().left; paint.apply(this, all); };
  const {height} = raster(body);
  CanvasRenderingContext2D.prototype.fillText = paint;
  return [height, left];
}"""
HEIGHT = "element => element.getBoundingClientRect().height"

pytestmark = pytest.mark.parametrize("visit", SIZES, indirect=True, ids=["wide", "phone"])


@pytest.fixture(autouse=True)
def long_sentence(visit):
    trace = json.dumps(synthetic.trace(SOURCE, TARGET, layers=1, heads=2, request={"encoding": "f32", "vectors": True}))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=trace))


def within_a_screen(page, selector):
    return page.eval_on_selector(selector, HEIGHT) <= page.viewport_size["height"]


def no_sideways(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_ribbons_scroll_in_their_own_frame_and_end_together(visit):
    page = visit.open()
    assert within_a_screen(page, ".alignment .ribbon-box") and no_sideways(page)
    ends = page.eval_on_selector_all(".alignment .words", "all => all.map(row => row.lastElementChild.getBoundingClientRect().bottom)")
    assert abs(ends[0] - ends[1]) < 12
    page.locator(".alignment .words:last-child .word").last.focus()
    assert page.locator(".alignment .words:last-child .word").last.is_visible() and "attends to" in page.inner_text("#spoken")


def test_a_word_is_not_cut_by_its_probability(visit):
    page = visit.open()
    cut = "all => all.filter(text => text.scrollWidth > text.clientWidth).length"
    assert page.eval_on_selector_all(".alignment .word-text", cut) == 0


def test_a_saved_picture_of_ribbons_is_whole(visit):
    page = visit.open()
    whole = page.eval_on_selector(".alignment .ribbon-box", "box => box.scrollHeight")
    left = page.eval_on_selector(".alignment .words", "row => row.getBoundingClientRect().left")
    drawn, moved = page.evaluate(SAVED)
    assert whole > 1500 and drawn >= 2 * whole and abs(moved - left) < 12


def test_the_sentence_is_seen_in_its_box(visit):
    page = visit.open()
    page.fill("#sentence", " ".join(SOURCE[:14]))
    assert page.eval_on_selector("#sentence", "box => box.scrollHeight <= box.clientHeight + 1")
    page.fill("#sentence", " ".join(SOURCE * 4))
    assert page.eval_on_selector("#sentence", HEIGHT) <= page.viewport_size["height"] / 2


def test_labels_leave_room_for_the_map(visit):
    page = visit.open("#view=head")
    share = page.eval_on_selector(".map", "map => map.querySelector('.map-rows').offsetWidth / map.clientWidth")
    assert share <= 0.34 and within_a_screen(page, ".map") and no_sideways(page)


def test_lines_and_keys_stay_within_a_screen(visit):
    page = visit.open("#view=head&mode=lines")
    assert within_a_screen(page, ".pane .ribbon-box") and no_sideways(page)
    page.goto(page.url.replace("view=head", "view=query"))
    page.wait_for_selector(".keys tbody tr")
    assert page.locator(".keys tbody tr").count() == 80 and within_a_screen(page, ".scroll.tall") and no_sideways(page)


def test_final_hypotheses_are_not_squeezed(visit):
    page = visit.open("#view=beam")
    page.wait_for_selector(".finals th[scope=row]")
    assert page.eval_on_selector(".finals th[scope=row]", "cell => cell.clientWidth") >= 200 and no_sideways(page)
