"""What each view must show, wherever its data comes from."""

import os
import time

from axe_playwright_python.sync_playwright import Axe

VIEWS = ["translate", "story", "heads", "head", "query", "positions", "beam", "model", "training"]


def all_or(every, some):
    """Every variant in ./run test --all; else some, among which each way is seen at least once."""
    return every if os.environ.get("REGARD_LONG_TESTS") else some


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
    """What keeps people out or makes it hard for them, by axe."""
    results = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in results if each["impact"] != "minor"]


def check_translate(page):
    sources, targets = texts(page, ".alignment .words:first-child .word-text"), texts(page, ".alignment .words:last-child .word-text")
    assert " ".join(sources) == page.input_value("#sentence") == "".join(texts(page, ".sentence-source"))
    assert " ".join(targets) == page.inner_text("#translation") and texts(page, "#translation .output-word") == targets
    assert page.locator(".ribbon").count() >= len(targets) // 2
    assert page.locator(".certainty").count() == len(targets)
    assert texts(page, ".output-word.unsure") == texts(page, ".word:has(.certainty-number) .word-text")
    assert " ms" in page.inner_text(".facts")
    assert page.locator(".moses").text_content().startswith("0-")
    assert texts(page, ".door h2") == ["Story", "Heads", "Query & key", "Beam"] and colours(page, ".door-map") > 1


def check_story(page):
    count = len(texts(page, ".story-bars button"))
    assert count in (4, 8) and page.inner_text(".story-where") == f"1 of {count}"
    rows = page.locator(".story-text.name").count()
    assert rows > 1 and page.locator("[data-column=ids] .number").count() <= rows
    for step in range(2, count + 1):
        page.click(".story-next")
        assert page.inner_text(".story-where") == f"{step} of {count}" and page.inner_text(".story-title")
        assert page.locator(".story-text.name").count() == rows and page.locator(".story-column").count() > 1
    assert page.text_content(".taken") in page.inner_text(".story-words")
    page.locator(".story-bars button").first.click()


def check_heads(page):
    assert page.locator("[role=grid] [role=gridcell]").count() > 1
    assert colours(page, ".thumb") > 1
    assert all(texts(page, ".head-tag-word")) and all(float(text.split()[1]) >= 1 for text in texts(page, ".head-spread"))
    rows, lines = texts(page, ".strip-line button"), page.locator(".heads-row").count()
    assert texts(page, ".heads-names >> nth=0 >> span:not(.heads-name-here)") == rows
    assert texts(page, ".heads-name-here") == [texts(page, ".strip-word[aria-pressed=true]")[0]] * lines
    assert page.locator(".head-frame:visible").count() == page.locator(".head-cell").count()


def check_head(page):
    assert colours(page, ".map-canvas") > 3
    rows, columns = texts(page, ".map-rows span"), texts(page, ".map-columns span")
    assert rows[-1] == "⟨end⟩" and columns[-1] == "⟨end⟩" and len(rows) > 2
    chosen = texts(page, ".map-rows .here")
    assert len(chosen) == 1 and page.inner_text(".reading h3 >> nth=0") == f"“{chosen[0]}” looked at"
    assert texts(page, ".reading-word")[0] == texts(page, ".map-columns .here")[0]
    assert page.locator(".reading-key").count() >= len(columns) - 1 and page.locator(".reading-why").count() == 1


def check_query(page):
    page.wait_for_selector(".equation")
    keys = page.locator(".keys tbody tr").count()
    assert keys > 1 and len(texts(page, ".score-number")) == len(texts(page, ".weight-number")) == keys
    assert page.locator(".keys tr.chosen").count() == 1 and page.locator(".bars path").count() > 1
    assert "agrees with the weights" in page.inner_text(".summary")


def check_positions(page):
    page.wait_for_selector(".signed-row.here")
    assert page.locator(".clock").count() >= 4 and page.locator(".signed-panel").count() == 2
    assert colours(page, ".signed-cells") > 20
    assert page.locator("main .curve").count() >= 2


def check_beam(page):
    page.wait_for_selector(".node.best")
    words = texts(page, ".node.best .node-word")
    winner = " ".join(texts(page, ".finals .winner th")).split()
    assert len(words) == len(winner)  # a very long one is cut in the map
    assert all(whole.startswith(word.removesuffix("…")) for word, whole in zip(words, winner))
    assert page.locator(".ends .end").count() == page.locator(".finals tbody tr").count() >= 1
    assert "%" in page.inner_text(".ends") or "×" in page.inner_text(".ends")


def check_training(page):
    page.wait_for_selector(".curves .curve")
    assert page.locator(".curves").count() == 4 and page.locator(".curves:visible").count() == 2
    assert page.locator(".run-figures dd").count() >= 2
    assert texts(page, ".curves >> nth=0 >> .axis-name") == ["step", "BLEU"]


def check_model(page):
    page.wait_for_selector(".diagram .block.attention")
    assert page.locator(".block.attention").count() >= 1 and page.locator(".way.read").count() >= 1
    assert page.locator(".block[aria-pressed=true]").count() == 1 and page.inner_text(".block-about h3")
    assert "parameters" in page.inner_text(".figure-side") and "parameters" in page.inner_text(".block-shapes")


def saved(page, kind, within="main", number=0):
    """What a figure's menu saves, as bytes."""
    holder = page.locator(f"{within} .save:visible").nth(number)
    holder.locator(".save-button").click()
    time.sleep(0.11)  # Chromium drops downloads of a page above ten in a second
    with page.expect_download() as download:
        holder.locator(f"[data-save={kind}]").click()
    with open(download.value.path(), "rb") as file:
        return file.read()


def check(page, name):
    globals()[f"check_{name}"](page)


def walk(visit, fragment=""):
    """Opens the page, then one view after another by its tab (a telephone shows few of them: there by its address);
    yields (page, name) of each, checked."""
    page = visit.open(fragment)
    for i, name in enumerate(VIEWS):
        tab = page.locator("#tabs a").nth(i)
        if tab.is_visible():
            tab.click()
        else:
            page.evaluate("address => location.hash = address", tab.get_attribute("href"))
        page.wait_for_selector(f"#tabs [aria-current][data-view={name}]", state="attached")
        check(page, name)
        yield page, name
