"""The story: eight steps through the sentence at hand, walked by keys, with what did not come, and from a file. covers SV22"""

import json

import stand_in
import synthetic
import views
from story import CLASHES, SOURCE, TARGET, answer, open_step, steps, with_spec

# Found and measured at one go: a redraw between the two would leave texts that stand nowhere.
PLACES = """() => [...document.querySelectorAll('.story-text.name')].map(text => {
  const {right, top} = text.getBoundingClientRect();
  return [text.textContent, Math.round(right), Math.round(top)];
})"""


def test_arrow_keys_walk_and_rows_never_move(visit):
    page = open_step(visit, 1, "&row=2")
    places, titles = page.evaluate(PLACES), []
    for step in steps(page):
        assert page.inner_text(".story-where") == f"{step} of 8"
        assert page.evaluate(PLACES) == places
        assert page.locator(".story-bars [aria-current=step]").count() == 1
        titles.append(page.inner_text(".story-title"))
    assert len(set(titles)) == 8 and "stage=8" in page.url and "A word is chosen" in page.inner_text("#spoken")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text(".story-title") == titles[6]
    page.locator(".story-bars button").nth(1).click()
    assert page.inner_text(".story-title") == titles[1]
    page.click(".story-back")
    assert page.inner_text(".story-title") == titles[0] and page.locator(".story-back").is_disabled()
    page.go_back()
    assert page.inner_text(".story-title") == titles[1]
    visit.assert_quiet()


def test_the_end_leads_to_the_text(visit):
    page = open_step(visit, 8)
    assert page.inner_text(".story-next") == "Try your own"
    page.click(".story-next")
    assert page.evaluate("document.activeElement.id") == "sentence" and "view=story" not in page.url


def test_a_token_is_chosen_by_key_and_pointer(visit):
    page = open_step(visit, 4, "&row=0")
    names = views.texts(page, ".story-text.name")
    page.locator(".story-svg").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert views.texts(page, ".story-text.on") == [names[2]] and "row=2" in page.url
    assert page.inner_text(".story-words").find(f"“{names[2]}”") >= 0
    page.locator(".story-text.name").nth(4).click()
    assert views.texts(page, ".story-text.on") == [names[4]]


def test_a_server_that_lacks_vectors_is_told_of(visit):
    bare = lambda request: synthetic.trace(SOURCE, TARGET, request={**request, "vectors": False, "embedding": False})
    answer(visit.page, bare, with_spec(attention="scaled-dot"))
    page = open_step(visit, 1)
    assert "not in the answer of this server" in page.inner_text(".story-note")
    for wanted, words in ((3, "without queries and keys"), (5, "values are not in")):
        page.locator(".story-bars button").nth(wanted - 1).click()
        assert words in page.inner_text(".story")
    assert page.locator("[data-column=weight]").count() == 1
    visit.assert_quiet()


def test_what_did_not_come_is_asked_for_again(visit):
    page = visit.page
    page.route("**/v1/inspect", lambda route: route.continue_() if "f32" not in route.request.post_data else route.fulfill(status=503, content_type="application/json", body='{"error":"Busy"}'))
    page = visit.open("#view=story&stage=3")
    page.wait_for_selector(".story[aria-busy=false]")
    page.wait_for_timeout(300)
    assert page.inner_text("#trouble") == "Busy" and len([url for url in visit.requests if url.endswith("/v1/inspect")]) <= 5
    page.unroute("**/v1/inspect")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".story-text.score")
    assert page.inner_text("#trouble") == ""


def test_a_saved_file_tells_it_too(visit):
    wish = {"encoding": "f32", "vectors": True, "embedding": True}
    data = {"model": synthetic.model(), "trace": synthetic.trace(SOURCE, TARGET, request=wish)}
    script = f'<script type="application/json" id="regard-data">{json.dumps(data)}</script>'
    html = (stand_in.PAGE / "index.html").read_text().replace("</head>", script + "</head>")
    visit.page.route(visit.address + "/", lambda route: route.fulfill(status=200, content_type="text/html", body=html))
    page = visit.open("#view=story&row=1")
    views.check_story(page)
    for step in steps(page):
        assert page.evaluate(CLASHES) == [], step
    assert page.inner_text(".story-next") == "To the translation"
    assert [url for url in visit.requests if "/v1/" in url] == []
    visit.assert_quiet()
