"""The story: eight steps through the sentence at hand, in words and numbers of its own. covers SV22"""

import json
import math
import re

import pytest

import stand_in
import synthetic
import views

SIZES = {"wide": {"viewport": {"width": 1440, "height": 860}}, "small": {"viewport": {"width": 1110, "height": 760}},
         "tablet": {"viewport": {"width": 920, "height": 900}}, "phone": {"viewport": {"width": 390, "height": 844}}}
sizes = pytest.mark.parametrize("visit", SIZES.values(), indirect=True, ids=SIZES)
SOURCE = "The black cat does not see the dog .".split()
TARGET = "Le chat noir ne voit pas le chien .".split()

# Exact answers of the server for the head of the story: its scores, all weights, and the last layer's cross-attention.
TRUTH = """async ([row, head]) => {
  const {floats, Matrix} = await import('/page/matrix.js');
  const state = new URLSearchParams(location.hash.slice(1));
  const {models} = await (await fetch('/v1/model')).json();
  const body = {q: state.get('q') || models[0].example, model: models[0].name, source: models[0].from, target: models[0].to, beam: 4,
                length_penalty: 1, encoding: 'f32', vectors: true, embedding: true, top: 5};
  const data = await (await fetch('/v1/inspect', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)})).json();
  const encoder = data.attention.filter(each => each.kind === 'encoder' && each.layer === 0);
  const own = encoder.find(each => each.head === head);
  const query = new Matrix(own.rows, own.width, floats(own.query)).row(row);
  const key = new Matrix(own.cols, own.width, floats(own.key));
  const value = new Matrix(own.cols, own.value_width, floats(own.value));
  const weights = [...Matrix.decoded(own).row(row)];
  const cross = data.attention.filter(each => each.kind === 'cross');
  return {
    tokens: data.source.tokens,
    scores: weights.map((_, i) => own.scale * key.row(i).reduce((sum, part, d) => sum + part * query[d], 0)),
    weights,
    output: weights.reduce((sum, weight, i) => sum.map((part, d) => part + weight * value.at(i, d)), new Array(own.value_width).fill(0)),
    heads: encoder.map(each => [...Matrix.decoded(each).row(row)]),
    cross: Matrix.mean(cross.filter(each => each.layer === Math.max(...cross.map(other => other.layer))).map(Matrix.decoded)),
    target: data.target.tokens,
  };
}"""
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
PLACES = "all => all.map(text => [text.textContent, Math.round(text.getBoundingClientRect().right), Math.round(text.getBoundingClientRect().top)])"


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


def test_arrow_keys_walk_and_rows_never_move(visit):
    page = open_step(visit, 1, "&row=2")
    places, titles = page.eval_on_selector_all(".story-text.name", PLACES), []
    for step in steps(page):
        assert page.inner_text(".story-where") == f"{step} of 8"
        assert [place[:3] for place in page.eval_on_selector_all(".story-text.name", PLACES)] == places
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
    page = open_step(visit, 4)
    names = views.texts(page, ".story-text.name")
    page.locator(".story-svg").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert views.texts(page, ".story-text.on") == [names[2]] and "row=2" in page.url
    assert page.inner_text(".story-words").find(f"“{names[2]}”") >= 0
    page.locator(".story-text.name").nth(4).click()
    assert views.texts(page, ".story-text.on") == [names[4]]


@pytest.mark.parametrize("row", [0, 3])
def test_numbers_are_those_of_the_trace(visit, row):
    page = open_step(visit, 3, f"&row={row}")
    head = int(re.search(r"Layer 1, head (\d+)", page.inner_text(".story-note")).group(1)) - 1
    truth = page.evaluate(TRUTH, [row, head])
    assert figures(page, ".story-text.score") == [number(score) for score in truth["scores"]]
    best = max(range(len(truth["scores"])), key=lambda i: truth["scores"][i])
    assert number(truth["scores"][best]) in page.inner_text(".story-words").replace("−", "-")
    page.keyboard.press("ArrowRight")
    seen = [f"{weight:.2f}" for weight in truth["weights"] if weight >= 0.02]
    assert seen and close(figures(page, ".story-text.weight"), [weight for weight in truth["weights"] if weight >= 0.02])
    most = max(truth["weights"])
    assert f"{round(100 * most)}\u00a0%" in page.text_content(".story-words")
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-column=output] path").count() > 2
    open_table(page)
    table = [float(text) for text in page.locator(".twin tbody tr").last.locator("td").all_inner_texts()][1:]
    assert all(math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-5) for a, b in zip(table, truth["output"])) and len(table) > 8
    page.keyboard.press("ArrowRight")
    for i, weights in enumerate(truth["heads"]):
        assert close(figures(page, f"[data-column='head {i}'] .weight"), [weight for weight in weights if weight >= 0.02])
    visit.assert_quiet()


