"""The model as a diagram: residual ways, what was read, and a block that opens. covers SV22"""

import base64
import json
import math

import pytest

import synthetic
import views

# Boxes of words in the diagram that meet, and words that leave it or their block.
CROWDED = """() => {
  const svg = document.querySelector('.diagram'), whole = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map(each => [each.textContent, each.getBoundingClientRect(), each.closest('.block')]);
  const wrong = [];
  texts.forEach(([text, box, block], i) => {
    if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1) wrong.push(text + ' leaves');
    const own = block && block.querySelector('.block-box').getBoundingClientRect();
    if (own && (box.left < own.left || box.right > own.right)) wrong.push(text + ' leaves its block');
    for (const [other, its] of texts.slice(i + 1))
      if (box.left < its.right - 1 && its.left < box.right - 1 && box.top < its.bottom - 3 && its.top < box.bottom - 3) wrong.push(text + ' on ' + other);
  });
  return wrong;
}"""


def add(entry, name, *shape):
    entry["weights"].append({"name": name, "shape": list(shape), "count": math.prod(shape)})


def pre_norm_model():
    """Six layers against one, norms before the blocks, shared keys, learned positions, three tables."""
    models = synthetic.model()
    entry = models["models"][0]
    entry["spec"] |= {"pre_norm": True, "kv_heads": 2, "position": "learned", "tied": "none", "encoder_layers": 6, "decoder_layers": 1}
    entry["weights"] = [weight for weight in entry["weights"] if not weight["name"].startswith(("decoder.blocks.1", "encoder.blocks.1"))]
    first = [weight for weight in entry["weights"] if weight["name"].startswith("encoder.blocks.0.")]
    for layer in range(1, 6):
        entry["weights"] += [weight | {"name": weight["name"].replace(".0.", f".{layer}.")} for weight in first]
    for side in ("encoder", "decoder"):
        add(entry, f"{side}.last.gain", 64)
        add(entry, f"{side}.embed.position.table", 512, 64)
    add(entry, "output.table", 1236, 64)
    return models


def recurrent_models():
    return synthetic.model() | {"models": [synthetic.recurrent_model()]}


def shared_model():
    models = synthetic.model()
    entry = models["models"][0]
    entry["spec"]["tied"] = "all"
    entry["weights"] = [weight for weight in entry["weights"] if weight["name"] != "encoder.embed.table"]
    return models


MODELS = {"shared": shared_model, "pre-norm": pre_norm_model, "recurrent": recurrent_models}


def serve(visit, models):
    answer = lambda data: lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(data))
    visit.page.route("**/v1/model", answer(models))
    if models["models"][0].get("recurrent"):
        visit.page.route("**/v1/inspect", answer(synthetic.recurrent_trace("a black cat .".split(), "un chat noir .".split())))


def shapes(page):
    rows = page.eval_on_selector_all(".block-shapes div", "all => all.map(row => [...row.children].map(each => each.textContent))")
    return dict(rows)


def blocks(page):
    return page.eval_on_selector_all(".diagram .block", "all => all.map(each => each.dataset.block)")


def test_one_layer_of_each_side_is_open_and_others_are_a_click_away(visit):
    page = visit.open("#view=model")
    inner = [name for name in blocks(page) if name.count(".") == 2]
    assert inner == ["encoder.0.self", "encoder.0.feed", "decoder.0.self", "decoder.0.cross", "decoder.0.feed"]
    assert page.locator(".layer-closed").count() == 2
    assert page.locator(".way.residual:not(.layer-closed *)").count() == 5
    page.click("[data-layer='decoder.1']")
    assert [name for name in blocks(page) if name.startswith("decoder.1.")] == ["decoder.1.self", "decoder.1.cross", "decoder.1.feed"]
    assert "open=0.1" in page.url
    page.reload()
    page.wait_for_selector("[data-layer='decoder.0']")
    visit.assert_quiet()


def test_a_block_opens_with_the_lengths_of_this_sentence(visit):
    page = visit.open("#view=model&q=The+black+cat+does+not+see+the+dog.")
    page.click("[data-block='decoder.0.cross']")
    tokens = page.evaluate("async () => { const answer = await fetch('/v1/inspect', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                           " body: JSON.stringify({q: 'The black cat does not see the dog.', source: 'en', target: 'fr'})});"
                           " const {source, target} = await answer.json(); return [source.tokens.length, target.tokens.length]; }")
    S, T = tokens
    shown = shapes(page)
    width, heads = (int(shown["reads"].split(" × ")[1]), int(shown["weights"].split(" × ")[0]))
    assert shown["reads"] == f"{T} × {width}" and shown["from the encoder"] == f"{S} × {width}"
    assert shown["weights"] == f"{heads} × {T} × {S}"
    assert shown["queries"] == f"{heads} heads × {T} × {width // heads}"
    page.click(".block-link")
    page.wait_for_selector(".heads-view, .head-cell")
    assert "kind=cross" in page.url or "kind" not in page.url


