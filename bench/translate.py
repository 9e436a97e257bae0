"""Translation beside CTranslate2 on the same weights.

usage: translate.py PROGRAMS [--model MODEL --source LINES [--reference LINES]] [--rounds 6] [--sizes small base]

PROGRAMS is the folder of bench_translation; regard lies above it. Without a model, weights of the presets are drawn at random, and every
line of 24 tokens gets a translation of 24: equal lengths, so that nobody pads. Both take 25 steps for it, since the end is a token too.
Times are those of the search alone: neither loading nor cutting text into tokens counts. Ours runs as it is set by default; CTranslate2
gets the best of several settings, tried first: its library for products, workers and threads, batches.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

from race import Worker, Report, race

HERE = pathlib.Path(__file__).parent
LENGTH = 24
WORKS = [("beam 4, batch", {"beam": 4}), ("greedy, batch", {"beam": 1}), ("greedy, one line at a time", {"beam": 1, "at_once": 1})]
SECONDS = 2.0  # of a round
TRIAL = 128  # lines to find the best settings with, at least
BATCHES = (8, 16, 32, 64, 128)  # lines that a worker of CTranslate2 takes at once
CORES = len(os.sched_getaffinity(0))
RANDOM_LINES = max(1024, 4 * CORES * max(BATCHES))
# Its libraries for products, by what chooses them. Left alone it takes the last one on Intel's processors, the first on others.
LIBRARIES = {"oneDNN": {"CT2_USE_MKL": "0"}, "MKL": {"CT2_USE_MKL": "1", "CT2_PACKED_GEMM": "0"},
             "packed MKL": {"CT2_USE_MKL": "1", "CT2_PACKED_GEMM": "1"}}


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
        self.mean = sum(len(tokens) for tokens in said_lines(self.tokens)) / self.count  # tokens of a line

    @property
    def theirs_folder(self):
        return self.folder / f"{self.name}-ctranslate2"

    def regard(self, *arguments):
        subprocess.run([self.options.programs.parent / "regard", *arguments], check=True, stdout=subprocess.DEVNULL)

    def ours(self, compute):
        reference = ["--ref", self.options.reference] if self.options.reference else []
        return Worker(self.options.programs / "bench_translation", self.models[compute], self.lines, *reference)

    def theirs(self, products):
        return Worker(sys.executable, HERE / "peers/ct2_translation.py", self.theirs_folder, self.tokens,
                      env={**os.environ, **LIBRARIES[products]})

    def tasks(self, work, compute):
        """The same for both: where the length is forced, the end is a step, too."""
        task = {**work, "length": self.length}
        return task, {**task, "compute": compute, **({"longest": self.length + 1} if self.length else {})}

    def whole(self, way):
        """Lines of which every worker of CTranslate2 gets a batch."""
        lines = way["batch"] / self.mean if "batch_type" in way else way["batch"]
        return math.ceil(way["workers"] * lines)

    def trial(self, way):
        """Lines to try a way with. Real batches take unlike times: with two for each worker none waits long for another."""
        return min(self.count, max(TRIAL, (1 if self.length else 2) * self.whole(way)))


def rate(worker, **task):
    answer = worker.ask(**task)
    return answer["tokens"] / answer["seconds"]


def best_of_theirs(contest, task):
    """Tokens per second of CTranslate2 with its fastest settings, and those."""
    def best_with(products):
        with contest.theirs(products) as theirs:
            speed, way = best_way(contest, theirs, task)
        return speed, {**way, "products": products}

    return max(map(best_with, LIBRARIES), key=lambda each: each[0])


def best_way(contest, theirs, task):
    """The same with one library for products: workers and threads of each, then how much a worker takes at once."""
    def tried(way):
        lines = contest.trial(way) if "batch" in way else min(contest.count, 16)
        rate(theirs, **task, **way, lines=8)  # loads, and warms up
        return rate(theirs, **task, **way, lines=lines), way

    def fastest(ways):
        return max(map(tried, ways), key=lambda each: each[0])

    one_by_one = "at_once" in task
    ways = [{"workers": 1, "threads": 1}] if one_by_one else [{"workers": CORES, "threads": 1}]
    ways += [{"workers": 1, "threads": CORES}] if CORES > 1 else []
    if one_by_one:
        return fastest(ways)
    first = fastest([{**way, "batch": 32} for way in ways])
    batches = [{"batch": each} for each in BATCHES if each != 32]
    if not contest.length:
        batches += [{"batch": each, "batch_type": "tokens"} for each in (256, 512, 1024, 2048)]
    return max(first, fastest([{**first[1], **batch} for batch in batches]), key=lambda each: each[0])


def told(way):
    batch = f", batch {way['batch']}" if "batch" in way else ""
    unit = " tokens" if "batch_type" in way else ""
    return f"CTranslate2: {way['products']}, {way['workers']} x {way['threads']}{batch}{unit}"


def lines_of_a_round(contest, way, at_work, enough):
    """At least `enough`; of real lines, which differ, all. Of equal ones so many that the workers of CTranslate2 all get whole batches, and
    ours, with so many lines at work, nearly: a few left over take as long as a whole batch."""
    if "batch" not in way:
        return min(contest.count, max(8, int(enough)))
    if not contest.length:
        return contest.count
    whole, ours = contest.whole(way), CORES * at_work
    counts = range(whole * max(1, math.ceil(enough / whole)), contest.count + 1, whole)
    return min(counts, key=lambda lines: (round(math.ceil(lines / ours) * ours / lines, 2), lines), default=contest.count)


def measure(contest, report, compute):
    """A row for each work; the settings that were CTranslate2's best in each."""
    best = {}
    for name, work in WORKS:
        task, theirs_task = contest.tasks(work, compute)
        theirs_rate, way = best_of_theirs(contest, theirs_task)
        best[name] = way
        theirs_task.update(way)
        with contest.ours(compute) as ours, contest.theirs(way["products"]) as theirs:
            at_work = max(1, int(ours.ask(**task, lines=8)["batch_tokens"] / ((contest.mean + 1) * work["beam"])))
            trial = 16 if "at_once" in work else max(contest.trial(way), CORES * at_work)
            slower = min(theirs_rate, rate(ours, **task, lines=min(contest.count, trial)))
            lines = lines_of_a_round(contest, way, at_work, SECONDS * slower / (contest.length or LENGTH))
            rate(theirs, **theirs_task, lines=8)
            outcome = race(lambda: rate(ours, **task, lines=lines), lambda: rate(theirs, **theirs_task, lines=lines),
                           contest.options.rounds, report.steady_rate)
            memory = [worker.ask(**each, lines=8)["peak_mib"] for worker, each in ((ours, task), (theirs, theirs_task))]
        report.row(f"{contest.name}, {compute}, {name}", outcome, memory, told(way))
    return best