def number(value):
    return re.sub(r"^-(?=[0.]*$)", "", f"{value:.2f}")


def close(shown, exact):
    """Texts of as many numbers, each the exact one rounded (by either rule, where it lies between two)."""
    return len(shown) == len(exact) and all(abs(float(text) - value) <= 0.005 + 1e-6 for text, value in zip(shown, exact))


def test_the_last_step_tells_the_probabilities_of_the_trace(visit):
    page = open_step(visit, 8, "&row=1")
    truth = page.evaluate(TRUTH, [1, 0])
    taken = page.text_content(".taken")
    token = next(token for token in truth["target"] if token["text"].lstrip("▁") == taken.lstrip("·") or taken.startswith("⟨"))
    shown = figures(page, ".story-text.probability")
    assert len(shown) >= len(token["top"]) > 1
    for text, each in zip(shown, token["top"]):
        assert text == "< 0.1 %" if each["p"] < 0.001 else abs(float(text.removesuffix(" %")) - 100 * each["p"]) <= 0.05 + 1e-6
    assert f"{round(100 * math.exp(token['logprob']))}\u00a0%" in page.text_content(".story-words")


def test_every_step_has_a_table_of_all_tokens(visit):
    answer(visit.page, lambda request: synthetic.trace([f"word{i}" for i in range(40)], TARGET, request=request))
    page = open_step(visit, 1, "&row=20")
    open_table(page)
    for step in steps(page):
        names = page.locator(".twin tbody th").all_inner_texts()
        assert names[:40] == [f"word{i}" for i in range(40)], step
        assert page.inner_text(".twin caption").startswith(page.inner_text(".story-title"))


@sizes
@pytest.mark.parametrize("length", [2, 9, 63, 249])
def test_nothing_meets_or_is_cut(visit, length):
    words = [f"Wörterbuch{i}" if i % 5 == 0 else f"w{i}" for i in range(length)]
    layers, heads = (6, 8) if length < 20 else (2, 8) if length < 100 else (1, 1)
    data = synthetic.trace(words, words[::-1], layers, heads, {"encoding": "f32", "vectors": True, "embedding": True})
    answer(visit.page, lambda request: data)
    page = open_step(visit, 1, f"&row={length // 2}")
    for step in steps(page):
        assert page.evaluate(CLASHES) == [], step
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
        rows = page.locator(".story-text.name").count()
        assert rows == min(16, length + 1)
        if length > 20:
            assert [text for text in views.texts(page, ".story-text.name") if text.startswith("…")] == [f"… {hidden} more" for hidden in hidden_around(length)]
    visit.assert_quiet()


def hidden_around(length):
    """14 rows stay around the chosen token, six of them before it."""
    first = length // 2 - 6
    return [first, length + 1 - first - 14]


def test_weights_of_hidden_rows_are_summed(visit):
    answer(visit.page, lambda request: synthetic.trace([f"w{i}" for i in range(60)], TARGET, request=request))
    page = open_step(visit, 4, "&row=30")
    open_table(page)
    weights = [float(text) for text in page.locator(".twin tbody td").all_inner_texts()]
    assert len(weights) == 61 and math.isclose(sum(weights), 1, abs_tol=1e-3)
    titles = views.texts(page, "[data-column=weight] rect title")
    assert titles[0] == f"… 24 more: {sum(weights[:24]):.4f}" or abs(float(titles[0].split(": ")[1]) - sum(weights[:24])) < 2e-4


def test_words_follow_the_sentence(visit):
    def again(request):
        data = synthetic.trace("the dog sees the cat".split(), TARGET, request=request | {"embedding": False})
        data["source"]["tokens"][3]["id"] = data["source"]["tokens"][0]["id"]
        return data | (synthetic.embedding(data["source"]["tokens"]) if request.get("embedding") else {})

    page = open_step(visit, 1)
    assert "No token occurs twice" in page.inner_text(".story-note")
    answer(page, again)
    page.goto(page.url + "&q=the+dog+sees+the+cat")
    page.wait_for_function("() => document.querySelector('.story-note').textContent.includes('the two rows of “the”: the same')")
    assert page.locator(".story-band").count() == 2
    page.keyboard.press("ArrowRight")
    assert "tells one “the” from another" in page.inner_text(".story-words")


