"""Other words at a place of the translation: choosing one translates the rest again. covers SV22"""

import json
import subprocess
import urllib.parse
import urllib.request

import pytest

import conftest
import views

SENTENCE = "The black cat sleeps."
QUIET = "() => !document.querySelector('.busy')"


def translated(page):
    return page.locator("#translation").evaluate("output => output.textContent")


def hash_of(page):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(page.url).fragment)


def open_choices(page, place):
    page.locator(".output-word").nth(place).click()
    page.wait_for_selector(".choices .choice")
    return page.locator(".choices .choice")


def other(choices):
    """The first word that is not the one that stands there, and how likely it is."""
    for i in range(choices.count()):
        row = choices.nth(i)
        if row.is_enabled() and not row.get_attribute("aria-current"):
            return row
    raise AssertionError("no other word")


def asked(visit, path, body):
    request = urllib.request.Request(visit.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)


def test_a_chosen_word_is_kept_and_the_rest_translated_again(visit):
    page = visit.open("#q=" + SENTENCE.replace(" ", "+"))
    before = translated(page)
    choices = open_choices(page, 0)
    assert choices.locator(".option-text").all_inner_texts()[0] == before.split()[0]
    row = other(choices)
    word, rest = row.locator(".option-text").inner_text(), row.locator(".choice-rest").inner_text()
    assert word in row.locator("em").all_inner_texts()
    row.click()
    page.wait_for_selector(".pinned:visible")
    page.wait_for_function(QUIET)
    after = translated(page)
    assert after == rest.strip() != before
    assert after == asked(visit, "/v1/translate", {"q": SENTENCE, "prefix": word})["translatedText"]
    assert hash_of(page)["prefix"] == [word] and word in page.inner_text(".pinned")
    assert page.locator(".alternatives").count() == 0
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert translated(page) == after
    page.click(".pinned button")
    page.wait_for_function("() => !location.hash.includes('prefix') && !document.querySelector('.busy')")
    assert translated(page) == before and page.locator(".pinned").is_hidden()
    visit.assert_quiet()


@pytest.mark.parametrize("beam", [4, 1])
def test_a_choice_gives_exactly_what_the_command_gives_with_that_prefix(visit, beam):
    if not conftest.PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    page = visit.open(f"#beam={beam}&q=" + SENTENCE.replace(" ", "+"))
    for place in (0, 1):
        row = other(open_choices(page, place))
        promised = row.locator(".choice-rest").inner_text().removeprefix("… ").strip()
        row.click()
        page.wait_for_selector(".pinned:visible")
        page.wait_for_function("count => location.hash.includes('prefix') && decodeURIComponent(location.hash).split('prefix=')[1].split(/[+ ]/).length === count", arg=place + 1)
        page.wait_for_function(QUIET)
        [prefix] = hash_of(page)["prefix"]
        command = [conftest.PROGRAM, "translate", "--model", conftest.MODEL, "--beam", str(beam), "--prefix", prefix]
        printed = subprocess.run(command, input=SENTENCE + "\n", text=True, check=True, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        assert printed.removesuffix("\n") == translated(page)
        assert translated(page).endswith(promised)
    visit.assert_quiet()


def test_undo_takes_back_one_choice_at_a_time_and_the_keyboard_keeps_its_place(visit):
    page = visit.open("#q=" + SENTENCE.replace(" ", "+"))
    seen = [translated(page)]
    for place in (0, 1):
        page.locator(".output-word").nth(place).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".choices .choice:focus")
        row = other(page.locator(".choices .choice"))
        word = row.locator(".option-text").inner_text()
        row.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f".pinned:has-text('{word}')")
        page.wait_for_function(QUIET)
        assert page.evaluate("() => document.activeElement.matches('.output-word') && document.activeElement.textContent") == word
        seen.append(translated(page))
    for before in (seen[1], seen[0]):
        page.locator(".pinned button").focus()
        page.keyboard.press("Enter")
        page.wait_for_function("text => document.querySelector('#translation').textContent === text", arg=before)
        page.wait_for_function(QUIET)
        assert page.evaluate("() => document.activeElement.closest('.output-pane') !== null")
    assert page.locator(".pinned").is_hidden() and "prefix" not in page.url
    visit.assert_quiet()


