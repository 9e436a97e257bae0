"""A server under load, by a client in plain asyncio: many connections for long, more than it can do, and its health
meanwhile. REGARD_LOAD_SECONDS sets how long the first lasts (20 here, 600 in ./run test --all)."""

import asyncio
import json
import os
import pathlib
import re
import statistics
import subprocess
import time

import pytest

PROGRAM, MODEL = os.environ.get("REGARD_PROGRAM"), os.environ.get("REGARD_MODEL")
SECONDS = float(os.environ.get("REGARD_LOAD_SECONDS", "20"))
SENTENCES = [
    f"the {colour} {animal} {verb} ."
    for colour in ("black", "white", "red", "old", "small")
    for animal in ("cat", "dog", "horse", "bird")
    for verb in ("sleeps", "does not see the king", "gives a book to the queen")
]


@pytest.fixture
def server(request):
    """A server of its own, with the options that the test asks for."""
    options = getattr(request, "param", [])
    process = subprocess.Popen([PROGRAM, "serve", "--model", MODEL, "--port", "0", *options], stderr=subprocess.PIPE, text=True)
    found = None
    while not found:
        line = process.stderr.readline()
        assert line, f"the server ended with {process.wait()}"
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    yield int(found.group(1)), process
    process.terminate()
    process.stderr.read()
    assert process.wait(timeout=30) == 0


class Client:
    """One connection that stays open."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def ask(self, path, asked=None):
        """Returns the status, the answer, and how long it took."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = json.dumps(asked).encode() if asked is not None else b""
        head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        started = time.perf_counter()
        self.writer.write(head.encode() + b"\r\n" + body)
        status, length = 100, 0
        while status == 100:  # interim: the server asks whether we are still there
            lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin1")
            status = int(lines.split(" ", 2)[1])
        length = int(re.search(r"(?i)content-length: *(\d+)", lines).group(1))
        answer = await self.reader.readexactly(length)
        took = time.perf_counter() - started
        if re.search(r"(?i)connection: *close", lines):
            await self.close()
        return status, json.loads(answer), took

    async def close(self):
        if self.writer:
            self.writer.close()
            self.writer = None


def translation(text):
    return {"q": text, "source": "en", "target": "fr"}


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def resident(process):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) / 1024


@pytest.mark.parametrize("server", [["--queue", "1024"]], indirect=True)
def test_256_connections_for_long(server):
    """No request fails, each gets the translation of its own text (SV26, SV27), and memory stays flat."""
    port, process = server

    async def run():
        alone = Client(port)
        right = {text: (await alone.ask("/translate", translation(text)))[1]["translatedText"] for text in SENTENCES}
        await alone.close()
        answered, marks = 0, []
        end = time.monotonic() + SECONDS

        async def talk(number):
            nonlocal answered
            client, turn = Client(port), number
            while time.monotonic() < end:
                text = SENTENCES[turn % len(SENTENCES)]
                turn += 7
                status, answer, _ = await client.ask("/translate", translation(text))
                assert status == 200, answer
                assert answer["translatedText"] == right[text]
                answered += 1
            await client.close()

        async def watch():
            while time.monotonic() < end:
                await asyncio.sleep(min(1, SECONDS / 20))
                marks.append(resident(process))

        await asyncio.gather(watch(), *(talk(number) for number in range(256)))
        return answered, marks

    answered, marks = asyncio.run(run())
    quarter = len(marks) // 4
    early, late = (statistics.median(part) for part in (marks[quarter:2 * quarter], marks[-quarter:]))
    print(f"{answered} requests in {SECONDS:.0f} s, resident MiB: {[round(mark, 1) for mark in marks[::max(1, len(marks) // 20)]]}, medians {early:.2f} and {late:.2f}")
    assert answered >= 256
    assert late <= early * (1.02 if SECONDS >= 300 else 1.1)  # a short run has hardly warmed up


@pytest.mark.parametrize("server", [["--queue", "16"]], indirect=True)
def test_ten_times_what_it_can_do(server):
    """SV16: the surplus is refused at once, and the work goes on at nearly the full rate."""
    port, _ = server
    text = "\n".join(SENTENCES)
    seconds = 6

    async def busy(clients):
        """Answers a second, with that many clients who each wait for theirs."""
        done, end = 0, time.monotonic() + seconds

        async def talk():
            nonlocal done
            client = Client(port)
            while time.monotonic() < end:
                status, _, _ = await client.ask("/translate", translation(text))
                done += status == 200
            await client.close()

        await asyncio.gather(*(talk() for _ in range(clients)))
        return done / seconds

    async def run():
        await busy(2)
        peak = await busy(8)
        refusals, tasks, answered = [], [], 0
        start = time.monotonic()

        async def once():
            nonlocal answered
            client = Client(port)
            status, _, took = await client.ask("/translate", translation(text))
            await client.close()
            if status == 503:
                refusals.append(took)
            elif status == 200 and time.monotonic() - start <= seconds:
                answered += 1

        while time.monotonic() - start < seconds:
            tasks.append(asyncio.create_task(once()))
            await asyncio.sleep(max(0, start + len(tasks) / (10 * peak) - time.monotonic()))
        await asyncio.gather(*tasks)
        return peak, answered / seconds, len(tasks) / seconds, refusals

    peak, useful, asked, refusals = asyncio.run(run())
    late = percentile(refusals, 0.99)
    print(f"peak {peak:.1f} requests/s; asked {asked:.1f}/s: {useful:.1f}/s answered, refused within {late * 1000:.1f} ms")
    assert asked >= 8 * peak
    assert late <= 0.05
    assert useful >= 0.8 * peak


def test_health_is_quick_while_translating(server):
    port, _ = server

    async def run():
        end = time.monotonic() + 5

        async def talk():
            client = Client(port)
            while time.monotonic() < end:
                await client.ask("/translate", translation("\n".join(SENTENCES)))
            await client.close()

        async def ask():
            client, took = Client(port), []
            while time.monotonic() < end:
                took.append((await client.ask("/health"))[2])
                await asyncio.sleep(0.02)
            await client.close()
            return took

        return (await asyncio.gather(ask(), *(talk() for _ in range(4))))[0]

    took = asyncio.run(run())
    print(f"/health while translating: median {percentile(took, 0.5) * 1000:.2f} ms, 95 of 100 within {percentile(took, 0.95) * 1000:.2f} ms")
    assert percentile(took, 0.5) <= 0.005
