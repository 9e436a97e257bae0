"""A model of pictures: a picture in place of the text, shaded by where the model looked. covers SV22"""

import base64
import json
import re
import subprocess
import urllib.request

import pytest

import boxes
import conftest
import views

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
DROP = """([text, name, type]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name, {type}));
  document.querySelector('.translator').dispatchEvent(new DragEvent('drop', {dataTransfer: carried, bubbles: true, cancelable: true}));
}"""
# The picture as it is shown, in one number: by a copy, so that reading does not change how it is drawn.
SHADE = """() => {
  const canvas = document.querySelector('.asked-picture'), copy = document.createElement('canvas'), {width} = canvas;
  copy.width = copy.height = width;
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  return context.getImageData(0, 0, width, width).data.reduce((sum, level) => sum + level, 0);
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of scenes, trained for a moment, and a scene."""
    if not conftest.PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    folder = tmp_path_factory.mktemp("captions")
    run = lambda *arguments: subprocess.run([conftest.PROGRAM, *arguments], check=True, timeout=300)
    run("train", "-q", "--arch", "caption", "--train", "builtin:scenes", "--set", "model.d_model=32", "--preset", "tiny", "--steps", "60",
        "--model", str(folder / "scenes"))
    run("corpus", "builtin:scenes", "--split", "train", "--pairs", "2", "--out", str(folder / "corpus"))
    return folder


@pytest.fixture(scope="module")
def captions_address(folder):
    with conftest.serving(model=str(folder / "scenes")) as where:
        yield where


@pytest.fixture
def captions(browser, captions_address, request):
    context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **getattr(request, "param", {})})
    context.set_default_timeout(20000)
    yield conftest.Visit(context, captions_address)
    context.close()


def opened(visit, fragment=""):
    page = visit.open(fragment)
    page.wait_for_selector(".caption-words .output-word")
    return page


def answer_of(address, png, **values):
    query = "&".join(f"{name}={value}" for name, value in values.items())
    request = urllib.request.Request(f"{address}/v1/caption?{query}", png, {"Content-Type": "image/png"})
    return json.load(urllib.request.urlopen(request))


def offered(address):
    return json.load(urllib.request.urlopen(f"{address}/v1/model"))["models"][0]["pictures"]


def test_the_caption_and_its_words_are_those_of_the_server(captions):
    page = opened(captions)
    first = base64.b64decode(offered(captions.address)[0]["image"])
    answer = answer_of(captions.address, first, beam=4)
    assert page.text_content(".caption-words") == answer["caption"]
    assert views.texts(page, ".output-word") == [word["text"] for word in answer["words"]]
    unsure = [word["text"] for word in answer["words"] if word["probability"] < 0.5]
    assert views.texts(page, ".output-word.unsure") == unsure
    assert views.texts(page, "#tabs a") == ["Caption", "Model", "Training"]
    assert page.locator(".about").inner_text().endswith("pictures → English")
    captions.assert_quiet()


def test_a_word_that_is_pointed_at_shades_the_picture(captions):
    page = opened(captions)
    clear = page.evaluate(SHADE)
    word = page.locator(".output-word").first
    word.hover()
    shaded = page.evaluate(SHADE)
    assert shaded != clear and "lit" in word.get_attribute("class")
    page.mouse.move(2, 2)
    assert page.evaluate(SHADE) == clear
    word.focus()
    assert page.evaluate(SHADE) == shaded
    page.keyboard.press("ArrowRight")
    other = page.evaluate(SHADE)
    assert page.evaluate("document.activeElement.dataset.index") == "1" and other not in (clear, shaded)
    page.keyboard.press("Enter")
    assert "side=target&row=1" in page.url and "looked most at row" in page.inner_text("#spoken")
    page.locator("#theme").focus()
    assert page.evaluate(SHADE) == other  # a chosen word stays
    page.reload()
    page.wait_for_selector(".output-word[aria-pressed=true]")
    assert page.evaluate(SHADE) == other
    page.keyboard.press("d")
    assert page.evaluate(SHADE) < other  # a veil as dark as the page
    page.locator(".output-word").nth(1).click()
    assert page.locator(".output-word[aria-pressed=true]").count() == 0
    captions.assert_quiet()


