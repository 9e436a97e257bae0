"""A text file that is dropped on the page is translated whole, line for line. covers SV22"""

import json
import urllib.request

import views

LIMIT = 5000  # characters of a request
LINES = ["The black cat sleeps.", "", "The dog sees the cat. The cat does not see the dog.", "   The man eats.", "The woman\u2028sleeps.", "…"]
DROP = """([name, type, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name, {type}));
  return files;
}"""


def drop(page, text, name="letter.txt", kind="text/plain"):
    page.dispatch_event(".translator", "drop", {"dataTransfer": page.evaluate_handle(DROP, [name, kind, text])})


def panel_button(page, name):
    return page.locator(".file-panel button", has_text=name)


def saved_file(page):
    with page.expect_download() as download:
        panel_button(page, "Save").click()
    with open(download.value.path(), encoding="utf-8", newline="") as file:
        return download.value.suggested_filename, file.read()


def translated(visit, text):
    request = urllib.request.Request(visit.address + "/v1/translate", json.dumps({"q": text}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["translatedText"]


def test_a_long_file_is_translated_whole_and_saved_line_for_line(visit):
    page = visit.open()
    lines = (LINES * 140)[:800]
    text = "\r\n".join(lines) + "\r\n"
    assert len(text) > 3 * LIMIT
    drop(page, text)
    page.wait_for_selector(".file-panel:visible")
    panel_button(page, "Save").wait_for(timeout=120000)
    assert page.inner_text(".file-panel .hint") == "800 lines translated."
    name, result = saved_file(page)
    assert name == "letter.fr.txt" and page.text_content(".file-text") == result
    found = result.split("\r\n")
    assert len(found) == 801 and found[-1] == "" and result.count("\n") == 800
    for line in LINES:
        assert {found[i] for i in range(800) if lines[i] == line} == {translated(visit, line) if line else ""}, line
    assert page.input_value("#sentence") != text and page.locator(".beyond").count() == 0
    panel_button(page, "Close").click()
    assert page.locator(".file-panel").is_hidden()
    visit.assert_quiet()


def test_a_line_longer_than_the_limit_stays_a_line(visit):
    page = visit.open()
    drop(page, " ".join(["The black cat sleeps."] * 300) + "\nThe dog sleeps.")
    panel_button(page, "Save").wait_for(timeout=120000)
    _, result = saved_file(page)
    first, last = result.split("\n")
    assert first == " ".join([translated(visit, "The black cat sleeps.")] * 300) and last == translated(visit, "The dog sleeps.")
    visit.assert_quiet()


def test_translating_a_file_can_be_stopped_and_goes_on_in_other_views(visit):
    page = visit.open()
    held, answered = [], []

    def answer(route):
        q = json.loads(route.request.post_data)["q"]
        if len(answered) == 2 and not held:
            return held.append(route)
        answered.append(q)
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"translatedText": q.upper(), "sentences": []}))

    page.route("**/v1/translate", answer)
    text = "".join(f"line {i} of a long file\n" for i in range(1000))
    drop(page, text)
    page.wait_for_function("() => document.querySelector('.file-panel progress').value === 2")
    lines = text[:len("".join(answered))].count("\n")
    assert page.inner_text(".file-panel .hint") == f"{lines} of 1,000 lines translated…"
    panel_button(page, "Stop").click()
    assert page.inner_text(".file-panel .hint") == f"{lines} of 1,000 lines translated. Stopped."
    assert saved_file(page)[1] == "".join(answered).upper()
    panel_button(page, "Continue").click()
    page.click("#tabs >> text=Beam")
    page.wait_for_timeout(100)
    page.click("#tabs >> text=Translate")
    panel_button(page, "Save").wait_for()
    assert saved_file(page)[1] == text.upper() and "".join(answered) == text
    assert all(len(q) <= LIMIT and q.endswith("\n") for q in answered)
    visit.assert_quiet()


def test_what_goes_wrong_within_a_file_is_said_and_can_be_tried_again(visit):
    page = visit.open()
    failing = [True]

    def answer(route):
        if failing[0]:
            return route.fulfill(status=503, content_type="application/json", body='{"error": "Busy"}')
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"translatedText": json.loads(route.request.post_data)["q"]}))

    page.route("**/v1/translate", answer)
    text = "The cat.\n" * 1000
    drop(page, text)
    panel_button(page, "Continue").wait_for()
    assert page.inner_text(".file-panel .hint") == "0 of 1,000 lines translated. Busy"
    assert panel_button(page, "Save").count() == 0
    failing[0] = False
    panel_button(page, "Continue").click()
    panel_button(page, "Save").wait_for()
    assert saved_file(page)[1] == text
    assert [each for each in visit.complaints if "503" not in each] == []


def test_a_short_file_goes_into_the_pane_and_another_kind_is_refused(visit):
    page = visit.open()
    drop(page, "The cat sleeps.\n")
    page.wait_for_function("() => document.querySelector('.alignment .word-text')?.textContent === 'The' && !document.querySelector('.busy')")
    assert page.input_value("#sentence") == "The cat sleeps." and page.locator(".file-panel").is_hidden()
    drop(page, "%PDF", "letter.pdf", "application/pdf")
    assert "is not a text file" in page.inner_text(".source-facts")
    visit.assert_quiet()


def test_parts_are_the_text_and_none_is_too_long(visit):
    page = visit.open()
    texts = ["", "a" * 25, "😀" * 15, "one two three four five six", "Ends. Here? Yes… \"So.\" he said", "一二三。四五六七。八九十百千万", "\n\n\n", "a\nb\r\nc" * 9]
    cut = "([text, most]) => import('/page/text_parts.js').then(({textParts}) => textParts(text, most))"
    for text in texts:
        for most in (2, 7, 10, 1000):
            parts = page.evaluate(cut, [text, most])
            assert "".join(parts) == text and all(parts), (text, most)
            assert all(len(part.encode("utf-16-le")) <= 2 * most for part in parts), (text, most)
    assert page.evaluate(cut, ["First line.\nSecond. line", 16]) == ["First line.\n", "Second. line"]
    assert page.evaluate(cut, ["First one. Second one", 16]) == ["First one. ", "Second one"]
    assert page.evaluate(cut, ["some words in a row", 12]) == ["some words ", "in a row"]


def test_a_file_that_cannot_be_read_or_is_too_large_says_so(visit):
    page = visit.open()
    before = page.input_value("#sentence")
    page.evaluate("() => { File.prototype.text = async () => { throw new DOMException('', 'NotReadableError'); }; }")
    drop(page, "The cat sleeps.")
    page.wait_for_function("() => document.querySelector('.source-facts').textContent === 'letter.txt cannot be read.'")
    page.evaluate("() => { Object.defineProperty(File.prototype, 'size', {get: () => 10000001}); }")
    drop(page, "The cat sleeps.", "book.txt")
    assert page.inner_text(".source-facts") == "book.txt is larger than 10 MB. Cut it into smaller files."
    assert page.input_value("#sentence") == before
    visit.assert_quiet()


def test_a_file_that_is_read_too_late_changes_nothing(visit):
    page = visit.open()
    page.evaluate("() => { File.prototype.text = () => new Promise(done => window.readNow = done); }")
    drop(page, "")
    page.evaluate("location.hash = '#view=beam'")
    page.wait_for_selector(".node.best")
    page.evaluate("readNow('A cat that nobody waits for.')")
    page.wait_for_timeout(100)
    assert "nobody" not in page.url and "view=beam" in page.url
    visit.assert_quiet()
