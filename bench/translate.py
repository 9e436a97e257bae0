"""Translation beside CTranslate2 on the same weights.

usage: translate.py PROGRAMS [--model MODEL --source LINES [--reference LINES]] [--rounds 6] [--sizes small base]

PROGRAMS is the folder of bench_translation; regard lies above it. Without a model, weights of the presets are drawn at random, and every
line of 24 tokens gets a translation of 24: equal lengths, so that nobody pads. Times are those of the search alone: neither loading nor
cutting text into tokens counts. Ours runs as it is set by default; CTranslate2 gets the best of several settings, tried first.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

from rivals import Rival, Report, race

HERE = pathlib.Path(__file__).parent
LENGTH = 24
WORKS = [("beam 4, batch", {"beam": 4}), ("greedy, batch", {"beam": 1}), ("greedy, one line at a time", {"beam": 1, "at_once": 1})]
SECONDS = 2.0  # of a round
TRIAL = 128  # lines to find the best settings with: whole batches for two workers up to 64 lines
CORES = len(os.sched_getaffinity(0))


class Contest:
    """A model in both forms and the lines that both translate."""

    def __init__(self, options, name, model, lines, length):
        self.options, self.name, self.lines, self.length = options, name, lines, length
        self.folder = options.programs / "models"
        self.folder.mkdir(exist_ok=True)
        self.tokens = self.folder / f"{name}.tokens"
        self.models = {"float32": model, "int8": self.folder / f"{name}-int8"}
        self.regard("convert", "--to", "ctranslate2", model, "--out", self.theirs_folder, "--overwrite")
        self.regard("convert", "--to", "int8", model, "--out", self.models["int8"], "--overwrite")
        with self.ours("float32") as ours:
            self.count = ours.ask(write_tokens=str(self.tokens))["lines"]

    @property
    def theirs_folder(self):
        return self.folder / f"{self.name}-ctranslate2"

    def regard(self, *arguments):
        subprocess.run([self.options.programs.parent / "regard", *arguments], check=True, stdout=subprocess.DEVNULL)

    def ours(self, compute):
        reference = ["--ref", self.options.reference] if self.options.reference else []
        return Rival(self.options.programs / "bench_translation", self.models[compute], self.lines, *reference)

    def theirs(self):
        return Rival(sys.executable, HERE / "peers/ct2_translation.py", self.theirs_folder, self.tokens)


def rate(rival, **task):
    answer = rival.ask(**task)
    return answer["tokens"] / answer["seconds"]


def best_of_theirs(theirs, task, lines):
    """The fastest settings of CTranslate2, and tokens a second with them: workers and threads of each, then how many lines a worker takes."""
    def tried(way):
        rate(theirs, **task, **way, lines=min(lines, 8))  # loads, and warms up
        return rate(theirs, **task, **way, lines=lines), way

    def fastest(ways):
        return max(map(tried, ways), key=lambda each: each[0])

    one_by_one = "at_once" in task
    ways = [{"workers": 1, "threads": 1}] if one_by_one else [{"workers": CORES, "threads": 1}]
    ways += [{"workers": 1, "threads": CORES}] if CORES > 1 else []
    first = fastest(ways if one_by_one else [{**way, "batch": 32} for way in ways])
    return first if one_by_one else max(first, fastest([{**first[1], "batch": each} for each in (8, 16, 64, 128)]),
                                        key=lambda each: each[0])


def told(way):
    batch = f", batch {way['batch']}" if "batch" in way else ""
    return f"CTranslate2: {way['workers']} x {way['threads']}{batch}"


def lines_of_a_round(contest, way, enough):
    """At least `enough`, and the workers of CTranslate2 all get whole batches; of real lines, which differ, all."""
    if "batch" not in way:
        return min(contest.count, max(8, int(enough)))
    if not contest.length:
        return contest.count
    whole = way["workers"] * way["batch"]
    return min(contest.count, whole * max(1, math.ceil(enough / whole)))


def measure(contest, report, compute):
    for name, work in WORKS:
        task = {**work, "length": contest.length}
        trial = min(contest.count, 16 if "at_once" in work else TRIAL)
        with contest.theirs() as theirs:
            theirs_rate, way = best_of_theirs(theirs, {**task, "compute": compute}, trial)
        with contest.ours(compute) as ours, contest.theirs() as theirs:
            rate(ours, **task, lines=8)
            slower = min(theirs_rate, rate(ours, **task, lines=trial))
            lines = lines_of_a_round(contest, way, SECONDS * slower / (contest.length or LENGTH))
            theirs_task = {**task, **way, "compute": compute}
            rate(theirs, **theirs_task, lines=8)
            figures = race(lambda: rate(ours, **task, lines=lines), lambda: rate(theirs, **theirs_task, lines=lines),
                           contest.options.rounds)
            memory = [rival.ask(**each, lines=8)["peak_mib"] for rival, each in ((ours, task), (theirs, theirs_task))]
        report.row(f"{contest.name}, {compute}, {name}", *figures, memory, told(way))


def said_lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def quality(contest, report):
    """Same weights, so the same greedy lines and log-probabilities; and what int8 costs, where there is a reference."""
    files = {who: str(contest.folder / f"said-{who}.jsonl") for who in ("ours", "theirs", "int8", "theirs-int8")}
    task = {"beam": 1, "length": contest.length}
    with contest.ours("float32") as ours, contest.theirs() as theirs:
        lines = min(contest.count, 1000 if contest.length == 0 or contest.name == "small" else 200)
        ours.ask(**task, lines=lines, say=files["ours"])
        theirs.ask(**task, lines=lines, say=files["theirs"], batch=32, workers=CORES)
        a, b = said_lines(files["ours"]), said_lines(files["theirs"])
        same = sum(x["tokens"] == y["tokens"] for x, y in zip(a, b)) / lines
        report.gate(f"{contest.name}: share of greedy lines that are the same, of {lines}", same, 0.995, same >= 0.995)
        scores = theirs.ask(score=files["ours"], workers=CORES)["log_p"]
        far = max(abs(x - y) / max(1, abs(y)) for line, other in zip(a, scores) for x, y in zip(line["log_p"], other))
        report.gate(f"{contest.name}: log-probabilities of their tokens differ by, relative", far, 1e-4, far <= 1e-4)
        if contest.options.reference:
            compare_bleu(contest, report, ours, theirs, files)


def compare_bleu(contest, report, ours, theirs, files):
    task = {"beam": 4, "length": contest.length}
    ours.ask(**task, say=files["ours"])
    theirs.ask(**task, say=files["theirs"], batch=32, workers=CORES)
    with contest.ours("int8") as small:
        small.ask(**task, say=files["int8"])
    theirs.ask(**task, say=files["theirs-int8"], batch=32, workers=CORES, compute="int8")
    bleu = {who: ours.ask(bleu=path)["bleu"] for who, path in files.items()}
    report.note("BLEU, beam 4: " + ", ".join(f"{who} {value:.2f}" for who, value in bleu.items()))
    lost = bleu["ours"] - bleu["int8"]
    report.gate(f"{contest.name}: BLEU that int8 loses", lost, 0.2, lost <= 0.2)


def growth(contest, report, compute):
    """Throughput against threads, and against how many lines a call gets."""
    beam = {"beam": 4, "length": contest.length}
    threads = sorted({1, *(2 ** i for i in range(1, 10) if 2 ** i <= CORES), CORES})
    per_call = [1, 2, 4, 8, 16, 32, 64]
    lines = min(contest.count, 128)
    by_threads, by_lines = {"regard": {}, "CTranslate2": {}}, {"regard": {}, "CTranslate2": {}}
    with contest.ours(compute) as ours, contest.theirs() as theirs:
        for count in threads:
            by_threads["regard"][count] = max(rate(ours, **beam, lines=lines, threads=count) for _ in range(2))
            by_threads["CTranslate2"][count] = max(
                rate(theirs, **beam, lines=lines, compute=compute, workers=count, threads=1, batch=32) for _ in range(2))
        for count in per_call:
            task = {**beam, "at_once": count, "lines": min(lines, max(8, count))}
            rate(ours, **task, threads=CORES)
            by_lines["regard"][count] = max(rate(ours, **task, threads=CORES) for _ in range(2))
            ways = [{"workers": 1, "threads": CORES}, {"workers": CORES, "threads": 1, "batch": max(1, count // CORES)}]
            by_lines["CTranslate2"][count] = max(
                max(rate(theirs, **task, **way, compute=compute) for _ in range(2)) for way in ways)
    what, name = f"{contest.name}, {compute}, beam 4", f"{report.name}_{'int' if compute == 'int8' else 'float'}"
    report.plot(f"{name}_threads", f"Translation against threads: {what}", ("threads", "tokens a second"), by_threads)
    report.plot(f"{name}_lines", f"Translation against lines a call: {what}", ("lines a call", "tokens a second"), by_lines, log=(True, False))


def contests(options):
    if options.model:
        yield Contest(options, options.model.resolve().name, options.model, options.source, 0)
        return
    for name in options.sizes:
        model, lines = options.programs / f"models/{name}", options.programs / f"models/{name}.txt"
        model.parent.mkdir(exist_ok=True)
        subprocess.run([options.programs / "bench_translation", "--write-random", name, model, lines], check=True)
        yield Contest(options, name, model, lines, LENGTH)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--source")
    parser.add_argument("--reference")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--sizes", nargs="+", default=["small", "base"])
    options = parser.parse_args()
    if bool(options.model) != bool(options.source):
        parser.error("--model and --source belong together")
    name = "translate_model" if options.model else "translate"
    report = Report(name, options.programs, "ctranslate2", "output tokens a second, median (least-most)")
    for number, contest in enumerate(contests(options)):
        quality(contest, report)
        for compute in ("float32", "int8"):
            measure(contest, report, compute)
            report.probe()
            if number == 0:
                growth(contest, report, compute)
    sys.exit(0 if report.finish() else 1)


main()
