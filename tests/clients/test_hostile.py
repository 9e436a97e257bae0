"""A real server, and clients, files and moments that mean harm."""
import json
import os
import shutil
import signal
import struct
import threading
import time

import pytest
import requests

from server import Server

KEY = "right-key-of-24-letters!"


@pytest.fixture
def folder(tmp_path):
    """A copy of the model, to be spoilt."""
    copy = tmp_path / "model"
    shutil.copytree(os.environ["REGARD_MODEL"], copy, ignore=shutil.ignore_patterns("checkpoints", "best"))
    return copy


@pytest.fixture
def keys(tmp_path):
    """A file of keys, KEY among them."""
    file = tmp_path / "keys"
    file.write_text(f"another-key\n{KEY}\nclé-à-accents\n")
    return str(file)


def post(server, languages, session=requests, headers=None, query="", **fields):
    source, target = languages
    return session.post(server.url + "/translate" + query, timeout=60, headers=headers,
                        json={"q": "The cat sleeps.", "source": source, "target": target, **fields})


def memory_of(process):
    """MiB that it holds."""
    with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


# covers SV14: missing, wrong, prefix of right, 1 MB, non-ASCII, in URL, in JSON; never logged
def test_only_the_whole_key_in_its_place_opens(keys, languages):
    with Server("--api-key-file", keys, "-v") as keyed:
        check_keys(keyed, languages)


def check_keys(keyed, languages):
    ask = lambda **how: post(keyed, languages, **how)
    assert ask().status_code == 400
    for wrong in ("x", KEY[:-1], KEY[:3], KEY + "!", KEY.upper(), "clé", "cle-a-accents", "é" * 200):
        assert ask(api_key=wrong).status_code == 403
        raw = {"Authorization": b"Bearer " + wrong.encode()}
        assert ask(headers=raw).status_code == 403
        assert requests.get(keyed.url + "/metrics", headers=raw, timeout=60).status_code == 403
    assert ask(api_key="k" * 900_000).status_code == 403
    assert ask(api_key="k" * 2**20).status_code == 413
    assert ask(headers={"Authorization": "Bearer " + "k" * 2**20}).status_code == 431
    assert ask(query="?api_key=" + KEY).status_code == 400
    assert requests.get(keyed.url + "/metrics?api_key=" + KEY, timeout=60).status_code == 401
    assert requests.get(keyed.url + "/v1/runs?api_key=" + KEY, timeout=60).status_code == 400
    for right in (KEY, "another-key", "clé-à-accents"):
        assert ask(api_key=right).status_code == 200
        raw = {"Authorization": b"Bearer " + right.encode()}
        assert ask(headers=raw).status_code == 200
        for path in ("/metrics", "/v1/runs", "/v1/positional", "/v2/usage"):
            assert requests.get(keyed.url + path, headers=raw, timeout=60).status_code == 200
    limit = time.monotonic() + 10
    while keyed.said.count(b'"/v2/usage"') < 3 and time.monotonic() < limit:
        keyed.listen(1)
    assert keyed.said.count(b"path=") > 40
    for part in (KEY[:9].encode(), b"another", "clé".encode(), b"accents", b"kkkk", b"api_key"):
        assert part not in keyed.said


