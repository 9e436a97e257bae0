"""The page in a real browser: it loads, translates, and every view draws. covers SV22"""

import json
import random
import re
import urllib.request

import stand_in
import synthetic
import views
from conftest import SENTENCE


def test_first_screen_shows_a_translation_without_complaint_or_foreign_request(visit):
    page = visit.open()
    views.check_translate(page)
    page.wait_for_timeout(300)
    visit.assert_quiet()


def test_each_view_renders(visit):
    assert [name for _, name in views.walk(visit)] == views.VIEWS
    visit.assert_quiet()


def test_all_tabs_are_seen_at_any_width_that_has_them_in_the_bar(visit):
    page = visit.open("#view=model")
    for width in [*range(761, 1000, 20), *range(1000, 1300, 30), 1080, 1081, 1240, 1241, 1440]:
        page.set_viewport_size({"width": width, "height": 800})
        room = page.eval_on_selector("#tabs", "tabs => [tabs.scrollWidth, tabs.clientWidth, tabs.getBoundingClientRect().right, document.querySelector('.bar-end').getBoundingClientRect().left, tabs.offsetTop, document.querySelector('.bar-end').offsetTop]")
        assert room[0] <= room[1], width
        assert room[4] > room[5] + 20 or room[2] <= room[3], width  # below the rest, or before it


def test_typing_a_sentence_and_enter_translates_it(visit):
    page = visit.open()
    before = page.inner_text("#translation")
    page.fill("#sentence", "The cat sleeps.")
    page.press("#sentence", "Enter")
    page.wait_for_function("old => document.querySelector('#translation').textContent !== old", arg=before)
    assert views.texts(page, ".alignment .words:first-child .word-text") == ["The", "cat", "sleeps."]
    assert "chat" in page.inner_text("#translation")
    assert "q=The+cat+sleeps" in page.url
    visit.assert_quiet()


def test_the_address_holds_the_state(visit):
    page = visit.open("#view=head&kind=encoder&layer=0&head=1&end=0&q=The+cat+sleeps.")
    assert page.inner_text("h1") == "Layer 1, head 2"
    assert views.texts(page, ".map-rows span") == ["The", "cat", "sleeps."]
    page.click("#tabs >> text=Beam")
    page.wait_for_selector(".node")
    page.go_back()
    page.wait_for_selector(".map-rows span")
    assert page.inner_text("h1") == "Layer 1, head 2"


def test_hovering_a_word_lights_its_partners(visit):
    page = visit.open(f"#q={SENTENCE.replace(' ', '+')}")
    word = page.locator(".alignment .words:last-child .word").first
    word.hover()
    assert "lit" in word.get_attribute("class")
    assert page.locator(".alignment .words:first-child .partner").count() >= 1
    assert page.locator(".ribbon.lit").count() >= 1
    page.mouse.move(5, 5)
    assert page.locator(".partner").count() == 0


def test_words_are_walked_and_spoken_by_keyboard(visit):
    page = visit.open()
    page.locator(".alignment .words:last-child .word").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".alignment .words:last-child .word.lit").count() == 1
    spoken = page.inner_text("#spoken")
    assert " attends to " in spoken and spoken.endswith("percent")


def test_a_click_on_a_translated_word_shows_alternatives(visit):
    page = visit.open()
    page.locator(".alignment .words:last-child .word").nth(1).click()
    panel = page.locator(".alternatives")
    assert panel.locator("li").count() >= 2 and panel.locator("li.chosen").count() >= 1
    panel.locator(".alternatives-head button").click()
    assert page.locator(".alternatives").count() == 0


TYPE = """async (texts) => {
  const field = document.querySelector('#sentence');
  const asked = new Promise((done) => new PerformanceObserver((list) => {
    const found = list.getEntriesByName(location.origin + '/v1/inspect');
    if (found.length) done(found[0].startTime);
  }).observe({type: 'resource'}));
  field.focus();
  for (const text of texts) {
    field.value = text;
    field.dispatchEvent(new Event('input'));
  }
  const [last, stale] = [performance.now(), document.querySelector('.stale #translation').textContent];
  return [await asked - last, stale];
}"""


