"""Positions: clocks and a signed map of the table, or what stands in its place. covers SV22"""

import json
import math
import re

import pytest

import synthetic
import views

SOURCE, TARGET = "the little cat sleeps .".split(), "le petit chat dort .".split()
WIDTH = 64


def halves(length, width=WIDTH):
    pairs = width // 2
    speed = [10000 ** (-j / (pairs - 1)) for j in range(pairs)]
    values = [f((p + 1) * w) for p in range(length) for f in (math.sin, math.cos) for w in speed]
    return {"schema": 1, "scheme": "sinusoidal-halves", "first": 1, "rows": length, "cols": width, "dtype": "f32", "data": synthetic.floats(values)}


def learned(length, width=WIDTH):
    values = [0.05 * math.sin(p * d) for p in range(length) for d in range(width)]
    return {"schema": 1, "scheme": "learned", "first": 0, "rows": length, "cols": width, "dtype": "f32", "data": synthetic.floats(values)}


def without(scheme):
    return {"schema": 1, "scheme": scheme, "first": 0, "rows": 0, "cols": 0, "dtype": "f32", "data": "",
            "note": f"{scheme} adds nothing to embeddings, so there is no table"}


def serve(visit, answer=synthetic.positional, source=SOURCE, recurrent=False, **spec):
    """answer(length): what the server says; recurrent and spec: of the model. Returns the lengths asked for."""
    asked = []

    def positional(route):
        asked.append(int(route.request.url.split("length=")[1]))
        route.fulfill(status=200, content_type="application/json", body=json.dumps(answer(asked[-1])))

    model = synthetic.model()
    model["models"][0]["spec"] |= spec
    model["models"][0]["recurrent"] = recurrent
    page = visit.page
    page.route("**/v1/positional*", positional)
    page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(model)))
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        synthetic.trace(source, TARGET, request=json.loads(route.request.post_data)))))
    return asked


def opened(visit, fragment="#view=positions"):
    page = visit.open(fragment)
    page.wait_for_selector(".signed-row.here")
    return page


def angles(page):
    """Of each hand, in degrees."""
    turned = page.eval_on_selector_all(".clock-hand", "all => all.map(hand => hand.style.transform)")
    return [float(re.search(r"rotate\((.*)deg\)", text).group(1)) for text in turned]


def pairs(page):
    return [int(text) - 1 for text in views.texts(page, ".clock .clock-pair")]


def cell(page, panel, row, column):
    return page.evaluate("""([panel, row, column]) => [...document.querySelectorAll('.signed-cells')[panel].getContext('2d')
        .getImageData(column, row, 1, 1).data].slice(0, 3)""", [panel, row, column])


