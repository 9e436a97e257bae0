"""What is too long for the views inside is translated, and what is too long for alternatives says so. covers SV22"""

import json
import urllib.request

import synthetic
import views

# Dickens and Jefferson, with no full stop: one sentence of about 500 tokens.
SENTENCE = """It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was
the epoch of belief, it was the epoch of incredulity, it was the season of light, it was the season of darkness, it was the
spring of hope, it was the winter of despair, we had everything before us, we had nothing before us, we were all going direct
to heaven, we were all going direct the other way, in short, the period was so far like the present period, that some of its
noisiest authorities insisted on its being received, for good or for evil, in the superlative degree of comparison only, and
there were a king with a large jaw and a queen with a plain face, on the throne of England; there were a king with a large jaw
and a queen with a fair face, on the throne of France, and in both countries it was clearer than crystal to the lords of the
state preserves of loaves and fishes, that things in general were settled for ever; when in the course of human events, it
becomes necessary for one people to dissolve the political bands which have connected them with another, and to assume among
the powers of the earth, the separate and equal station to which the laws of nature and of nature's God entitle them, a decent
respect to the opinions of mankind requires that they should declare the causes which impel them to the separation; we hold
these truths to be self-evident, that all men are created equal, that they are endowed by their creator with certain
unalienable rights, that among these are life, liberty and the pursuit of happiness, that to secure these rights, governments
are instituted among men, deriving their just powers from the consent of the governed, that whenever any form of government
becomes destructive of these ends, it is the right of the people to alter or to abolish it, and to institute new government""".replace("\n", " ")
DONE = "() => !document.querySelector('.busy') && !document.querySelector('.stale')"


def write(page, text):
    page.fill("#sentence", text)
    page.press("#sentence", "Enter")
    page.wait_for_function("text => new URLSearchParams(location.hash.slice(1)).get('q') === text", arg=text)
    page.wait_for_function(DONE)


def translated(visit, text):
    request = urllib.request.Request(visit.address + "/v1/translate", json.dumps({"q": text}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["translatedText"]


def refusals_forgotten(visit):
    """The browser itself tells of each answer 400."""
    visit.complaints[:] = [text for text in visit.complaints if "400" not in text]


def test_a_sentence_too_long_to_be_traced_is_translated(visit):
    page = visit.open()
    write(page, SENTENCE)
    translation = page.text_content("#translation")
    assert translation == translated(visit, SENTENCE) and len(translation.split()) > 10
    assert "tokens, but at most 256 can be traced" in page.inner_text("#trouble")
    assert page.inner_text("#trouble").startswith("Translated, but the views inside cannot show it")
    assert page.input_value("#sentence") == SENTENCE and page.get_by_label("Copy the translation").is_visible()
    assert page.locator(".doors:visible, .alignment:visible, .output-word").count() == 0
    for i, name in enumerate(views.VIEWS[1:], 1):
        page.locator("#tabs a").nth(i).click()
        assert "cannot show it" in page.inner_text("#trouble"), name
        assert page.locator(".strip-word, .head-cell, .map-canvas, .equation, .node").count() == 0, name
    page.locator("#tabs a").first.click()
    assert page.text_content("#translation") == translation
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.text_content("#translation") == translation
    write(page, "The cat sleeps.")
    assert page.inner_text("#trouble") == "" and page.locator(".door").count() == 4 and page.locator(".doors:visible").count() == 1
    views.check_translate(page)
    refusals_forgotten(visit)
    visit.assert_quiet()


def test_beside_one_that_is_too_long_the_other_sentences_are_shown_as_ever(visit):
    page = visit.open()
    write(page, f"The cat sleeps. {SENTENCE}. The dog sleeps.")
    page.wait_for_function("() => [...document.querySelectorAll('.sentence-target')].every(each => each.textContent)")
    page.locator("#sentence").blur()
    whole = views.texts(page, ".sentence-target")
    assert len(whole) == 3 and page.inner_text("#trouble") == ""
    page.locator(".sentence-number").nth(1).click()
    page.wait_for_selector("#trouble:not(:empty)")
    assert views.texts(page, ".sentence-target") == whole and page.locator(".output-word").count() == 0
    assert page.locator(".sentence-source.chosen").text_content().startswith("It was the best")
    page.locator(".sentence-number").nth(2).click()
    page.wait_for_selector("#trouble:empty", state="attached")
    assert page.locator(".sentence-source.chosen").text_content() == "The dog sleeps."
    assert views.texts(page, ".sentence-target") == whole and page.locator(".output-word").count() > 1
    refusals_forgotten(visit)
    visit.assert_quiet()


def test_with_a_beam_too_wide_for_it_a_long_text_is_translated_with_the_servers_own(visit):
    page = visit.open("#beam=8")
    write(page, SENTENCE)
    assert page.text_content("#translation") == translated(visit, SENTENCE)
    refusals_forgotten(visit)
    visit.assert_quiet()


def asked_for(visit, tokens, beam):
    """How many other words are asked for in a sentence of so many tokens; None: the panel says why there are none."""
    words, page = [f"word{i}" for i in range(tokens)], visit.page
    page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(
        synthetic.trace(words, words[:4], layers=1, heads=1))))
    asked = []

    def alternatives(route):
        asked.append(json.loads(route.request.post_data))
        route.fulfill(status=200, content_type="application/json", body='{"schema": 1, "unknown": [], "alternatives": []}')

    page.route("**/v1/alternatives", alternatives)
    page.goto("about:blank")
    visit.open(f"#q=x&beam={beam}")
    page.locator(".output-word").first.click()
    page.wait_for_selector(".choices:not([aria-busy])")
    page.unroute("**/v1/inspect")
    page.unroute("**/v1/alternatives")
    return asked[0]["count"] if asked else None


def test_as_many_other_words_are_asked_for_as_the_server_searches(visit):
    for tokens, beam, count in ((12, 4, 6), (85, 4, 6), (86, 4, 5), (128, 4, 4), (255, 4, 2), (60, 8, 4), (128, 8, 2), (64, 16, 2)):
        assert asked_for(visit, tokens, beam) == count, (tokens, beam)
        assert count * beam * tokens <= 2048
    assert asked_for(visit, 200, 8) is None
    assert visit.page.inner_text(".choices") == ("This sentence has 200 tokens: too many to search for other words with beam size 8."
                                           " With beam size 5 or smaller there is room.")
    visit.assert_quiet()


def test_other_words_of_a_long_sentence_come(visit):
    page = visit.open()
    write(page, " ".join(["the black cat sees the dog and"] * 20) + " the cat sleeps .")
    page.locator(".output-word").first.click()
    page.wait_for_selector(".choices .choice")
    assert 2 <= page.locator(".choices .choice").count() < 6
    visit.assert_quiet()
