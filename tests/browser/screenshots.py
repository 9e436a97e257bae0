"""Takes the pictures of docs/17-page.md: REGARD_PROGRAM and REGARD_MODEL name what they show.

usage: REGARD_PROGRAM=build/regard REGARD_MODEL=models/en-fr tests/browser/screenshots.py
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright

import conftest

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "pictures"
WIDE, PHONE = {"width": 1240, "height": 860}, {"width": 390, "height": 844}

# name, state in the address, screen, colours, word of the translation to point at
SHOTS = [
    ("translate", "", WIDE, "light", 2),
    ("dark", "", WIDE, "dark", None),
    ("phone", "", PHONE, "light", None),
    ("story", "#view=story&stage=5&row=7", WIDE, "light", None),
    ("heads", "#view=heads&row=2", WIDE, "light", None),
    ("head", "#view=head&layer=2&head=3&row=2", WIDE, "light", None),
    ("query", "#view=query&layer=2&head=3&row=2", WIDE, "light", None),
    ("positions", "#view=positions", WIDE, "light", None),
    ("beam", "#view=beam", WIDE, "dark", None),
    ("training", "#view=training", WIDE, "light", None),
    ("model", "#view=model", WIDE, "light", None),
]


def take(browser, address, shot):
    name, state, screen, scheme, word = shot
    context = browser.new_context(viewport=screen, color_scheme=scheme, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{address}/{state}")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_load_state("networkidle") if name != "training" else page.wait_for_selector(".curves .curve")
    if word is not None:
        page.locator(".alignment .words:last-child .word").nth(word).hover()
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / f"page_{name}.png", full_page=screen is WIDE)
    context.close()


def main():
    if not conftest.PROGRAM or not conftest.MODEL:
        sys.exit(__doc__)
    address, process = conftest.started([conftest.PROGRAM, "serve", "--model", conftest.MODEL, "--port", "0"])
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            for shot in SHOTS:
                take(browser, address, shot)
            browser.close()
    finally:
        process.terminate()
        process.wait(timeout=20)


if __name__ == "__main__":
    main()
