"""The real server, run for a test."""
import os
import re
import select
import signal
import subprocess
import time


class Server:
    """`regard serve` at a free port of 127.0.0.1, with the model of REGARD_MODEL."""

    def __init__(self, *arguments, model=None):
        program, folder = os.environ["REGARD_PROGRAM"], model or os.environ["REGARD_MODEL"]
        self.process = subprocess.Popen(
            [program, "serve", "--model", folder, "--port", "0", *arguments],
            stderr=subprocess.PIPE)
        self.said = b""
        limit = time.monotonic() + 120
        while not (found := re.search(rb"http://127\.0\.0\.1:\d+", self.said)):
            self.listen(1)
            if self.process.poll() is not None or time.monotonic() > limit:
                self.process.kill()
                raise RuntimeError(f"no server: {self.said.decode()}")
        self.url = found.group().decode()

    def listen(self, seconds):
        """Takes what it says within that time."""
        ready, _, _ = select.select([self.process.stderr], [], [], seconds)
        if ready:
            self.said += os.read(self.process.stderr.fileno(), 4096)

    def stop(self, how=signal.SIGTERM):
        """Its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            code = self.process.wait(60)
        finally:
            self.process.kill()
            self.process.stderr.close()
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