def test_a_patch_tells_its_weight_and_the_table_has_all(captions):
    page = opened(captions, "#side=target&row=0")
    answer = answer_of(captions.address, base64.b64decode(offered(captions.address)[0]["image"]), beam=4)
    weights = answer["words"][0]["weights"]
    page.wait_for_selector(".output-word[aria-pressed=true]")
    box = page.locator(".asked-picture").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 2.5 / 8, box["y"] + box["height"] * 4.5 / 8)
    assert page.inner_text(".patch-reading").endswith(f"row 5, column 3  {weights[4 * 8 + 2]:.3f}")
    page.click(".figure-foot summary")
    page.wait_for_selector(".twin tbody tr")
    rows = page.eval_on_selector_all(".twin tbody tr", "all => all.map(row => [...row.querySelectorAll('td')].map(cell => Number(cell.textContent)))")
    assert len(rows) == len(answer["words"]) and all(abs(sum(row[3:]) - 1) < 0.01 for row in rows)
    assert rows[0][0] == pytest.approx(answer["words"][0]["probability"], abs=1e-3)
    assert page.locator(".look canvas").count() == len(rows) and views.colours(page, ".look canvas >> nth=0") > 3
    csv = views.saved(page, "csv").decode()
    assert csv.startswith("word,probability,most at row,column,") and len(csv.splitlines()) == len(rows) + 1
    assert views.saved(page, "png").startswith(b"\x89PNG")
    assert json.loads(views.saved(page, "json"))["words"] == answer["words"]
    captions.assert_quiet()


def test_a_dropped_or_chosen_picture_is_captioned(captions, folder):
    page = opened(captions)
    scene = sorted((folder / "corpus").rglob("*.png"))[1]
    png = scene.read_bytes()
    answer = answer_of(captions.address, png, beam=4)
    page.set_input_files("input[type=file]", scene)
    page.wait_for_selector(f".source-facts >> text={scene.name} · 64 × 64 pixels")
    page.wait_for_function("said => document.querySelector('.caption-words').textContent === said", arg=answer["caption"])
    assert page.locator(".picture-chip[aria-pressed=true]").count() == 0
    page.click("#tabs [data-view=model]")
    page.wait_for_selector(".diagram")
    assert "pictures to English" in page.inner_text("main .figure-title")
    page.click("#tabs [data-view=caption]")
    page.wait_for_selector(f".source-facts >> text={scene.name}")  # still there
    page.locator(".picture-chip").nth(2).click()
    page.wait_for_selector(".picture-chip[aria-pressed=true] >> nth=0")
    assert "picture=2" in page.url and "test 2" in page.inner_text(".source-facts")
    page.evaluate(DROP, [base64.b64encode(png).decode(), "own.png", "image/png"])
    page.wait_for_selector(".source-facts >> text=own.png")
    captions.assert_quiet()


def test_what_is_no_picture_is_refused_with_the_reason(captions):
    page = opened(captions)
    said = page.inner_text(".caption-words")
    page.evaluate(DROP, [base64.b64encode(b"a cat").decode(), "cat.txt", "text/plain"])
    assert page.inner_text(".source-facts") == "cat.txt is not a PNG file." and page.inner_text(".caption-words") == said
    page.evaluate(DROP, [base64.b64encode(bytes(1100000)).decode(), "large.png", "image/png"])
    assert page.inner_text(".source-facts").startswith("large.png is larger than 1 MB.")
    captions.assert_quiet()
    page.evaluate(DROP, [base64.b64encode(b"\xff\xd8\xff\xe0 photo").decode(), "photo.png", "image/png"])
    page.wait_for_selector(".source-facts.beyond-hint >> text=begins like a JPEG")
    assert page.inner_text(".source-facts").startswith("photo.png: not a PNG") and page.locator(".output-word").count() == 0
    assert page.locator("main .look:visible").count() == 0
    page.locator(".picture-chip").first.click()
    page.wait_for_selector(".output-word")


def test_settings_of_the_search_are_those_of_the_request(captions):
    page = opened(captions)
    page.click(".search-settings summary")
    with page.expect_request(re.compile(r"/v1/caption\?.*beam=1&")):
        page.select_option(".search-settings select", "1")
    page.wait_for_selector(".card:not(.busy) .output-word")
    captions.assert_quiet()


@pytest.mark.parametrize("captions", [{"viewport": size, "color_scheme": scheme} for size in (WIDE, PHONE) for scheme in ("light", "dark")],
                         indirect=True, ids=["wide light", "wide dark", "phone light", "phone dark"])