def test_weights_are_pictures_with_head_borders(visit):
    page = visit.open("#view=model&block=encoder.0.self")
    page.wait_for_selector(".weight canvas")
    assert views.texts(page, ".weight .figure-title") == ["queries", "keys", "values", "output"]
    heads = int(shapes(page)["weights"].split(" × ")[0])
    assert page.locator(".weight >> nth=0 >> .line-down").count() == heads - 1
    assert page.locator(".weight >> nth=3 >> .line-across").count() == heads - 1
    assert all(views.colours(page, f".weight:nth-of-type({i + 1}) canvas") > 8 for i in range(4))
    asked = [url for url in visit.requests if "/v1/weights" in url]
    assert len(asked) == 2
    visit.assert_quiet()


def test_a_picture_of_weights_has_a_table_and_is_saved(visit):
    page = visit.open("#view=model&block=encoder.0.self")
    page.wait_for_selector(".weight canvas")
    keys = page.locator(".weight").nth(1)
    keys.locator("summary").click()
    keys.locator("tbody td").first.wait_for()
    rows, columns = keys.locator("tbody tr").count(), keys.locator("thead th").count() - 1
    canvas = keys.locator("canvas").evaluate("canvas => [canvas.height, canvas.width]")
    assert columns == canvas[1] and (rows == canvas[0] or "the first" in keys.locator("caption").inner_text())
    assert "packed.weight, keys: means of" in keys.locator("caption").inner_text()
    within = ".weight:nth-of-type(2)"
    saved = json.loads(views.saved(page, "json", within))
    heads = saved["means"]
    assert saved["parameter"].endswith("self.packed.weight") and [len(heads), len(heads[0])] == canvas
    assert saved["to"] - saved["from"] == saved["shape"][0] == saved["from"]  # keys are the second third
    csv = views.saved(page, "csv", within).decode().splitlines()
    assert len(csv) == canvas[0] + 1 and float(csv[1].split(",")[1]) == heads[0][0]
    svg = views.saved(page, "svg", within).decode()
    assert ">keys<" in svg and svg.count("<rect") + svg.count("<path") > 100
    whole = views.saved(page, "svg").decode()
    assert ">keys<" not in whole, "the diagram is saved without them"
    visit.assert_quiet()


def test_a_server_without_weights_shows_none_and_says_nothing(visit):
    visit.page.route("**/v1/weights*", lambda route: route.fulfill(status=404, content_type="application/json", body='{"error":"Not found"}'))
    page = visit.open("#view=model")
    page.click("[data-block='decoder.0.feed']")
    page.wait_for_timeout(200)
    assert page.locator(".weights:visible").count() == 0 and page.inner_text("[role=alert]") == ""
    page.click("[data-block='encoder.0.self']")
    page.click("[data-block='decoder.0.feed']")
    page.wait_for_timeout(200)
    asked = [url for url in visit.requests if "/v1/weights" in url]
    assert len(asked) == len(set(asked)) > 0  # each once, and never again


def test_a_refusal_of_weights_is_shown_and_they_are_asked_for_again(visit):
    refused = ["widen"]

    def answer(route):
        if any(name in route.request.url for name in refused):
            return route.fulfill(status=429, content_type="application/json", body='{"error": "Too many requests: at most 60 per minute"}')
        return route.continue_()
    visit.page.route("**/v1/weights*", answer)
    page = visit.open("#view=model&block=encoder.0.feed")
    page.wait_for_selector(".weights-failed:visible")
    assert "at most 60 per minute" in page.inner_text(".weights-failed")
    assert page.locator(".weight canvas").count() == 1  # the other came
    refused.clear()
    page.click(".weights-failed >> text=Try again")
    page.wait_for_function("() => document.querySelectorAll('.weight canvas').length === 2")
    assert page.locator(".weights-failed").count() == 0


