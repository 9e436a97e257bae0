"""Two programs that work in turns on one machine, and a report of what came of it.

A rival makes ready once, then answers tasks, a line of JSON each (worker.h, peers/). Rounds go ours, theirs, theirs, ours, so that a
machine that slows down does so for both; a ratio is that of two neighbours in time. Medians are told with the least and the most.
"""
import glob
import importlib.metadata
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import time


PEERS = {"torch": "PyTorch", "ctranslate2": "CTranslate2"}  # by their packages


class Rival:
    """A program that answers tasks."""

    def __init__(self, *command, env=None):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, **task):
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"bench: {self.process.args[0]} ended; its message is above")
        return json.loads(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


class Figures:
    """Values of one quantity over rounds."""

    def __init__(self, values):
        self.values = list(values)

    @property
    def median(self):
        return statistics.median(self.values)

    def to_json(self):
        return {"median": self.median, "least": min(self.values), "most": max(self.values), "rounds": len(self.values)}

    def __format__(self, spec):
        plain = spec[spec.find("."):]
        spread = f"({min(self.values):{plain}}-{max(self.values):{plain}})"
        return f"{self.median:{spec}} {spread:15}"


def race(ours, theirs, rounds, rest=0.05):
    """Figures of two calls in turns that each give how much was done a second, and of their ratio."""
    a, b, ratios = [], [], []
    for number in range(rounds):
        for call, into in ((ours, a), (theirs, b))[::1 if number % 2 == 0 else -1]:
            into.append(call())
            time.sleep(rest)  # threads of OpenMP spin on for a while
        ratios.append(a[-1] / b[-1])
    return Figures(a), Figures(b), Figures(ratios)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def tcmalloc(bench):
    """The library without which PyTorch is slow and a ratio says nothing."""
    found = glob.glob("/usr/lib/*/libtcmalloc.so.4")
    if not found:
        sys.exit(f"bench {bench}: no libtcmalloc.so.4, without which PyTorch is slow and no ratio is told; install libgoogle-perftools4")
    return found[0]


class Report:
    """Rows of a table, what the quality gate found, curves to draw; all of it goes to FOLDER/NAME.json."""

    def __init__(self, name, folder, package, unit):
        peer = f"{PEERS[package]} {importlib.metadata.version(package)}"
        self.name, self.folder, self.unit = name, pathlib.Path(folder), unit
        self.rows, self.gates, self.notes, self.plots, self.probes = [], [], [], {}, []
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
        self.about = {"peer": peer, "processor": processor(), "commit": commit, "date": time.strftime("%Y-%m-%d")}
        print(f"{name}: beside {peer}, on {self.about['processor']}; {unit}", flush=True)
        self.probe()

    def probe(self):
        """What the machine can do right now; figures of a machine that others use are worth little."""
        said = subprocess.run([self.folder / "bench_probe"], capture_output=True, text=True, check=True).stdout
        self.probes.append(json.loads(said))

    def row(self, work, ours, theirs, ratio, memory=(None, None), settings=""):
        mib = " / ".join("-" if each is None else f"{each:.0f}" for each in memory)
        print(f"  {work:42} {ours:9.0f} {theirs:9.0f}  ratio {ratio:5.2f} MiB {mib:13} {settings}", flush=True)
        self.rows.append({"work": work, "ours": ours.to_json(), "theirs": theirs.to_json(), "ratio": ratio.to_json(),
                          "mib": {"ours": memory[0], "theirs": memory[1]}, "settings": settings})

    def gate(self, what, value, limit, passed):
        print(f"  {'ok  ' if passed else 'FAIL'} {what}: {value:.6g}, limit {limit:g}", flush=True)
        self.gates.append({"what": what, "value": value, "limit": limit, "passed": bool(passed)})

    def note(self, text):
        print(f"  {text}", flush=True)
        self.notes.append(text)

    def plot(self, name, title, axes, curves, log=(False, False)):
        """curves: name -> {x: y}."""
        drawn = [{"name": each, "x": list(points), "y": list(points.values())} for each, points in curves.items()]
        self.plots[name] = {"title": title, "x": axes[0], "y": axes[1], "log_x": log[0], "log_y": log[1], "curves": drawn}

    def finish(self):
        """Writes and draws everything; whether the gate was passed."""
        self.probe()
        rates = [probe["fma_gflops"] for probe in self.probes]
        moved = max(rates) / min(rates) - 1
        last = self.probes[-1]
        print(f"  machine: {last['cores']} cores, FMA {last['fma_gflops']} GFLOP/s ({last['fma_gflops_1']} one), "
              f"reading {last['read_gb_s']} GB/s ({last['read_gb_s_1']} one); FMA moved by {100 * moved:.0f} % during the run")
        path = self.folder / f"{self.name}.json"
        path.write_text(json.dumps({"name": self.name, "unit": self.unit, **self.about, "probes": self.probes, "rows": self.rows,
                                    "gates": self.gates, "notes": self.notes, "plots": self.plots}, indent=1) + "\n")
        print(f"  all of it: {path}", flush=True)
        if self.plots:
            subprocess.run([self.folder / "bench_plot", path, self.folder], check=True)
        return all(gate["passed"] for gate in self.gates)
