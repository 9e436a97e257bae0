"""Eighty tokens, on a wide screen and on a phone. covers SV22"""

import json

import pytest

import synthetic
import views

SOURCE, TARGET = [f"word{i}" for i in range(79)], [f"Wörterbuch{i}" for i in range(64)]
SIZES = [{"viewport": {"width": 1240, "height": 860}}, {"viewport": {"width": 360, "height": 740}}]
# What is painted in a saved picture, how tall that is, the lowest line of its text, and where its first words stand meanwhile.
SAVED = """async () => {
  const {canvasOf, sceneOf} = await import('/page/raster.js');
  const [body, words] = ['.figure-body', '.words'].map(name => document.querySelector('.alignment ' + name));
  let left = 0, lowest = 0;
  const painted = [];
  const paint = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    left ||= words.getBoundingClientRect().left;
    painted.push(text.trim());
    lowest = Math.max(lowest, this.getTransform().transformPoint({x, y}).y);
    paint.call(this, text, x, y, ...rest);
  };
  const {height} = canvasOf(sceneOf(body, 0));
  CanvasRenderingContext2D.prototype.fillText = paint;
  return {painted, height, lowest, left};
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


def test_ribbons_wrap_into_rows(visit):
    page = visit.open()
    rows = page.locator(".alignment .ribbon-row").count()
    assert no_sideways(page) and (4 if page.viewport_size["width"] > 1000 else 12) < rows < 40
    page.locator(".alignment .words:last-child .word").last.focus()
    assert page.locator(".alignment .words:last-child .word").last.is_visible() and "attends to" in page.inner_text("#spoken")


def test_a_word_is_not_cut_by_its_probability(visit):
    page = visit.open()
    cut = "all => all.filter(text => text.scrollWidth > text.clientWidth).length"
    assert page.eval_on_selector_all(".alignment .word-text", cut) == 0


def test_a_saved_picture_of_ribbons_is_whole(visit):
    page = visit.open()
    left = page.eval_on_selector(".alignment .words", "row => row.getBoundingClientRect().left")
    saved = page.evaluate(SAVED)
    assert not {*SOURCE, *TARGET} - {*saved["painted"]}
    assert 1400 < saved["lowest"] < saved["height"] and abs(saved["left"] - left) < 12


def test_names_of_what_stands_in_other_rows_have_a_lane_without_ribbons(visit):
    """Each word of the translation attends to one near it and to one at the other end."""
    trace = synthetic.trace(SOURCE, TARGET, layers=1, heads=2, request={"encoding": "f32", "vectors": True})
    near = [round(i * len(SOURCE) / len(TARGET)) for i in range(len(TARGET))]
    weights = [0.6 * (j == near[i]) + 0.4 * (j == len(SOURCE) - 1 - near[i]) for i in range(len(TARGET)) for j in range(len(SOURCE))]
    trace["alignment"]["soft"]["data"] = synthetic.floats(weights)
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))
    page = visit.open()
    assert page.locator(".alignment .stub-name").count() > 2 and page.locator(".alignment .ribbon:not(.stub)").count() > 40
    assert page.locator(".alignment .stub").count() == page.locator(".alignment .stub-name").count()
    within = "([one, two]) => { const all = name => [...document.querySelectorAll(name)].map(each => each.getBoundingClientRect()); const others = all(two); return all(one).some(a => others.some(b => a.top < b.bottom - 1 && b.top < a.bottom - 1 && a.left < b.right - 1 && b.left < a.right - 1)); }"
    for other in (".alignment .ribbons", ".alignment .ribbon:not(.stub)", ".alignment .word"):
        assert not page.evaluate(within, [".alignment .stub-name", other]), other


def test_the_sentence_is_seen_in_its_box(visit):
    page = visit.open()
    page.fill("#sentence", " ".join(SOURCE[:14]))
    assert page.eval_on_selector("#sentence", "box => box.scrollHeight <= box.clientHeight + 1")
    page.fill("#sentence", " ".join(SOURCE * 4))
    assert page.eval_on_selector("#sentence", "box => box.scrollHeight <= box.clientHeight + 1")
    if page.viewport_size["width"] > 1000:  # both panes scroll together
        assert page.eval_on_selector(".panes", HEIGHT) <= page.viewport_size["height"] * 0.75


def test_labels_leave_room_for_the_map(visit):
    page = visit.open("#view=head")
    share = page.eval_on_selector(".map", "map => map.querySelector('.map-rows').offsetWidth / map.clientWidth")
    assert share <= 0.34 and no_sideways(page)
    whole = page.eval_on_selector(".map", "map => map.scrollWidth <= map.clientWidth")  # else it scrolls in its own frame
    assert whole or within_a_screen(page, ".map")
    assert views.texts(page, ".map-rows span") == [*TARGET, "⟨end⟩"] and views.texts(page, ".map-columns span") == [*SOURCE, "⟨end⟩"]


def test_beyond_32_tokens_reading_stands_below_the_map(visit):
    page = visit.open("#view=head&row=3")
    below = "([map, reading]) => document.querySelector(reading).getBoundingClientRect().top >= document.querySelector(map).getBoundingClientRect().bottom"
    assert page.evaluate(below, [".map", ".readings"])
    assert page.inner_text(".reading h3 >> nth=0") == f"“{TARGET[3]}” looked at"
    assert float(page.eval_on_selector(".map-rows span", "name => parseFloat(getComputedStyle(name).fontSize)")) == 11.5


def test_heads_name_every_nth_and_say_so(visit):
    page = visit.open("#view=heads&row=31")
    assert no_sideways(page)
    across = page.eval_on_selector_all(".heads-row", "all => all.map(row => row.querySelectorAll('.head-cell').length)")
    assert max(across) == 2
    names = views.texts(page, ".heads-names >> nth=0 >> span:not(.heads-name-here)")
    assert 1 < len(names) < len(TARGET) and page.inner_text(".heads-name-here >> nth=0") == TARGET[31]
    assert "Named: every" in page.inner_text(".grid-panel .summary")
    gaps = """names => {
      const tops = names.filter(name => getComputedStyle(name).visibility === 'visible').map(name => name.getBoundingClientRect().top).sort((a, b) => a - b);
      return Math.min(...tops.slice(1).map((top, i) => top - tops[i]));
    }"""
    assert page.eval_on_selector_all(".heads-row:first-child .heads-names span", gaps) >= 11


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
