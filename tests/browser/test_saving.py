"""What is saved holds what is seen. covers SV22"""

import json

import synthetic

COLOUR = """([selector, wanted]) => import('/page/raster.js').then(({raster}) => {
  const canvas = raster(document.querySelector(selector));
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const [red, green, blue] = wanted.match(/\\d+/g).map(Number);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) found += data[i] === red && data[i + 1] === green && data[i + 2] === blue;
  return { found, width: canvas.width };
})"""


def test_the_numbers_of_query_and_key_are_lists(visit):
    page = visit.open("#view=query&kind=decoder&layer=0&head=0&row=1")
    page.wait_for_selector(".equation")
    with page.expect_download() as download:
        page.click("[data-save=json]")
    with open(download.value.path(), encoding="utf-8") as file:
        saved = json.load(file)
    assert len(saved["query"]) == len(saved["key"]) == len(saved["products"]) > 1
    assert all(abs(q * k - p) < 1e-5 for q, k, p in zip(saved["query"], saved["key"], saved["products"]))
    assert saved["scores"][2:] == [None] * (len(saved["keys"]) - 2) and None not in saved["scores"][:2]


def test_a_picture_keeps_bars_of_every_colour(visit):
    page = visit.open()
    gold = page.eval_on_selector(".certainty-bar", "bar => getComputedStyle(bar).backgroundColor")
    assert page.evaluate(COLOUR, [".alignment .figure-body", gold])["found"] > 100


def test_a_picture_of_the_beam_is_whole(visit):
    words = [f"word{i}" for i in range(14)]
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps(synthetic.trace(words, words, layers=1, heads=1))))
    visit.page.set_viewport_size({"width": 600, "height": 800})
    page = visit.open("#view=beam")
    width = page.eval_on_selector(".beam", "svg => svg.getBoundingClientRect().width")
    assert width > 1200
    assert page.evaluate(COLOUR, [".figure-body", "rgb(0, 0, 0)"])["width"] >= 2 * width


def test_the_map_stays_where_it_was_scrolled_to(visit):
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps(synthetic.fast_trace(90, 1, 2))))
    page = visit.open("#view=head&layer=0&head=0")
    page.eval_on_selector(".map", "map => map.scrollTop = 200")
    page.locator(".picker select").last.select_option(index=1)
    assert page.inner_text(".head-panel .figure-title") == "Layer 1, head 2"
    assert page.eval_on_selector(".map", "map => map.scrollTop") == 200


def test_on_a_phone_the_current_tab_is_in_sight(visit):
    visit.page.set_viewport_size({"width": 360, "height": 740})
    page = visit.open("#view=model")
    assert page.eval_on_selector("#tabs [aria-current]", "tab => tab.getBoundingClientRect().right <= innerWidth")
