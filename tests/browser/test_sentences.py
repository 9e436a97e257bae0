"""A text of several sentences, one of which is shown; unknown words are marked. covers SV22"""

import views

TEXT = "The black cat sleeps. The dog sleeps.\nThe cat sleeps."
SOURCES = ["The black cat sleeps.", "The dog sleeps.", "The cat sleeps."]


def translate(page, text):
    page.fill("#sentence", text)
    page.press("#sentence", "Enter")
    page.wait_for_function("text => !document.querySelector('.busy') && new URLSearchParams(location.hash.slice(1)).get('q') === text", arg=text)


def words(page):
    return " ".join(views.texts(page, ".alignment .words:first-child .word-text"))


def test_sentences_are_listed_and_a_click_chooses_one(visit):
    page = visit.open()
    assert page.locator(".sentence-list").is_hidden()
    translate(page, TEXT)
    page.wait_for_function("() => [...document.querySelectorAll('.sentence-target')].every(each => each.textContent)")
    assert views.texts(page, ".sentence-source") == SOURCES
    parts = views.texts(page, ".sentence-target")
    whole = page.locator("#translation").evaluate("output => output.textContent")
    assert whole == f"{parts[0]} {parts[1]}\n{parts[2]}"
    assert words(page) == SOURCES[0] and page.locator(".sentences [aria-current]").count() == 1
    page.locator(".sentences button").nth(1).click()
    page.wait_for_function("() => location.hash.includes('sentence=1') && !document.querySelector('.busy')")
    assert words(page) == SOURCES[1]
    assert page.locator(".sentences button").nth(1).get_attribute("aria-current") == "true"
    assert page.locator("#translation").evaluate("output => output.textContent") == whole
    assert page.input_value("#sentence") == TEXT
    page.click("#tabs >> text=One head")
    assert "dog" in views.texts(page, ".map-columns span")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert "dog" in views.texts(page, ".map-columns span")
    visit.assert_quiet()


def test_the_exact_weights_are_those_of_the_sentence(visit):
    page = visit.open("#view=head&q=" + TEXT.replace(" ", "+").replace("\n", "%0A") + "&sentence=1")
    page.wait_for_function("() => !document.querySelector('.readout .value').textContent.includes('≈')")
    assert "dog" in views.texts(page, ".map-columns span")
    visit.assert_quiet()


def test_another_text_begins_with_its_first_sentence(visit):
    page = visit.open("#q=" + TEXT.replace(" ", "+").replace("\n", "%0A") + "&sentence=2")
    assert words(page) == SOURCES[2]
    translate(page, "The dog sleeps. The cat sleeps.")
    assert words(page) == "The dog sleeps." and "sentence=" not in page.url
    translate(page, "The cat sleeps.")
    assert words(page) == "The cat sleeps." and page.locator(".sentence-list").is_hidden()
    visit.assert_quiet()


def test_unknown_words_are_underlined_and_say_why(visit):
    page = visit.open()
    translate(page, "The wombat sleeps.")
    mark = page.locator(".unknown")
    assert mark.inner_text() == "wombat"
    assert "vocabulary" in mark.get_attribute("title")
    assert "underline" in mark.evaluate("mark => getComputedStyle(mark).textDecorationLine")
    assert "<unk>" in page.inner_text(".unknown-hint")
    translate(page, "The cat sleeps. The wombat sleeps.")
    page.wait_for_function("() => document.querySelectorAll('.sentence-target').length === 2")
    assert page.locator(".sentences button").nth(1).locator(".unknown").inner_text() == "wombat"
    assert page.locator(".sentences button").nth(0).locator(".unknown").count() == 0
    translate(page, "The cat sleeps.")
    assert page.locator(".unknown").count() == 0
    visit.assert_quiet()
