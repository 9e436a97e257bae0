"""Two programs that work in turns on one machine, and a report of what came of it.

A worker makes ready once, then answers tasks, a line of JSON each (worker.h, peers/). Rounds go ours, theirs, theirs, ours, so that a
machine that slows down does so for both; a ratio is that of two neighbours in time. After each round the machine's rate of multiply-adds
is probed: a round during which it fell is not counted and done again. Reported are medians with the least and the most of the rounds that
count, how many others there were, and every round as it was run.
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


class Worker:
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


STEADY = 0.97  # of the machine's best rate of multiply-adds: a round in which it has less is disturbed


class Outcome:
    """What came of a race: all rounds in the order they were run, each (rate of the machine, ours, theirs), of which the steadiest count."""

    def __init__(self, done, rounds, best):
        self.done, self.counted = done, steadiest(done, rounds)
        chosen = [done[i] for i in self.counted]
        self.ours, self.theirs = Figures(a for _, a, _ in chosen), Figures(b for _, _, b in chosen)
        self.ratio = Figures(a / b for _, a, b in chosen)
        self.repeated = len(done) - len(chosen)
        self.disturbed = sum(rate < STEADY * best for rate, _, _ in chosen)  # and counted all the same

    def to_json(self):
        rounds = [{"fma_gflops": rate, "ours": a, "theirs": b, "counts": i in self.counted} for i, (rate, a, b) in enumerate(self.done)]
        return {"ours": self.ours.to_json(), "theirs": self.theirs.to_json(), "ratio": self.ratio.to_json(), "repeated": self.repeated,
                "disturbed": self.disturbed, "rounds": rounds}


def steadiest(done, rounds):
    """The numbers of so many rounds, those in which the machine gave most; of equal ones the earlier. What the two programs did has no say."""
    return sorted(sorted(range(len(done)), key=lambda i: done[i][0], reverse=True)[:rounds])


def race(ours, theirs, rounds, probe, rest=0.05):
    """The outcome of two calls in turns that each give how much was done per second: `rounds` rounds that nothing disturbed. `probe` gives
    the machine's rate. On a machine that is never steady, the steadiest of twice as many rounds count."""
    done = []
    best = before = probe()

    def steady():
        return sum(rate >= STEADY * best for rate, _, _ in done)

    while steady() < rounds and len(done) < 2 * rounds:
        rates = {}
        for name, call in (("ours", ours), ("theirs", theirs))[::1 if len(done) % 2 == 0 else -1]:
            rates[name] = call()
            time.sleep(rest)  # threads of OpenMP spin on for a while
        after = probe()
        best = max(best, after)
        done.append((min(before, after), rates["ours"], rates["theirs"]))
        before = after
    return Outcome(done, rounds, best)


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

    def steady_rate(self):
        """The rate of multiply-adds alone, quickly."""
        said = subprocess.run([self.folder / "bench_probe", "--quick"], capture_output=True, text=True, check=True).stdout
        return json.loads(said)["fma_gflops"]

    def row(self, work, outcome, memory=(None, None), settings=""):
        mib = " / ".join("-" if each is None else f"{each:.0f}" for each in memory)
        again = f"; {outcome.repeated} rounds repeated, {outcome.disturbed} disturbed ones count" if outcome.repeated else ""
        print(f"  {work:42} {outcome.ours:9.0f} {outcome.theirs:9.0f}  ratio {outcome.ratio:5.2f} MiB {mib:13} {settings}{again}", flush=True)
        self.rows.append({"work": work, **outcome.to_json(), "mib": {"ours": memory[0], "theirs": memory[1]}, "settings": settings})

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
