"""What is saved holds what is seen. covers SV22"""

import json
import re
import xml.etree.ElementTree as ElementTree
import zlib

import pytest

import synthetic
import views

COLOUR = """([selector, wanted]) => import('/page/raster.js').then(({canvasOf, sceneOf}) => {
  const canvas = canvasOf(sceneOf(document.querySelector(selector), 0));
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const [red, green, blue] = wanted.match(/\\d+/g).map(Number);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) found += data[i] === red && data[i + 1] === green && data[i + 2] === blue;
  return { found, width: canvas.width };
})"""
# The colours of a PNG: at its corner, and how many are light.
PIXELS = """async (bytes) => {
  const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const {data} = context.getImageData(0, 0, bitmap.width, bitmap.height);
  let light = 0;
  for (let i = 0; i < data.length; i += 4) light += data[i] + data[i + 1] + data[i + 2] > 600;
  return {corner: [...data.slice(0, 3)], light: light / (data.length / 4), width: bitmap.width, height: bitmap.height};
}"""
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ["<img", "src=x", "onerror=alert(1)>", "</text><script>alert(2)</script>", "\"'>&amp;", "]]>", "(a\\b)"]
DARK = pytest.mark.parametrize("visit", [{"color_scheme": "dark"}], indirect=True, ids=["dark"])


def answer_with(page, trace):
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))


def words_of(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(SVG + "text")]


def pdf_content(pdf):
    """The drawing of its one page, and the objects by number."""
    start = int(re.search(rb"startxref\n(\d+)", pdf).group(1))
    places = [int(line[:10]) for line in pdf[start:].split(b"\n")[3:] if line.endswith(b" n ")]
    for number, place in enumerate(places, 1):
        assert pdf[place:].startswith(b"%d 0 obj" % number)
    first = pdf[places[0]:]
    return zlib.decompress(first[first.index(b"stream\n") + 7:first.index(b"\nendstream")])


def test_the_numbers_of_query_and_key_are_lists(visit):
    page = visit.open("#view=query&kind=decoder&layer=0&head=0&row=1")
    page.wait_for_selector(".save:visible")
    saved = json.loads(views.saved(page, "json"))
    assert len(saved["query"]) == len(saved["key"]) == len(saved["products"]) > 1
    assert all(abs(q * k - p) < 1e-5 for q, k, p in zip(saved["query"], saved["key"], saved["products"]))
    assert saved["scores"][2:] == [None] * (len(saved["keys"]) - 2) and None not in saved["scores"][:2]


def test_the_menu_is_used_by_keys(visit):
    page = visit.open("#view=head")
    button = page.locator(".save-button:visible").first
    button.focus()
    page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    focused = "() => document.activeElement.dataset.save || document.activeElement.className"
    assert page.evaluate(focused) == "svg"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "pdf"
    page.keyboard.press("End")
    assert page.evaluate(focused) == "json"
    page.keyboard.press("Escape")
    assert page.locator(".save-menu:visible").count() == 0 and "save-button" in page.evaluate(focused)
    button.click()
    page.mouse.click(5, 300)
    assert page.locator(".save-menu:visible").count() == 0
    assert page.locator("[data-save=svg]:visible").count() == 0


def test_an_svg_holds_the_words_as_text_and_the_cells_as_boxes(visit):
    page = visit.open("#view=heads&q=The+black+cat+does+not+see+the+dog.")
    svg = views.saved(page, "svg").decode()
    words = words_of(svg)
    assert {"1.1", "1.2", "2.4"} <= {word.strip() for word in words} or any(word.startswith("1.1") for word in words)
    assert {"Le", "chat", "noir"} <= set(words)
    root = ElementTree.fromstring(svg)
    assert len(list(root.iter(SVG + "rect"))) > 100 and not list(root.iter(SVG + "image"))
    assert not list(root.iter(SVG + "script")) and not list(root.iter(SVG + "foreignObject"))


def test_a_title_stands_on_top_of_every_file(visit):
    page = visit.open("#view=head&layer=0&head=1")
    title = page.locator(".figure:has(.save:visible) .figure-title").first.text_content()
    assert title.startswith("Layer 1, head 2")
    assert " ".join(words_of(views.saved(page, "svg"))).startswith(title)
    assert b"(Layer 1, head 2" in pdf_content(views.saved(page, "pdf"))


