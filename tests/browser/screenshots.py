"""Takes the pictures of docs/17-page.md and 25-images.md: REGARD_PROGRAM and REGARD_MODEL name what they show.

usage: REGARD_PROGRAM=build/regard REGARD_MODEL=models/en-fr tests/browser/screenshots.py
"""

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

from playwright.sync_api import sync_playwright

import conftest
import contact_sheets

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "pictures"
WIDE, PHONE = {"width": 1240, "height": 860}, {"width": 390, "height": 844}

LONG = urllib.parse.quote(
    "When my sister came home last night she was so tired that she went to bed without eating, but my brother and I stayed up until two in the "
    "morning because we wanted to watch an old film about a man who lived alone on a small island with a dog, a cat and a lot of books that "
    "nobody else wanted to read.")

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
    ("phone_head", "#view=head&layer=2&head=3&row=2", PHONE, "light", None),
    ("long", f"#view=head&kind=encoder&layer=0&head=0&row=40&q={LONG}", WIDE, "light", None),
]
RECURRENT = [("recurrent", "#view=model", WIDE, "light", None)]
CAPTIONS = [("caption", "#picture=3&side=target&row=2", WIDE, "light", None)]


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


@contextlib.contextmanager
def serving(model):
    address, process = conftest.started([conftest.PROGRAM, "serve", "--model", model, "--port", "0"])
    try:
        yield address
    finally:
        process.terminate()
        process.wait(timeout=20)


def main():
    if not conftest.PROGRAM or not conftest.MODEL:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        recurrent, captioner = f"{folder}/recurrent", f"{folder}/scenes"
        train = [conftest.PROGRAM, "train", "-q"]
        subprocess.run([*train, "--arch", "bahdanau", "--preset", "tiny", "--steps", "300", "--train", "builtin:en-fr", "--model", recurrent], check=True)
        subprocess.run([*train, "--arch", "caption", "--train", "builtin:scenes", "--model", captioner], check=True)  # five minutes
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for model, shots in ((conftest.MODEL, SHOTS), (recurrent, RECURRENT), (captioner, CAPTIONS)):
            with serving(model) as address:
                for shot in shots:
                    take(browser, address, shot)
                if model == conftest.MODEL:
                    contact_sheets.make(browser, address, PICTURES)
        browser.close()


if __name__ == "__main__":
    main()
