"""A server that asks for a key can be used, and the key stays where it belongs. covers SV22"""

import json

import views
from conftest import KEY

FORM = "form:has(input[type=password])"


def write_key(page, key):
    page.fill("input[type=password]", key)
    page.press("input[type=password]", "Enter")


def bodies(visit):
    """What is sent to /v1/inspect from now on."""
    sent = []
    visit.page.on("request", lambda request: request.url.endswith("/v1/inspect") and sent.append(json.loads(request.post_data)))
    return sent


def test_a_key_is_asked_for_sent_and_kept_in_the_tab(keyed_visit):
    sent = bodies(keyed_visit)
    page = keyed_visit.open("#q=the+cat+sleeps+.")
    page.wait_for_selector(FORM)
    assert "API key" in page.inner_text("[role=alert]") and "api_key" not in sent[0]
    assert page.input_value("#sentence") == "the cat sleeps ."
    assert "never in the address" in page.inner_text(FORM)
    write_key(page, "wrong")
    page.wait_for_selector("[role=alert]:has-text('Invalid API key')")
    assert page.locator(FORM).is_visible() and sent[-1]["api_key"] == "wrong" and page.evaluate("sessionStorage.length") == 0
    write_key(page, KEY)
    page.wait_for_function("() => document.querySelector('#translation').textContent")
    assert sent[-1]["api_key"] == KEY and sent[-1]["q"] == "the cat sleeps ."
    assert page.inner_text("[role=alert]") == "" and "carries your API key" in page.inner_text("#key")
    assert page.locator(FORM).count() == 0
    page.reload()
    page.wait_for_selector("html[data-ready]")
    views.check_translate(page)
    kept = page.evaluate("() => [Object.values({...sessionStorage}), Object.values({...localStorage}), document.cookie, location.href]")
    assert kept[0] == [KEY] and kept[1] == [] and kept[2] == "" and KEY not in kept[3]
    assert all(KEY not in url and "api_key" not in url for url in keyed_visit.requests)
    assert [text for text in keyed_visit.complaints if "status of 40" not in text] == []


def test_a_key_can_be_forgotten_and_what_was_written_is_sent_again(keyed_visit):
    page = keyed_visit.open()
    page.fill("#sentence", "the cat sleeps .")
    page.press("#sentence", "Enter")
    write_key(page, KEY)
    page.wait_for_selector("#key >> text=Forget it")
    assert views.texts(page, ".alignment .words:first-child .word-text") == ["the", "cat", "sleeps", "."]
    page.click("#key >> text=Forget it")
    page.wait_for_selector(FORM)
    assert page.evaluate("sessionStorage.length") == 0


def test_views_that_need_no_key_work_without(keyed_visit):
    page = keyed_visit.open("#view=positions")
    views.check_positions(page)
    page.click("#tabs >> text=Model")
    views.check_model(page)
    assert page.locator(FORM).is_visible()


def test_the_form_fits_a_phone_and_everyone(keyed_visit):
    keyed_visit.page.set_viewport_size({"width": 360, "height": 740})
    page = keyed_visit.open()
    assert page.eval_on_selector(FORM, "form => form.querySelector('input').getBoundingClientRect().right <= innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and views.serious(page) == []
    write_key(page, KEY)
    page.wait_for_selector("#key >> text=Forget it")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and views.serious(page) == []


def test_where_no_key_is_needed_none_is_spoken_of(visit):
    sent = bodies(visit)
    page = visit.open()
    assert page.locator("#key").is_hidden() and all("api_key" not in body for body in sent)