@pytest.mark.parametrize("answer", [synthetic.positional, halves], ids=["interleaved", "halves"])
def test_sines_stand_left_and_cosines_right(visit, answer):
    serve(visit, answer)
    page = opened(visit)
    assert views.texts(page, ".signed-name") == ["sine of pair", "cosine of pair"]
    last = WIDTH // 2 - 1
    sine, cosine = cell(page, 0, 0, last), cell(page, 1, 0, last)  # of the slowest hand at the first place: about 0 and 1
    assert max(sine) - min(sine) < 12, sine
    assert cosine[0] > cosine[2] + 60, "amber"
    assert page.eval_on_selector(".signed-cells", "canvas => [canvas.width, canvas.height]") == [WIDTH // 2, 64]


def test_arrows_turn_all_hands(visit):
    serve(visit)
    page = opened(visit)
    assert page.inner_text(".signed-row.here") in ("sleeps\n3", "sleeps3", "sleeps 3"), "the last word of the sentence"
    speeds = [10000 ** (-2 * j / WIDTH) for j in pairs(page)]
    degrees = lambda place: [place * speed * 180 / math.pi for speed in speeds]
    assert len(speeds) >= 8 and angles(page) == pytest.approx(degrees(3), abs=0.01)
    page.focus(".places")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert "row=5" in page.url and angles(page) == pytest.approx(degrees(5), abs=0.01)
    assert page.get_attribute(".places", "aria-valuenow") == "5" and "place 5" in page.inner_text("#spoken")
    page.keyboard.press("ArrowUp")
    assert "row=4" in page.url and "“.”" in page.inner_text("#spoken")
    dots = page.eval_on_selector(".clock svg", "svg => [...svg.querySelectorAll('.clock-trail')].map(path => path.getAttribute('d')).join('').split('M').length - 1")
    assert dots == 4, "a dot for each place before"
    page.click("[aria-label='The next place']")
    assert "row=5" in page.url


def test_the_place_before_the_first_and_after_the_last_is_none(visit):
    serve(visit)
    page = opened(visit)
    page.focus(".places")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert "row=" not in page.url and set(angles(page)) == {0}
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    assert "row=63" in page.url


def test_a_column_tells_its_wavelength(visit):
    serve(visit)
    page = opened(visit)
    box = page.locator(".signed-panel").nth(1).bounding_box()
    page.mouse.move(box["x"] + (10 + 0.5) * box["width"] / 32, box["y"] + (7 + 0.5) * box["height"] / 64)
    wavelength = 2 * math.pi * 10000 ** (2 * 10 / WIDTH)
    value = math.cos(7 / 10000 ** (2 * 10 / WIDTH))
    said = page.inner_text(".readout").replace("−", "-")
    assert f"pair 11 turns once in {wavelength:.0f} words" in said and f"cosine at place 7: {value:.3f}" in said
    page.mouse.click(box["x"] + (10 + 0.5) * box["width"] / 32, box["y"] + (7 + 0.5) * box["height"] / 64)
    assert "row=7" in page.url and "dimension=21" in page.url
    page.focus(".places")
    page.keyboard.press("ArrowRight")
    assert "dimension=22" in page.url and "pair 12 turns once" in page.inner_text("#spoken")


def test_the_map_says_what_its_colours_and_sides_are(visit):
    serve(visit)
    page = opened(visit)
    assert views.texts(page, ".figure-colours .scale-tick") == ["−1", "1"]
    assert page.inner_text(".signed-side-name") == "position in the sentence"
    page.locator(".figure-foot summary").first.click()
    page.wait_for_selector(".twin td", state="attached")
    assert page.locator(".twin thead th").first.inner_text() == "position"
    assert float(page.locator(".twin tbody tr").nth(1).locator("td").first.inner_text()) == pytest.approx(math.sin(1), abs=1e-3)


def test_counting_from_one_is_seen(visit):
    serve(visit, halves)
    page = opened(visit, "#view=positions&row=0")
    assert page.get_attribute(".places", "aria-valuenow") == "1"
    assert angles(page)[0] == pytest.approx(180 / math.pi, abs=0.01)


def test_rotary_turns_queries_and_keys(visit):
    serve(visit, lambda length: without("rotary"), position="rotary", d_model=64, heads=4)
    page = opened(visit)
    assert "turns queries and keys" in page.inner_text(".figure-side") and "8 pairs in each head" in page.inner_text(".figure-side")
    assert pairs(page)[-1] == 7 and page.locator(".signed-panel").count() == 2
    assert angles(page)[-1] == pytest.approx(3 * 10000 ** (-14 / 16) * 180 / math.pi, abs=0.01)
    assert "added to the token" not in page.inner_text(".summary")
    visit.assert_quiet()


@pytest.mark.parametrize("heads, slopes", [(4, [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8]), (3, [2 ** -4, 2 ** -8, 2 ** -2]), (1, [2 ** -8])])
def test_alibi_shows_what_distance_takes_off(visit, heads, slopes):
    serve(visit, lambda length: without("alibi"), position="alibi", heads=heads)
    page = visit.open("#view=positions")
    page.wait_for_selector(".slopes td")
    shown = [float(text) for text in views.texts(page, ".slopes tbody td:nth-child(2)")]
    assert shown == pytest.approx(slopes, rel=0.01)
    assert page.locator(".distance-panel .curve").count() >= heads and page.locator(".clock:visible, .signed-cells:visible").count() == 0
    page.locator(".figure-foot summary").first.click()
    page.wait_for_selector(".twin td", state="attached")
    last = page.locator(".twin tbody tr").last.locator("td").first.inner_text()
    assert float(last) == pytest.approx(-63 * slopes[0], rel=0.01)
    visit.assert_quiet()


@pytest.mark.parametrize("scheme, mark", [("rotary", ".signed-row.here"), ("alibi", ".slopes td")])
@pytest.mark.parametrize("decoder_heads, told", [(8, True), (4, False), (0, False)])
def test_whose_heads_are_drawn_is_told_where_they_differ(visit, scheme, mark, decoder_heads, told):
    serve(visit, lambda length: without(scheme), position=scheme, d_model=64, heads=4, decoder_heads=decoder_heads)
    page = visit.open("#view=positions")
    page.wait_for_selector(mark)
    assert ("for the encoder, with 4 heads; the decoder has 8" in page.inner_text(".summary")) == told
    assert ("decoder" in page.inner_text(".summary")) == told
    visit.assert_quiet()


def test_a_learned_table_has_no_clocks(visit):
    serve(visit, learned, position="learned")
    page = opened(visit)
    assert page.locator(".clock:visible").count() == 0 and page.locator(".signed-panel").count() == 1
    assert views.texts(page, ".signed-name") == ["dimension"] and "learned" in page.inner_text(".lede")
    page.focus(".places")
    page.keyboard.press("ArrowDown")
    assert "row=4" in page.url
    visit.assert_quiet()


def test_a_model_without_positions_says_so(visit):
    serve(visit, lambda length: without("none"), position="none")
    page = visit.open("#view=positions")
    page.wait_for_selector("text=Nothing is added")
    assert page.locator("main svg:visible, main canvas:visible, .figure-foot:visible").count() == 0


@pytest.mark.parametrize("window, told", [(0, True), (2, False)])
def test_tokens_with_a_window_are_no_set(visit, window, told):
    serve(visit, lambda length: without("none"), position="none", encoder_window=window)
    page = visit.open("#view=positions")
    page.wait_for_selector("text=Nothing is added")
    assert ("a set of words" in page.inner_text(".positions-view .summary")) == told


def test_why_there_is_no_table_is_a_sentence(visit):
    serve(visit, lambda length: without("none") | {"note": "a recurrent model reads its tokens one after another and needs no positions"},
          position="none", recurrent=True)
    page = visit.open("#view=positions")
    page.wait_for_selector("text=recurrent model")
    assert page.inner_text(".positions-view .summary") == "A recurrent model reads its tokens one after another and needs no positions."


@pytest.mark.parametrize("width", [1440, 1100])
def test_plots_side_by_side_begin_at_one_height(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 900})
    serve(visit)
    page = opened(visit)
    tops = page.eval_on_selector_all(".positions-view .columns .curves", "all => all.map(each => each.getBoundingClientRect().top)")
    assert len(tops) == 2 and tops[0] == tops[1]


def test_a_long_sentence_has_all_its_places(visit):
    asked = serve(visit, source=[f"word{i}" for i in range(249)])
    page = opened(visit)
    assert asked[-1] == 256 and page.get_attribute(".places", "aria-valuemax") == "255"
    assert "word248" in page.inner_text(".signed-row.here")


# Labels of clocks, rows and columns that lie over each other, or leave the card.
CROWDED = """() => {
  const card = document.querySelector('.positions-view .card').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.signed-row, .signed-ticks span, .clock-turn, .clock-pair, .clock-name, .signed-name')].map(each => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return [each.textContent, range.getBoundingClientRect()];
  }).filter(([, box]) => box.width > 0);
  const wrong = boxes.filter(([, box]) => box.left < card.left || box.right > card.right).map(([text]) => text + ' leaves');
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) wrong.push(text + ' over ' + other);
  }));
  return wrong;
}"""


@pytest.mark.parametrize("size", [3, 64, 250], ids=lambda size: f"{size} tokens")
def test_nothing_lies_over_another(visit, size):
    serve(visit, source=[f"Donaudampfschiff{i}" for i in range(size - 1)])
    page = opened(visit)
    for width in (1440, 1080, 760, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        assert page.evaluate(CROWDED) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
