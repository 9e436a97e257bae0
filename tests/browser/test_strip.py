"""The sentence above the inside views: each side runs its own way, and the tint means what it says. covers SV22"""

import json

import synthetic
import views

ARABIC = "القط الأسود لا يرى الكلب الكبير".split()
FRENCH = "le chat noir ne voit pas".split()
CHOSEN = ".strip-word[aria-pressed=true]"


def serve(visit, trace):
    visit.page.route("**/v1/inspect", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(trace)))


def places(page, selector):
    """Line by line, from where a reader begins; an end token is left out."""
    return page.eval_on_selector_all(selector, "all => all.map(each => { const box = each.getBoundingClientRect(); return [box.top, box.left]; })")[:-1]


def right_to_left(found):
    return found == sorted(found, key=lambda place: (place[0], -place[1]))


def test_a_side_written_from_right_to_left_runs_so_and_arrow_keys_follow_it(visit):
    for source, target in ((ARABIC, FRENCH), (FRENCH, ARABIC)):
        serve(visit, synthetic.trace(source, target, request={"encoding": "f32", "vectors": True}))
        for width in (1360, 390):
            visit.page.set_viewport_size({"width": width, "height": 800})
            for name in ("heads", "query", "beam"):
                visit.page.goto("about:blank")
                page = visit.open(f"#view={name}&kind=cross&row=1")
                page.wait_for_selector(CHOSEN)
                for side, words in (("span.strip-word", source), ("button.strip-word", target)):
                    assert views.texts(page, side)[:-1] == words
                    found = places(page, side)
                    assert right_to_left(found) if words is ARABIC else found == sorted(found), (name, side, width)
                page.locator(CHOSEN).focus()
                page.keyboard.press("ArrowLeft")
                assert page.text_content(CHOSEN) == (target[2] if target is ARABIC else target[0])
                page.keyboard.press("ArrowRight")
                assert page.text_content(CHOSEN) == target[1]
        visit.page.unroute("**/v1/inspect")
    visit.assert_quiet()


def test_in_the_beam_view_the_tint_is_the_alignment_of_a_model_that_looks_one_step_late(visit):
    source, target = "the black cat sleeps".split(), "le noir chat dort".split()
    trace = synthetic.trace(source, target)
    late = [0.92 if j == max(0, i - 1) else 0.02 for i in range(5) for j in range(5)]
    for entry in trace["attention"]:
        if entry["kind"] == "cross":
            entry |= {"data": synthetic.octets(late), "entropy": 0.1}
    trace["alignment"] = {"layer": 1, "head": 0, "shift": True, "moses": "0-0 1-1 2-2 3-3"}
    serve(visit, trace)
    for row, word in enumerate(source):
        page = visit.open(f"#view=beam&kind=cross&row={row}")
        page.wait_for_selector(CHOSEN)
        assert page.text_content(CHOSEN) == target[row] and views.texts(page, ".key-word") == [word]
    page = visit.open("#view=beam&kind=cross&row=4")
    assert views.texts(page, ".key-word") == []  # the end stands for no word
    page = visit.open("#view=head&kind=cross&layer=1&head=0&row=2")
    assert views.texts(page, ".reading-word")[0] == source[1]  # the head itself, as it is
    visit.assert_quiet()
