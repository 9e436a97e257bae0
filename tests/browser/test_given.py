"""A translation that was given (inspect --reference) is not told as a search. covers SV22"""

import json

import pytest

import synthetic

SOURCE, TARGET = "the black cat .".split(), "le chat noir .".split()


def given(request, prefix=0):
    """What the program writes for a translation that was given, or whose first words were."""
    trace = synthetic.trace(SOURCE, TARGET, request=request)
    if prefix:
        return trace | {"decoding": "search", "forced_tokens": prefix}
    for token in trace["target"]["tokens"]:
        token["top"] = [{"text": "autre", "id": 900, "p": 0.75}, {"text": token["text"], "id": token["id"], "p": 0.1}]
    line = [node | {"state": "final" if node["text"] == synthetic.END else "kept"} for node in trace["beam"] if node["id"] % 4 == 0]
    return trace | {"decoding": "forced", "forced_tokens": len(trace["target"]["tokens"]), "beam": line}


@pytest.fixture
def serve(visit):
    def start(**more):
        visit.page.route("**/v1/inspect", lambda route: route.fulfill(
            status=200, content_type="application/json", body=json.dumps(given(json.loads(route.request.post_data), **more))))
        return visit
    return start


def test_the_beam_shows_one_line_and_offers_nothing_of_a_search(serve):
    visit = serve()
    page = visit.open("#view=beam&step=2&dropped=1")
    page.wait_for_selector(".beam .node")
    assert page.inner_text(".lede").startswith("Given, not searched")
    said = page.inner_text("main")
    for word in ("Watch", "dropped", "Beam size", "winner", "Greedy", "so far", "Finished"):
        assert word not in said, word
    assert page.locator(".ends .end").count() == 1 and page.inner_text(".ends").endswith("the whole")
    assert page.locator(".replay-box:visible, .finals:visible").count() == 0
    visit.assert_quiet()


def test_the_story_says_that_the_word_was_given(serve):
    visit = serve()
    page = visit.open("#view=story&stage=8&row=1")
    page.wait_for_selector(".card.story[aria-busy=false]")
    words = page.inner_text(".story-told").replace("\u00a0", " ")
    assert "is scored" in words and "given, not searched for; the highest, 75 %, is of “autre”" in words
    assert "has been given “le" in words
    for word in ("the search took", "is generated", "chosen by you", "to choose another", "has generated"):
        assert word not in words, word
    visit.assert_quiet()


def test_the_translation_says_so_too(serve):
    page = serve().open()
    assert page.inner_text(".facts").startswith("given, not searched")


def test_of_a_prefix_only_its_own_words_were_chosen_by_the_reader(serve):
    page = serve(prefix=2).open("#view=story&stage=8&row=1")
    page.wait_for_selector(".card.story[aria-busy=false]")
    assert "was chosen by you" in page.inner_text(".story-words")
    page.goto(page.url.replace("row=1", "row=3"))
    page.wait_for_function("() => !document.querySelector('.story-words').textContent.includes('chosen by you')")
    assert "is generated" in page.inner_text(".story-words") and "is chosen" in page.inner_text(".story-title")
