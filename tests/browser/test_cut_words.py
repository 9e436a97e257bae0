"""Words that a model of subwords reads in pieces are marked softly, unless it reads most words so. covers SV22"""

import json

import synthetic
import views


def show(visit, text, unknown=(), kind="subwords"):
    """The page with this text, whose words of more than three letters the model cuts in two."""
    models = synthetic.model()
    models["models"][0]["vocabulary"]["kind"] = kind
    visit.page.route("**/v1/model", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(models)))
    trace = synthetic.trace(text.split(), ["le", "chat"], subwords=True) | {"unknown": list(unknown)}
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))
    return visit.open("#q=" + text.replace(" ", "+"))


def test_a_word_read_in_pieces_says_which(visit):
    page = show(visit, "the old wombat saw a fox")
    mark = page.locator(".cut")
    assert mark.all_text_contents() == ["wombat"] and mark.get_attribute("title") == "read as wom + bat"
    assert page.inner_text(".cut-hint") == " · wombat read as wom + bat"
    box = mark.bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    assert page.get_attribute("#sentence", "title") == "read as wom + bat"
    assert views.serious(page) == []
    visit.assert_quiet()


def test_signs_and_numbers_are_no_pieces_of_a_word(visit):
    page = show(visit, "in 2024 a cat's fox-fur is ok")  # 20 + 24, ca + t's, fox + -fur
    assert page.locator(".cut").count() == 0


def test_what_is_unknown_is_not_marked_twice(visit):
    page = show(visit, "the old wombat saw a fox", [{"text": "b", "start": 11, "end": 12}])
    assert page.locator(".cut").count() == 0 and page.locator(".unknown").count() == 1


def test_where_most_words_are_cut_none_is_marked(visit):
    assert show(visit, "seven words that this vocabulary cuts always").locator(".cut").count() == 0
    assert show(visit, "hello wombat").locator(".cut").all_text_contents() == ["hello", "wombat"]


def test_a_vocabulary_of_words_cuts_none(visit):
    assert show(visit, "the old wombat saw a fox", kind="words").locator(".cut").count() == 0
