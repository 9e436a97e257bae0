"""The search as a railway map, its replay, and what it finished. covers SV22"""

import json
import math
import re

import pytest

import boxes
import synthetic
import views

SOURCE = "the black cat does not see the dog .".split()
# Tokens with their own probability; the end is added. Two leave early and share a word, one leaves late.
FINALS = [
    [("▁Le", 0.9), ("▁chat", 0.95), ("▁noir", 0.8), ("▁ne", 0.7), ("▁voit", 0.6), ("▁pas", 0.9), ("▁le", 0.9), ("▁chien", 0.9), (".", 0.9)],
    [("▁Le", 0.9), ("▁chat", 0.95), ("▁noir", 0.8), ("▁n", 0.2), ("'", 0.9), ("a", 0.5), ("▁pas", 0.9), ("▁vu", 0.9), ("▁le", 0.9), ("▁chien", 0.9), (".", 0.9)],
    [("▁Le", 0.9), ("▁chat", 0.95), ("▁noir", 0.8), ("▁ne", 0.7), ("▁voit", 0.6), ("▁pas", 0.9), ("▁le", 0.9), ("▁chi", 0.08), ("ot", 0.9), (".", 0.9)],
    [("▁Le", 0.9), ("▁chat", 0.95), ("▁noir", 0.8), ("▁n", 0.2), ("'", 0.9), ("a", 0.5), ("▁pas", 0.9), ("▁v", 0.05), ("ue", 0.9), (".", 0.9)],
]
DROPPED = [((), "▁Un", 0.05), ((), "▁La", 0.03), (("▁Le", "▁chat"), "▁brun", 0.04), (("▁Le", "▁chat", "▁noir"), "▁n", 0.2),
           (("▁Le", "▁chat", "▁noir", "▁n", "'"), "est", 0.07)]


def searched(finals=FINALS, dropped=DROPPED, penalty=1.0):
    """The nodes of a search that finished these, and dropped those."""
    nodes = {}

    def add(path, probability, state):
        if path in nodes:
            return
        before = nodes[path[:-1]]["logprob"] if len(path) > 1 else 0.0
        logprob = before + math.log(probability)
        nodes[path] = {"step": len(path) - 1, "id": len(nodes), "parent": nodes[path[:-1]]["id"] if len(path) > 1 else -1, "token": 10,
                       "text": path[-1], "logprob": logprob, "score": logprob / ((5 + len(path)) / 6) ** penalty, "state": state}

    for tokens in finals:
        path = ()
        for text, probability in tokens:
            path += (text,)
            add(path, probability, "kept")
        add(path + ("</s>",), 0.9, "final")
    for before, text, probability in dropped:
        add(before + (text,), probability, "pruned")
    return sorted(nodes.values(), key=lambda node: (node["step"], node["id"]))


def answer_with(page, nodes, target="Le chat noir ne voit pas le chien .".split(), change=None):
    trace = synthetic.trace(SOURCE, target) | {"beam": nodes}
    trace |= change(trace) if change else {}
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))


@pytest.fixture
def search(visit):
    answer_with(visit.page, searched())
    return visit


def place(page, selector):
    return page.eval_on_selector_all(selector, "all => all.map(each => { const box = each.querySelector('circle').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })")


def stretches(page):
    """The tracks as straight pieces: (x, y, x, y) across and down."""
    across, down = [], []
    for path in page.eval_on_selector_all(".track", "all => all.map(each => each.getAttribute('d'))"):
        number = r"(-?[\d.]+)"
        branch = re.match(rf"M{number} {number}Q{number} {number} {number} {number}V{number}Q{number} {number} {number} {number}(?:H{number})?$", path)
        if branch:
            _, top, x, _, _, _, _, _, bottom, left, _, right = [float(each) if each else 0.0 for each in branch.groups()]
            down.append((x, top, bottom))
            across.append((bottom, left, right))
        else:
            left, y, right = map(float, re.match(rf"M{number} {number}H{number}$", path).groups())
            across.append((y, left, right))
    return across, down


