"""The numbers of the story are those of the trace, to the digits shown. covers SV22"""

import json
import math
import re

import pytest

import synthetic
import views
from story import SOURCE, TARGET, answer, figures, hidden, open_step, open_table, steps, with_spec

# Exact answers of the server for the head of the story: its scores, all weights, and the last layer's cross-attention.
TRUTH = """async ([row, head]) => {
  const {floats, Matrix} = await import('/page/matrix.js');
  const state = new URLSearchParams(location.hash.slice(1));
  const {models} = await (await fetch('/v1/model')).json();
  const body = {q: state.get('q') || models[0].example, model: models[0].name, source: models[0].from, target: models[0].to, beam: 4,
                length_penalty: 1, encoding: 'f32', vectors: true, embedding: true, top: 5};
  const data = await (await fetch('/v1/inspect', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json();
  const encoder = data.attention.filter(each => each.kind === 'encoder' && each.layer === 0);
  const own = encoder.find(each => each.head === head);
  const query = new Matrix(own.rows, own.width, floats(own.query)).row(row);
  const key = new Matrix(own.cols, own.width, floats(own.key));
  const value = new Matrix(own.cols, own.value_width, floats(own.value));
  const weights = [...Matrix.decoded(own).row(row)];
  const cross = data.attention.filter(each => each.kind === 'cross');
  return {
    tokens: data.source.tokens,
    scores: weights.map((_, i) => own.scale * key.row(i).reduce((sum, part, d) => sum + part * query[d], 0)),
    weights,
    output: weights.reduce((sum, weight, i) => sum.map((part, d) => part + weight * value.at(i, d)), new Array(own.value_width).fill(0)),
    heads: encoder.map(each => [...Matrix.decoded(each).row(row)]),
    cross: Matrix.mean(cross.filter(each => each.layer === Math.max(...cross.map(other => other.layer))).map(Matrix.decoded)),
    target: data.target.tokens,
  };
}"""


@pytest.mark.parametrize("row", [0, 3])
def test_numbers_are_those_of_the_trace(visit, row):
    page = open_step(visit, 3, f"&row={row}")
    head = int(re.search(r"Layer 1, head (\d+)", page.inner_text(".story-note")).group(1)) - 1
    truth = page.evaluate(TRUTH, [row, head])
    assert figures(page, ".story-text.score") == [number(score) for score in truth["scores"]]
    best = max(range(len(truth["scores"])), key=lambda i: truth["scores"][i])
    assert number(truth["scores"][best]) in page.inner_text(".story-words").replace("−", "-")
    page.keyboard.press("ArrowRight")
    seen = [f"{weight:.2f}" for weight in truth["weights"] if weight >= 0.02]
    assert seen and close(figures(page, ".story-text.weight"), [weight for weight in truth["weights"] if weight >= 0.02])
    most = max(truth["weights"])
    assert f"{round(100 * most)}\u00a0%" in page.text_content(".story-words")
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-column=output] path").count() > 2
    open_table(page)
    table = [float(text) for text in page.locator(".twin tbody tr").last.locator("td").all_inner_texts()][1:]
    assert all(math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-5) for a, b in zip(table, truth["output"])) and len(table) > 8
    page.keyboard.press("ArrowRight")
    for i, weights in enumerate(truth["heads"]):
        assert close(figures(page, f"[data-column='head {i}'] .weight"), [weight for weight in weights if weight >= 0.02])
    visit.assert_quiet()


def number(value):
    return re.sub(r"^-(?=[0.]*$)", "", f"{value:.2f}")


def close(shown, exact):
    """Texts of as many numbers, each the exact one rounded (by either rule, where it lies between two)."""
    return len(shown) == len(exact) and all(abs(float(text) - value) <= 0.005 + 1e-6 for text, value in zip(shown, exact))


def test_the_last_step_tells_the_probabilities_of_the_trace(visit):
    page = open_step(visit, 8, "&row=1")
    truth = page.evaluate(TRUTH, [1, 0])
    taken = page.text_content(".taken")
    token = next(token for token in truth["target"] if token["text"].lstrip("▁") == taken.lstrip("·") or taken.startswith("⟨"))
    shown = figures(page, ".story-text.probability")
    assert len(shown) >= len(token["top"]) > 1
    for text, each in zip(shown, token["top"]):
        assert text == "< 0.1 %" if each["p"] < 0.001 else abs(float(text.removesuffix(" %")) - 100 * each["p"]) <= 0.05 + 1e-6
    assert f"{round(100 * math.exp(token['logprob']))}\u00a0%" in page.text_content(".story-words")


def test_every_step_has_a_table_of_all_tokens(visit):
    answer(visit.page, lambda request: synthetic.trace([f"word{i}" for i in range(40)], TARGET, request=request))
    page = open_step(visit, 1, "&row=20")
    open_table(page)
    for step in steps(page):
        names = page.locator(".twin tbody th").all_inner_texts()
        assert names[:40] == [f"word{i}" for i in range(40)], step
        assert page.inner_text(".twin caption").startswith(page.inner_text(".story-title"))


def test_weights_of_hidden_rows_are_summed(visit):
    answer(visit.page, lambda request: synthetic.trace([f"w{i}" for i in range(60)], TARGET, request=request))
    page = open_step(visit, 4, "&row=30")
    open_table(page)
    weights = [float(text) for text in page.locator(".twin tbody td").all_inner_texts()]
    assert len(weights) == 61 and math.isclose(sum(weights), 1, abs_tol=1e-3)
    titles = [title.rsplit(": ", 1) for title in views.texts(page, "[data-column=weight] rect title")]
    at = 0
    for name, shown in titles:
        count = hidden(name) or 1
        assert abs(float(shown) - sum(weights[at:at + count])) < 2e-4, name
        assert hidden(name) == 0 or max(weights[at:at + count]) < max(weights), name  # what is strongest has its own row
        at += count
    assert at == 61 and any(hidden(name) for name, _ in titles) and titles[-1][0] == "⟨end⟩"


def test_hands_stand_as_those_of_positions(visit):
    """From twelve on, clockwise, places counted from the model's first."""
    answer(visit.page, lambda request: synthetic.trace(SOURCE, TARGET, request=request), with_spec(position="rotary", first_position=1, heads=4, d_model=64))
    visit.page.route("**/v1/positional*", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        {"schema": 1, "scheme": "rotary", "first": 1, "rows": 0, "cols": 0, "dtype": "f32", "data": "", "note": ""})))
    page = open_step(visit, 2)
    rows = page.locator(".story-text.name").count()
    hands = page.eval_on_selector_all(".story-hand", "all => all.map(line => ['x1', 'y1', 'x2', 'y2'].map(name => Number(line.getAttribute(name))))")
    angle = lambda hand: math.degrees(math.atan2(hand[2] - hand[0], hand[1] - hand[3])) % 360
    per_row = len(hands) // rows
    first = [angle(hands[row * per_row]) for row in range(rows)]
    assert first == pytest.approx([math.degrees(place) % 360 for place in range(1, rows + 1)], abs=0.01)
    open_table(page)
    assert [float(text) for text in views.texts(page, ".twin tbody td:nth-child(2)")] == list(range(1, rows + 1))
    page.goto(page.url.replace("view=story", "view=positions") + "&side=source&row=2")
    page.wait_for_selector(".clock")
    turned = page.eval_on_selector(".clock-hand", "hand => hand.style.transform")
    assert float(re.search(r"rotate\((.*)deg\)", turned).group(1)) % 360 == pytest.approx(first[2], abs=0.01)
