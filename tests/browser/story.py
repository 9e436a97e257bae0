"""How the tests of the story open it, walk through its steps and look for texts that meet."""

import json
import re

import pytest

import synthetic
import views

SIZES = {"wide": {"viewport": {"width": 1440, "height": 860}}, "small": {"viewport": {"width": 1110, "height": 760}},
         "tablet": {"viewport": {"width": 920, "height": 900}}, "phone": {"viewport": {"width": 390, "height": 844}}}
sizes = pytest.mark.parametrize("visit", SIZES.values(), indirect=True, ids=SIZES)
SOURCE = "The black cat does not see the dog .".split()
TARGET = "Le chat noir ne voit pas le chien .".split()
# Texts of the figure that meet each other or leave it.
CLASHES = """() => {
  const frame = document.querySelector('.story-svg').getBoundingClientRect();
  const all = [...document.querySelectorAll('.story-svg text, .figure-side:not(:empty), [data-column=query] path')].map(text => ({
    words: text.textContent, box: text.getBoundingClientRect(), inside: text.tagName === 'text', part: text.tagName === 'path'}));
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const out = all.filter(({box, inside}) => inside && (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5));
  const pairs = all.flatMap((one, i) => all.slice(i + 1).filter(other => !(one.part && other.part) && meet(one.box, other.box)).map(other => [one.words, other.words]));
  return [...out.map(({words}) => ['out', words]), ...pairs];
}"""


def answer(page, make, model=None):
    """Answers with what make(request) gives, and perhaps with another model."""
    send = lambda route, data: route.fulfill(status=200, content_type="application/json", body=json.dumps(data))
    page.route("**/v1/inspect", lambda route: send(route, make(json.loads(route.request.post_data))))
    if model:
        page.route("**/v1/model", lambda route: send(route, synthetic.model() | {"models": [model]}))


def with_spec(**changes):
    entry = synthetic.model()["models"][0]
    return entry | {"spec": entry["spec"] | changes}


def open_step(visit, step, fragment=""):
    page = visit.open(f"#view=story&stage={step}{fragment}")
    page.wait_for_selector(".story[aria-busy=false]")
    return page


def open_table(page):
    page.locator(".figure-foot summary").click()
    page.wait_for_selector(".twin tbody td")


def figures(page, selector):
    return [text.replace("−", "-") for text in views.texts(page, selector)]


def steps(page):
    """Goes through all steps by key; yields the number of each."""
    count = page.locator(".story-bars button").count()
    for step in range(1, count + 1):
        yield step
        page.keyboard.press("ArrowRight")


def hidden(name):
    """How many tokens a row stands for that is a gap; 0: it is a token's own."""
    found = re.fullmatch(r"… (\d+) more", name)
    return int(found.group(1)) if found else 0
