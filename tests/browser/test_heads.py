"""The views Heads and One head: one row framed in all, tags in words, what a query looked at to be read. covers SV22"""

import base64
import csv
import json
import struct

import pytest

import synthetic
import views

SOURCE, TARGET = "two men are playing guitar on stage .".split(), "zwei Männer spielen auf der Bühne Gitarre .".split()
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TAGS = ["diagonal", "previous", "next", "sink", "broad", "other"]  # as the command line and files have them ...
TAG_WORDS = ["diagonal", "one back", "one ahead", "parked", "broad", "mixed"]  # ... and as they are read

# Texts of a figure that lie over each other; names that lean are measured along the line they lean on.
OVERLAPS = """root => {
  const leaning = new Set(root.querySelectorAll('.leaning-names span, .map-frame:not(.map-flat) .map-columns span'));
  const boxes = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement, style = getComputedStyle(holder);
    if (!node.data.trim() || style.visibility !== 'visible' || leaning.has(holder) || holder.closest('.twin, details, select') || holder.getBoundingClientRect().width <= 1) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const frame = holder.closest('.map')?.getBoundingClientRect();  // what is scrolled away is not seen
    for (const box of range.getClientRects())
      if (box.width > 1 && (!frame || box.bottom <= frame.bottom && box.right <= frame.right)) boxes.push([node.data, box, node]);
  }
  return boxes.flatMap(([text, a, one], i) => boxes.slice(i + 1).filter(([, b, two]) => one !== two &&
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4).map(([other]) => [text, other]));
}"""
# The least distance between the lines of neighbouring names that lean at 52 degrees.
LEANING = """all => Math.min(...all.map(names => {
  const lefts = [...names.children].map(name => parseFloat(name.style.getPropertyValue('--middle')));
  return Math.min(...lefts.slice(1).map((left, i) => (left - lefts[i]) * Math.sin(52 * Math.PI / 180)));
}))"""


def serve(page, source=SOURCE, target=TARGET, change=lambda entry: None, **more):
    """Answers with a trace of these words, each head changed."""
    def answer(route):
        trace = synthetic.trace(source, target, request=json.loads(route.request.post_data), **more)
        for entry in trace["attention"]:
            change(entry)
        route.fulfill(status=200, content_type="application/json", body=json.dumps(trace))
    page.route("**/v1/inspect", answer)
    page.route("**/v1/heads*", lambda route: route.fulfill(status=200, content_type="application/json", body='{"heads": []}'))


def weights(page, row):
    """The weights of a row of the head that is shown, by its table."""
    if not page.locator(".twin table").count():
        page.click(".figure-foot summary")
        page.wait_for_selector(".twin td", state="attached")
    return page.eval_on_selector_all(f".twin tbody tr:nth-child({row + 1}) td", "cells => cells.map(cell => Number(cell.textContent))")


def frame_row(page):
    """The row that the frames lie on, the same in every map."""
    rows = page.eval_on_selector_all(".head-map", """all => all.map(map => {
      const [frame, canvas] = [map.querySelector('.head-frame'), map.querySelector('canvas')];
      const [a, b] = [frame, canvas].map(each => each.getBoundingClientRect());
      return Math.round((a.top + a.height / 2 - b.top) / b.height * canvas.height - 0.5);
    })""")
    assert len(set(rows)) == 1
    return rows[0]


def test_one_frame_moves_through_all_heads(visit):
    serve(visit.page)
    page = visit.open("#view=heads&row=2")
    assert frame_row(page) == 2 and page.inner_text(".strip-word[aria-pressed=true]") == "spielen"
    box = page.locator("[data-head='1.1'] .thumb").bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + box["height"] * 5.5 / 9)
    assert frame_row(page) == 5 and "row=5" in page.url and page.inner_text(".strip-word[aria-pressed=true]") == "Bühne"
    assert "Framed: “Bühne”" in page.inner_text(".grid-panel .readout")
    page.locator(".heads-names >> nth=1 >> span >> nth=1").click()
    assert frame_row(page) == 1
    page.locator(".strip-line button >> nth=6").click()
    page.keyboard.press("ArrowRight")
    assert frame_row(page) == 7 and set(views.texts(page, ".heads-name-here")) == {"."}
    page.click("#tabs >> text=One head")
    assert views.texts(page, ".map-rows .here") == ["."]


