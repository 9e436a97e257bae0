"""A map says what its sides are and what its colours stand for, wherever it is seen. covers SV22"""

import json

import pytest

import synthetic
import views

SOURCE, TARGET = "the little cat sleeps .".split(), "le petit chat dort .".split()
SIDES = {"encoder": ("source word (query)", "source word (key)"),
         "decoder": ("target word (query)", "earlier word (key)"),
         "cross": ("target word (query)", "source word (key)")}

# Whether something is painted where an element stands, in the picture that is saved.
PAINTED = """([body, selector]) => import('/page/raster.js').then(({canvasOf, sceneOf}) => {
  const holder = document.querySelector(body);
  const part = holder.querySelector(selector).getBoundingClientRect();
  const whole = sceneOf(holder, 0);
  const canvas = canvasOf(whole);
  const { data } = canvas.getContext('2d').getImageData(
      2 * (part.left - whole.left), 2 * (part.top - whole.top), 2 * part.width, 2 * part.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return colours.size;
})"""


def serve_subwords(page):
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        synthetic.trace(SOURCE, TARGET, request=json.loads(route.request.post_data), subwords=True))))


def numbers(page, holder):
    return [float(text) for text in views.texts(page, f"{holder} .scale-tick")]


def largest(page):
    """The largest weight of the head, by the table beside it."""
    if not page.locator(".twin table").count():
        page.click(".figure-foot summary")
        page.wait_for_selector(".twin td", state="attached")
    return page.eval_on_selector_all(".twin td", "cells => Math.max(...cells.map(cell => Number(cell.textContent)).filter(Number.isFinite))")


@pytest.mark.parametrize("kind", list(SIDES))
def test_sides_are_named_in_the_picture_in_speech_and_in_files(visit, kind):
    rows, columns = SIDES[kind]
    page = visit.open(f"#view=head&kind={kind}")
    assert (page.inner_text(".map-row-name"), page.inner_text(".map-column-name")) == (rows, columns)
    assert f"Rows: {rows}. Columns: {columns}." in page.get_attribute(".map", "aria-label")
    for part in (".map-row-name", ".map-column-name", ".scale-bar", ".scale-tick"):
        assert page.evaluate(PAINTED, [".head-panel .figure-body", part]) > 1, part
    page.click(".figure-foot summary")
    assert f"Rows: {rows}. Columns: {columns}." in page.inner_text(".twin caption")
    assert json.loads(views.saved(page, "json"))[0]["axes"] == {"rows": rows, "columns": columns}
    page.click("text=Lines")
    assert views.texts(page, ".side-name") == [columns, rows]
    page.goto(page.url.replace("view=head", "view=heads"))
    page.wait_for_selector(".head-cell")
    assert f"Rows: {rows}. Columns: {columns}." in page.inner_text(".grid-panel .summary")


def test_a_scale_goes_from_nothing_to_the_largest_weight_of_the_head(visit):
    page = visit.open("#view=head&layer=1&head=3")
    page.wait_for_function("() => !document.querySelector('.readout .value').textContent.includes('≈')")
    shown = numbers(page, ".map-scale")
    assert shown == [0, 1]
    page.get_by_label("Own scale").check()
    shown = numbers(page, ".map-scale")
    assert shown[0] == 0 and len(shown) == 2 and 0 < shown[1] <= 1 and abs(shown[1] - largest(page)) < 0.001
    assert f"to {views.texts(page, '.scale-tick')[-1]}, furthest from it" in page.get_attribute(".scale", "aria-label")


STRONGEST = """all => all.map(canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let least = 765;
  for (let i = 0; i < data.length; i += 4) if (data[i + 3]) least = Math.min(least, data[i] + data[i + 1] + data[i + 2]);
  return least;
})"""


def test_heads_share_a_scale_from_0_to_1_unless_each_has_its_own(visit):
    page = visit.open("#view=heads")
    assert numbers(page, ".grid-panel") == [0, 1] and len(set(page.eval_on_selector_all(".thumb", STRONGEST))) > 1
    page.get_by_label("Own scale for each head").check()
    assert views.texts(page, ".grid-panel .scale-tick") == ["0", "largest"]
    assert len(set(page.eval_on_selector_all(".thumb", STRONGEST))) == 1  # each reaches the end of the scale


def test_two_heads_have_a_scale_each(visit):
    page = visit.open("#view=head&layer=0&head=0&other=1.1")
    assert page.locator(".map-scale .scale-bar").count() == 2


def test_hatching_is_explained_where_there_is_any(visit):
    page = visit.open("#view=head&kind=decoder")
    assert page.locator(".map-scale .hatched").count() == 1
    assert page.evaluate(PAINTED, [".head-panel .figure-body", ".hatched"]) > 1
    page.keyboard.press("3")
    assert page.locator(".map-scale .hatched").count() == 0


@pytest.mark.parametrize("view", ["translate", "heads", "head"])
def test_sub_words_are_merged_by_one_tick(visit, view):
    serve_subwords(visit.page)
    page = visit.open(f"#view={view}")
    if view == "translate":
        page.click(".align-options summary")
    assert page.get_by_label("Whole words").count() == 1
    assert page.get_by_label("Whole words").is_checked()
    page.get_by_label("Whole words").uncheck()
    assert "merge=0" in page.url and not page.get_by_label("Whole words").is_checked()


def test_the_tick_holds_for_ribbons(visit):
    serve_subwords(visit.page)
    page = visit.open()
    ribbons = ".alignment .words:last-child .word-text"
    assert views.texts(page, ribbons) == TARGET
    page.click(".align-options summary")
    page.get_by_label("Whole words").uncheck()
    tokens = [token["text"] for token in synthetic.side(TARGET, subwords=True)["tokens"]]
    assert views.texts(page, ribbons) == tokens[:-1]
    assert views.texts(page, "#translation .output-word") == TARGET


def test_the_tick_holds_for_the_map_and_the_sentence(visit):
    serve_subwords(visit.page)
    page = visit.open("#view=head")
    rows = ".map-rows span"
    assert views.texts(page, rows) == [*TARGET, "⟨end⟩"]
    assert page.inner_text(".map-row-name") == "target word (query)"
    page.get_by_label("Whole words").uncheck()
    tokens = [token["text"] for token in synthetic.side(TARGET, subwords=True)["tokens"]]
    assert views.texts(page, rows) == [*tokens[:-1], "⟨end⟩"]
    assert page.inner_text(".map-row-name") == "target token (query)"
    page.goto(page.url.replace("view=head", "view=heads"))
    page.wait_for_selector(".head-cell")
    assert views.texts(page, ".strip-line button") == [*tokens[:-1], "⟨end⟩"]


def test_sixty_four_words_leave_room_for_a_layer_in_a_line(visit):
    visit.page.set_viewport_size({"width": 1440, "height": 900})
    data = lambda request: synthetic.trace([f"word{i}" for i in range(64)], [f"Wort{i}" for i in range(64)], request=request)
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(data(json.loads(route.request.post_data)))))
    page = visit.open("#view=heads")
    assert page.locator(".heads-row").count() == 2 and page.locator(".heads-row >> nth=0 >> .head-cell").count() == 4
    assert page.evaluate("document.documentElement.scrollHeight") < 1800
    assert page.eval_on_selector(".head-map", "map => map.clientWidth") >= 3 * 65
