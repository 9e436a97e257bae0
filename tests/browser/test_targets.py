"""On a telephone every control is large enough for a finger. covers SV22"""

import json

import pytest

import synthetic
import views

LEAST = 44  # CSS pixels, as WCAG 2.5.5 has it
# Controls smaller than that, by their box or that of the label around them. Exempt, as in WCAG: words and links within a
# line of running text, and the story's eight bars, which share the width: Back and Next do the same.
SMALL = """least => {
  const exempt = (each) => each.matches('.output-word, .as-link, p a, .story-bars button');
  const all = document.querySelectorAll('a[href], button, select, input, summary, [role=button], [role=slider], [role=menuitem], [role=tab], textarea');
  return [...all].filter((each) => {
    const box = (each.closest('label') || each).getBoundingClientRect();
    if (!each.checkVisibility({visibilityProperty: true}) || box.width <= 2 || box.bottom <= 0 && each.matches('.skip')) return false;
    return !exempt(each) && (box.width < least - 0.5 || box.height < least - 0.5);
  }).map((each) => {
    const {width, height} = (each.closest('label') || each).getBoundingClientRect();
    return `${each.tagName.toLowerCase()}.${each.getAttribute('class')} "${(each.getAttribute('aria-label') || each.textContent).slice(0, 30)}" ${Math.round(width)} x ${Math.round(height)}`;
  });
}"""
WORDS = "a man and I saw a large dog by the sea .".split()


@pytest.mark.parametrize("visit", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True, ids=[""])
def test_every_control_of_every_view_is_large_enough_for_a_finger(visit):
    trace = json.dumps(synthetic.trace(WORDS, WORDS[::-1], request={"encoding": "f32", "vectors": True, "embedding": True}))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=trace))
    page, found = visit.open(), {}
    for name in views.VIEWS:
        page.evaluate("name => location.hash = 'view=' + name", name)
        page.wait_for_selector(f"#tabs [aria-current][data-view={name}]", state="attached")
        page.wait_for_load_state("networkidle")
        for summary in page.locator("main summary:visible").all():
            summary.click()
        found[name] = page.evaluate(SMALL, LEAST)
    assert {name: small for name, small in found.items() if small} == {}


@pytest.mark.parametrize("visit", [{"viewport": {"width": 390, "height": 844}, "has_touch": True}], indirect=True, ids=[""])
def test_so_are_those_of_sentences_files_and_alternatives(visit):
    page = visit.open("#q=The+black+cat+sleeps.+The+dog+sleeps.")
    page.wait_for_selector(".sentence-number:visible")
    page.locator(".output-word").first.click()
    page.wait_for_selector(".choice")
    assert page.evaluate(SMALL, LEAST) == []
