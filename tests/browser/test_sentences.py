"""A text of several sentences, one of which is shown; unknown words are marked. covers SV22"""

import json

import views

TEXT = "The black cat sleeps. The dog sleeps.\nThe cat sleeps."
SOURCES = ["The black cat sleeps.", "The dog sleeps.", "The cat sleeps."]


def translate(page, text):
    page.fill("#sentence", text)
    page.press("#sentence", "Enter")
    page.wait_for_function("text => !document.querySelector('.busy') && new URLSearchParams(location.hash.slice(1)).get('q') === text", arg=text)


def leave(page):
    """Away from the text field, so that the sentences stand apart."""
    page.locator("#sentence").blur()
    page.wait_for_selector(".sentences button:visible")


def words(page):
    return " ".join(views.texts(page, ".alignment .words:first-child .word-text"))


def test_sentences_are_listed_and_a_click_chooses_one(visit):
    page = visit.open()
    assert page.locator(".sentences").count() == 0
    translate(page, TEXT)
    assert page.locator(".sentences button:visible").count() == 0  # the text is still being written
    leave(page)
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
    assert words(page) == "The cat sleeps." and page.locator(".sentences").count() == 0
    visit.assert_quiet()


def test_unknown_words_are_underlined_and_say_why(visit):
    page = visit.open()
    translate(page, "The wombat sleeps.")
    mark = page.locator(".unknown")
    assert mark.text_content() == "wombat"
    assert "vocabulary" in mark.get_attribute("title")
    assert "underline" in mark.evaluate("mark => getComputedStyle(mark).textDecorationLine")
    assert "<unk>" in page.inner_text(".unknown-hint")
    translate(page, "The cat sleeps. The wombat sleeps.")
    page.wait_for_function("() => document.querySelectorAll('.sentence-target').length === 2")
    assert page.locator(".sentence-source").nth(1).locator(".unknown").text_content() == "wombat"
    assert page.locator(".sentence-source").nth(0).locator(".unknown").count() == 0
    translate(page, "The cat sleeps.")
    assert page.locator(".unknown").count() == 0
    visit.assert_quiet()


def tops(page, selector):
    return page.eval_on_selector_all(selector, "all => all.map(each => Math.round(each.getBoundingClientRect().top))")


def test_sentences_are_level_in_both_panes(visit):
    long = " ".join(["The black cat does not see"] * 4) + " the dog."
    page = visit.open("#q=" + f"The cat sleeps. {long} The dog sleeps. The cat sleeps.".replace(" ", "+"))
    page.wait_for_function("() => [...document.querySelectorAll('.sentence-target')].every(each => each.textContent)")
    sources, targets = tops(page, ".sentence-source"), tops(page, ".sentence-target")
    assert len(sources) == 4 and sources == targets and sources == sorted(set(sources))
    assert views.texts(page, ".sentence-number") == [""] * 4
    assert "4 sentences, each translated by itself" in page.inner_text(".source-facts")


def test_a_sentence_of_the_output_is_chosen_by_a_click_and_the_chosen_one_is_written_on(visit):
    page = visit.open("#q=" + TEXT.replace(" ", "+").replace("\n", "%0A"))
    page.wait_for_function("() => [...document.querySelectorAll('.sentence-target')].every(each => each.textContent)")
    page.locator(".sentence-target").nth(2).click()
    page.wait_for_function("() => location.hash.includes('sentence=2') && !document.querySelector('.busy')")
    assert words(page) == SOURCES[2] and page.locator(".output-word").count() == 3
    chosen = page.locator(".sentence-source.chosen")
    assert chosen.text_content() == SOURCES[2]
    chosen.click(position={"x": 45, "y": 20})  # in its first word
    page.wait_for_selector(".source-pane:not(.apart)")
    start = TEXT.index(SOURCES[2])
    assert start <= page.evaluate("document.activeElement.selectionStart") <= start + 4
    page.locator("#sentence").blur()
    page.wait_for_selector(".apart")


def test_where_the_unknown_is_said_in_the_pane(visit):
    page = visit.open("#q=The+wombat+sleeps.")
    box = page.locator(".unknown").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    assert "vocabulary" in page.locator("#sentence").get_attribute("title")
    page.focus("#sentence")
    page.keyboard.press("End")
    page.keyboard.type(" Now")
    assert page.locator(".unknown").text_content() == "wombat"  # still there while one writes on
    page.keyboard.press("Control+Home")
    page.keyboard.type("W")
    assert page.locator(".unknown").count() == 0


def come(page):
    page.wait_for_function("() => [...document.querySelectorAll('.sentence-target')].every(each => each.textContent) && !document.querySelector('.busy')")


def test_unsure_words_are_dotted_in_all_sentences_and_counted(visit):
    """No ornament means sure, in a sentence that is not the chosen one, too."""
    low = {0: ["black"], 2: ["The", "sleeps."]}
    asked = []

    def answer(route):
        asked.append(json.loads(route.request.post_data))
        sentences = [{"start": TEXT.index(text), "end": TEXT.index(text) + len(text), "translatedText": text,
                      "words": [{"text": word, "probability": 0.123 if word in low.get(i, []) else 0.9} for word in text.split()]}
                     for i, text in enumerate(SOURCES)]
        route.fulfill(status=200, content_type="application/json", body=json.dumps({"translatedText": TEXT, "sentences": sentences, "unknown": []}))

    visit.page.route("**/v1/translate", answer)
    page = visit.open("#q=" + TEXT.replace(" ", "+").replace("\n", "%0A") + "&sentence=1")
    come(page)
    assert asked[-1]["words"] is True
    for i in (0, 2):
        marked = page.locator(".sentence-target").nth(i).locator(".unsure")
        assert marked.all_text_contents() == low[i] and marked.first.get_attribute("title") == "12.3 %"
        assert "dotted" in marked.first.evaluate("word => getComputedStyle(word).textDecoration")
        assert page.locator(".sentence-target").nth(i).text_content() == SOURCES[i]
    here = page.locator(".sentence-target").nth(1).locator(".unsure").count()
    assert f"unsure of {3 + here} words in 3 sentences" in page.inner_text(".facts") and "ms for sentence 2" in page.inner_text(".facts")
    visit.assert_quiet()


def test_what_is_dotted_is_the_same_whichever_sentence_is_chosen(visit):
    page = visit.open("#q=The+dog+%E2%98%83+sleeps.+The+cat+sleeps.")
    seen = set()
    for number in (0, 1):
        page.evaluate("sentence => location.hash = location.hash.replace(/&sentence=\\d/, '') + '&sentence=' + sentence", number)
        page.wait_for_function("number => document.querySelectorAll('.sentence-target')[number].classList.contains('chosen')", arg=number)
        come(page)
        seen.add((tuple(views.texts(page, ".translation .unsure")), page.inner_text(".unsure-note") if page.locator(".unsure-note").count() else ""))
    assert len(seen) == 1
    visit.assert_quiet()


def test_an_emptied_text_leaves_no_door_to_the_one_before(visit):
    page = visit.open("#q=The+cat+sleeps.")
    assert page.locator(".doors").is_visible() and page.locator(".alignment").is_visible()
    page.fill("#sentence", "")
    assert page.locator(".doors").is_hidden() and page.locator(".alignment").is_hidden()
    page.evaluate("window.dispatchEvent(new Event('resize'))")
    page.keyboard.press("d")  # draws everything anew
    page.wait_for_timeout(100)
    assert page.locator(".doors").is_hidden()
    page.fill("#sentence", "The cat sleeps.")
    page.press("#sentence", "Enter")
    page.wait_for_selector(".doors:visible")
    visit.assert_quiet()
