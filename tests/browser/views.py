"""What each view must show, wherever its data comes from."""

from axe_playwright_python.sync_playwright import Axe

VIEWS = ["translate", "story", "heads", "head", "query", "positions", "beam", "model", "training"]

# Cells of a canvas differ: something was drawn.
COLOURS = """canvas => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
}"""


def colours(page, selector):
    return page.eval_on_selector(selector, COLOURS)


def texts(page, selector):
    return page.eval_on_selector_all(selector, "all => all.map(each => each.textContent)")


def serious(page):
    """What keeps people out, by axe."""
    results = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in results if each["impact"] in ("serious", "critical")]


def check_translate(page):
    sources, targets = texts(page, ".alignment .words:first-child .word-text"), texts(page, ".alignment .words:last-child .word-text")
    assert " ".join(sources) == page.input_value("#sentence")
    assert " ".join(targets) == page.inner_text("#translation")
    assert page.locator(".ribbon").count() >= len(targets) // 2
    assert page.locator(".certainty-number").count() == len(targets)
    assert " ms" in page.inner_text(".facts")
    assert page.locator(".moses").inner_text().startswith("0-")
    assert page.locator(".head-cell").count() > 0 and colours(page, ".map-canvas") > 3


def check_heads(page):
    assert page.locator("[role=grid] [role=gridcell]").count() > 1
    assert colours(page, ".thumb") > 1
    assert all(texts(page, ".head-tag")) and all(float(text) >= 0 for text in texts(page, ".head-entropy"))


def check_head(page):
    assert colours(page, ".map-canvas") > 3
    rows, columns = texts(page, ".map-rows span"), texts(page, ".map-columns span")
    assert rows[-1] == "</s>" and columns[-1] == "</s>" and len(rows) > 2


def check_query(page):
    page.wait_for_selector(".equation")
    assert page.locator(".bars").count() == 3
    assert "agrees with the weights" in page.inner_text(".summary")


def check_positions(page):
    page.wait_for_selector(".map-rows span")
    assert colours(page, ".map-canvas") > 20
    assert page.locator(".curve").count() == 2


def check_beam(page):
    assert page.locator(".node.pruned").count() > 0 and page.locator(".node.final").count() > 0
    assert page.locator(".keys tbody tr").count() >= 1


def check_training(page):
    page.wait_for_selector(".curves .curve")
    assert page.locator(".curves").count() == 5
    assert "training" in page.inner_text(".legend >> nth=0")


def check_model(page):
    assert page.locator(".block.attention").count() >= 3
    assert "parameters" in page.inner_text(".figure-side")


def check(page, name):
    globals()[f"check_{name}"](page)


def walk(visit, fragment=""):
    """Opens the page, then one view after another by its tab; yields (page, name) of each, checked."""
    page = visit.open(fragment)
    for i, name in enumerate(VIEWS):
        page.locator("#tabs a").nth(i).click()
        assert page.locator("#tabs [aria-current]").count() == 1
        check(page, name)
        yield page, name
