"""Query & key: every number is the trace's own, from the query to the output of the head. covers SV22"""

import base64
import json
import math
import struct

import pytest

import synthetic
import views

SOURCE, TARGET = "the little cat sleeps .".split(), "le petit chat dort .".split()
WHERE = "#view=query&kind=cross&layer=0&head=1&row=2"
WITH_VECTORS = {"encoding": "f32", "vectors": True}


def serve(page, trace=None, model=None, **more):
    """Answers with the trace, or one made by rule for what is asked."""
    def answer(route):
        wanted = json.loads(route.request.post_data)
        data = trace or synthetic.trace(SOURCE, TARGET, request=wanted, **more)
        route.fulfill(status=200, content_type="application/json", body=json.dumps(data))
    page.route("**/v1/inspect", answer)
    if model:
        page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(model)))


def numbers(text, width):
    raw = base64.b64decode(text)
    flat = struct.unpack(f"<{len(raw) // 4}f", raw)
    return [flat[i:i + width] for i in range(0, len(flat), width)]


def head(trace, kind, layer, number):
    return next(each for each in trace["attention"] if (each["kind"], each["layer"], each["head"]) == (kind, layer, number))


def attention(entry, row):
    """Scores, weights and output of a query, computed here."""
    query = numbers(entry["query"], entry["width"])[row]
    scores = [entry["scale"] * sum(q * k for q, k in zip(query, key)) for key in numbers(entry["key"], entry["width"])]
    weights = synthetic.softmax(scores)
    values = numbers(entry["value"], entry["value_width"])
    return scores, weights, [sum(w * value[d] for w, value in zip(weights, values)) for d in range(entry["value_width"])]


def saved(page):
    """The first figure's numbers, as its JSON file has them."""
    return page.evaluate("""async () => {
      const made = [];
      const keep = URL.createObjectURL;
      URL.createObjectURL = (blob) => { made.push(blob); return keep.call(URL, blob); };
      const button = document.querySelector('[data-save=json]') || (document.querySelector('.save button').click(), document.querySelector('[data-save=json]'));
      button.click();
      for (let i = 0; i < 50 && !made.length; ++i) await new Promise(done => setTimeout(done, 20));
      URL.createObjectURL = keep;
      return JSON.parse(await made[0].text());
    }""")


def test_scores_weights_and_output_are_those_of_the_trace(visit):
    serve(visit.page)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    scores, weights, output = attention(head(synthetic.trace(SOURCE, TARGET, request=WITH_VECTORS), "cross", 0, 1), 2)
    shown = [float(text.replace("−", "-")) for text in views.texts(page, ".score-number")]
    assert len(shown) == len(scores) == 6 and all(abs(a - b) <= 0.051 for a, b in zip(shown, scores))
    assert all(abs(float(text) - weight) <= 0.0051 for text, weight in zip(views.texts(page, ".weight-number"), weights))
    data = saved(page)
    assert len(data["output"]) == len(output) and all(abs(a - b) < 1e-4 for a, b in zip(data["output"], output))
    assert "agrees with the weights" in page.inner_text(".summary")
    visit.assert_quiet()


def test_the_strongest_key_is_chosen_until_the_reader_chooses(visit):
    serve(visit.page)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    _, weights, _ = attention(head(synthetic.trace(SOURCE, TARGET, request=WITH_VECTORS), "cross", 0, 1), 2)
    best = weights.index(max(weights))
    chosen = ".keys tbody tr.chosen .token"
    assert page.inner_text(chosen) == SOURCE[best] == page.inner_text(".strip-word.key-word")
    page.locator(".keys tbody tr").nth((best + 2) % 5).click()
    assert page.inner_text(chosen) == SOURCE[(best + 2) % 5] and f"column={(best + 2) % 5}" in page.url
    assert SOURCE[(best + 2) % 5] in page.inner_text(".pair-card .figure-title")
    page.click(".strip-line button >> text=petit")
    assert "column" not in page.url and page.inner_text(".query-line th") == "petit"


