"""A view whose module comes late, or not at all. covers SV22"""

# How often the view was put into the page.
MOUNTS = """() => {
  window.mounts = [];
  new MutationObserver((changes) => changes.forEach(({addedNodes}) => addedNodes.forEach((node) => window.mounts.push(node.className))))
      .observe(document.getElementById('main'), {childList: true});
}"""


def held(visit, module):
    """Opens the page while a module does not come; gives the requests for it, for the test to answer."""
    requests = []
    visit.page.route(f"**/{module}.js", lambda route: requests.append(route))
    visit.page.goto(visit.address)
    visit.page.wait_for_selector("#translation .output-word")
    visit.page.evaluate(MOUNTS)
    return requests


def test_what_changes_while_its_module_comes_mounts_a_view_once(visit):
    requests = held(visit, "view_story")
    page = visit.page
    page.click("#tabs [data-view=story]")
    for row in "01230":
        page.evaluate("row => location.hash = `view=story&side=source&row=${row}`", row)
    page.wait_for_function("() => location.hash.endsWith('row=0')")
    assert page.locator("#tabs [aria-current]").inner_text() == "Translate" and len(requests) == 1
    requests[0].continue_()
    page.wait_for_selector("#tabs [aria-current][data-view=story]")
    page.wait_for_selector("html[data-ready]")
    assert len(page.evaluate("window.mounts")) == 1
    visit.assert_quiet()


def test_who_went_elsewhere_meanwhile_stays_there(visit):
    requests = held(visit, "view_story")
    page = visit.page
    page.click("#tabs [data-view=story]")
    page.click("#tabs [data-view=translate]")
    requests[0].continue_()
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#tabs [aria-current]").inner_text() == "Translate" and page.evaluate("window.mounts") == []


def test_a_view_that_does_not_come_says_so_and_is_tried_again(visit):
    requests = held(visit, "view_story")
    page = visit.page
    page.click("#tabs [data-view=story]")
    requests.pop().abort()
    page.wait_for_selector("#trouble >> text=could not be loaded")
    page.wait_for_selector("html[data-ready]")
    assert page.locator("#tabs [aria-current]").inner_text() == "Translate" and "view=story" not in page.url
    page.locator(".output-word").first.click()  # the view that is shown goes on
    assert "side=target" in page.url
    page.unroute("**/view_story.js")
    page.click("#tabs [data-view=story]")
    page.wait_for_selector("#tabs [aria-current][data-view=story]")
    assert page.inner_text("#trouble") == ""


def test_what_goes_wrong_in_a_view_is_not_taken_for_a_module_that_did_not_come(visit):
    requests = held(visit, "view_story")
    page = visit.page
    page.click("#tabs [data-view=story]")
    requests[0].fulfill(content_type="text/javascript", body="export const storyView = () => { throw new Error('of its own'); };")
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text("#trouble") == "" and "of its own" in str(visit.complaints)