def test_a_frame_is_one_of_tokens_where_words_are_in_pieces(visit):
    serve(visit.page, subwords=True)
    page = visit.open("#view=heads")
    page.locator(".strip-line button >> nth=2").click()  # "spielen", whose first piece is the fifth token
    assert frame_row(page) == 2 and "row=4" in page.url
    page.get_by_label("Whole words").uncheck()
    assert frame_row(page) == 4 and page.inner_text(".strip-word[aria-pressed=true]") == "▁spi"


def test_a_name_opens_the_head(visit):
    page = visit.open("#view=heads&layer=0&head=0")
    page.click("[data-head='1.2'] .head-name")
    page.wait_for_selector(".head-panel")
    assert page.inner_text("h1") == "Layer 2, head 3"


def test_tags_are_words_with_pictures_and_exact_numbers_wait(visit):
    names = iter(TAGS * 20)

    def change(entry):
        entry["tag"], entry["entropy"] = next(names), 1.5
    serve(visit.page, change=change, layers=2, heads=3)
    page = visit.open("#view=heads")
    assert views.texts(page, ".head-tag-word") == TAG_WORDS
    paths = page.eval_on_selector_all(".head-tag path", "all => all.map(path => path.getAttribute('d'))")
    assert len(set(paths)) == len(TAGS)
    assert set(views.texts(page, ".head-spread")) == {"≈ 2.8 words"}
    titles = page.eval_on_selector_all(".head-caption", "all => all.map(each => each.title)")
    assert all("≈ 2.8 words: 2 to the power of an entropy of 1.500 bits" in title for title in titles) and "parked (sink): most weight rests on one token" in titles[3]
    page.click(".figure-foot summary")
    page.wait_for_selector(".twin td")
    assert page.eval_on_selector_all(".twin tbody tr", "rows => rows.map(row => row.children[4].textContent)") == TAGS


def test_breadth_is_of_words_where_maps_merge_them_and_of_tokens_where_not(visit):
    def half_each(entry):
        """Every row looks at the two pieces of "playing" alike."""
        columns = entry["cols"]
        row = [0.5 if j in PLAYING else 0 for j in range(columns)]
        entry.update(dtype="f32", data=synthetic.floats(row * entry["rows"]), entropy=1.0)
    tokens = synthetic.side(SOURCE, subwords=True)["tokens"]
    PLAYING = [i for i, token in enumerate(tokens) if token["word"] == SOURCE.index("playing")]
    assert len(PLAYING) == 2
    serve(visit.page, subwords=True, change=half_each)
    page = visit.open("#view=heads&kind=cross")
    assert set(views.texts(page, ".head-spread")) == {"≈ 1.0 word"} and "how many words" in page.inner_text(".summary")
    page.get_by_label("Whole words").uncheck()
    assert set(views.texts(page, ".head-spread")) == {"≈ 2.0 tokens"} and "how many tokens" in page.inner_text(".summary")
    page.click("[data-head='0.0'] .head-name")
    page.wait_for_selector(".reading-does")
    assert "a query looks at about 2.0 tokens here" in page.inner_text(".reading-does")
    page.get_by_label("Whole words").check()
    assert "a query looks at about 1.0 word here" in page.inner_text(".reading-does")


def test_a_tag_over_many_sentences_goes_before_that_of_one(visit):
    serve(visit.page, change=lambda entry: entry.update(tag="diagonal", corpus_tag="next"))
    page = visit.open("#view=heads")
    assert set(views.texts(page, ".head-tag-word")) == {"one ahead"} and "8 one ahead" in page.inner_text(".summary")
    page.click("[data-head='0.0'] .head-name")
    page.wait_for_selector(".reading-does")
    assert "In this sentence alone it would be called diagonal." in page.inner_text(".reading-does")


def test_tags_over_sentences_that_come_late_are_still_shown(visit):
    serve(visit.page)
    held, models = [], synthetic.model()
    models["models"][0]["examples"] = ["A sentence to judge heads by."]
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    visit.page.route("**/v1/heads*", lambda route: held.append(route))
    page = visit.open("#view=heads")
    page.wait_for_selector(".head-tag-word")
    heads = [{"kind": "cross", "layer": layer, "head": head, "tag": "sink"} for layer in range(2) for head in range(4)]
    held[0].fulfill(status=200, content_type="application/json", body=json.dumps({"heads": heads}))
    page.wait_for_function("() => [...document.querySelectorAll('.head-tag-word')].every(each => each.textContent === 'parked')")
    visit.assert_quiet()


def test_a_refusal_of_tags_over_sentences_is_shown(visit):
    serve(visit.page)
    visit.page.route("**/v1/heads*", lambda route: route.fulfill(
        status=429, content_type="application/json", body='{"error": "Too many requests: at most 60 per minute"}'))
    page = visit.open("#view=heads")
    page.wait_for_selector("[role=alert]:has-text('at most 60 per minute')")
    assert page.locator(".head-tag-word").count() == 8