def test_undo_of_what_a_link_chose_comes_to_an_end(visit):
    """The link chose one word, the reader another and then the first again: two steps back nothing is chosen."""
    first, second = [each["word"] for each in asked(visit, "/v1/alternatives", {"q": SENTENCE})["alternatives"][1:3]]
    page = visit.open(f"#q={SENTENCE.replace(' ', '+')}&prefix={urllib.parse.quote(first)}")
    chosen = "word => new URLSearchParams(location.hash.slice(1)).get('prefix') === word && !document.querySelector('.busy')"
    for word in (second, first):
        open_choices(page, 0).filter(has=page.locator(f".option-text:text-is('{word}')")).click()
        page.wait_for_function(chosen, arg=word)
    for _ in range(2):
        if page.locator(".pinned").is_visible():
            before = page.url
            page.click(".pinned button")
            page.wait_for_function("before => location.href !== before && !document.querySelector('.busy')", arg=before)
    assert page.locator(".pinned").is_hidden()
    visit.assert_quiet()


def test_choices_belong_to_one_sentence(visit):
    page = visit.open("#q=The+dog+sleeps.+" + SENTENCE.replace(" ", "+") + "&sentence=1")
    page.wait_for_function("() => [...document.querySelectorAll('.sentence-target')].every(each => each.textContent)")
    first = views.texts(page, ".sentence-target")[0]
    row = other(open_choices(page, 0))
    word = row.locator(".option-text").inner_text()
    row.click()
    page.wait_for_selector(".pinned:visible")
    page.wait_for_function("word => document.querySelectorAll('.sentence-target')[1].textContent.startsWith(word)", arg=word)
    assert translated(page).startswith(f"{first} {word}")
    page.locator(".sentence-number").nth(0).click()
    page.wait_for_function("() => !location.hash.includes('sentence=1') && !document.querySelector('.busy')")
    assert page.locator(".pinned").is_hidden() and "prefix" not in page.url
    visit.assert_quiet()


def test_choices_are_walked_by_keyboard_and_named(visit):
    page = visit.open("#q=" + SENTENCE.replace(" ", "+"))
    page.locator(".output-word").nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice:focus")
    choices = page.locator(".choices .choice")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-current')") == "true"
    page.keyboard.press("ArrowDown")
    label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label == choices.nth(1).get_attribute("aria-label") and " %" in label
    assert page.locator(".alternatives details").get_attribute("open") is None
    page.click(".alternatives summary")
    assert page.locator(".alternatives .step li").count() >= 2
    page.keyboard.press("Escape")
    assert page.locator(".alternatives").count() == 0
    assert page.evaluate("() => document.activeElement.textContent") == translated(page).split()[1]
    page.keyboard.press("Enter")
    page.wait_for_selector(".choice:focus")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pinned:visible")
    visit.assert_quiet()


def test_the_panel_stands_by_its_word_and_within_the_page(visit):
    page = visit.open("#q=" + SENTENCE.replace(" ", "+"))
    for width in (1360, 390):
        page.set_viewport_size({"width": width, "height": 800})
        word = page.locator(".output-word").last
        word.click()
        page.wait_for_selector(".choice")
        box, own = page.locator(".alternatives").bounding_box(), word.bounding_box()
        assert 0 <= box["x"] and box["x"] + box["width"] <= width
        assert 0 <= box["y"] - (own["y"] + own["height"]) < 20
        assert page.locator(".source-word.partner").count() >= 1  # while it is open
        page.mouse.click(5, 5)
        assert page.locator(".alternatives").count() == 0 and page.locator(".partner").count() == 0


def test_a_prefix_that_the_model_does_not_know_does_not_trap_the_page(visit):
    page = visit.open("#prefix=wombat")
    assert "wombat" in page.inner_text("#trouble")
    page.fill("#sentence", SENTENCE)
    page.wait_for_function("() => document.querySelector('#translation').textContent")
    assert page.inner_text("#trouble") == "" and "prefix" not in page.url
    visit.complaints.clear()  # the browser itself tells of the answer 400


def test_a_link_in_an_open_tab_keeps_its_sentence_and_prefix(visit):
    page = visit.open("#q=The+dog+sleeps.")
    word = asked(visit, "/v1/alternatives", {"q": SENTENCE})["alternatives"][1]["word"]
    page.evaluate("hash => location.hash = hash", f"q=The+dog+sleeps.+{SENTENCE.replace(' ', '+')}&sentence=1&prefix={urllib.parse.quote(word)}")
    page.wait_for_selector(".pinned:visible")
    assert hash_of(page)["sentence"] == ["1"] and hash_of(page)["prefix"] == [word]
    assert word in page.inner_text(".pinned")
    visit.assert_quiet()
