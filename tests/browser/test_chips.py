"""Sentences to try are the model's own, as /v1/model names them. covers SV22"""

import json

import synthetic

LONG = "This sentence has so many words that a chip with all of them would not fit into one line of any screen that people have."
OWN = {"en-fr": ["A dog runs.", LONG, "Two men talk.", "The sea is calm."], "fr-en": ["Un chien court.", "La mer est calme."]}


def serve(page, key=None):
    """Two models with examples of their own; with a key, for those who have it alone."""
    def models(route):
        data = synthetic.model()
        entry = data["models"][0]
        data["models"].append(entry | {"name": "fr-en", "from": "fr", "to": "en", "fromName": "French", "toName": "English"})
        for each in data["models"]:
            own = OWN[each["name"]] if key is None or route.request.headers.get("authorization") == f"Bearer {key}" else ["Ours."]
            each |= {"example": own[0], "examples": own}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(data))
    page.route("**/v1/model", models)


def translate(page, source, target):
    """Whatever is asked, the answer is this translation."""
    body = json.dumps(synthetic.trace(source.split(), target.split(), layers=1, heads=1))
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=body))


def chips(page):
    return page.locator(".chip").all_inner_texts()


def test_they_are_those_of_the_model_that_translates(visit):
    serve(visit.page)
    page = visit.open()
    assert page.input_value("#sentence") == "A dog runs."
    assert [chip[:12] for chip in chips(page)] == [LONG[:12], "Two men talk", "Three senten"]
    translate(page, "Un chien court.", "A dog runs.")
    page.get_by_label("Model", exact=True).select_option("fr-en")
    page.wait_for_function("() => document.querySelector('#sentence').value === 'Un chien court.' && !document.querySelector('.busy')")
    assert chips(page) == ["La mer est calme."]


def test_a_long_one_is_cut_but_inserts_all_of_it(visit):
    serve(visit.page)
    page = visit.open()
    chip = page.locator(".chip").first
    shown = chip.inner_text()
    assert shown.endswith("…") and len(shown) <= 64 and LONG.startswith(shown[:-1]) and chip.get_attribute("title") == LONG
    assert chip.evaluate("chip => chip.scrollWidth <= chip.clientWidth")
    chip.click()
    assert page.input_value("#sentence") == LONG
    page.wait_for_function("text => document.querySelector('#translation').textContent.trim() && !document.querySelector('.busy, .stale')", arg=LONG)
    visit.assert_quiet()


def test_a_key_brings_the_examples_that_need_one(keyed_visit):
    serve(keyed_visit.page, key="a key")
    page = keyed_visit.page
    page.add_init_script("sessionStorage.setItem('regard-api-key', 'a key')")
    translate(page, "a", "b")
    keyed_visit.open()
    assert any(LONG.startswith(text.rstrip("…")) for text in chips(page))