def test_ranges_of_a_picture_are_those_that_the_server_means(visit):
    """A matrix of 200 x 600 as 128 x 384 means; its second third is shown."""
    models = synthetic.model()
    entry = models["models"][0]
    name = "encoder.blocks.0.self.packed.weight"
    next(weight for weight in entry["weights"] if weight["name"] == name).update(shape=[200, 600], count=120000)
    entry["spec"]["d_model"] = 200
    rows, columns = 128, 384
    picture = {"schema": 1, "parameter": name, "shape": [200, 600], "rows": rows, "cols": columns, "dtype": "i8", "scale": 0.01,
               "data": base64.b64encode(bytes(i % 100 for i in range(rows * columns))).decode()}
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    visit.page.route("**/v1/weights*", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(picture)))
    page = visit.open("#view=model&block=encoder.0.self")
    page.wait_for_selector(".weight canvas")
    saved = json.loads(views.saved(page, "json", ".weight:nth-of-type(2)"))
    assert saved["from"] == 200 and len(saved["columns"]) == 128

    def meant(cells, length):
        """As regard/trace/pooled_weight.cpp cuts them: part * whole / parts, in whole numbers."""
        edges = [part * length // cells for part in range(cells + 1)]
        return [f"{a + 1}–{b}" if b - a > 1 else str(a + 1) for a, b in zip(edges, edges[1:])]
    assert saved["rows"] == meant(128, 200)
    assert saved["columns"] == meant(128, 200)  # 200 * 384 / 600 is whole, so each third is cut as one matrix would be


def test_blocks_are_reached_by_keys(visit):
    page = visit.open("#view=model")
    assert page.locator(".diagram [tabindex='0']").count() == 1
    page.locator(".diagram [tabindex='0']").focus()
    focused = "() => document.activeElement.dataset.block || document.activeElement.dataset.layer"
    assert page.evaluate(focused) == "encoder.0.self"
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == "encoder.0.feed"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused).startswith("decoder.0.")
    page.keyboard.press("Enter")
    assert page.get_attribute(".block[aria-pressed=true]", "data-block").startswith("decoder.0.")
    assert page.evaluate(focused).startswith("decoder.0.")


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1440, "height": 900}}, {"viewport": {"width": 390, "height": 844}}],
                         indirect=True, ids=["wide", "phone"])
@pytest.mark.parametrize("kind", list(MODELS))
def test_words_keep_apart_and_inside(visit, kind):
    serve(visit, MODELS[kind]())
    page = visit.open("#view=model&q=" + "a%20considerably%20longer%20sentence%20than%20the%20others%20" * 4)
    page.wait_for_selector(".diagram text")
    assert page.evaluate(CROWDED) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.eval_on_selector(".diagram-box", "box => box.scrollWidth - box.clientWidth")
    assert box <= 1
    assert views.serious(page) == []


def test_on_a_phone_the_decoder_follows_the_encoder(visit):
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.open("#view=model")
    top = lambda name: page.eval_on_selector(f"[data-block='{name}']", "block => block.getBoundingClientRect().top")
    assert top("encoder.embed") < top("encoder.0.self") < top("encoder.0.feed") < top("decoder.embed") < top("decoder.output")
    visit.page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_function("() => document.querySelector(\"[data-block='decoder.embed']\").getBoundingClientRect().left > 500")
    assert top("decoder.embed") == top("encoder.embed") > top("decoder.0.feed") > top("decoder.output")


def test_a_recurrent_model_has_cells_and_one_attention(visit):
    serve(visit, recurrent_models())
    page = visit.open("#view=model")
    assert blocks(page) == ["encoder.embed", "encoder.0.cells", "encoder.1.cells", "decoder.embed", "decoder.attention",
                            "decoder.0.cells", "decoder.1.cells", "decoder.readout", "decoder.output"]
    assert "positions" not in page.inner_text(".model-view") and "kv heads" not in page.inner_text(".settings")
    assert shapes(page)["weights"] == "5 × 5" and page.locator(".way.state").count() >= 2
    page.click("[data-block='encoder.1.cells']")
    assert "from left to right" in page.inner_text(".block-meaning")
    page.click("[data-block='decoder.attention']")
    page.click(".block-link")
    page.wait_for_selector(".head-cell")


def test_spec_is_drawn(visit):
    serve(visit, pre_norm_model())
    page = visit.open("#view=model")
    words = views.texts(page, ".diagram text")
    assert words.count("norm") == 5 and words.count("add") == 5 and words.count("learned positions") == 2 and "same table" not in words
    assert {"encoder.last", "decoder.last"} <= set(blocks(page)) and page.locator(".layer-closed").count() == 5
    assert shapes(page)["keys, values"].startswith("2 heads") and shapes(page)["queries"].startswith("4 heads")


def test_a_shared_table_is_said_to_be_shared(visit):
    serve(visit, shared_model())
    page = visit.open("#view=model&block=encoder.embed")
    assert page.locator(".block.embed .block-count").first.text_content() == "decoder’s table"
    assert page.locator(".way.shared").count() == 1 and "one table" in page.inner_text(".block-meaning")