def said_lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]


def quality(contest, report):
    """Same weights, so the same greedy lines and log-probabilities with each library; and what int8 costs, where there is a reference."""
    said, theirs_said = (str(contest.folder / f"said-{who}.jsonl") for who in ("ours", "theirs"))
    task = {"beam": 1, "length": contest.length, "lines": min(contest.count, 1000 if contest.length == 0 or contest.name == "small" else 200)}
    with contest.ours("float32") as ours:
        ours.ask(**task, say=said)
    a = said_lines(said)
    for products in LIBRARIES:
        with contest.theirs(products) as theirs:
            theirs.ask(**task, say=theirs_said, batch=32, workers=CORES)
            same = sum(x["tokens"] == y["tokens"] for x, y in zip(a, said_lines(theirs_said))) / len(a)
            scores = theirs.ask(score=said, workers=CORES)["log_p"]
        of = f"{contest.name}, {products}"
        report.gate(f"{of}: share of greedy lines that are the same, of {len(a)}", same, 0.995, same >= 0.995)
        far = max(difference(line["log_p"], other) for line, other in zip(a, scores, strict=True))
        report.gate(f"{of}: log-probabilities of their tokens differ by, relative (absolute below 1)", far, 1e-4, far <= 1e-4)
    if contest.options.reference:
        compare_bleu(contest, report)


def difference(ours, theirs):
    """The largest of two lists of log-probabilities; infinite where they are not alike at all."""
    if len(ours) != len(theirs) or not all(map(math.isfinite, [*ours, *theirs])):
        return math.inf
    return max((abs(x - y) / max(1, abs(y)) for x, y in zip(ours, theirs)), default=0.0)


