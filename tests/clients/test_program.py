"""The program itself: signals, and models that change under it."""
import os
import re
import shutil
import signal
import threading
import time

import pytest
import requests

from server import Server


def ask(server, languages, text="the cat sleeps ."):
    source, target = languages
    return requests.post(server.url + "/translate", timeout=60,
                         json={"q": text, "source": source, "target": target})


def busy(server):
    """Requests that wait or are at work."""
    page = requests.get(server.url + "/metrics", timeout=60).text
    return sum(int(count) for count in re.findall(r"^regard_(?:waiting|at_work){.*} (\d+)$", page,
                                                  re.MULTILINE))


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_finishes_its_work_and_ends_with_0(languages, how):  # covers SV19
    server = Server("--max-chars", "100000")
    answers = []
    text = "the cat sleeps .\n" * 1000
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


def test_reloads_its_model_under_load(tmp_path, languages):  # covers SV18
    folder = tmp_path / "model"
    shutil.copytree(os.environ["REGARD_MODEL"], folder,
                    ignore=shutil.ignore_patterns("checkpoints", "best"))
    with Server(model=str(folder)) as server:
        before = ask(server, languages).json()
        over, wrong = threading.Event(), []

        def keep_asking():
            while not over.is_set():
                answer = ask(server, languages)
                if answer.status_code != 200 or answer.json() != before:
                    wrong.append(answer.text)

        clients = [threading.Thread(target=keep_asking) for _ in range(3)]
        for client in clients:
            client.start()
        server.process.send_signal(signal.SIGHUP)
        time.sleep(1)
        weights = folder / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[:1000])
        server.process.send_signal(signal.SIGHUP)
        time.sleep(1)
        over.set()
        for client in clients:
            client.join()
        assert not wrong
        assert ask(server, languages).json() == before


def test_health_is_quick_while_it_translates(server, languages):  # covers SV16
    over = threading.Event()

    def keep_asking():
        while not over.is_set():
            ask(server, languages, "the black cat does not see the dog .\n" * 50)

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