def test_a_pdf_is_whole_and_its_words_can_be_found(visit):
    answer_with(visit.page, synthetic.trace("le café (noir) — 80 % ≈ القط".split(), "a\\b œuvre ▁x €5".split(), request={"encoding": "f32", "vectors": True}))
    page = visit.open("#view=head&layer=0&head=0&kind=cross")
    pdf = views.saved(page, "pdf")
    assert pdf.startswith(b"%PDF-1.4") and pdf.endswith(b"%%EOF\n")
    content = pdf_content(pdf)
    for word in (b"(caf\\351) Tj", b"(\\050noir\\051) Tj", b"(a\\134b) Tj", b"(\\234uvre) Tj", b"(\\2005) Tj", b"(\\273) Tj"):
        assert word in content, word
    assert pdf.count(b"/SMask") >= 2  # the Arabic word and the mark of a word's begin are drawn
    assert b"\xd8" not in content  # and not written as something else
    assert content.count(b" re f") > 5
    size = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert float(size.group(1)) > 200 and float(size.group(2)) > 100


@DARK
def test_files_are_light_though_the_page_is_dark_and_the_page_stays_dark(visit):
    page = visit.open("#view=head")
    page.wait_for_load_state("networkidle")  # exact weights have come
    before = page.locator(".map-canvas").first.screenshot()
    colours = page.evaluate(PIXELS, list(views.saved(page, "png")))
    assert colours["corner"] == [255, 255, 255] and colours["light"] > 0.5
    root = ElementTree.fromstring(views.saved(page, "svg"))
    assert root.find(SVG + "rect").get("fill") == "#ffffff"
    assert "#fdfaf0" in {rect.get("fill") for rect in root.iter(SVG + "rect")} or list(root.iter(SVG + "image"))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(17, 17, 25)"
    page.mouse.move(2, 2)
    assert page.locator(".map-canvas").first.screenshot() == before
    page.locator(".save-button:visible").first.click()
    page.get_by_role("menuitemcheckbox").first.click()
    page.keyboard.press("Escape")
    colours = page.evaluate(PIXELS, list(views.saved(page, "png")))
    assert colours["corner"] == [25, 25, 35] and colours["light"] < 0.5


def test_hostile_text_stays_text_in_files(visit):
    answer_with(visit.page, synthetic.trace(HOSTILE, HOSTILE[::-1] + ["\x01\ufffe"], request={"encoding": "f32", "vectors": True}))
    visit.page.on("dialog", lambda dialog: visit.complaints.append("a script of the text ran"))
    page = visit.open("#view=head&layer=0&head=0&kind=cross&scale=own")
    svg = views.saved(page, "svg")
    words = words_of(svg)
    assert {HOSTILE[0], HOSTILE[2], HOSTILE[5]} <= set(words)
    assert any(word.startswith("</text><scr") for word in words)
    assert {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(svg).iter()} <= {"svg", "title", "g", "rect", "path", "text", "image"}
    content = pdf_content(views.saved(page, "pdf"))
    assert b"(onerror=alert\\0501\\051>) Tj" in content
    visit.assert_quiet()


def test_nothing_chosen_is_marked_in_a_file(visit):
    page = visit.open("#view=model")
    page.click("[data-block='decoder.0.cross']")
    svg = views.saved(page, "svg").decode()
    assert "Cross-attention" in words_of(svg) and "#e7ecf7" not in svg
    assert page.locator(".block[aria-pressed=true]").count() == 1 and page.locator(".exporting").count() == 0


def test_paths_of_all_kinds_are_kept(visit):
    page = visit.open("#view=model")
    ends = page.evaluate("""async () => {
      const {pathSegments} = await import('/page/path_data.js');
      const all = ['M1 2h3v4l-1-1z', 'M0 0a5 5 0 0 1 10 0', 'M0 0c1 1 2 1 3 0s2-1 3 0', 'M0 0q5 5 10 0t10 0', 'm1 1 2 2 3 3', 'M0 0A5 5 0 1 1 0 .001'];
      return all.map(d => {
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path'), again = path.cloneNode();
        path.setAttribute('d', d);
        again.setAttribute('d', pathSegments(d).map(([name, ...numbers]) => name + numbers.join(' ')).join(''));
        const at = (each, share) => each.getPointAtLength(each.getTotalLength() * share);
        return Math.max(...[0, 0.3, 0.6, 0.9, 1].map(share => Math.hypot(at(path, share).x - at(again, share).x, at(path, share).y - at(again, share).y)));
      });
    }""")
    assert all(far < 0.05 for far in ends), ends


