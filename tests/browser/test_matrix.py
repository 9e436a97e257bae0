"""Every view, light and dark, wide and on a telephone, with few and many tokens, of words and of their pieces, of a
Transformer and of a recurrent model: nothing is cut or lies over another, nothing complains. covers SV22"""

import itertools
import json
import urllib.parse

import pytest

import boxes
import synthetic
import views

WORDS = "the old lighthouse keeper saw a ship of incomprehensible size and , by night , rowed out to it alone .".split()
OTHERS = "der alte Leuchtturmwärter sah ein Schiff von unbegreiflicher Größe und ruderte nachts allein zu ihm hinaus .".split()
SIZES = {"wide": {"width": 1440, "height": 900}, "phone": {"width": 390, "height": 844}}
# What is there once a view has drawn all that it fetches; of a recurrent model two say why they show nothing.
DRAWN = {"translate": ".alignment .word", "story": ".story[aria-busy=false] .story-text.name", "heads": ".head-cell", "head": ".map-canvas",
         "query": ".equation", "positions": ".signed-row.here", "beam": ".node.best",
         "model": ".diagram .block.attention", "training": ".curves .curve"}
SAID = {"query": ".query-view .hint", "positions": ".positions-view .summary:not(:empty)"}
SETTLED = """selector => new Promise(done => {
  const look = () => document.querySelector(selector) && !document.querySelector('.busy') ? requestAnimationFrame(() => requestAnimationFrame(() => done(true))) : requestAnimationFrame(look);
  look();
})"""


def sentence(words, size, subwords):
    """Of these words, as many as make so many tokens, the end counted."""
    chosen, room = [], size - 1
    while room:
        word = words[len(chosen) % len(words)]
        word = word if not subwords or len(synthetic.pieces(word)) <= room else word[:3]
        room -= len(synthetic.pieces(word)) if subwords else 1
        chosen.append(word)
    return chosen


class Model:
    """A model of some architecture and vocabulary that answers with one sentence."""

    def __init__(self, recurrent, subwords, size):
        source, target = sentence(WORDS, size, subwords), sentence(OTHERS, size, subwords)
        wish = {"encoding": "f32", "vectors": not recurrent, "embedding": not recurrent}
        self.recurrent = recurrent
        self.trace = (synthetic.recurrent_trace(source, target, subwords=subwords) if recurrent
                      else synthetic.trace(source, target, request=wish, subwords=subwords))
        assert len(self.trace["source"]["tokens"]) == len(self.trace["target"]["tokens"]) == size
        self.entry = synthetic.recurrent_model() if recurrent else synthetic.model()["models"][0]
        self.entry["vocabulary"]["kind"] = "subwords" if subwords else "words"
        self.entry["example"] = self.trace["source"]["text"]

    def inspected(self, request, _):
        wanted = json.loads(request.post_data)
        heads = [entry for entry in self.trace["attention"] if all(entry[one] in wanted.get(many, [entry[one]]) for one, many in
                                                                   (("kind", "attention"), ("layer", "layers"), ("head", "heads")))]
        return self.trace | {"attention": heads}

    def positional(self, _, query):
        none = {"schema": 1, "scheme": "none", "rows": 0, "cols": 0, "data": "", "note": "A recurrent model reads in order and needs no positions"}
        return none if self.recurrent else synthetic.positional(int(query["length"]))

    def serve(self, page):
        answers = {
            "model": lambda *_: synthetic.model() | {"models": [self.entry]}, "inspect": self.inspected, "positional": self.positional,
            "weights": lambda _, query: synthetic.pooled_weight(query["parameter"], int(query["size"])),
            "heads": lambda *_: {"schema": 1, "sentences": 0, "heads": []},
            "runs": lambda *_: {"schema": 1, "runs": [{"id": "en-fr", "state": "finished", "finished": True, "lines": len(synthetic.metrics())}]},
            "runs/en-fr/metrics": lambda _, query: {"schema": 1, "lines": synthetic.metrics()[int(query["since"]):], "next": len(synthetic.metrics())},
        }

        def answer(route):
            url = urllib.parse.urlsplit(route.request.url)
            made = answers[url.path.removeprefix("/v1/")](route.request, dict(urllib.parse.parse_qsl(url.query)))
            route.fulfill(status=200, content_type="application/json", body=json.dumps(made))

        page.route("**/v1/**", answer)


def shown(page, name, recurrent):
    page.evaluate("name => location.hash = 'view=' + name", name)
    page.evaluate(SETTLED, f"#tabs [aria-current][data-view={name}]")
    page.evaluate(SETTLED, (DRAWN | SAID if recurrent else DRAWN)[name])


def parts(page, name):
    """What a view shows one after another: the steps of a story, else itself."""
    yield name
    if name == "story":
        for step in range(2, page.locator(".story-bars button").count() + 1):
            page.keyboard.press("ArrowRight")
            page.evaluate(SETTLED, DRAWN[name])
            yield f"{name} {step}"


@pytest.mark.parametrize("visit", [{"reduced_motion": "reduce"}], indirect=True, ids=[""])
@pytest.mark.parametrize("recurrent, subwords, size",
                         views.all_or(list(itertools.product([False, True], [False, True], [3, 10, 64])),
                                      [(False, False, 10), (False, True, 64), (True, False, 64), (True, True, 3)]), ids=lambda value: str(value))
def test_nothing_is_cut_or_lies_over_another(visit, recurrent, subwords, size):
    Model(recurrent, subwords, size).serve(visit.page)
    page, found = visit.open(), {}
    for screen, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        for name in views.VIEWS:
            shown(page, name, recurrent)
            for part in parts(page, name):
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found[f"{part}, {screen}, {theme}"] = boxes.wrong(page)
    assert {cell: wrong for cell, wrong in found.items() if wrong} == {}
    visit.assert_quiet()


EVERY = [(size, screen, ("light", "dark")) for size in (3, 10, 64) for screen in SIZES]
# Each number of tokens, so that both screens are seen in both colours.
SOME = [(10, "wide", ("light",)), (10, "phone", ("dark",)), (3, "phone", ("light",)), (64, "wide", ("dark",))]


@pytest.mark.parametrize("visit", [{"reduced_motion": "reduce"}], indirect=True, ids=[""])
@pytest.mark.parametrize("recurrent", [False, True], ids=["transformer", "recurrent"])
@pytest.mark.parametrize("size, screen, themes", views.all_or(EVERY, SOME),
                         ids=lambda value: f"{value} tokens" if isinstance(value, int) else " and ".join(value) if isinstance(value, tuple) else value)
def test_axe_finds_nothing_serious_or_moderate(visit, recurrent, size, screen, themes):
    Model(recurrent, subwords=screen == "phone", size=size).serve(visit.page)
    visit.page.set_viewport_size(SIZES[screen])
    page = visit.open()
    for name in views.VIEWS:
        shown(page, name, recurrent)
        for summary in page.locator(".figure-foot summary:visible").all()[:1]:
            summary.click()
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            assert views.serious(page) == [], f"{name}, {theme}"