def test_everyone_can_use_it_on_every_screen(captions):
    page = opened(captions, "#side=target&row=1")
    page.wait_for_selector(".output-word[aria-pressed=true]")
    page.locator(".figure-foot summary").first.click()
    assert views.serious(page) == [] and boxes.wrong(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tabs = views.texts(page, "#phone-tabs a:visible" if page.viewport_size == PHONE else "#tabs a:visible")
    assert tabs == (["Caption", "Model"] if page.viewport_size == PHONE else ["Caption", "Model", "Training"])
    for view in ("model", "training", "heads"):  # the last means nothing here: the first view is shown
        page.evaluate("view => location.hash = 'view=' + view", view)
        page.wait_for_selector(f"#tabs [aria-current][data-view={'caption' if view == 'heads' else view}]", state="attached")
        page.wait_for_load_state("networkidle")
        assert boxes.wrong(page) == [] and views.serious(page) == [], view
    captions.assert_quiet()


@pytest.mark.parametrize("captions", [{"viewport": PHONE, "has_touch": True}], indirect=True, ids=[""])
def test_a_tap_on_a_word_shades_the_picture(captions):
    page = opened(captions)
    clear = page.evaluate(SHADE)
    page.locator(".output-word").nth(1).tap()
    assert page.evaluate(SHADE) != clear and page.locator(".output-word[aria-pressed=true]").count() == 1
    page.locator(".look").first.tap()
    assert page.locator(".output-word[aria-pressed=true]").get_attribute("data-index") == "0"
    captions.assert_quiet()


def test_one_view_that_is_asked_for_again_asks_nothing_again(captions):
    page = opened(captions)
    asked = lambda: sum("/v1/caption" in url for url in captions.requests)
    before = asked()
    page.locator("#theme").focus()
    page.keyboard.press("/")  # to the text, of which there is none
    page.click("#tabs [data-view=caption]")
    page.evaluate("location.hash = 'view=heads'")
    page.wait_for_function("() => document.querySelector('#tabs [data-view=model]').href.includes('model')")
    page.wait_for_load_state("networkidle")
    assert asked() == before
    page.evaluate("location.hash = 'view=caption&picture=1'")  # it is another picture that matters
    page.wait_for_selector(".picture-chip[aria-pressed=true] >> nth=0")
    page.wait_for_selector(".card:not(.busy) .output-word")
    assert asked() == before + 1 and "test 1" in page.inner_text(".source-facts")
    captions.assert_quiet()


def test_a_model_without_pictures_waits_for_nothing(captions):
    def two_models(route):
        answer = route.fetch().json()
        answer["models"].append(answer["models"][0] | {"name": "bare", "pictures": []})
        route.fulfill(json=answer)

    captions.page.route("**/v1/model", two_models)
    page = opened(captions)
    page.route("**/v1/caption?*", lambda route: None)  # no answer comes
    page.locator(".picture-chip").nth(1).click()
    page.wait_for_selector(".card.busy")
    page.select_option("#about select", "bare")
    page.wait_for_selector(".card:not(.busy)")
    assert page.locator(".picture-chip").count() == 0 and page.locator(".output-word").count() == 0


def test_a_text_model_after_captions_has_all_of_translate(browser, folder):
    """The address still names the other view."""
    models = ["--model", str(folder / "scenes"), "--model", conftest.MODEL]
    address, process = conftest.started([conftest.PROGRAM, "serve", *models, "--port", "0"])
    try:
        context = browser.new_context(viewport=WIDE)
        context.set_default_timeout(20000)
        visit = conftest.Visit(context, address)
        page = visit.open("#view=caption")
        page.wait_for_selector(".caption-words .output-word")
        page.select_option("#about select", index=1)
        page.wait_for_selector("#translation .output-word")
        assert "view=caption" in page.url
        page.locator("#theme").focus()
        page.keyboard.press("1")
        assert "kind=encoder" in page.url
        page.fill("#sentence", "The dog sees the cat.")
        page.wait_for_selector("#spoken >> text=Translation:")
        page.evaluate("window.writes = document.getElementById('sentence')")
        page.fill("#sentence", " ".join(["cat"] * 400))
        page.wait_for_selector("#trouble:not(:empty)")
        assert page.evaluate("window.writes.isConnected")  # under the writer's hands
        context.close()
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_models_of_both_kinds_make_way_for_each_other(browser, folder):
    models = ["--model", conftest.MODEL, "--model", str(folder / "scenes")]
    address, process = conftest.started([conftest.PROGRAM, "serve", *models, "--port", "0"])
    try:
        context = browser.new_context(viewport=WIDE)
        context.set_default_timeout(20000)
        visit = conftest.Visit(context, address)
        page = visit.open("#view=heads")
        page.wait_for_selector("[role=grid]")
        page.select_option("#about select", "scenes")
        page.wait_for_selector(".caption-words .output-word")
        assert page.locator("#tabs [aria-current]").inner_text() == "Caption"
        page.click("#tabs [data-view=model]")
        page.wait_for_selector("h2 >> text=scenes, pictures to English")
        page.select_option("#about select", index=0)
        page.wait_for_selector("h2 >> text=English to French")
        page.click("#tabs [data-view=translate]")
        page.wait_for_selector("#translation .output-word")
        visit.assert_quiet()
        context.close()
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_who_has_the_key_sees_captions(browser, folder, tmp_path):
    with conftest.serving(conftest.KEY, tmp_path, str(folder / "scenes")) as address:
        context = browser.new_context(viewport=WIDE)
        context.set_default_timeout(20000)
        page = conftest.Visit(context, address).open()
        page.wait_for_selector("#key input")
        assert page.locator(".output-word").count() == 0
        page.fill("#key input", conftest.KEY)
        page.press("#key input", "Enter")
        page.wait_for_selector(".caption-words .output-word")
        assert page.locator(".trouble:not(:empty)").count() == 0
        context.close()