def test_a_picture_keeps_bars_of_every_colour(visit):
    page = visit.open("#view=model")
    teal = page.eval_on_selector(".choice-bar", "bar => getComputedStyle(bar).fill")
    assert page.evaluate(COLOUR, [".figure-body", teal])["found"] > 100


def test_a_picture_of_the_beam_is_whole(visit):
    words = [f"word{i}" for i in range(14)]
    answer_with(visit.page, synthetic.trace(words, words, layers=1, heads=1))
    visit.page.set_viewport_size({"width": 600, "height": 800})
    page = visit.open("#view=beam")
    width = page.eval_on_selector_all("main svg", "all => Math.max(...all.map(svg => svg.getBoundingClientRect().width))")
    assert width > 1000
    assert page.evaluate(PIXELS, list(views.saved(page, "png")))["width"] >= 2 * width


def test_the_map_stays_where_it_was_scrolled_to_while_it_is_saved(visit):
    answer_with(visit.page, synthetic.fast_trace(90, 1, 2))
    page = visit.open("#view=head&layer=0&head=0")
    page.eval_on_selector(".map", "map => map.scrollTop = 200")
    before = page.eval_on_selector(".map", "map => map.scrollTop")
    views.saved(page, "svg")
    assert page.eval_on_selector(".map", "map => map.scrollTop") == before


def test_the_map_stays_where_it_was_scrolled_to(visit):
    answer_with(visit.page, synthetic.fast_trace(90, 1, 2))
    page = visit.open("#view=head&layer=0&head=0")
    page.eval_on_selector(".map", "map => map.scrollTop = 200")
    before = page.eval_on_selector(".map", "map => map.scrollTop")
    page.evaluate("location.hash = location.hash.replace('head=0', 'head=1')")
    page.wait_for_selector(".figure-title:has-text('Layer 1, head 2')")
    assert page.eval_on_selector(".map", "map => map.scrollTop") == before


def test_on_a_phone_the_current_tab_is_in_sight(visit):
    visit.page.set_viewport_size({"width": 360, "height": 740})
    for view, bar in (("model", "#phone-tabs"), ("beam", "#tabs")):
        page = visit.open(f"#view={view}")
        page.wait_for_selector(f"{bar} [aria-current]")
        assert page.eval_on_selector(f"{bar} [aria-current]", "tab => { const {left, right, width} = tab.getBoundingClientRect();"
                                     " return width > 0 && left >= 0 && right <= innerWidth; }"), view


def test_on_a_phone_every_view_is_within_two_taps(visit):
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = visit.open()
    for tab, inside in (("Look inside", ["Heads", "One head", "Query & key", "Positions", "Beam"]), ("Model", ["Model", "Training"])):
        page.click(f"#phone-tabs >> text={tab}")
        assert page.locator("#tabs a:visible").all_inner_texts() == inside
    page.click("#tabs >> text=Training")
    page.wait_for_selector("h1:has-text('Training')")
    assert page.inner_text("#phone-tabs [aria-current]") == "Model"


def test_on_a_phone_the_menu_is_in_sight(visit):
    visit.page.set_viewport_size({"width": 360, "height": 740})
    page = visit.open("#view=model")
    page.locator(".save-button:visible").first.click()
    box = page.locator(".save-menu:visible").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    assert all(item.bounding_box()["height"] >= 44 for item in page.locator(".save-menu:visible button:visible").all())


def test_what_makes_pictures_comes_with_the_first_one(visit):
    page = visit.open()
    asked = lambda: {name for name in ("picture_file", "raster", "scene", "pdf_file", "svg_file") for url in visit.requests if url.endswith(f"/{name}.js")}
    page.wait_for_load_state("networkidle")
    assert asked() == set()
    assert views.saved(page, "csv") and asked() == set()
    page.route("**/page/picture_file.js", lambda route: route.abort())
    page.locator("main .save-button:visible").first.click()
    page.locator("main [data-save=svg]:visible").first.click()
    page.wait_for_selector("#spoken >> text=was not saved")
    page.unroute("**/page/picture_file.js")
    assert views.saved(page, "svg").startswith(b"<?xml") and len(asked()) == 5


@pytest.mark.parametrize("kind, start", [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_page_in_one_file_saves_pictures_too(saved_visit, kind, start):
    assert views.saved(saved_visit.open(), kind).startswith(start)
    saved_visit.assert_quiet()