def test_the_winner_runs_straight_and_whole_words_stand_in_columns(search):
    page = search.open("#view=beam")
    views.check_beam(page)
    assert views.texts(page, ".node.best .node-word") == ["Le", "chat", "noir", "ne", "voit", "pas", "le", "chien."]
    best = place(page, ".node.best")
    assert len({round(y) for _, y in best}) == 1 and [x for x, _ in best] == sorted(x for x, _ in best)
    assert {"n'a", "chiot.", "vue."} <= set(views.texts(page, ".node.first .node-word"))
    chances = dict(zip(views.texts(page, ".node .node-word"), views.texts(page, ".node .node-chance")))
    assert chances["n'a"] == "9 %" and chances["chien."] == "81 %" and chances["chiot."] == "6 %"  # products over their tokens
    columns = {round(x) for x, _ in best}
    assert {round(x) for x, _ in place(page, ".node")} - columns == set() or len(columns) == 8
    widths = page.eval_on_selector_all(".track", "all => all.map(each => [each.classList.contains('best'), parseFloat(getComputedStyle(each).strokeWidth)])")
    assert max(width for best, width in widths if not best) < min(width for best, width in widths if best)
    search.assert_quiet()


def test_lines_leave_after_the_last_shared_word_and_none_cross(search):
    page = search.open("#view=beam")
    page.wait_for_selector(".node.first")
    across, down = stretches(page)
    assert len(across) == 4 and len(down) == 3
    for x, top, bottom in down:
        for y, left, right in across:
            assert not (left < x < right and top < y < bottom), (x, y)
    heights = dict(zip(views.texts(page, ".node.first .node-word"), [y for _, y in place(page, ".node.first")]))
    assert heights["chiot."] < heights["n'a"] < heights["vue."]  # late ones inside


def test_each_line_ends_with_its_whole_probability(search):
    page = search.open("#view=beam")
    nodes = sorted((node for node in searched() if node["state"] == "final"), key=lambda node: -node["score"])
    whole = f"{100 * math.exp(nodes[0]['logprob']):.1f} %"
    assert page.inner_text(".end.best") == f"{whole}\nthe winner"
    assert sorted(views.texts(page, ".end span")) == ["2nd", "3rd", "4th", "the winner"]
    assert page.inner_text(".finals .winner td >> nth=1").startswith(whole)


def test_what_was_dropped_is_shown_on_demand(search):
    page = search.open("#view=beam")
    page.wait_for_selector(".node.first")
    assert page.locator(".dropped").count() == 0
    page.click("text=Show what was dropped")
    page.wait_for_selector(".dropped text")
    said = views.texts(page, ".dropped text")
    assert any(text.startswith("Un 5.0") for text in said) and any(text.startswith("n'est 1.3") for text in said)
    assert "dropped=1" in page.url and boxes.overlaps(page, ".railway") == [] and boxes.outside(page, ".beam") == []


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1440, "height": 900}}, {"viewport": {"width": 390, "height": 800}}], indirect=True, ids=["wide", "phone"])
def test_texts_do_not_meet(search):
    page = search.open("#view=beam")
    page.wait_for_selector(".node.first")
    assert boxes.overlaps(page, ".beam") == [] and boxes.overlaps(page, ".ends") == [] and boxes.outside(page, ".beam") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_table_marks_only_words_that_differ(search):
    page = search.open("#view=beam")
    rows = page.eval_on_selector_all(".finals tbody tr", "all => all.map(row => [row.querySelector('th').textContent.trim(), ...[...row.querySelectorAll('mark')].map(mark => mark.textContent)])")
    marks = {row[0]: row[1:] for row in rows}
    assert marks["Le chat noir ne voit pas le chien."] == []
    assert marks["Le chat noir ne voit pas le chiot."] == ["chiot."]
    assert marks["Le chat noir n'a pas vu le chien."] == ["n'a", "vu"]