def test_subwords_are_named_with_their_pieces(visit):
    model = with_spec() | {"vocabulary": {"source": 8000, "target": 8000, "kind": "subwords"}}
    answer(visit.page, lambda request: synthetic.trace("umbrella cat".split(), ["parapluie"], request=request, subwords=True), model)
    page = open_step(visit, 1)
    assert views.texts(page, ".story-text.name") == ["umbr", "·ella", "cat", "⟨end⟩"]
    assert "“umbrella” is cut into “umbr” and “ella”" in page.inner_text(".story-words") and "8,000" in page.inner_text(".story-words")
    page.locator(".story-bars button").last.click()
    assert "the first piece of “parapluie”" in page.inner_text(".story-words")


def test_one_head_and_one_layer_are_told_as_such(visit):
    answer(visit.page, lambda request: synthetic.trace(SOURCE, TARGET, layers=1, heads=1, request=request), with_spec(heads=1, encoder_layers=1))
    page = open_step(visit, 6)
    assert page.inner_text(".story-title") == "One head" and page.locator(".story-frame").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".story-title") == "One layer"


SCHEMES = {"rotary": ("Nothing is added to the rows", ".story-clock"), "alibi": ("each place costs", ".story-text.score"),
           "none": ("no positions", ".story-text.name"), "learned": ("learned in training", "[data-column=position] path")}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_positions_are_told_as_the_model_has_them(visit, scheme):
    def made(request):
        data = synthetic.trace(SOURCE, TARGET, request=request)
        return data if scheme == "learned" else {name: value for name, value in data.items() if name != "position"}

    answer(visit.page, made, with_spec(position=scheme))
    page = open_step(visit, 2)
    words, mark = SCHEMES[scheme]
    page.wait_for_selector(mark, state="attached")
    assert words in page.inner_text(".story-words") and page.evaluate(CLASHES) == []
    if scheme != "learned":
        assert page.locator("[data-column=position]").count() == 0
    visit.assert_quiet()


@sizes
def test_a_recurrent_model_has_a_story_of_its_own(visit):
    answer(visit.page, lambda request: synthetic.recurrent_trace(SOURCE, TARGET), synthetic.recurrent_model())
    page = open_step(visit, 7)
    assert page.inner_text(".story-where") == "4 of 4"
    page.locator(".story-bars button").first.click()
    titles = []
    for step in steps(page):
        titles.append(page.inner_text(".story-title"))
        assert page.evaluate(CLASHES) == [], step
        assert not re.search(r"\bquery\b|\bhead \d", page.inner_text(".story-words")) or step == 4
    assert len(set(titles)) == 4 and titles[1] == "Read in order"
    visit.assert_quiet()


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


@pytest.mark.parametrize("visit", [{"reduced_motion": "no-preference"}, {"reduced_motion": "reduce"}], indirect=True, ids=["motion", "calm"])
def test_new_columns_fade_in_unless_motion_is_unwelcome(visit, request):
    page = open_step(visit, 4)
    page.keyboard.press("ArrowRight")
    running = page.evaluate("document.getAnimations().filter(each => each.animationName === 'story-fade').length")
    assert (running > 0) == ("calm" not in request.node.name)
    assert not page.locator("[data-column=weight]").evaluate("group => group.classList.contains('fresh')")


@pytest.mark.parametrize("visit", [{"color_scheme": "light"}, {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}}], indirect=True, ids=["light", "dark phone"])
def test_axe_finds_nothing_serious_in_any_step(visit):
    page = open_step(visit, 1)
    for step in steps(page):
        page.wait_for_timeout(250)  # until columns have faded in
        assert views.serious(page) == [], step


@pytest.mark.parametrize("visit", [SIZES["phone"]], indirect=True)
def test_next_stays_in_reach_on_a_phone(visit):
    page = open_step(visit, 3)
    for selector in (".story-next", ".story-back", ".story-bars button"):
        assert page.locator(selector).first.bounding_box()["height"] >= 44
    place = page.locator(".story-next").bounding_box()
    assert place["y"] + place["height"] <= 844 - 56
    figure, words = page.locator(".story-svg").bounding_box(), page.locator(".story-title").bounding_box()
    assert figure["y"] < words["y"]


def test_right_to_left_and_hostile_words(visit):
    words = ["القط", "<img", "src=x", "onerror=alert(1)>", "الأسود"]
    answer(visit.page, lambda request: synthetic.trace(words, words[::-1], request=request))
    page = open_step(visit, 1)
    for _ in steps(page):
        assert page.locator("main img").count() == 0
    visit.assert_quiet()


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