def compare_bleu(contest, report):
    task, said = {"beam": 4, "length": contest.length}, str(contest.folder / "said.jsonl")
    with contest.ours("float32") as ours:
        def bleu(worker, **more):
            worker.ask(**task, **more, say=said)
            return ours.ask(bleu=said)["bleu"]

        found = {"float32": bleu(ours)}
        with contest.ours("int8") as small:
            found["int8"] = bleu(small)
        report.note(told_bleu("ours", found))
        lost = found["float32"] - found["int8"]
        report.gate(f"{contest.name}: BLEU that int8 loses", lost, 0.2, lost <= 0.2)
        for products in LIBRARIES:
            with contest.theirs(products) as theirs:
                other = {compute: bleu(theirs, batch=32, workers=CORES, compute=compute) for compute in found}
            report.note(told_bleu(f"CTranslate2 with {products}", other))
            apart = abs(found["float32"] - other["float32"])
            report.gate(f"{contest.name}, {products}: BLEU of beam 4 differs by", apart, 0.2, apart <= 0.2)


def told_bleu(whose, found):
    return f"BLEU, beam 4, {whose}: " + ", ".join(f"{compute} {value:.2f}" for compute, value in found.items())


def growth(contest, report, compute, way):
    """Throughput against threads, and against how many lines a call gets; CTranslate2 with batches and products as were its best."""
    task, theirs_task = contest.tasks({"beam": 4}, compute)
    threads = sorted({1, *(2 ** i for i in range(1, 10) if 2 ** i <= CORES), CORES})
    per_call = [1, 2, 4, 8, 16, 32, 64]
    by_threads, by_lines = {"regard": {}, "CTranslate2": {}}, {"regard": {}, "CTranslate2": {}}
    batch = {key: way[key] for key in ("batch", "batch_type") if key in way}
    with contest.ours(compute) as ours, contest.theirs(way["products"]) as theirs:
        for count in threads:
            each = {**batch, "workers": count, "threads": 1}
            lines = contest.trial(each)
            by_threads["regard"][count] = max(rate(ours, **task, lines=lines, threads=count) for _ in range(2))
            by_threads["CTranslate2"][count] = max(rate(theirs, **theirs_task, **each, lines=lines) for _ in range(2))
        for count in per_call:
            call = {"at_once": count, "lines": min(contest.count, max(8, count))}
            rate(ours, **task, **call, threads=CORES)
            by_lines["regard"][count] = max(rate(ours, **task, **call, threads=CORES) for _ in range(2))
            ways = [{"workers": 1, "threads": CORES}, {"workers": CORES, "threads": 1, "batch": math.ceil(count / CORES)}]
            by_lines["CTranslate2"][count] = max(
                max(rate(theirs, **theirs_task, **call, **each) for _ in range(2)) for each in ways)
    what, name = f"{contest.name}, {compute}, beam 4", f"{report.name}_{'int' if compute == 'int8' else 'float'}"
    report.plot(f"{name}_threads", f"Translation against threads: {what}", ("threads", "tokens per second"), by_threads)
    report.plot(f"{name}_lines", f"Translation against lines per call: {what}", ("lines per call", "tokens per second"), by_lines, log=(True, False))


def contests(options):
    if options.model:
        yield Contest(options, options.model.resolve().name, options.model, options.source, 0)
        return
    for name in options.sizes:
        model, lines = options.programs / f"models/{name}", options.programs / f"models/{name}.txt"
        model.parent.mkdir(exist_ok=True)
        subprocess.run([options.programs / "bench_translation", "--write-random", name, model, lines, "--count", str(RANDOM_LINES)], check=True)
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
    report = Report(name, options.programs, "ctranslate2", "output tokens per second, median (least-most)")
    for number, contest in enumerate(contests(options)):
        quality(contest, report)
        for compute in ("float32", "int8"):
            best = measure(contest, report, compute)
            report.probe()
            if number == 0:
                growth(contest, report, compute, best[WORKS[0][0]])
    sys.exit(0 if report.finish() else 1)


if __name__ == "__main__":
    main()