def test_score_is_explained_with_the_numbers_of_this_search(visit):
    long = [("▁a", 0.6), ("▁b", 0.7), ("▁c", 0.7), ("▁d", 0.7), ("▁e", 0.7)]
    short = [("▁a", 0.6), ("▁z", 0.25)]
    answer_with(visit.page, searched([long, short], [], penalty=1.5), ["a", "b"])
    page = visit.open("#view=beam")
    said = page.inner_text(".score-words").replace("\u00a0", " ")
    nodes = sorted((node for node in searched([long, short], [], 1.5) if node["state"] == "final"), key=lambda node: -node["score"])
    assert nodes[0]["step"] > nodes[1]["step"] and nodes[0]["logprob"] < nodes[1]["logprob"]
    number = lambda value: f"{value:.2f}".replace("-", "−")
    assert f"{number(nodes[0]['logprob'])} ÷ ((5 + 6) ÷ 6) ^ 1.5 = {number(nodes[0]['score'])}" in said
    assert "That is why 2 is below 1 though it is likelier" in said and "3 tokens instead of 6" in said


def test_without_a_length_penalty_score_is_log_probability(visit):
    answer_with(visit.page, searched(penalty=0.0))
    page = visit.open("#view=beam")
    assert "length penalty is 0" in page.inner_text(".score-words")


def test_the_search_is_watched_step_by_step(search):
    page = search.open("#view=beam")
    page.click("text=Watch it search")
    page.wait_for_selector("text=Step 1 of 12")
    assert views.texts(page, ".node .node-word") == ["Le"] and "so far" in page.inner_text(".ends")
    page.wait_for_selector("text=Step 2 of 12", timeout=3000)  # by itself
    page.keyboard.press("Space")
    assert page.get_attribute(".replay button >> nth=1", "aria-label") == "Play"
    at = int(page.input_value(".replay input"))
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"text=Step {at + 1} of 12")
    assert f"step={at}" in page.url
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(f"text=Step {at} of 12")
    page.wait_for_timeout(1000)
    assert page.input_value(".replay input") == str(at)  # it stays paused
    page.keyboard.press("Escape")
    page.wait_for_selector("text=the winner")
    assert "step" not in page.url and page.evaluate("document.activeElement.textContent") == "Watch it search"


@pytest.mark.parametrize("visit", [{"reduced_motion": "reduce"}], indirect=True)
def test_with_reduced_motion_nothing_moves_by_itself(search):
    page = search.open("#view=beam")
    page.click("text=Step through the search")
    page.wait_for_selector("text=Step 1 of 12")
    page.wait_for_timeout(1000)
    assert page.input_value(".replay input") == "1"
    page.click("[aria-label='One step on']")
    page.wait_for_selector("text=Step 2 of 12")
    assert page.eval_on_selector(".node.fresh", "each => getComputedStyle(each).animationName") == "none"


def test_a_step_in_the_address_is_shown(search):
    page = search.open("#view=beam&step=3&dropped=1")
    page.wait_for_selector("text=Step 4 of 12")
    assert sorted(views.texts(page, ".node.fresh .node-word")) == ["n", "ne"]
    assert "at this step" in page.inner_text(".map-card .summary")
    page = search.open("#view=beam&step=99")
    page.wait_for_selector("text=Step 12 of 12")


def test_greedy_search_says_that_it_has_no_branches(visit):
    answer_with(visit.page, searched(FINALS[:1], []))
    page = visit.open("#view=beam&beam=1")
    assert "no branches" in page.inner_text(".lede")
    assert page.locator(".track").count() == 1 and page.locator("text=Watch it search").count() == 0
    assert page.locator(".finals .odds:visible").count() == 0


def test_another_beam_size_searches_again(visit):
    page = visit.open("#view=beam")
    page.wait_for_selector(".node.best")
    with page.expect_request("**/v1/inspect") as asked:
        page.select_option("[aria-label='Beam size']", "2")
    assert asked.value.post_data_json["beam"] == 2


def test_words_are_walked_by_keyboard(search):
    page = search.open("#view=beam")
    page.wait_for_selector(".node.first")
    assert page.locator(".node[tabindex='0']").count() == 1
    page.locator(".node[tabindex='0']").focus()
    name = lambda: page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name().startswith("line 1, word 1: “Le”")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert "“ne”" in name() and "70.0 %" in page.inner_text("#spoken")
    page.keyboard.press("ArrowDown")
    assert "“n'a”" in name() and "' 90 %" in page.inner_text("#spoken")
    page.keyboard.press("ArrowLeft")
    assert name().startswith("line 1, word 3: “noir”")
    page.keyboard.press("End")
    assert "“chien.”" in name() and page.locator(".node[tabindex='0']").count() == 1


