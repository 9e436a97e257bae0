"""What nobody waits for any more is given up: its answer is not shown, and giving up is no error. covers SV22"""

import json
import time

import pytest

import synthetic


PATIENCE = 20  # seconds


def until(page, true, otherwise):
    """Looks, and lets the page go on, until it is true."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, otherwise
        page.wait_for_timeout(20)


class Held:
    """Requests to one route that wait until they are let go; `wanted` says which ones wait."""

    def __init__(self, page, path, wanted=lambda request: True):
        self.routes, self.aborted = [], []
        page.on("requestfailed", lambda request: any(route.request == request for route in self.routes) and self.aborted.append(request))
        page.route(f"**{path}*", lambda route: self.routes.append(route) if wanted(route.request) else route.fallback())

    def wait(self, page):
        """Until a request waits."""
        until(page, lambda: self.routes, "no request came")

    def wait_given_up(self, page):
        """Until all that wait were given up, which does not need an answer to anything else."""
        until(page, lambda: len(self.aborted) == len(self.routes), "a request is still on its way")

    def let_go(self, page):
        """Answers all, late; those given up cannot be answered."""
        for route in self.routes:
            try:
                route.fallback()
            except Exception:  # the browser has dropped it
                pass
        page.wait_for_timeout(100)


def body(request):
    return json.loads(request.post_data or "{}")


def text(page):
    return page.inner_text("#translation").strip()


def calm(visit):
    """Neither said in the page nor in the console."""
    assert visit.page.inner_text("[role=alert]") == ""
    assert visit.complaints == []


@pytest.fixture
def page(visit):
    page = visit.open()
    page.wait_for_function("() => !document.querySelector('.busy')")
    return page


def type_in(page, sentence):
    page.fill("#sentence", sentence)
    page.press("#sentence", "Enter")


# What happens in what order: texts are sent, given up and written, and "later" is when the page has dealt with what was written.
LOG = """() => {
  const plain = fetch;
  window.happened = [];
  window.fetch = (path, options) => {
    if (path === '/v1/inspect') {
      const {q} = JSON.parse(options.body);
      window.happened.push(`sent ${q}`);
      options.signal.addEventListener('abort', () => window.happened.push(`given up ${q}`));
    }
    return plain(path, options);
  };
  document.addEventListener('input', () => {
    window.happened.push('written');
    setTimeout(() => window.happened.push('later'));
  }, true);
}"""


def test_typing_on_gives_up_the_translation_on_its_way(visit, page):
    page.evaluate(LOG)
    first = Held(page, "/v1/inspect", lambda request: body(request)["q"] == "The cat.")
    second = Held(page, "/v1/inspect", lambda request: body(request)["q"] == "The cat. The")
    before = text(page)
    type_in(page, "The cat.")
    first.wait(page)
    page.press("#sentence", "End")
    page.keyboard.insert_text(" The")
    first.wait_given_up(page)
    second.wait(page)
    assert page.evaluate("window.happened").index("given up The cat.") < page.evaluate("window.happened.lastIndexOf('later')")  # at once
    assert len(first.aborted) == 1 and second.aborted == [] and text(page) == before
    second.let_go(page)
    page.wait_for_function("() => document.querySelector('.alignment .words:last-child').textContent && !document.querySelector('.busy, .stale')")
    shown = text(page)
    assert shown != before
    first.let_go(page)
    assert text(page) == shown
    calm(visit)


def test_a_text_that_is_written_again_is_translated_again(visit, page):
    held = Held(page, "/v1/inspect", lambda request: body(request)["q"] == "The cat." and not held.routes)
    type_in(page, "The cat.")
    held.wait(page)
    page.keyboard.type("x")
    page.keyboard.press("Backspace")
    page.wait_for_function("() => document.querySelector('.source-word')?.textContent === 'The' && !document.querySelector('.busy, .stale')")
    held.wait_given_up(page)
    assert page.locator(".source-word").all_inner_texts()[-1].startswith("cat") and len(held.aborted) == 1
    calm(visit)


def test_a_text_given_up_is_asked_for_where_the_reader_goes(visit, page):
    """The field was emptied while a translation was on its way: the next view still shows what its address says."""
    held = Held(page, "/v1/inspect", lambda request: body(request)["q"] == "The cat." and not held.routes)
    type_in(page, "The cat.")
    held.wait(page)
    page.fill("#sentence", "")
    page.click("#tabs >> text=Heads")
    page.wait_for_selector(".head-cell")
    page.wait_for_function("() => [...document.querySelectorAll('.heads-columns span, .heads-names span')].some(each => each.textContent.startsWith('cat'))")
    assert "q=The+cat." in page.url
    calm(visit)


def test_another_model_gives_up_what_the_first_was_asked(visit):
    models = synthetic.model()
    models["models"].append(models["models"][0] | {"name": "other"})
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    words = {"en-fr": "premier", "other": "second"}

    def inspect(route):
        name = body(route.request)["model"]
        trace = synthetic.trace(["one"], [words[name]], layers=1, heads=1, request=body(route.request))
        trace["model"]["name"] = name
        route.fulfill(status=200, content_type="application/json", body=json.dumps(trace))

    visit.page.route("**/v1/inspect", inspect)
    page = visit.open()
    held = Held(page, "/v1/inspect", lambda request: body(request)["model"] == "other")
    page.get_by_label("Model", exact=True).select_option("other")
    held.wait(page)
    page.get_by_label("Model", exact=True).select_option("en-fr")
    held.wait_given_up(page)
    page.wait_for_function("() => !document.querySelector('.busy')")
    assert len(held.aborted) == 1 and text(page) == "premier"
    held.let_go(page)
    assert text(page) == "premier"
    calm(visit)


VIEWS = {"translate": "/v1/alternatives", "positions": "/v1/positional", "model": "/v1/weights", "training": "/v1/runs", "query": "/v1/inspect", "story": "/v1/inspect"}


def go_to(page, name, ask=True):
    """By keyboard: a pointer would close what lies over the page."""
    page.locator(f"#tabs [data-view={name}]").press("Enter")
    page.wait_for_selector(f"#tabs [aria-current][data-view={name}]")
    if name == "translate" and ask:
        page.locator(".output-word").first.press("Enter")


@pytest.mark.parametrize("name", VIEWS)
def test_leaving_a_view_gives_up_what_it_asked_for(visit, page, name):
    held = Held(page, VIEWS[name])
    go_to(page, name)
    held.wait(page)
    go_to(page, "beam" if name == "translate" else "translate", ask=False)
    held.wait_given_up(page)
    held.let_go(page)
    assert "possible word" not in page.text_content("#spoken")
    page.unroute(f"**{VIEWS[name]}*")
    go_to(page, name)  # and asks for it again when the reader is back
    drawn = {"translate": ".choice", "positions": ".signed-map canvas, .clock", "model": ".weight-picture", "training": ".curve", "query": ".equation",
             "story": ".card.story[aria-busy=false]"}[name]
    page.wait_for_selector(drawn)
    calm(visit)


def test_from_view_to_view_what_both_need_is_asked_for_again(visit, page):
    """The second view does not wait for the answer that the first one gave up."""
    held = Held(page, "/v1/inspect", lambda request: body(request).get("vectors") and len(held.routes) == 0)
    page.click("#tabs [data-view=story]")
    held.wait(page)
    entry = body(held.routes[0].request)
    address = f"#view=query&kind=encoder&layer={entry['layers'][0]}&head={entry['heads'][0]}"
    page.evaluate("address => location.hash = address", address)
    page.wait_for_selector(".equation")
    calm(visit)


def test_closing_the_panel_of_a_word_gives_up_its_alternatives(visit, page):
    held = Held(page, "/v1/alternatives")
    page.locator(".output-word").first.click()
    held.wait(page)
    page.keyboard.press("Escape")
    held.wait_given_up(page)
    assert len(held.aborted) == 1 and page.locator(".alternatives").count() == 0
    page.unroute("**/v1/alternatives*")
    page.locator(".output-word").first.click()
    page.wait_for_selector(".choice")
    calm(visit)