def translation_of(visit, text):
    request = urllib.request.Request(visit.address + "/v1/translate", json.dumps({"q": text}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)["translatedText"]


def test_what_is_typed_is_translated_after_a_pause(visit):
    page = visit.open()
    asked, before = [], page.inner_text("#translation")
    page.on("request", lambda request: request.url.endswith("/v1/inspect") and asked.append(json.loads(request.post_data)["q"]))
    waited, meanwhile = page.evaluate(TYPE, ["The d", "The dog", "The dog sleeps."])
    page.wait_for_selector(".panes:not(.stale)")
    assert waited >= 245 and meanwhile == before
    assert asked == ["The dog sleeps."] and page.inner_text("#translation") == translation_of(visit, "The dog sleeps.")
    assert page.locator("#sentence:focus").count() == 1 and page.input_value("#sentence") == "The dog sleeps."
    visit.assert_quiet()


def test_a_word_of_a_pane_lights_its_partners_in_the_other(visit):
    page = visit.open("#q=The+cat+sleeps.")
    page.locator(".output-word").nth(1).hover()
    assert views.texts(page, ".source-word.partner") == ["cat"] and views.texts(page, ".word.lit .word-text") == ["chat"]
    box = page.locator(".source-word").nth(2).bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] / 2)  # the field lies above it
    assert views.texts(page, ".output-word.partner") == ["dort."] and views.texts(page, ".source-word.lit") == ["sleeps."]
    page.mouse.move(5, 5)
    assert page.locator(".partner, .lit").count() == 0


SAME_PLACES = """() => {
  const [field, layer] = ['#sentence', '.source-layer'].map((name) => document.querySelector(name));
  const names = ['fontSize', 'fontFamily', 'lineHeight', 'letterSpacing', 'whiteSpace', 'overflowWrap', 'paddingLeft', 'paddingTop', 'borderTopWidth', 'textAlign'];
  const [one, other] = [field, layer].map((each) => [...names.map((name) => getComputedStyle(each)[name]), each.clientWidth, each.getBoundingClientRect().left, each.getBoundingClientRect().top]);
  return [one, other, field.scrollHeight <= field.clientHeight + 1];
}"""


def test_the_layer_of_marks_lies_under_the_text(visit):
    page = visit.open("#q=" + "The+cat+sleeps+" * 9)
    for text in (None, "The cat\n\nsleeps\n", "x" * 90):
        if text:
            page.fill("#sentence", text)
        one, other, whole = page.evaluate(SAME_PLACES)
        assert one == other and whole


def test_a_text_is_counted_cleared_and_begun_again(visit):
    page = visit.open("#q=The+cat+sleeps.")
    assert page.inner_text(".source-facts") == "3 words"
    page.click("[aria-label='Clear the text']")
    assert page.input_value("#sentence") == "" and page.inner_text("#translation") == ""
    assert page.locator(".alignment").is_hidden() and page.locator("#sentence:focus").count() == 1
    example = page.evaluate("async () => (await (await fetch('/v1/model')).json()).models[0].example")
    assert example and page.get_attribute("#sentence", "placeholder") == example
    page.keyboard.type("The cat sleeps.")
    page.wait_for_function("() => document.querySelector('#translation').textContent === 'Le chat dort.'")
    assert page.locator(".alignment").is_visible()
    page.click(".chip >> nth=0")
    assert page.input_value("#sentence") == example
    page.wait_for_selector(".panes:not(.stale)")
    views.check_translate(page)
    visit.assert_quiet()