def test_a_word_of_the_winner_is_chosen_in_all_views(search):
    page = search.open("#view=beam")
    page.wait_for_selector(".node.best")
    page.locator(".node.best").nth(4).click()
    assert "row=4" in page.url and views.texts(page, ".node.chosen .node-word") == ["voit"]
    assert page.inner_text(".strip-word[aria-pressed=true]") == "voit"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert views.texts(page, ".node.chosen .node-word") == ["pas"]


LONG = [(f"▁Wörterbuch{i}", 0.9) for i in range(64)]


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1240, "height": 860}}, {"viewport": {"width": 360, "height": 740}}], indirect=True, ids=["wide", "phone"])
def test_a_long_sentence_scrolls_in_its_frame_and_ends_stay_in_sight(visit):
    answer_with(visit.page, searched([LONG, LONG[:50] + [("▁anders", 0.1)] + LONG[51:]], []), [text[1:] for text, _ in LONG])
    page = visit.open("#view=beam")
    page.wait_for_selector(".node.first")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    frame = page.eval_on_selector(".railway", "each => [each.scrollWidth, each.clientWidth, each.getBoundingClientRect().right]")
    assert frame[0] > 3 * frame[1]
    in_sight = "each => { const box = each.getBoundingClientRect(), frame = document.querySelector('.railway').getBoundingClientRect(); return box.left >= frame.left && box.right <= frame.right + 1; }"
    assert page.eval_on_selector(".node.first", in_sight)  # where they part
    for left in (0, 900, 99999):
        page.eval_on_selector(".railway", "(each, left) => each.scrollLeft = left", left)
        assert page.eval_on_selector(".end.best", in_sight)
    assert "× 10⁻" in page.inner_text(".end.best") or "%" in page.inner_text(".end.best")
    assert boxes.outside(page, ".beam") == []


def test_the_map_of_one_long_hypothesis_begins_at_its_first_word(visit):
    answer_with(visit.page, searched([LONG], []), [text[1:] for text, _ in LONG])
    page = visit.open("#view=beam")
    page.wait_for_selector(".node.best")
    assert page.eval_on_selector(".railway", "each => [each.scrollWidth > 3 * each.clientWidth, each.scrollLeft]") == [True, 0]


# Rows of the map, each with the words of it that are in sight and what says where they are; and words that the left edge cuts.
ROWS = """() => {
  const frame = document.querySelector('.railway').getBoundingClientRect(), right = document.querySelector('.ends').getBoundingClientRect().left;
  const middle = each => (box => (box.top + box.bottom) / 2)(each.getBoundingClientRect());
  const words = [...document.querySelectorAll('.node')].map(each => ({name: each.querySelector('.node-word').textContent, y: middle(each.querySelector('circle')),
      x: each.querySelector('circle').getBoundingClientRect().x, box: each.querySelector('.node-word').getBoundingClientRect()}));
  const signs = [...document.querySelectorAll('.leaving')].filter(each => each.checkVisibility());
  const rows = [...new Set(words.map(each => Math.round(each.y)))].map(y => ({
    words: words.filter(each => Math.abs(each.y - y) < 2 && each.x >= frame.left - 1 && each.x < right).map(each => each.name),
    signs: signs.filter(each => Math.abs(middle(each) - y) < 3).map(each => each.textContent)}));
  return {rows, cut: words.filter(each => each.box.left < frame.left - 1 && each.box.right > frame.left + 1).map(each => each.name)};
}"""


