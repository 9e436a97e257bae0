"""What goes wrong is said, in every view, and leaves nothing broken behind. covers SV22"""

import json

import synthetic
import views

SOURCE, TARGET = "the black cat .".split(), "le chat noir .".split()


def refuse(page, text="Loading model"):
    page.route("**/v1/inspect", lambda route: route.fulfill(status=503, content_type="application/json", body=json.dumps({"error": text})))


def answer_with(page, trace):
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))


def test_a_refusal_is_shown_in_every_view_and_nothing_offers_to_be_saved(visit):
    refuse(visit.page)
    page = visit.open()
    for i, name in enumerate(views.VIEWS):
        page.locator("#tabs a").nth(i).click()
        assert page.inner_text("[role=alert]") == "Loading model", name
        if name not in ("positions", "training", "model"):
            assert page.locator(".figure-foot:visible").count() == 0, name
    assert [text for text in visit.complaints if "503" not in text] == []


def test_vectors_that_did_not_come_can_be_asked_for_again(visit):
    failing = [True]

    def answer(route):
        wanted = json.loads(route.request.post_data)
        if wanted.get("vectors") and failing[0]:
            return route.fulfill(status=503, content_type="application/json", body='{"error":"Busy"}')
        route.fulfill(status=200, content_type="application/json", body=json.dumps(synthetic.trace(SOURCE, TARGET, request=wanted)))

    visit.page.route("**/v1/inspect", answer)
    page = visit.open("#view=query")
    page.wait_for_selector("text=Try again")
    assert page.inner_text("[role=alert]") == "Busy"
    failing[0] = False
    page.click("text=Try again")
    page.wait_for_selector(".equation")
    assert page.inner_text("[role=alert]") == ""


def test_exact_weights_are_asked_for_as_the_translation_was(visit):
    """The state may have moved on; other weights than those drawn are refused."""
    asked = []

    def answer(route):
        wanted = json.loads(route.request.post_data)
        asked.append(wanted)
        longer = TARGET + ["!"] if wanted.get("vectors") else TARGET
        route.fulfill(status=200, content_type="application/json", body=json.dumps(synthetic.trace(SOURCE, longer, request=wanted)))

    visit.page.route("**/v1/inspect", answer)
    page = visit.open("#view=query&beam=3&penalty=0.6")
    page.wait_for_selector("text=Try again")
    assert "model has changed" in page.inner_text("[role=alert]")
    for name in ("q", "model", "beam", "length_penalty"):
        assert asked[0][name] == asked[1][name]
    assert asked[0]["beam"] == 3 and asked[0]["length_penalty"] == 0.6


def test_a_probability_of_zero_and_an_unknown_entropy_are_read(visit):
    trace = synthetic.trace(SOURCE, TARGET)
    trace |= {"score": None, "log_probability": None}
    trace["target"]["tokens"][1]["logprob"] = None
    for node in trace["beam"]:
        node |= {"logprob": None, "score": None} if node["id"] % 4 == 1 else {}
    for head in trace["attention"][::2]:
        head["entropy"] = None
    answer_with(visit.page, trace)
    page = visit.open("#sort=entropy")
    assert "probability 0 %, log-probability −∞" in page.get_attribute(".facts", "title")
    assert page.locator(".certainty-number").inner_text() == "0 %"
    page.click("#tabs >> text=Beam")
    page.wait_for_selector(".node")
    assert "NaN" not in page.inner_text("body") and "null" not in page.inner_text("body")
    assert visit.complaints == []


def test_an_empty_translation_is_called_empty(visit):
    answer_with(visit.page, synthetic.trace(SOURCE, []))
    page = visit.open()
    assert page.inner_text("#translation") == "" and page.inner_text(".facts").endswith("the translation is empty")
    assert "click" not in page.inner_text(".facts") and "below" not in page.inner_text(".facts")
    visit.assert_quiet()


NONSENSE = "#view=nowhere&toString=1&__proto__=2&beam=1e9&penalty=&layer=1.4&head=-7&row=-3&column=99999&least=x&align=mean.77&kind=odd&step=0.5"


def test_nonsense_in_the_address_is_brought_into_range(visit):
    asked = []
    visit.page.on("request", lambda request: request.url.endswith("/v1/inspect") and asked.append(json.loads(request.post_data)))
    page = visit.open(NONSENSE)
    assert page.inner_text("#tabs [aria-current]") == "Translate"
    views.check_translate(page)
    assert asked[0]["beam"] == page.evaluate("fetch('/v1/model').then(answer => answer.json()).then(data => data.limits.beam)")
    assert asked[0]["length_penalty"] == 1
    for i in range(len(views.VIEWS)):
        page.locator("#tabs a").nth(i).click()
    visit.assert_quiet()


def test_alignment_from_a_head_that_has_none_says_so(visit):
    page = visit.open("#align=head&kind=encoder")
    assert page.inner_text(".alignment .figure-side") == "choose a cross-attention head"
    assert page.locator(".moses").count() == 0 and page.locator(".alignment .ribbon").count() == 0
    page.keyboard.press("3")
    page.wait_for_selector(".moses", state="attached")
    assert "from layer" in page.inner_text(".alignment .figure-side")