def test_a_row_is_read_as_bars_and_as_text(visit):
    serve(visit.page)
    page = visit.open("#view=head&layer=0&head=0&row=3")
    page.wait_for_function("() => !document.querySelector('.readout .value').textContent.includes('≈')")
    for row, steps in ((3, 0), (5, 2)):
        page.locator(".map").focus()
        for _ in range(steps):
            page.keyboard.press("ArrowDown")
        row_weights = weights(page, row)
        order = sorted(range(len(row_weights)), key=lambda i: -row_weights[i])[:6]
        words = [*SOURCE, "⟨end⟩"]
        assert views.texts(page, ".reading-word") == [words[i] for i in order]
        assert views.texts(page, ".reading-number") == [f"{row_weights[i]:.2f}" for i in order]
        assert page.inner_text(".map-rows .here") == TARGET[row] and page.inner_text(".map-columns .here") == words[order[0]]
        colour = "([weight, what]) => import('/page/colour.js').then(colour => { const box = document.createElement('p'); box.style.color = colour[what](weight); document.body.append(box); const result = getComputedStyle(box).color; box.remove(); return result; })"
        key = page.locator(".reading-key", has_text=words[order[0]]).first
        assert key.evaluate("each => getComputedStyle(each).backgroundColor") == page.evaluate(colour, [row_weights[order[0]], "weightColour"])
        assert key.evaluate("each => getComputedStyle(each).color") == page.evaluate(colour, [row_weights[order[0]], "inkOn"])
    assert f"row=5" in page.url and "attends to" in page.inner_text("#spoken")
    assert " ".join(views.texts(page, ".reading-key")).startswith(" ".join(SOURCE))


def test_the_way_to_query_and_key_takes_the_pair_along(visit):
    page = visit.open("#view=head&layer=0&head=0")
    page.locator(".map").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    chosen, key = page.inner_text(".map-rows .here"), page.locator(".map-columns .here").inner_text()
    column = views.texts(page, ".map-columns span").index(key)
    page.click(".reading-why")
    page.wait_for_selector("#tabs [aria-current]:has-text('Query')")
    assert "row=1" in page.url and (f"column={column}" in page.url or column == 0)
    assert chosen in page.inner_text("main")


def test_pointing_reads_a_cell_and_chooses_nothing(visit):
    page = visit.open("#view=head&layer=0&head=0&row=1")
    page.wait_for_load_state("networkidle")  # the exact weights, and tags over sentences, have come
    before = page.inner_text(".reading")
    page.locator(".map-cells").hover(position={"x": 10, "y": 10})
    first = [views.texts(page, ".map-rows span")[0], views.texts(page, ".map-columns span")[0]]
    assert page.inner_text(".readout .value").startswith(f"“{first[0]}” ← “{first[1]}”")
    assert page.inner_text(".reading") == before and "row=1" in page.url
    page.locator(".map-cells").click(position={"x": 10, "y": 10})
    assert page.inner_text(".map-rows .here") == first[0] and page.inner_text(".map-columns .here") == first[1]


@pytest.mark.parametrize("words, written", [(8, True), (31, False)])
def test_numbers_stand_in_cells_of_40_pixels(visit, words, written):
    serve(visit.page, [f"w{i}" for i in range(words)], [f"v{i}" for i in range(words)], layers=1, heads=2)
    page = visit.open("#view=head")
    cell = page.eval_on_selector(".map-frame", "map => parseFloat(getComputedStyle(map).getPropertyValue('--cell-width'))")
    assert (cell >= 40) == written
    numbers = page.eval_on_selector(".map-canvas", "canvas => canvas.cells.words.map(word => word.text)")
    assert bool(numbers) == written and all(text == "1" or text.startswith(".") for text in numbers)


def test_two_heads_are_compared_row_by_row(visit):
    page = visit.open("#view=head&layer=0&head=0&other=1.1&row=2")
    assert views.texts(page, ".reading-head") == ["Layer 1, head 1", "Layer 2, head 2"]
    page.locator(".map-rows >> nth=1 >> span >> nth=4").click()
    here = views.texts(page, ".map-rows .here")
    assert len(here) == 2 and here[0] == here[1] == views.texts(page, ".map-rows >> nth=0 >> span")[4]
    assert page.locator(".readout .value").count() == 2