@pytest.mark.parametrize("visit", [{"viewport": {"width": 1240, "height": 860}}, {"viewport": {"width": 390, "height": 800}}], indirect=True, ids=["wide", "phone"])
def test_a_line_out_of_sight_says_where_it_leaves(visit):
    lines = [LONG, LONG[:5] + [("▁tôt", 0.1)] + LONG[6:], LONG[:50] + [("▁anders", 0.1)] + LONG[51:], LONG[:8] + [("▁court", 0.05)]]
    answer_with(visit.page, searched(lines, []), [text[1:] for text, _ in LONG])
    page = visit.open("#view=beam")
    page.wait_for_selector(".node.first")
    seen = page.evaluate(ROWS)
    assert seen["cut"] == [] and len(seen["rows"]) == 4
    assert all(bool(row["words"]) != bool(row["signs"]) for row in seen["rows"])
    assert "leaves at “anders” →" in [sign for row in seen["rows"] for sign in row["signs"]]
    page.click(".leaving:has-text('anders')")
    page.wait_for_function("() => ![...document.querySelectorAll('.leaving')].some(each => !each.hidden && each.textContent.includes('→'))")
    seen = page.evaluate(ROWS)
    assert seen["cut"] == [] and any("anders" in row["words"] for row in seen["rows"])
    assert "← left at “court”" in [sign for row in seen["rows"] for sign in row["signs"]]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_next_to_nothing_is_compared_with_the_winner(visit):
    less_sure = [(text, 0.8) for text, _ in LONG]
    answer_with(visit.page, searched([less_sure, less_sure[:50] + [("▁anders", 0.1)] + less_sure[51:]], []), [text[1:] for text, _ in LONG])
    page = visit.open("#view=beam")
    page.wait_for_selector(".node.first")
    first, second = page.locator(".end").all_inner_texts()
    assert first.split("\n")[0] == "the winner" and "× 10⁻" in first.split("\n")[1]
    assert second.split("\n") == ["1 : 8.0", "2nd"]
    assert "compared with it" in page.inner_text(".map-card .summary")


@pytest.mark.parametrize("visit", [{"viewport": {"width": 390, "height": 800}}], indirect=True)
def test_on_a_phone_the_table_comes_first(search):
    page = search.open("#view=beam")
    page.wait_for_selector(".finals tr")
    top = lambda selector: page.eval_on_selector(selector, "each => each.getBoundingClientRect().top")
    assert top(".finals") < top(".railway")
    assert page.eval_on_selector(".finals", "each => each.offsetWidth <= each.parentElement.clientWidth")


def test_markup_and_other_scripts_stay_text(visit):
    answer_with(visit.page, searched([[("▁<img/src=x>", 0.5), ("▁كلب", 0.5), ("<0xE2>", 0.9), ("<0x82>", 0.9), ("<0xAC>", 0.9)], [("▁<b>", 0.2)]], []), ["a"])
    page = visit.open("#view=beam")
    assert views.texts(page, ".node.best .node-word") == ["<img/src=x>", "كلب€"]
    assert page.locator("main img, main .finals b").count() == 0
    visit.assert_quiet()


def test_a_recurrent_model_is_shown_the_same_way(visit):
    trace = synthetic.recurrent_trace(SOURCE, "le chat noir .".split())
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))
    page = visit.open("#view=beam")
    views.check_beam(page)
    visit.assert_quiet()


def test_a_given_translation_has_no_beam(visit):
    answer_with(visit.page, [])
    page = visit.open("#view=beam")
    assert "not searched for" in page.inner_text(".lede") and page.locator(".finals:visible").count() == 0
    visit.assert_quiet()


def test_axe_finds_nothing_serious_in_the_replay(search):
    page = search.open("#view=beam&step=4&dropped=1")
    page.wait_for_selector(".node")
    assert views.serious(page) == []


def test_a_probability_of_zero_is_read(visit):
    nodes = searched()
    for node in nodes:
        node |= {"logprob": None, "score": None} if node["text"] in ("▁vu", "▁Un") or node["step"] == 11 else {}
    answer_with(visit.page, nodes)
    page = visit.open("#view=beam&dropped=1")
    page.wait_for_selector(".node.first")
    assert "0.0 %" in page.inner_text(".ends") and "NaN" not in page.inner_text("body") and "null" not in page.inner_text("body")
    visit.assert_quiet()