def test_keys_are_walked_through_by_arrows(visit):
    serve(visit.page)
    page = visit.open(WHERE + "&column=0")
    page.wait_for_selector(".equation")
    assert page.locator(".keys .token[tabindex='0']").count() == 1
    page.focus(".keys .token[tabindex='0']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert "column=2" in page.url
    assert page.evaluate("document.activeElement.textContent") == SOURCE[2]


def test_the_equation_adds_up(visit):
    serve(visit.page)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    data = saved(page)
    total, scale, score, power, together, weight = [text.replace("−", "-").replace(",", "") for text in views.texts(page, ".equation b")]
    assert abs(float(total) - sum(data["products"])) <= 0.006 * max(1, abs(float(total)))
    assert scale == f"√{len(data['products'])}" and power == "e" + score
    assert abs(float(score) - float(total) / math.sqrt(len(data["products"]))) <= 0.01 * abs(float(score)) + 0.01
    assert abs(float(weight) - math.exp(float(score)) / float(together)) <= 0.02 * float(weight)


def test_one_number_of_the_pair_is_read_out(visit):
    serve(visit.page)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    data = saved(page)
    largest = max(range(len(data["products"])), key=lambda d: abs(data["products"][d]))
    assert page.get_attribute(".pair-plot", "aria-valuenow") == str(largest + 1)
    page.focus(".pair-plot")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    number, rest = page.inner_text(".pair-reading").replace("−", "-").split(": ")
    assert number == "number 2" and page.inner_text("#spoken").startswith("number 2")
    assert abs(float(rest.split(" = ")[1]) - data["products"][1]) < 0.01


def test_without_values_their_columns_are_left_out(visit):
    trace = synthetic.trace(SOURCE, TARGET, request=WITH_VECTORS)
    for entry in trace["attention"]:
        del entry["value"], entry["value_width"]
    serve(visit.page, trace)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    assert page.locator(".keys .cell-4").count() == 0 and page.locator(".output-line").count() == 0
    assert "values of this head did not come" in page.inner_text(".summary")
    visit.assert_quiet()


def test_values_may_be_of_another_width(visit):
    trace = synthetic.trace(SOURCE, TARGET, request=WITH_VECTORS)
    for entry in trace["attention"]:
        entry |= {"value": synthetic.floats([0.5] * (7 * entry["cols"])), "value_width": 7}
    serve(visit.page, trace)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    assert page.eval_on_selector(".output-line canvas", "canvas => canvas.width") == 7
    assert all(abs(value - 0.5) < 1e-5 for value in saved(page)["output"])


def test_hidden_keys_have_no_score(visit):
    serve(visit.page)
    page = visit.open("#view=query&kind=decoder&layer=0&head=0&row=1")
    page.wait_for_selector(".equation")
    assert views.texts(page, ".score-number")[2:] == ["hidden"] * 4 and "hidden" not in views.texts(page, ".score-number")[:2]
    assert all(size == "0px" for size in page.eval_on_selector_all(".hidden-key .score-bar", "all => all.map(bar => bar.style.width)"))
    page.locator(".keys tbody tr").nth(4).click()
    assert "Hidden" in page.inner_text(".equation")


def test_alibi_takes_its_slope_off_and_agrees(visit):
    """Weights made with the published slopes agree; those of another slope do not, and that is said."""
    model = synthetic.model()
    model["models"][0]["spec"] |= {"position": "alibi", "heads": 4}

    def biased(slopes):
        trace = synthetic.trace(SOURCE, TARGET, request=WITH_VECTORS)
        for entry in trace["attention"]:
            if entry["kind"] == "encoder":
                rows = [synthetic.softmax([score - slopes[entry["head"]] * abs(row - i) for i, score in enumerate(attention(entry, row)[0])])
                        for row in range(entry["rows"])]
                entry["data"] = synthetic.floats(sum(rows, []))
        return trace

    where = "#view=query&kind=encoder&layer=0&head=1&row=0&column=3"
    serve(visit.page, biased([2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8]), model)
    page = visit.open(where)
    page.wait_for_selector(".equation")
    assert "agrees with the weights" in page.inner_text(".summary") and "distance" in page.inner_text(".summary")
    assert views.texts(page, ".equation b")[2] == "0.188"  # three places at 1/16
    page.unroute("**/v1/inspect")
    serve(page, biased([1, 1, 1, 1]))
    page.goto("about:blank")
    page = visit.open(where)
    page.wait_for_selector(".equation")
    assert "such as a bias by distance" in page.inner_text(".summary")


def test_wide_vectors_say_how_much_of_them_is_seen(visit):
    trace = synthetic.trace(SOURCE, TARGET, layers=1, heads=1, request=WITH_VECTORS)
    width = 256
    for entry in trace["attention"]:
        rows, columns = entry["rows"], entry["cols"]
        entry |= {"query": synthetic.floats([0.1] * (rows * width)), "key": synthetic.floats([0.1] * (columns * width)), "width": width,
                  "scale": 1 / 16, "value": synthetic.floats([0.1] * (columns * width)), "value_width": width}
    serve(visit.page, trace)
    page = visit.open("#view=query")
    page.wait_for_selector(".equation")
    assert "128 of 256 numbers" in page.inner_text(".titles")
    assert page.eval_on_selector(".query-line canvas", "canvas => canvas.width") == 128
    assert len(saved(page)["products"]) == 256


def test_pieces_of_a_word_have_queries_of_their_own(visit):
    serve(visit.page, subwords=True)
    page = visit.open("#view=query&kind=cross&layer=0&head=1&row=1")
    page.wait_for_selector(".equation")
    assert page.inner_text(".strip-line [aria-pressed=true]") == "petit"
    assert page.locator(".query-pieces button").all_inner_texts() == ["pe", "·tit"]
    page.click(".query-pieces >> text=·tit")
    assert "row=2" in page.url and page.inner_text(".query-line th") == "·tit"
    assert page.inner_text(".strip-line [aria-pressed=true]") == "petit"


def test_large_powers_are_read_as_powers_of_ten(visit):
    trace = synthetic.trace(SOURCE, TARGET, request=WITH_VECTORS)
    entry = head(trace, "cross", 0, 1)
    scores, _, _ = attention(entry, 2)
    entry["scale"] *= math.log(1.97e9) / max(scores)
    serve(visit.page, trace)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    assert page.inner_text(".equation .part:has(sup) .part-name") == "= 1.97 × 10⁹"
    assert "000000" not in page.inner_text(".equation")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_cursor_of_a_pair_covers_no_name(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 844})
    serve(visit.page)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    page.focus(".pair-plot")
    page.keyboard.press("Home")
    box = lambda each: each.bounding_box()
    cursors, names, pictures = ([box(each) for each in page.locator(selector).all()] for selector in (".pair-cursor", ".pair-name", ".pair-line"))
    assert len(names) == len(pictures) == 3 and cursors
    apart = lambda a, b: a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"] or a["y"] + a["height"] <= b["y"] + 0.5 or b["y"] + b["height"] <= a["y"] + 0.5
    assert all(apart(cursor, name) for cursor in cursors for name in names)
    assert all(any(not apart(cursor, picture) for cursor in cursors) for picture in pictures)


