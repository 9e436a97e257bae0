"""Whatever a text is made of, it stays text: in every view, in what is saved of it, and in the saved page. covers SV22"""

import csv
import io
import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

import conftest
import synthetic
import views

SVG = "{http://www.w3.org/2000/svg}"
MARKUP = ["<img", "src=x", "onerror=alert(1)>", "</script><script>alert(2)</script>", "\"'><svg/onload=alert(3)>", "&lt;b&gt;", "]]>", "<!--", "a,b\"c"]
TURNING = ["\u202eevil", "\u2067left", "\u200fmark", "\u061c", "plain", "\u2066open"]  # marks that turn the direction round, and none turned back
LONG_WORD = ["x" * 10000, "cat"]
MANY = [f"word{i}" for i in range(499)]
TEXTS = {"markup": MARKUP, "direction": TURNING, "10,000 characters": LONG_WORD, "500 tokens": MANY}
texts = pytest.mark.parametrize("words", TEXTS.values(), ids=TEXTS)
STRAYED = "main img, main script, main svg[onload]"


def trace(words):
    size = {"layers": 1, "heads": 1} if len(words) > 100 else {"layers": 2, "heads": 2}
    return synthetic.trace(words, words[::-1], request={"encoding": "f32", "vectors": True, "embedding": True}, **size)


def serve(visit, words):
    body = json.dumps(trace(words))
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=body))
    visit.page.on("dialog", lambda dialog: visit.complaints.append("a script of the text ran"))


def looked_through(visit):
    """Every view, opened by its address."""
    page = visit.open()
    for name in views.VIEWS:
        page.evaluate("name => location.hash = 'view=' + name", name)
        page.wait_for_selector(f"#tabs [aria-current][data-view={name}]", state="attached")
        page.wait_for_load_state("networkidle")
        for summary in page.locator(".figure-foot summary:visible").all()[:1]:
            summary.click()
        yield page, name


@texts
def test_a_text_stays_text_in_every_view(visit, words):
    serve(visit, words)
    for page, name in looked_through(visit):
        assert page.locator(STRAYED).count() == 0, name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        if name == "translate":
            assert page.text_content("#translation") == " ".join(words[::-1])
        if name == "head":
            assert [text.rstrip("…") for text in views.texts(page, ".map-columns span")][:1] == [words[0]] or words is LONG_WORD
    visit.assert_quiet()


def test_marks_of_direction_turn_no_other_word_round(visit):
    serve(visit, TURNING)
    page = visit.open()
    for words in (".alignment .words:first-child .word", ".alignment .words:last-child .word", ".output-word"):
        places = page.eval_on_selector_all(words, "all => all.map(each => { const box = each.getBoundingClientRect(); return [Math.round(box.top), box.left]; })")
        assert places == sorted(places), words


@pytest.mark.parametrize("words", [MARKUP, TURNING], ids=["markup", "direction"])
def test_what_every_view_saves_is_no_markup_of_the_text(visit, words):
    serve(visit, words)
    for page, name in looked_through(visit):
        for i in range(page.locator("main .save:visible").count()):
            files = {kind: views.saved(page, kind, number=i) for kind in ("svg", "csv", "json", "pdf", "png")}
            root = ElementTree.fromstring(files["svg"])
            assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {"svg", "title", "g", "rect", "path", "text", "image"}, (name, i)
            assert not any(key.startswith("on") or "href" in key and not value.startswith("data:image/") for each in root.iter() for key, value in each.attrib.items())
            assert not re.search("^[=+@\t-](?![\\d.])", "\n".join(cell for row in csv.reader(io.StringIO(files["csv"].decode("utf-8-sig"))) for cell in row), re.M)
            json.loads(files["json"])
            assert files["pdf"].endswith(b"%%EOF\n") and files["png"].startswith(b"\x89PNG")
    visit.assert_quiet()


@texts
def test_what_is_saved_holds_the_words_as_they_are(visit, words):
    serve(visit, words)
    page = visit.open("#view=head&kind=cross&layer=0&head=0")
    page.wait_for_selector(".map-canvas")
    rows = list(csv.reader(io.StringIO(views.saved(page, "csv").decode("utf-8-sig"))))
    plain = [word.lstrip("'") for word in rows[0][1:]]
    assert plain[:len(words)] == words and [row[0].lstrip("'") for row in rows[1:]][:len(words)] == words[::-1]
    assert words[0] in json.dumps(json.loads(views.saved(page, "json")), ensure_ascii=False) or "\"" in words[0]
    root = ElementTree.fromstring(views.saved(page, "svg"))
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {"svg", "title", "g", "rect", "path", "text", "image"}
    assert views.saved(page, "pdf").endswith(b"%%EOF\n")
    assert views.saved(page, "png").startswith(b"\x89PNG")
    visit.assert_quiet()


def test_ten_thousand_characters_that_are_typed_are_said_to_be_too_many(visit):
    page = visit.open()
    page.fill("#sentence", "The <i>cat</i> sleeps. " * 440)
    page.press("#sentence", "Enter")
    page.wait_for_selector(".beyond")
    page.wait_for_selector(".panes:not(.stale)")
    assert "is not translated" in page.inner_text(".source-facts") and page.locator("main .panes i").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    visit.assert_quiet()


def saved_page(words, file):
    return subprocess.run([conftest.PROGRAM, "inspect", "--model", conftest.MODEL, "--html", str(file)], input=" ".join(words), text=True, timeout=120,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.parametrize("words", [MARKUP, TURNING, LONG_WORD, MANY[:256]], ids=["markup", "direction", "10,000 characters", "256 tokens"])
def test_the_saved_page_holds_it_as_text(browser, tmp_path, words):
    if not conftest.PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    file = tmp_path / "hostile.html"
    made = saved_page(words, file)
    assert made.returncode == 0, made.stderr
    context = browser.new_context(viewport={"width": 1360, "height": 900}, offline=True)
    visit = conftest.Visit(context, file.as_uri())
    visit.page.on("dialog", lambda dialog: visit.complaints.append("a script of the text ran"))
    for page, name in looked_through(visit):
        assert page.locator(STRAYED).count() == 0, name
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    visit.assert_quiet()
    context.close()


def test_what_is_too_long_for_a_saved_page_is_said_and_not_cut(tmp_path):
    if not conftest.PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    file = tmp_path / "long.html"
    made = saved_page(MANY, file)
    assert made.returncode != 0 and "499 tokens, but at most 256 can be traced" in made.stderr and not file.exists()