def cross_weights(number, row):
    """The weights of a row of a head that `serve` answers with, as they are."""
    trace = synthetic.trace(SOURCE, TARGET, request={"encoding": "f32"})
    entry = next(each for each in trace["attention"] if (each["kind"], each["layer"], each["head"]) == ("cross", *number))
    raw = base64.b64decode(entry["data"])
    return struct.unpack(f"<{len(raw) // 4}f", raw)[row * entry["cols"]:(row + 1) * entry["cols"]]


def test_table_and_files_of_two_heads_have_the_columns_of_both(visit):
    serve(visit.page)
    page = visit.open("#view=head&layer=0&head=0&other=1.1")
    page.wait_for_function("() => !document.querySelector('.readout').textContent.includes('≈')")
    assert weights(page, 3) == pytest.approx([*cross_weights((0, 0), 3), *cross_weights((1, 1), 3)], abs=1e-4)
    heads = views.texts(page, ".twin thead th")[1:]
    assert heads[0] == "Layer 1, head 1: two" and heads[-1] == "Layer 2, head 2: ⟨end⟩" and len(heads) == 2 * len(cross_weights((0, 0), 0))
    saved = list(csv.reader(views.saved(page, "csv").decode().splitlines()))
    assert saved[0][1:] == heads and {len(line) for line in saved} == {len(saved[0])}


def test_the_table_of_heads_says_what_each_looks_at_from_the_framed_row(visit):
    serve(visit.page)
    page = visit.open("#view=heads&kind=cross&row=2")
    page.click(".figure-foot summary")
    page.wait_for_selector(".twin td")
    for row in (2, 5):
        page.locator(".strip-line button").nth(row).click()
        assert views.texts(page, ".twin thead th")[-2:] == [f"strongest key of “{TARGET[row]}”", "its weight"]
        rows = page.eval_on_selector_all(".twin tbody tr", "rows => rows.map(row => [...row.children].map(cell => cell.textContent))")
        assert len(rows) == 8
        for name, *_, key, weight in rows:
            row_weights = cross_weights([int(number) - 1 for number in name.split(".")], row)
            assert key == [*SOURCE, "⟨end⟩"][row_weights.index(max(row_weights))] and abs(float(weight) - max(row_weights)) < 0.003


def late_trace(request, punctual):
    """The model aligns by head 1.2, which looks a row late; 2.1 is the sharpest, but parked; 2.2 puts the weight `punctual` on time."""
    trace = synthetic.trace(["The", "little", "dog", "."], ["Le", "petit", "chien", "."], request=request)
    trace["alignment"] |= {"layer": 0, "head": 1, "shift": True}
    looks = {(0, 1): (0.2, lambda row: (row - 1) % 5), (1, 0): (0.1, lambda row: 4)} | ({(1, 1): (0.5, lambda row: row)} if punctual else {})
    for entry in trace["attention"]:
        if entry["kind"] == "cross":
            entropy, at = looks.get((entry["layer"], entry["head"]), (2.3, lambda row: None))
            most = punctual if (entry["layer"], entry["head"]) == (1, 1) else 0.92
            weights = [0.2 if at(i) is None else most if j == at(i) else (1 - most) / 4 for i in range(5) for j in range(5)]
            entry |= {"dtype": "f32", "data": synthetic.floats(weights), "tag": "other", "entropy": entropy}
    return trace


@pytest.mark.parametrize("punctual", [0.92, 0.3, 0], ids=["one on time", "one least late", "none on time"])
def test_the_first_head_is_on_time_and_one_that_is_late_says_so(visit, punctual):
    visit.page.route("**/v1/heads*", lambda route: route.fulfill(status=200, content_type="application/json", body='{"heads": []}'))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps(late_trace(json.loads(route.request.post_data), punctual))))
    page = visit.open("#view=head")
    late = "at the source of the word just written"
    assert page.inner_text("h1") == ("Layer 2, head 2" if punctual else "Layer 1, head 2")
    assert (late in page.inner_text(".reading-does")) != bool(punctual)
    page = visit.open("#view=head&layer=0&head=1")
    page.wait_for_selector("h1:has-text('Layer 1, head 2')")
    assert late in page.inner_text(".reading-does") and page.inner_text(".reading-does .head-tag-word") == "mixed"
    visit.assert_quiet()


