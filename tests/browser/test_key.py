"""A server that asks for a key can be used, and the key stays where it belongs. covers SV22"""

import json

import views
from conftest import KEY

FORM = "form:has(input[type=password])"


def write_key(page, key):
    page.fill("input[type=password]", key)
    page.press("input[type=password]", "Enter")


def keys_sent(visit):
    """The key of each request to /v1/inspect from now on; '': none."""
    sent = []

    def note(request):
        if request.url.endswith("/v1/inspect"):
            assert "api_key" not in json.loads(request.post_data)
            sent.append(request.headers.get("authorization", "").removeprefix("Bearer ").encode("latin-1").decode())

    visit.page.on("request", note)
    return sent


def test_a_key_is_asked_for_sent_and_kept_in_the_tab(keyed_visit):
    sent = keys_sent(keyed_visit)
    page = keyed_visit.open("#q=The+cat+sleeps.")
    page.wait_for_selector(FORM)
    assert "API key" in page.inner_text("[role=alert]") and sent == [""]
    assert page.input_value("#sentence") == "The cat sleeps."
    assert "never in the address" in page.inner_text(FORM)
    write_key(page, "wrong")
    page.wait_for_selector("[role=alert]:has-text('Invalid API key')")
    assert page.locator(FORM).is_visible() and sent[-1] == "wrong" and page.evaluate("sessionStorage.length") == 0
    write_key(page, KEY)
    page.wait_for_function("() => document.querySelector('#translation').textContent")
    assert sent[-1] == KEY and page.input_value("#sentence") == "The cat sleeps."
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
    page.fill("#sentence", "The cat sleeps.")
    page.press("#sentence", "Enter")
    write_key(page, KEY)
    page.wait_for_selector("#key >> text=Remove key")
    assert views.texts(page, ".alignment .words:first-child .word-text") == ["The", "cat", "sleeps."]
    page.click("#key >> text=Remove key")
    page.wait_for_selector(FORM)
    assert page.evaluate("sessionStorage.length") == 0


def test_views_show_what_the_key_opens(keyed_visit):  # covers SV14
    page = keyed_visit.open("#view=model")
    views.check_model(page)  # needs none
    page.click("#tabs >> text=Positions")
    page.wait_for_selector("main >> text=API key")
    page.click("#tabs >> text=Training")
    page.wait_for_selector("main >> text=API key")
    assert page.locator(FORM).is_visible()
    write_key(page, KEY)
    page.wait_for_selector("#key >> text=Remove key")
    views.check_training(page)
    page.click("#tabs >> text=Positions")
    views.check_positions(page)
    assert all("api_key" not in url for url in keyed_visit.requests)


def test_the_form_fits_a_phone_and_everyone(keyed_visit):
    keyed_visit.page.set_viewport_size({"width": 360, "height": 740})
    page = keyed_visit.open()
    assert page.eval_on_selector(FORM, "form => form.querySelector('input').getBoundingClientRect().right <= innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and views.serious(page) == []
    write_key(page, KEY)
    page.wait_for_selector("#key >> text=Remove key")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and views.serious(page) == []


def test_where_no_key_is_needed_none_is_spoken_of(visit):
    sent = keys_sent(visit)
    page = visit.open()
    assert page.locator("#key").is_hidden() and set(sent) == {""}


def test_a_file_that_needs_a_key_asks_for_it(visit):
    refusal = json.dumps({"error": "Please contact the server operator to get an API key"})
    page = visit.open()
    page.route("**/v1/translate", lambda route: route.fulfill(status=400, content_type="application/json", body=refusal))
    files = page.evaluate_handle("""() => {
      const files = new DataTransfer();
      files.items.add(new File(['The cat sleeps.\\n'.repeat(1000)], 'letter.txt', {type: 'text/plain'}));
      return files;
    }""")
    page.dispatch_event(".translator", "drop", {"dataTransfer": files})
    page.wait_for_selector(FORM)
    assert "API key" in page.inner_text("[role=alert]") and "API key" in page.inner_text(".file-panel .hint")
