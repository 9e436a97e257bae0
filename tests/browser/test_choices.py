"""Controls, addresses and models agree with what is asked for and shown. covers SV22"""

import json
import urllib.parse

import pytest

import synthetic
import views

SOURCE, TARGET = "the black cat .".split(), "le chat noir .".split()


def serve_two(visit):
    """A Transformer and a recurrent model between the same languages; returns the requests to /v1/inspect."""
    asked = []

    def inspect(route):
        wanted = json.loads(route.request.post_data)
        if not wanted.get("vectors"):  # a head that is fetched again is no translation
            asked.append(wanted)
        recurrent = wanted["model"] == "en-fr-bahdanau"
        trace = synthetic.recurrent_trace(SOURCE, TARGET) if recurrent else synthetic.trace(SOURCE, TARGET, request=wanted)
        trace["model"]["name"] = wanted["model"]
        if wanted.get("split"):
            trace |= {"sentences": [{"start": 0, "end": len(wanted["q"])}], "sentence": 0}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(trace))

    models = synthetic.model()
    models["models"].append(synthetic.recurrent_model())
    none = {"schema": 1, "scheme": "none", "rows": 0, "cols": 0, "data": "", "note": "needs no positions"}
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    visit.page.route("**/v1/positional*", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        none if "bahdanau" in route.request.url else synthetic.positional(64))))
    visit.page.route("**/v1/inspect", inspect)
    visit.page.route("**/v1/weights*", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        synthetic.pooled_weight(urllib.parse.parse_qs(urllib.parse.urlsplit(route.request.url).query)["parameter"][0]))))
    return asked


def test_two_models_of_one_pair_are_told_apart(visit):
    asked = serve_two(visit)
    page = visit.open()
    menu = page.get_by_label("Model", exact=True)
    names = [" ".join(text.split()) for text in menu.locator("option").all_inner_texts()]
    assert names == ["en-fr English → French", "en-fr-bahdanau English → French"]
    assert asked[0]["model"] == "en-fr"
    page.fill("#sentence", "my own sentence .")
    menu.select_option("en-fr-bahdanau")
    page.wait_for_selector("#about[title*='recurrent, 2+2 layers, 1 head']")
    page.wait_for_function("() => location.hash.includes('own') && !document.querySelector('.busy')")
    assert asked[-1]["model"] == "en-fr-bahdanau" and asked[-1]["q"] == "my own sentence ."


def test_a_recurrent_model_is_shown_as_what_it_is(visit):
    serve_two(visit)
    page = visit.open("#model=en-fr-bahdanau")
    assert page.get_by_label("Model", exact=True).input_value() == "en-fr-bahdanau"
    assert "the only head" in page.inner_text(".alignment .figure-side")
    assert "1 head: where each word" in page.inner_text(".doors") and page.locator(".door-map").count() == 1
    assert views.texts(page, ".door h2") == ["Story", "Heads", "Beam"]  # there is nothing to multiply
    page.click("#tabs >> text=Query")
    assert "additive" in page.inner_text(".figure-body") and page.locator("main select").count() == 0
    page.click("#tabs >> text=Positions")
    page.wait_for_selector("text=needs no positions")
    assert page.locator("main svg:visible, main canvas:visible, .figure-foot:visible").count() == 0
    page.click("#tabs >> text=Model")
    names = page.eval_on_selector_all(".diagram .block", "all => all.map(each => each.dataset.block)")
    assert names[3:] == ["decoder.embed", "decoder.attention", "decoder.0.cells", "decoder.1.cells", "decoder.readout", "decoder.output"]
    assert "positions" not in page.inner_text(".model-view") and "kv heads" not in page.text_content(".facts-list")
    page.click(".block.attention")
    page.click(".block-link")
    page.wait_for_selector(".head-cell")
    visit.assert_quiet()


def test_an_encoder_without_a_table_of_its_own_says_whose_it_uses(visit):
    models = synthetic.model()
    entry = models["models"][0]
    entry["weights"] = [weight for weight in entry["weights"] if weight["name"] != "encoder.embed.table"]
    entry["spec"]["tied"] = "all"
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    page = visit.open("#view=model")
    page.click("[data-block='encoder.embed']")
    assert "Encoder and decoder have one table" in page.inner_text(".block-meaning")
    assert "sinusoidal positions" in views.texts(page, ".diagram text")


def test_beam_and_penalty_send_what_is_written_and_only_what_is_valid(visit):
    asked = serve_two(visit)
    page = visit.open()
    page.fill("#sentence", "a new one .")
    assert page.locator(".search-settings select").is_hidden()
    page.click("text=Search settings")
    page.locator(".search-settings select").select_option("2")
    page.wait_for_function("() => location.hash.includes('beam=2') && !document.querySelector('.busy')")
    assert (asked[-1]["q"], asked[-1]["beam"]) == ("a new one .", 2)
    before = len(asked)
    for wrong in ("", "9", "-1"):
        page.get_by_label("Length penalty").fill(wrong)
        page.get_by_label("Length penalty").dispatch_event("change")
    assert len(asked) == before and "penalty" not in page.url
    page.get_by_label("Length penalty").fill("0.6")
    page.get_by_label("Length penalty").dispatch_event("change")
    page.wait_for_function("() => location.hash.includes('penalty=0.6') && !document.querySelector('.busy')")
    assert asked[-1]["length_penalty"] == 0.6
    page.evaluate("location.hash = '#beam=3&penalty=1.5&model=en-fr-bahdanau'")
    page.wait_for_function("() => document.querySelector('input[type=number]').value === '1.5'")
    assert page.locator(".search-settings select").input_value() == "3" and page.get_by_label("Model", exact=True).input_value() == "en-fr-bahdanau"


