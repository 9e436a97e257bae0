"""The program itself: signals, and models that change under it."""
import os
import re
import shutil
import signal
import subprocess
import threading
import time

import pytest
import requests

from server import Server


def ask(server, languages, text="The cat sleeps."):
    source, target = languages
    return requests.post(server.url + "/translate", timeout=60,
                         json={"q": text, "source": source, "target": target})


def busy(server):
    """Requests that are queued or in flight."""
    page = requests.get(server.url + "/metrics", timeout=60).text
    return sum(int(count) for count in re.findall(r"^regard_(?:queued|in_flight){.*} (\d+)$", page,
                                                  re.MULTILINE))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_finishes_its_work_and_ends_with_0(languages, how):  # covers SV19
    server = Server("--max-chars", "100000")
    answers = []
    text = "The cat sleeps.\n" * 1000
    clients = [threading.Thread(target=lambda: answers.append(ask(server, languages, text)))
               for _ in range(4)]
    for client in clients:
        client.start()
    while busy(server) < 4 and not answers:
        time.sleep(0.01)
    assert server.stop(how) == 0
    for client in clients:
        client.join()
    assert [answer.status_code for answer in answers] == [200] * 4


TIME = rb"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def test_every_line_of_the_log_has_the_time(languages):
    with Server("--verbose") as server:
        ask(server, languages)
        limit = time.monotonic() + 60
        while b'path="/translate"' not in server.said and time.monotonic() < limit:
            server.listen(1)
    lines = [line for line in server.said.splitlines() if b"path=" in line]
    assert lines
    for line in lines:
        assert re.match(TIME.replace(b"^", b"^time=") + rb" ", line), line


def hash_of_weights(server):
    return requests.get(server.url + "/v1/model", timeout=60).json()["models"][0]["hash"]


def test_reloads_its_model_under_load(tmp_path, languages):  # covers SV18
    folder = tmp_path / "model"
    shutil.copytree(os.environ["REGARD_MODEL"], folder,
                    ignore=shutil.ignore_patterns("checkpoints", "best"))
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    with Server(model=str(folder)) as server:
        before, first = ask(server, languages).json(), hash_of_weights(server)
        over, wrong, right = threading.Event(), [], []

        def keep_asking():
            try:
                while not over.is_set():
                    answer = ask(server, languages)
                    fits = answer.status_code == 200 and answer.json() == before
                    (right if fits else wrong).append(answer.text)
            except requests.RequestException as error:
                wrong.append(repr(error))

        def put(content):
            fresh = folder / "fresh"
            fresh.write_bytes(content)
            fresh.rename(weights)
            server.process.send_signal(signal.SIGHUP)

        clients = [threading.Thread(target=keep_asking) for _ in range(3)]
        for client in clients:
            client.start()
        put(whole[:-4] + bytes([whole[-4] ^ 1]) + whole[-3:])  # the last bit of one number
        limit = time.monotonic() + 60
        while (second := hash_of_weights(server)) == first and time.monotonic() < limit:
            time.sleep(0.05)
        assert second != first
        put(whole[:1000])  # broken: the one before stays
        while b"model.safetensors" not in server.said and time.monotonic() < limit:
            server.listen(1)
        assert re.search(TIME + rb" regard: warning: .*model\.safetensors", server.said, re.MULTILINE)
        time.sleep(0.2)
        over.set()
        for client in clients:
            client.join()
        assert not wrong and len(right) > 3
        assert hash_of_weights(server) == second
        assert ask(server, languages).json() == before


def test_a_second_signal_ends_it_at_once(languages):  # covers SV19
    ended = []

    def ask_for_much():
        try:
            ask(server, languages, "The black cat does not see the dog.\n" * 20000)
        except requests.ConnectionError as error:
            ended.append(error)

    with Server("--max-chars", "1000000", "--beam", "8") as server:
        client = threading.Thread(target=ask_for_much)
        client.start()
        limit = time.monotonic() + 30
        while (taken := busy(server)) < 1 and time.monotonic() < limit:
            time.sleep(0.01)
        assert taken
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert server.process.poll() is None  # it finishes its work
        start = time.monotonic()
        assert server.stop(signal.SIGTERM) == 0
        assert time.monotonic() - start < 2
        client.join()
        assert ended


def test_a_broken_model_ends_it_with_a_reason(tmp_path):  # covers SV20
    folder = tmp_path / "model"
    shutil.copytree(os.environ["REGARD_MODEL"], folder,
                    ignore=shutil.ignore_patterns("checkpoints", "best"))
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    ended = subprocess.run([os.environ["REGARD_PROGRAM"], "serve", "--model", folder, "--port", "0"],
                           capture_output=True, text=True, timeout=60)
    assert ended.returncode == 3
    assert ended.stderr.startswith("regard: error: ") and "model.safetensors" in ended.stderr
    assert "http://" not in ended.stderr


def test_opens_the_page(tmp_path, monkeypatch):
    opened = tmp_path / "opened"
    browser = tmp_path / "xdg-open"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part\nmv {opened}.part {opened}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with Server("--open") as server:
        limit = time.monotonic() + 10
        while not opened.exists() and time.monotonic() < limit:
            time.sleep(0.05)
        assert opened.read_text().strip() == server.url


def test_health_is_quick_while_it_translates(server, languages):  # covers SV16
    over = threading.Event()

    def keep_asking():
        while not over.is_set():
            ask(server, languages, "The black cat does not see the dog.\n" * 50)

    clients = [threading.Thread(target=keep_asking) for _ in range(4)]
    for client in clients:
        client.start()
    session, times = requests.Session(), []
    for _ in range(50):
        start = time.monotonic()
        assert session.get(server.url + "/health").json() == {"status": "ok"}
        times.append(time.monotonic() - start)
    over.set()
    for client in clients:
        client.join()
    assert sorted(times)[len(times) // 2] < 0.05