def test_the_translation_and_a_link_are_copied(visit):
    page = visit.open("#q=The+cat+sleeps.")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.get_by_label("Copy the translation")
    button.click()
    page.wait_for_selector("button:has-text('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.inner_text("#translation") != ""
    page.wait_for_timeout(1700)
    assert button.inner_text() == "Copy"
    page.get_by_label("Copy a link").click()
    assert page.evaluate("navigator.clipboard.readText()") == page.url


DROP = """([text, name, type]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([text], name, {type}));
  document.querySelector('.translator').dispatchEvent(new DragEvent('drop', {dataTransfer: carried, bubbles: true, cancelable: true}));
}"""


def test_a_dropped_text_file_is_translated(visit):
    page = visit.open()
    page.evaluate(DROP, ["The cat sleeps.\n", "cat.txt", "text/plain"])
    page.wait_for_function("() => document.querySelector('#translation').textContent === 'Le chat dort.'")
    page.evaluate(DROP, ["<svg/>", "cat.png", "image/png"])
    assert page.inner_text(".source-facts") == "cat.png is not a text file." and page.input_value("#sentence") == "The cat sleeps."
    visit.assert_quiet()


def test_of_typed_text_what_is_too_long_is_marked(visit):
    page = visit.open()
    limit = page.evaluate("fetch('/v1/model').then(answer => answer.json()).then(data => data.limits.chars)")
    asked = []
    page.on("request", lambda request: request.url.endswith("/v1/inspect") and asked.append(json.loads(request.post_data)["q"]))
    page.fill("#sentence", "The cat sleeps.\n" * (limit // 16 + 5))
    page.wait_for_selector(".beyond")
    page.wait_for_selector(".panes:not(.stale)")
    assert len(page.text_content(".beyond")) > 30 and "is not translated" in page.inner_text(".source-facts")
    assert max(map(len, asked)) <= limit
    visit.assert_quiet()


def test_doors_lead_inside(visit):
    for view in ("story", "heads", "query", "beam"):
        page = visit.open("#q=The+cat+sleeps.")
        page.click(f".door[href*='view={view}']")
        assert f"view={view}" in page.url and "q=The+cat+sleeps." in page.url


def test_a_saved_translation_is_read_and_shows_tokens(visit):
    page = visit.page
    data = json.dumps({"model": synthetic.model(), "trace": synthetic.trace("the black cat .".split(), "le chat noir .".split())})
    whole = (stand_in.PAGE / "index.html").read_text().replace("</head>", f'<script type="application/json" id="regard-data">{data}</script></head>')
    page.route(visit.address + "/", lambda route: route.fulfill(status=200, content_type="text/html", body=whole))
    visit.open()
    views.check_translate(page)
    assert page.evaluate("document.querySelector('#sentence').readOnly") and "saved translation" in page.inner_text(".source-facts")
    assert page.locator(".chip:visible, .search-settings:visible, [aria-label='Clear the text']").count() == 0
    assert page.get_by_label("Swap the languages").is_disabled()
    page.locator(".output-word").nth(1).click()
    assert page.locator(".alternatives .step li").count() >= 2 and page.locator(".choices").count() == 0
    page.keyboard.press("Escape")
    assert page.locator(".alternatives").count() == 0
    assert not [url for url in visit.requests if "/v1/" in url]


def test_a_dark_picture_of_ribbons_is_saved_in_light_colours(visit):
    page = visit.open()
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    dark = set(page.eval_on_selector_all(".ribbon", "all => all.map(each => getComputedStyle(each).stroke)"))
    saved = views.saved(page, "svg").decode()
    page.keyboard.press("d")
    light = set(page.eval_on_selector_all(".ribbon", "all => all.map(each => getComputedStyle(each).stroke)"))
    hexes = lambda colours: {"#%02x%02x%02x" % tuple(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours}
    assert dark and not hexes(dark) & hexes(light)
    assert all(colour in saved for colour in hexes(light)) and not any(colour in saved for colour in hexes(dark))


SEAMS = """({sources, targets, weights, room, gap, least}) => import('/page/seams.js').then(({seams}) =>
  seams({sources, targets, weights: (target, source) => weights[target][source], room, gap, least}))"""


def severed(rows, weights):
    row_of = lambda side, place: next(i for i, row in enumerate(rows) if row[side][0] <= place < row[side][1])
    return sum(weight for j, line in enumerate(weights) for i, weight in enumerate(line) if row_of("target", j) != row_of("source", i))


def test_rows_are_cut_where_the_least_weight_is_severed(visit):
    page = visit.open()
    rng = random.Random(3)
    block = lambda i, j: (i < 4) == (j < 2)
    task = {"sources": [40] * 7, "targets": [60] * 5, "room": 200, "gap": 5, "least": 0,
            "weights": [[0.3 if block(i, j) else 0.01 for i in range(7)] for j in range(5)]}
    rows = page.evaluate(SEAMS, task)
    assert rows == [{"source": [0, 4], "target": [0, 2]}, {"source": [4, 7], "target": [2, 5]}]
    for _ in range(20):  # against every other way to make two rows
        task = {"sources": [30] * 6, "targets": [30] * 6, "room": 150, "gap": 0, "least": 0,
                "weights": [[rng.random() ** 6 for _ in range(6)] for _ in range(6)]}
        rows = page.evaluate(SEAMS, task)
        assert [rows[0]["source"][0], rows[-1]["source"][1], rows[0]["target"][0], rows[-1]["target"][1]] == [0, 6, 0, 6]
        assert all(a["source"][1] == b["source"][0] and a["target"][1] == b["target"][0] for a, b in zip(rows, rows[1:]))
        if len(rows) == 2:
            every = [[{"source": [0, i], "target": [0, j]}, {"source": [i, 6], "target": [j, 6]}] for i in range(1, 6) for j in range(1, 6)]
            assert severed(rows, task["weights"]) <= min(severed(each, task["weights"]) for each in every) + 0.3  # an even split may cost a little
    for sources, targets in ((0, 0), (1, 0), (200, 2), (2, 200), (1, 1), (250, 250)):
        rows = page.evaluate(SEAMS, {"sources": [50] * sources, "targets": [700] * targets, "room": 600, "gap": 5, "least": 0,
                                     "weights": [[0.1] * sources] * targets})
        assert sum(row["target"][1] - row["target"][0] for row in rows) == targets
        assert all(row["target"][1] - row["target"][0] <= 1 and row["source"][1] - row["source"][0] <= 11 for row in rows)


def test_no_row_has_few_words_over_many(visit):
    page = visit.open()
    for seed in range(12):
        rng = random.Random(seed)  # each word looks at one somewhere near its own place
        looks = [min(29, max(0, round(j + rng.gauss(0, 5)))) for j in range(30)]
        rows = page.evaluate(SEAMS, {"sources": [50] * 30, "targets": [50] * 30, "room": 600, "gap": 0, "least": 0,
                                     "weights": [[0.9 if i == look else 0 for i in range(30)] for look in looks]})
        counts = [(row["source"][1] - row["source"][0], row["target"][1] - row["target"][0]) for row in rows]
        assert len(rows) > 2 and all(max(each) <= 2 * min(each) for each in counts), counts


def test_long_sentences_wrap_and_a_severed_ribbon_names_its_partner(visit):
    words, others = [f"word{i}" for i in range(64)], [f"Wort{i}" for i in range(64)]
    trace = synthetic.trace(words, others, layers=1, heads=1)
    weights = [[0.9 if j == i else 0 for j in range(64)] for i in range(64)]
    weights[2] = [0.9 if j == 60 else 0 for j in range(64)]
    trace["alignment"]["soft"]["data"] = synthetic.floats(sum(weights, []))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))
    page = visit.open()
    for width in (1440, 1080, 760, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("() => { const rows = document.querySelector('.ribbon-rows'); return rows.scrollWidth <= rows.clientWidth && [...rows.querySelectorAll('.word')].every(word => word.getBoundingClientRect().right <= innerWidth); }")
        assert views.texts(page, ".alignment .words:first-child .word-text") == words
        assert views.texts(page, ".alignment .words:last-child .word-text") == others
        names = views.texts(page, ".stub-name")
        assert "↓ word60" in names and "↑ Wort2" in names
        assert page.locator(".ribbon:not(.stub)").count() >= 62
        overlap = "all => all.some((one, i) => all.slice(i + 1).some(two => { const [a, b] = [one, two].map(each => each.getBoundingClientRect()); return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1; }))"
        assert not page.eval_on_selector_all(".ribbon-rows .word, .stub-name", overlap)
    visit.assert_quiet()


def test_arrow_keys_walk_the_grid_and_enter_enlarges(visit):
    page = visit.open("#view=heads&kind=cross&layer=0&head=0")
    focused = "() => document.activeElement.dataset.head"
    page.locator("[data-head='0.0']").focus()
    for key, place in [("ArrowRight", "0.1"), ("ArrowDown", "1.1"), ("ArrowLeft", "1.0"), ("End", "1.3"), ("ArrowRight", "1.3"), ("ArrowUp", "0.3")]:
        page.keyboard.press(key)
        assert page.evaluate(focused) == place
    assert "entropy" in page.inner_text("#spoken")
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector(".head-panel")
    assert page.inner_text("h1") == "Layer 1, head 4"


def test_keys_choose_the_kind(visit):
    page = visit.open("#view=heads")
    for key, name in [("1", "encoder self"), ("2", "decoder self"), ("3", "cross")]:
        page.keyboard.press(key)
        assert page.text_content(".grid-panel .figure-side").startswith(name)
    page.click("text=By sharpness")
    order = [float(text.split()[1]) for text in views.texts(page, ".head-spread")]
    assert order == sorted(order)


def test_a_cell_tells_its_value_and_rows_can_be_renormalised(visit):
    page = visit.open("#view=head")
    page.wait_for_function("() => !document.querySelector('.readout .value').textContent.includes('≈')")
    page.locator(".map-cells").hover(position={"x": 30, "y": 30})
    assert "←" in page.inner_text(".readout .value")
    page.click("text=Show ⟨begin⟩ and ⟨end⟩")
    assert "⟨end⟩" not in views.texts(page, ".map-rows span") + views.texts(page, ".map-columns span")
    page.click(".figure-foot summary")
    page.wait_for_selector(".twin tbody tr", state="attached")
    rows = page.eval_on_selector_all(".twin tbody tr", "all => all.map(row => [...row.querySelectorAll('td')].map(cell => Number(cell.textContent)))")
    assert rows and all(abs(sum(row) - 1) < 0.01 for row in rows)


def test_two_heads_stand_side_by_side_and_as_lines(visit):
    page = visit.open("#view=head&layer=0&head=0&other=1.1")
    assert page.locator(".pane").count() == 2 and page.locator(".map-canvas").count() == 2
    page.click("text=Lines")
    assert page.locator(".pane .ribbon").count() > 4


def test_pictures_can_be_saved(visit):
    page = visit.open("#view=head")
    for kind, start in [("png", b"\x89PNG"), ("csv", b"target word (query),"), ("json", b"[{")]:
        content = views.saved(page, kind)
        assert content.startswith(start) and len(content) > 100
    visit.assert_quiet()


def test_the_saved_file_shows_the_same_from_disk(saved_visit):
    assert [name for _, name in views.walk(saved_visit)] == views.VIEWS
    page = saved_visit.open("#view=heads&layer=0&head=0")
    page.locator("[data-head='0.0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.inner_text("h1") == "Layer 1, head 2"
    page.click("#tabs [data-view=model]")
    assert page.inner_text(".weights") == "This file was saved without pictures of its weights. regard serve shows them."
    page = saved_visit.open()
    assert page.get_by_label("Swap the languages").get_attribute("title") == "This is a saved file: it cannot translate"
    word = page.locator(".alignment .words:last-child .word").first
    word.hover()
    assert page.locator(".partner").count() >= 1
    saved_visit.assert_quiet()