# covers SV14: whether a key is right at its beginning does not show in the time
def test_a_key_is_compared_in_constant_time(keys):
    tried = {"nearly": KEY[:-1] + "?", "wrong": "?" + KEY[1:], "short": "k"}
    times = {name: [] for name in tried}
    with Server("--api-key-file", keys) as server, requests.Session() as session:
        for _ in range(300):  # in turns: what else the machine does hits all alike
            for name, key in tried.items():
                start = time.perf_counter()
                refused = session.get(server.url + "/metrics", headers={"Authorization": "Bearer " + key}, timeout=60)
                times[name].append(time.perf_counter() - start)
                assert refused.status_code == 403
    quick = [sorted(each)[len(each) // 4] for each in times.values()]
    assert max(quick) < 1.5 * min(quick)


# covers SV15: wrong keys too, and whatever is claimed in X-Forwarded-For
def test_who_asks_too_often_is_slowed_down(keys, languages):
    with Server("--api-key-file", keys, "--per-minute", "5") as server:
        claims = ["", "1.2.3.4", "garbage", "::1", "2001:db8::1", "1.1.1.1, 2.2.2.2", "9.9.9.9:80", "é", ",,,"]
        found = []
        for i in range(18):
            headers = {"X-Forwarded-For": claims[i % len(claims)], "Authorization": "Bearer guess"}
            found.append(requests.get(server.url + "/metrics", headers=headers, timeout=60))
        assert [each.status_code for each in found] == [403] * 5 + [429] * 13
        assert all(int(each.headers["Retry-After"]) >= 1 for each in found[5:])
        hops = {"X-Forwarded-For": ", ".join(["1.2.3.4"] * 10_000)}
        assert requests.get(server.url + "/metrics", headers=hops, timeout=60).status_code == 431
        right = {"Authorization": "Bearer " + KEY}
        codes = [post(server, languages, headers=right).status_code for _ in range(6)]
        assert codes == [200] * 5 + [429]
        assert requests.get(server.url + "/health", timeout=60).status_code == 200


# covers SV15: from a proxy the address that it saw counts, and a net of IPv6 is one client
def test_a_proxy_is_believed_about_its_clients(languages):
    with Server("--per-minute", "2", "--proxies", "127.0.0.1") as server:
        def code(claim):
            return post(server, languages, headers={"X-Forwarded-For": claim}).status_code

        assert [code(f"6.6.6.{i}, 8.8.8.8") for i in range(3)] == [200, 200, 429]
        assert [code(f"2001:db8::{i}") for i in range(3)] == [200, 200, 429]
        assert code("8.8.4.4") == 200
        assert [code(claim) for claim in ("", "unknown", "8.8.8.8, x")] == [200, 200, 429]


# covers SV9, SV17: the reader takes time by the length, not by its square
def test_a_list_of_objects_holds_nobody_up(server, languages):
    start = time.monotonic()
    body = '{"q":[' + ",".join(["{}"] * 340_000) + "]}"
    answer = requests.post(server.url + "/translate", data=body, timeout=60, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert post(server, languages).status_code == 200
    assert time.monotonic() - start < 20


def spoil_with_link(file, folder):
    (folder.parent / "secret").write_text('{"secret":1}\n')
    file.symlink_to(folder.parent / "secret")


SPOILT = {
    "deep": lambda file, folder: file.write_text('{"a":' + "[" * 200_000 + "]" * 200_000 + "}\n"),
    "deep objects": lambda file, folder: file.write_text('{"a":' * 200_000 + "0" + "}" * 200_000 + "\n"),
    "link": spoil_with_link,
    "pipe": lambda file, folder: os.mkfifo(file),
    "zero": lambda file, folder: file.symlink_to("/dev/zero"),
    "holes": lambda file, folder: (file.touch(), os.truncate(file, 2**40)),
    "folder": lambda file, folder: file.mkdir(),
}


# covers SV6, SV17, SV19, SV21
@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_run_harms_nobody(folder, languages, how):
    file = folder / "metrics.jsonl"
    file.unlink(missing_ok=True)
    SPOILT[how](file, folder)
    with Server(model=str(folder)) as server:
        before = memory_of(server.process)
        for _ in range(3):
            told = requests.get(server.url + "/v1/runs/model/metrics", timeout=20)
            assert told.status_code == 200 and told.json()["lines"] == []
            assert requests.get(server.url + "/v1/runs", timeout=20).status_code == 200
            assert requests.get(server.url + "/v1/model", timeout=20).status_code == 200
        assert post(server, languages).status_code == 200
        assert memory_of(server.process) < before + 200
        start = time.monotonic()
        assert server.stop() == 0 and time.monotonic() - start < 10


def with_weights(whole, number):
    """The file with one of its numbers, or all, replaced."""
    head = 8 + struct.unpack("<Q", whole[:8])[0]
    return lambda count: whole[:head] + struct.pack("<f", number) * count + whole[head + 4 * count:]


# covers SV18: good, broken and half-copied, under load: no request fails
def test_no_reload_fails_a_request(folder, languages):
    weights, config = folder / "model.safetensors", folder / "config.json"
    whole, card = weights.read_bytes(), config.read_bytes()
    numbers = (len(whole) - 8 - struct.unpack("<Q", whole[:8])[0]) // 4
    wider = json.loads(card)
    wider["model"]["d_model"] *= 2
    bad = [
        (weights, with_weights(whole, float("nan"))(1)),
        (weights, with_weights(whole, float("inf"))(1)),
        (weights, with_weights(whole, 3e38)(numbers)),
        (weights, b""),
        (weights, whole[:len(whole) // 2]),
        (weights, whole[:-1]),
        (config, b""),
        (config, card[:len(card) // 2]),
        (config, b"[" * 200_000),
        (config, json.dumps(wider).encode()),  # the new one's, while the weights are still the old
    ]
    with Server(model=str(folder)) as server:
        before = post(server, languages).json()
        over, wrong, right = threading.Event(), [], []

        def keep_asking():
            session = requests.Session()
            try:
                while not over.is_set():
                    answer = post(server, languages, session)
                    (right if answer.status_code == 200 and answer.json() == before else wrong).append(answer.text)
            except requests.RequestException as error:
                wrong.append(repr(error))

        def reload(file, content):
            """Puts it there, and waits until the server says that it does not take it."""
            stays = server.said.count(b"stays as it was")
            file.write_bytes(content)
            server.process.send_signal(signal.SIGHUP)
            limit = time.monotonic() + 60
            while server.said.count(b"stays as it was") == stays and time.monotonic() < limit:
                server.listen(0.1)
            assert server.said.count(b"stays as it was") > stays

        clients = [threading.Thread(target=keep_asking) for _ in range(3)]
        for client in clients:
            client.start()
        try:
            for file, content in bad:
                reload(file, content)
                weights.write_bytes(whole)
                config.write_bytes(card)
                server.process.send_signal(signal.SIGHUP)  # and a good one at once
                time.sleep(0.3)
        finally:
            over.set()
            for client in clients:
                client.join()
        assert not wrong and len(right) > 10
        assert post(server, languages).json() == before


def test_a_model_has_the_name_of_its_folder(folder, languages, monkeypatch):
    (folder / "metrics.jsonl").write_text('{"step":1}\n')
    monkeypatch.chdir(folder)
    for given in (".", "./", "../model/", folder.as_posix() + "//"):
        with Server(model=given) as server:
            assert requests.get(server.url + "/v1/runs", timeout=60).json()["runs"][0]["id"] == "model"
            assert requests.get(server.url + "/v1/model", timeout=60).json()["models"][0]["name"] == "model"
            lines = requests.get(server.url + "/v1/runs/model/metrics", timeout=60).json()
            assert lines["lines"] == [{"step": 1}]
            assert post(server, languages).status_code == 200
