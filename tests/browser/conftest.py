"""A browser, and a server to look at: the program that REGARD_PROGRAM names with the model of
REGARD_MODEL, or the stand-in where they are not set."""

import contextlib
import os
import pathlib
import re
import subprocess

import pytest
from playwright.sync_api import sync_playwright

import stand_in

PROGRAM, MODEL = os.environ.get("REGARD_PROGRAM"), os.environ.get("REGARD_MODEL")
SENTENCE = "The black cat does not see the dog."
KEY = "a key of 24 charactèrs!!"


def started(command):
    """Runs the server and waits for the line that names its address."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    said = ""
    for line in process.stderr:
        said += line
        found = re.search(r"regard: (http://127\.0\.0\.1:\d+)", line)
        if found:
            return found.group(1), process
    raise RuntimeError(f"{command} ended with {process.wait()}: {said}")


@contextlib.contextmanager
def serving(key="", folder=None, model=MODEL):
    """A server, open to all or to who has the key; gives its address."""
    if not PROGRAM:
        where, stop = stand_in.start(key)
        yield where
        stop()
        return
    command = [PROGRAM, "serve", "--model", model, "--port", "0"]
    if key:
        (folder / "keys").write_text(key + "\n")
        command += ["--api-key-file", str(folder / "keys")]
    where, process = started(command)
    yield where
    process.terminate()
    try:
        process.wait(timeout=20)
    finally:
        process.kill()


@pytest.fixture(scope="session")
def address():
    with serving() as where:
        yield where


@pytest.fixture(scope="session")
def keyed_address(tmp_path_factory):
    """A server that needs KEY."""
    with serving(KEY, tmp_path_factory.mktemp("keys")) as where:
        yield where


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """The page with its data in one file, as `regard inspect --html` writes it."""
    if not PROGRAM:
        pytest.skip("skipped: REGARD_PROGRAM is not set")
    file = tmp_path_factory.mktemp("saved") / "cat.html"
    subprocess.run([PROGRAM, "inspect", "--model", MODEL, SENTENCE, "--html", str(file)], check=True, timeout=120, stdout=subprocess.DEVNULL)
    return pathlib.Path(file).as_uri()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Visit:
    """A tab that remembers what went wrong in it and whom it asked."""

    def __init__(self, context, address):
        self.address, self.complaints, self.requests = address, [], []
        self.page = context.new_page()
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, fragment=""):
        self.page.goto(self.address + ("/" if self.address.startswith("http") else "") + fragment)
        self.page.wait_for_selector("html[data-ready]")
        return self.page

    def assert_quiet(self):
        """No complaint, and no request to anywhere else (data: and blob: stay in the page)."""
        assert self.complaints == []
        own = (self.address, "data:", "blob:")
        assert [url for url in self.requests if not url.startswith(own)] == []


@pytest.fixture
def visit(browser, address, request):
    """A fresh tab at the server. Parametrise indirectly with context options for another one."""
    context = browser.new_context(**{"viewport": {"width": 1360, "height": 900}, **getattr(request, "param", {})})
    context.set_default_timeout(20000)
    yield Visit(context, address)
    context.close()


@pytest.fixture
def keyed_visit(browser, keyed_address):
    context = browser.new_context(viewport={"width": 1360, "height": 900})
    context.set_default_timeout(20000)
    yield Visit(context, keyed_address)
    context.close()


@pytest.fixture
def saved_visit(browser, saved):
    context = browser.new_context(viewport={"width": 1360, "height": 900}, offline=True)
    context.set_default_timeout(20000)
    yield Visit(context, saved)
    context.close()
