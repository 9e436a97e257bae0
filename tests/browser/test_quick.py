"""The page is quick, as a reader sees it: measured to the painted picture. Of several loads the best, of other times the
median, so that a slow moment of the machine decides nothing. covers SV22"""

import json
import statistics

import pytest

import synthetic
from best_of import best_of

# The moment at which what has just come into the page is on the screen.
PAINTED = "const painted = (then) => requestAnimationFrame(() => setTimeout(() => then(performance.now())));"
# When the frame with its tabs and the two panes with the text are painted.
FIRST = "() => {" + PAINTED + """
  new MutationObserver((_, watch) => {
    if (!document.querySelector('#tabs a') || !document.querySelector('#sentence')?.value) return;
    watch.disconnect();
    painted((now) => window.firstSeen = now);
  }).observe(document, {childList: true, subtree: true});
}"""
# Every change of the translation, once it is painted.
SHOWN = "() => {" + PAINTED + """
  window.shown = [];
  new MutationObserver(() => painted((now) => window.shown.push(now))).observe(document.getElementById('translation'), {childList: true, subtree: true});
}"""
ANSWERED = "() => performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/v1/inspect')).at(-1).responseEnd"
# From a key to the frame after the one that it changed.
REDRAWN = """key => new Promise(done => {
  const start = performance.now();
  document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})"""


@pytest.mark.parametrize("what", ["first paint", "panes"])
def test_a_new_reader_sees_the_page_within_300_ms(browser, address, what):
    """Nothing of it is in a cache. First the frame and the word that the page is coming, then the panes with their text."""
    def load():
        context = browser.new_context(viewport={"width": 1360, "height": 900})
        page = context.new_page()
        page.add_init_script(f"({FIRST})()")
        page.goto(address)
        page.wait_for_function("() => window.firstSeen")
        seen = page.evaluate("window.firstSeen")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        context.close()
        assert paint <= seen
        return paint if what == "first paint" else seen

    load()  # the browser starts what it needs for any page
    best_of(what, 300, lambda: min(load() for _ in range(5)))


@pytest.mark.parametrize("words", ["", " ".join(["the black cat sees the dog and"] * 8)], ids=["short", "60 words"])
def test_a_translation_is_painted_within_100_ms_of_the_answer(visit, words):
    page = visit.open()

    def type_seven_words():
        page.fill("#sentence", words)
        page.wait_for_function("() => !document.querySelector('.busy')")
        page.wait_for_load_state("networkidle")
        page.evaluate(SHOWN)
        times = []
        for word in "the cat sees a black dog here".split():
            page.evaluate("performance.clearResourceTimings(); window.shown = []")
            page.locator("#sentence").press_sequentially(f" {word}")
            page.wait_for_function("() => window.shown.length > 0 && !document.querySelector('.busy')")
            times.append(page.evaluate("window.shown[0]") - page.evaluate(ANSWERED))
        assert min(times) > 0
        return statistics.median(times)

    best_of(f"translation painted after the answer ({len(words.split())} words before)", 100, type_seven_words)


def test_48_heads_of_80_tokens_are_redrawn_and_painted_within_50_ms(visit):
    trace = json.dumps(synthetic.fast_trace(80, 6, 8))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=trace))
    page = visit.open("#view=heads")
    assert page.locator(".head-cell").count() == 48
    for key in "123":  # the first time weights are decoded
        page.evaluate(REDRAWN, key)
    best_of("48 heads redrawn", 50, lambda: statistics.median(page.evaluate(REDRAWN, key) for key in "123" * 3))