def test_the_languages_are_swapped_where_a_model_of_the_other_direction_is_loaded(visit):
    page = visit.open()
    swap = page.get_by_label("Swap the languages")
    assert swap.is_disabled() and swap.get_attribute("title") == "No model from French to English is loaded"
    models = synthetic.model()
    models["models"].append(models["models"][0] | {"name": "fr-en", "from": "fr", "to": "en", "fromName": "French", "toName": "English", "example": "le chat"})
    page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        synthetic.trace(json.loads(route.request.post_data)["q"].split(), TARGET))))
    page.reload()
    page.wait_for_selector("html[data-ready]")
    translation = page.inner_text("#translation")
    swap.click()
    page.wait_for_function("() => location.hash.includes('model=fr-en') && !document.querySelector('.busy')")
    assert page.input_value("#sentence") == translation
    assert views.texts(page, ".language") == ["French", "English"]
    visit.assert_quiet()


def test_what_the_decoder_may_not_see_is_called_hidden(visit):
    page = visit.open("#view=head&kind=decoder&layer=0&head=0&merge=0")
    page.wait_for_function("() => !document.querySelector('.readout .value').textContent.includes('≈')")
    clear = "canvas => canvas.getContext('2d').getImageData(canvas.width - 2, 2, 1, 1).data[3]"
    assert page.eval_on_selector(".map-canvas", clear) == 0
    assert page.eval_on_selector(".map-canvas", clear.replace("canvas.width - 2", "2")) == 255
    page.locator(".map").focus()
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".readout .value").endswith("hidden")
    assert "is hidden from" in page.inner_text("#spoken")
    page.click(".figure-foot summary")
    page.wait_for_selector(".twin tbody tr", state="attached")
    table = page.eval_on_selector_all(".twin tbody tr", "all => all.map(row => [...row.querySelectorAll('td')].map(cell => cell.textContent))")
    assert all((cell == "hidden") == (j > i) for i, row in enumerate(table) for j, cell in enumerate(row))


def test_tags_mean_what_the_rows_are(visit):
    page = visit.open()
    meaning = "([tag, kind]) => import('/page/wording.js').then(wording => wording.tagMeaning(tag, kind))"
    assert "itself" in page.evaluate(meaning, ["diagonal", "encoder"])
    assert "read last" in page.evaluate(meaning, ["diagonal", "decoder"])
    assert "two places back" in page.evaluate(meaning, ["previous", "decoder"])
    assert "in order" in page.evaluate(meaning, ["diagonal", "cross"])
    assert page.evaluate(meaning, ["broad", "cross"]) == page.evaluate(meaning, ["broad", "encoder"]) != ""


def test_a_small_share_is_not_called_0(visit):
    page = visit.open()
    shown = "share => import('/page/wording.js').then(({percent, finePercent, attends}) => [percent(share), finePercent(share), attends('a', 'b', share)])"
    assert page.evaluate(shown, 0) == ["0 %", "0.0 %", "“a” attends to “b”, 0 percent"]
    assert page.evaluate(shown, 0.0004) == ["< 1 %", "< 0.1 %", "“a” attends to “b”, < 1 percent"]
    assert page.evaluate(shown, 0.0104) == ["1 %", "1.0 %", "“a” attends to “b”, 1 percent"]


def test_keys_of_a_kind_do_nothing_where_no_kind_is_shown(visit):
    page = visit.open("#view=beam")
    for key in "123":
        page.keyboard.press(key)
    assert "kind" not in page.url


@pytest.mark.parametrize("visit", [{"viewport": {"width": width, "height": 844}} for width in (1440, 900, 390)], indirect=True, ids=["wide", "tablet", "phone"])
def test_what_unfolds_the_settings_stays_where_it_is(visit):
    page = visit.open()
    summary = page.locator(".search-settings summary")
    page.wait_for_selector(".chip")
    before = summary.bounding_box()
    summary.click()
    assert page.locator(".search-settings select").is_visible() and summary.bounding_box() == before
    chips, controls = page.locator(".chips").bounding_box(), page.locator(".search-settings .controls").bounding_box()
    assert chips["x"] + chips["width"] <= before["x"] or chips["y"] + chips["height"] <= before["y"]
    assert controls["y"] >= before["y"] + before["height"] - 1
    page.locator(".chip").last.click()
    page.wait_for_function("() => location.hash.includes('q=')")
    visit.assert_quiet()