@pytest.mark.parametrize("visit", [{"viewport": {"width": 390, "height": 844}}], indirect=True)
def test_on_a_phone_the_columns_read_downwards_from_1_to_4(visit):
    serve(visit.page)
    page = visit.open(WHERE)
    page.wait_for_selector(".equation")
    for row in (".titles", "tbody tr >> nth=0"):
        one, two, three, four = [page.locator(f".keys {row} >> .cell-{i}").bounding_box() for i in (1, 2, 3, 4)]
        assert one["y"] < two["y"] and three["y"] < four["y"] and one["x"] == two["x"] < three["x"] == four["x"], row


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1440, "height": 900}}, {"viewport": {"width": 390, "height": 844}}],
                         indirect=True, ids=["wide", "phone"])
@pytest.mark.parametrize("key", [240, 249])
def test_250_keys_scroll_in_their_frame_under_a_head_that_stays(visit, key):
    words = [f"word{i}" for i in range(249)]
    trace = synthetic.trace(words, ["un", "mot"], layers=1, heads=1, request=WITH_VECTORS | {"attention": ["cross"]})
    serve(visit.page, trace)
    visit.page.route("**/v1/heads*", lambda route: route.fulfill(status=200, content_type="application/json", body='{"heads": []}'))  # drawn once
    page = visit.open(f"#view=query&row=0&column={key}")
    page.wait_for_selector(".equation")
    assert page.locator(".keys tbody tr").count() == 250
    frame = page.locator(".keys-frame").bounding_box()
    assert frame["height"] <= page.viewport_size["height"]
    head_box, row = page.locator(".keys thead").bounding_box(), page.locator(".keys tr.chosen").bounding_box()
    assert abs(head_box["y"] - frame["y"]) < 2, "the head stays"
    foot = page.locator(".keys tfoot").bounding_box()
    assert abs(foot["y"] + foot["height"] - frame["y"] - frame["height"]) < 2, "the foot stays"
    assert page.inner_text(".output-note") and page.inner_text(".keys tr.chosen .token") == [*words, "⟨end⟩"][key]
    assert head_box["y"] + head_box["height"] <= row["y"] + 1 and row["y"] + row["height"] <= foot["y"] + 1, "the chosen key is in sight"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.querySelectorAll('*').length") < 5000


# Boxes of text in the table that lie over each other, or leave the card.
CROWDED = """() => {
  const card = document.querySelector('.query-view .card').getBoundingClientRect();
  const boxes = [];
  for (const name of ['.token', '.score-number', '.weight-number', '.column-title', '.column-text', '.query-line th', '.output-name', '.output-note'])
    for (const each of document.querySelectorAll('.keys ' + name)) {
      const range = document.createRange();
      range.selectNodeContents(each);
      const box = range.getBoundingClientRect();
      if (box.width > 0) boxes.push([each.textContent, box]);
    }
  const wrong = boxes.filter(([, box]) => box.left < card.left || box.right > card.right + 1).map(([text]) => text + ' leaves');
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) wrong.push(text + ' over ' + other);
  }));
  return wrong;
}"""


@pytest.mark.parametrize("size", [2, 9, 64], ids=lambda size: f"{size} words")
def test_nothing_lies_over_another(visit, size):
    words = (SOURCE + [f"Donaudampfschiff{i}" for i in range(size)])[:size]
    serve(visit.page, synthetic.trace(words, words[::-1], layers=1, heads=2, request=WITH_VECTORS))
    page = visit.open("#view=query&kind=cross&row=1")
    page.wait_for_selector(".equation")
    for width in (1440, 1080, 760, 390):
        page.set_viewport_size({"width": width, "height": 900})
        # What scrolls passes under the head and the foot, which stay: unfolded it can be measured.
        page.eval_on_selector(".keys-frame", "frame => frame.classList.remove('tall')")
        assert page.evaluate(CROWDED) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
