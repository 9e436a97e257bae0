"""Colours that were chosen are there before anything is painted. covers SV22"""

import pytest

import conftest

DARK, LIGHT = "rgb(17, 17, 25)", "rgb(250, 248, 242)"
# The background whenever the page paints, from its beginning, and the theme before any module has run.
WATCH = """() => {
  window.backgrounds = [];
  const look = () => {
    if (document.body) window.backgrounds.push(getComputedStyle(document.body).backgroundColor);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new MutationObserver((_, watch) => {
    if (!document.body) return;
    window.first = document.documentElement.dataset.theme;
    watch.disconnect();
  }).observe(document, {childList: true, subtree: true});
}"""


def chosen_dark(visit):
    """Chooses dark by the switch; what is loaded after that is watched."""
    page = visit.open()
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.add_init_script(f"({WATCH})()")
    return page


def seen(page):
    """The theme at the beginning of the body, and every background that was painted."""
    return page.evaluate("window.first"), set(page.evaluate("window.backgrounds"))


def reloaded(page):
    page.reload()
    page.wait_for_selector("html[data-ready]")
    return seen(page)


@pytest.mark.parametrize("visit", [{"color_scheme": "light"}], indirect=True, ids=[""])
def test_the_theme_that_was_chosen_does_not_flash_in_the_other(visit):
    page, held = chosen_dark(visit), []
    page.route("**/main.js", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.wait_for_function("() => window.backgrounds?.length >= 5")  # painted, again and again, without any module
    assert len(held) == 1 and page.locator("#tabs a").count() == 0
    assert seen(page) == ("dark", {DARK})
    held[0].fallback()
    page.wait_for_selector("html[data-ready]")
    assert seen(page) == ("dark", {DARK}) and page.get_attribute("#theme", "aria-label") == "Use light colours"
    page.unroute("**/main.js")
    page.click("#theme")
    assert reloaded(page) == ("light", {LIGHT})
    visit.assert_quiet()


def test_in_a_saved_file_too(browser, saved):
    context = browser.new_context(color_scheme="light", offline=True)
    context.set_default_timeout(20000)
    visit = conftest.Visit(context, saved)
    assert reloaded(chosen_dark(visit)) == ("dark", {DARK})
    visit.assert_quiet()
    context.close()
