"""Controls, addresses and models agree with what is asked for and shown. covers SV22"""

import json

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
        route.fulfill(status=200, content_type="application/json", body=json.dumps(trace))

    models = synthetic.model()
    models["models"].append(synthetic.recurrent_model())
    none = {"schema": 1, "scheme": "none", "rows": 0, "cols": 0, "data": "", "note": "needs no positions"}
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    visit.page.route("**/v1/positional*", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        none if "bahdanau" in route.request.url else synthetic.positional(64))))
    visit.page.route("**/v1/inspect", inspect)
    return asked


def test_two_models_of_one_pair_are_told_apart(visit):
    asked = serve_two(visit)
    page = visit.open()
    menu = page.get_by_label("Languages")
    assert menu.locator("option").all_inner_texts() == ["English → French (en-fr)", "English → French (en-fr-bahdanau)"]
    assert asked[0]["model"] == "en-fr"
    page.fill("#sentence", "my own sentence .")
    menu.select_option("en-fr-bahdanau")
    page.wait_for_selector("#about:has-text('recurrent, 2+2 layers, 1 head)')")
    page.wait_for_function("() => !document.querySelector('.busy')")
    assert asked[-1]["model"] == "en-fr-bahdanau" and asked[-1]["q"] == "my own sentence ."


def test_a_recurrent_model_is_shown_as_what_it_is(visit):
    serve_two(visit)
    page = visit.open("#model=en-fr-bahdanau")
    assert page.get_by_label("Languages").input_value() == "en-fr-bahdanau"
    assert "the only head" in page.inner_text(".alignment .figure-side")
    assert page.inner_text(".grid-panel .summary").startswith("1 head:")
    assert page.locator(".grid-panel .controls button").count() == 0
    page.click("#tabs >> text=Query")
    assert "additive" in page.inner_text(".figure-body") and page.locator("main select").count() == 0
    page.click("#tabs >> text=Positions")
    page.wait_for_selector("text=needs no positions")
    assert page.locator("main svg:visible, main canvas:visible, .figure-foot:visible").count() == 0
    page.click("#tabs >> text=Model")
    names = views.texts(page, ".stack >> nth=1 >> .block-name, .layer h3")
    assert names == ["Embedding", "Attention", "Context to gates", "Recurrent layer 1", "Input to gates", "State to gates",
                     "Recurrent layer 2", "Input to gates", "State to gates", "Readout"]
    assert "positions" not in page.inner_text(".stacks") and "kv heads" not in page.inner_text(".facts-list")
    page.click(".block.attention a")
    page.wait_for_selector(".head-cell")
    visit.assert_quiet()


def test_an_encoder_without_a_table_of_its_own_says_whose_it_uses(visit):
    models = synthetic.model()
    entry = models["models"][0]
    entry["weights"] = [weight for weight in entry["weights"] if weight["name"] != "encoder.embed.table"]
    entry["spec"]["tied"] = "all"
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    page = visit.open("#view=model")
    encoder = page.inner_text(".stack >> nth=0")
    assert "shared with the decoder" in encoder and "sinusoidal positions" in encoder


def test_beam_and_penalty_send_what_is_written_and_only_what_is_valid(visit):
    asked = serve_two(visit)
    page = visit.open()
    page.fill("#sentence", "a new one .")
    page.get_by_label("Beam").select_option("2")
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
    assert page.get_by_label("Beam").input_value() == "3" and page.get_by_label("Languages").input_value() == "en-fr-bahdanau"


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


def test_hypotheses_are_walked_by_keyboard(visit):
    page = visit.open("#view=beam")
    page.wait_for_selector(".node")
    assert page.locator(".node[tabindex='0']").count() == 1
    page.locator(".node[tabindex='0']").focus()
    spoken = lambda: page.inner_text("#spoken")
    name = lambda: page.evaluate("document.activeElement.getAttribute('aria-label')")
    last = name()
    step = lambda: int(name().split(",")[0].removeprefix("step "))
    at = step()
    page.keyboard.press("ArrowLeft")
    assert step() == at - 1 and "log-probability" in spoken()
    page.keyboard.press("ArrowRight")
    assert step() == at
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    assert step() == at and page.locator(".node[tabindex='0']").count() == 1
    assert last.startswith(f"step {at}, “")


def test_keys_of_a_kind_do_nothing_where_no_kind_is_shown(visit):
    page = visit.open("#view=beam")
    page.keyboard.press("e")
    assert "kind" not in page.url