@pytest.mark.parametrize("width", [390, 800])
def test_on_a_narrow_screen_two_heads_stand_below_each_other(visit, width):
    visit.page.set_viewport_size({"width": width, "height": 900})
    page = visit.open("#view=head&layer=0&head=0&other=1.1&row=2")
    panes = [page.locator(".pane").nth(i).bounding_box() for i in range(2)]
    assert panes[1]["y"] >= panes[0]["y"] + panes[0]["height"]
    cropped = "all => all.filter(map => map.scrollWidth > map.clientWidth + 1).length"
    assert page.eval_on_selector_all(".head-panel .map", cropped) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_begin_and_end_go_by_name_in_pictures_tables_and_files(visit):
    page = visit.open("#view=head&kind=decoder")
    page.click(".figure-foot summary")
    assert page.inner_text(".twin thead th >> nth=1") == "⟨begin⟩" and page.inner_text(".twin tbody th >> nth=-1") == "⟨end⟩"
    saved = views.saved(page, "csv").decode()
    assert "⟨begin⟩" in saved and "⟨end⟩" in saved and "<s>" not in saved and "</s>" not in saved


def test_a_word_that_is_a_name_of_javascript_stays_a_word(visit):
    words = ["constructor", "toString", "__proto__"]
    serve(visit.page, words, words)
    page = visit.open("#view=head")
    assert views.texts(page, ".map-rows span") == [*words, "⟨end⟩"]
    visit.assert_quiet()


def test_one_head_alone_has_no_idle_controls(visit):
    trace = synthetic.recurrent_trace(SOURCE, TARGET)
    models = {"schema": 1, "models": [synthetic.recurrent_model()], "limits": {}}
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))
    page = visit.open("#view=heads")
    assert page.locator(".head-cell").count() == 1 and page.locator(".grid-panel .controls button").count() == 0
    page.click("#tabs >> text=One head")
    page.wait_for_selector(".reading-bars li")
    assert page.inner_text("h1") == "One head" and page.locator(".head-picker *").count() == 0
    assert page.get_by_label("Compare with").count() == 0 and page.locator(".reading-why").count() == 0
    visit.assert_quiet()


@pytest.mark.parametrize("visit", [{}, {"color_scheme": "dark"}, PHONE], indirect=True, ids=["light", "dark", "phone"])
@pytest.mark.parametrize("words", views.all_or([3, 10, 64], [64]))
def test_nothing_overlaps_or_scrolls_the_page(visit, words):
    source, target = [f"longish{i}" if i % 3 else "a" for i in range(words)], [f"Wörterbuch{i}" if i % 4 else "ein" for i in range(words)]
    serve(visit.page, source, target, layers=2, heads=4)
    page = visit.open("#view=heads&row=2")
    for view, figure in (("heads", ".grid-panel"), ("head", ".head-panel")):
        page.goto(page.url.replace("view=heads", f"view={view}"))
        page.wait_for_selector(f"{figure} canvas")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        assert page.eval_on_selector(figure, OVERLAPS) == [], view
        names = ".leaning-names" if view == "heads" else ".map-frame:not(.map-flat) .map-columns"
        if page.locator(names).count():
            assert page.eval_on_selector_all(names, LEANING) >= 10.5
    visit.assert_quiet()


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_a_phone_shows_two_across_and_tags_as_pictures(visit):
    serve(visit.page)
    page = visit.open("#view=heads")
    assert page.eval_on_selector_all(".heads-row", "all => all.map(row => row.querySelectorAll('.head-cell').length)") == [2] * 4
    assert page.locator(".head-tag svg:visible").count() == 8
    assert page.eval_on_selector(".head-tag-word", "word => word.getBoundingClientRect().width") <= 1
    small = "all => all.filter(each => each.getClientRects().length && each.getBoundingClientRect().height < 43.5).map(each => each.textContent)"
    assert page.eval_on_selector_all(".grid-panel .segments button, .head-caption, .grid-panel .tick", small) == []
    page.click("[data-head='0.1'] .head-caption")
    page.wait_for_selector(".reading-why")
    assert page.eval_on_selector_all(".head-line .segments button, .head-panel .segments button, .head-panel select, .reading-why", small) == []


def test_moving_through_64_tokens_is_quick(visit):
    """In time of the page's own thread: a frame at 30 a second lasts 33 ms."""
    words = [f"word{i}" for i in range(64)]
    serve(visit.page, words, words, layers=1, heads=2)
    page = visit.open("#view=head")
    page.locator(".map").focus()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    parts = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
    spent = lambda: sum(each["value"] for each in session.send("Performance.getMetrics")["metrics"] if each["name"] in parts)
    times = []
    for _ in range(30):
        before = spent()
        page.keyboard.press("ArrowDown")
        times.append(1000 * (spent() - before))
    print(f"64 tokens: {', '.join(f'{time:.0f}' for time in times)} ms")
    assert sorted(times)[len(times) // 2] < 33
    assert page.inner_text(".map-rows .here") == "word30"
