"""The page in a real browser: it loads, translates, and every view draws. covers SV22"""

import views
from conftest import SENTENCE


def test_first_screen_shows_a_translation_without_complaint_or_foreign_request(visit):
    page = visit.open()
    views.check_translate(page)
    page.wait_for_timeout(300)
    visit.assert_quiet()


def test_each_view_renders(visit):
    assert [name for _, name in views.walk(visit)] == views.VIEWS
    visit.assert_quiet()


def test_typing_a_sentence_and_enter_translates_it(visit):
    page = visit.open()
    before = page.inner_text("#translation")
    page.fill("#sentence", "The cat sleeps.")
    page.press("#sentence", "Enter")
    page.wait_for_function("old => document.querySelector('#translation').textContent !== old", arg=before)
    assert views.texts(page, ".alignment .words:first-child .word-text") == ["The", "cat", "sleeps."]
    assert "chat" in page.inner_text("#translation")
    assert "q=The+cat+sleeps" in page.url
    visit.assert_quiet()


def test_the_address_holds_the_state(visit):
    page = visit.open("#view=head&kind=encoder&layer=0&head=1&end=0&q=The+cat+sleeps.")
    assert page.inner_text(".head-panel .figure-title") == "Layer 1, head 2"
    assert views.texts(page, ".map-rows span") == ["The", "cat", "sleeps."]
    page.click("#tabs >> text=Beam")
    page.wait_for_selector(".node")
    page.go_back()
    page.wait_for_selector(".map-rows span")
    assert page.inner_text(".head-panel .figure-title") == "Layer 1, head 2"


def test_hovering_a_word_lights_its_partners(visit):
    page = visit.open(f"#q={SENTENCE.replace(' ', '+')}")
    word = page.locator(".alignment .words:last-child .word").first
    word.hover()
    assert "lit" in word.get_attribute("class")
    assert page.locator(".alignment .words:first-child .partner").count() >= 1
    assert page.locator(".ribbon.lit").count() >= 1
    page.mouse.move(5, 5)
    assert page.locator(".partner").count() == 0


def test_words_are_walked_and_spoken_by_keyboard(visit):
    page = visit.open()
    page.locator(".alignment .words:last-child .word").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".alignment .words:last-child .word.lit").count() == 1
    spoken = page.inner_text("#spoken")
    assert " attends to " in spoken and spoken.endswith("percent")


def test_a_click_on_a_translated_word_shows_alternatives(visit):
    page = visit.open()
    page.locator(".alignment .words:last-child .word").nth(1).click()
    panel = page.locator(".alternatives")
    assert panel.locator("li").count() >= 2 and panel.locator("li.chosen").count() >= 1
    panel.locator(".alternatives-head button").click()
    assert page.locator(".alternatives").count() == 0


def test_arrow_keys_walk_the_grid_and_enter_enlarges(visit):
    page = visit.open("#view=heads&kind=cross&layer=0&head=0")
    focused = "() => document.activeElement.dataset.head"
    page.locator("[data-head='0.0']").focus()
    for key, place in [("ArrowRight", "0.1"), ("ArrowDown", "1.1"), ("ArrowLeft", "1.0"), ("End", "1.3"), ("ArrowRight", "1.3"), ("ArrowUp", "0.3")]:
        page.keyboard.press(key)
        assert page.evaluate(focused) == place
    assert "entropy" in page.inner_text("#spoken")
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector(".head-panel")
    assert page.inner_text(".head-panel .figure-title") == "Layer 1, head 4"


def test_keys_choose_the_kind(visit):
    page = visit.open("#view=heads")
    for key, name in [("e", "encoder self"), ("d", "decoder self"), ("c", "cross")]:
        page.keyboard.press(key)
        assert page.inner_text(".grid-panel .figure-side").startswith(name)
    page.click("text=By entropy")
    order = [float(text) for text in views.texts(page, ".head-entropy")]
    assert order == sorted(order)


def test_a_cell_tells_its_value_and_rows_can_be_renormalised(visit):
    page = visit.open("#view=head")
    page.wait_for_function("() => !document.querySelector('.readout .value').textContent.includes('≈')")
    page.locator(".map-cells").hover(position={"x": 30, "y": 30})
    assert "←" in page.inner_text(".readout .value")
    page.click("text=Show <s> and </s>")
    assert "</s>" not in views.texts(page, ".map-rows span") + views.texts(page, ".map-columns span")
    page.click(".figure-foot summary")
    page.wait_for_selector(".twin tbody tr", state="attached")
    rows = page.eval_on_selector_all(".twin tbody tr", "all => all.map(row => [...row.querySelectorAll('td')].map(cell => Number(cell.textContent)))")
    assert rows and all(abs(sum(row) - 1) < 0.01 for row in rows)


def test_two_heads_stand_side_by_side_and_as_lines(visit):
    page = visit.open("#view=head&layer=0&head=0&other=1.1")
    assert page.locator(".pane").count() == 2 and page.locator(".map-canvas").count() == 2
    page.click("text=Lines")
    assert page.locator(".pane .ribbon").count() > 4


def test_pictures_can_be_saved(visit):
    page = visit.open("#view=head")
    for kind, start in [("png", b"\x89PNG"), ("csv", b"target word (query),"), ("json", b"[{")]:
        with page.expect_download() as download:
            page.click(f"[data-save={kind}]")
        with open(download.value.path(), "rb") as file:
            content = file.read()
        assert content.startswith(start) and len(content) > 100
    visit.assert_quiet()


def test_the_saved_file_shows_the_same_from_disk(saved_visit):
    assert [name for _, name in views.walk(saved_visit)] == views.VIEWS
    page = saved_visit.open("#view=heads&layer=0&head=0")
    page.locator("[data-head='0.0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.inner_text(".head-panel .figure-title") == "Layer 1, head 2"
    page = saved_visit.open()
    word = page.locator(".alignment .words:last-child .word").first
    word.hover()
    assert page.locator(".partner").count() >= 1
    saved_visit.assert_quiet()
