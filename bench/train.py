"""Training beside PyTorch on the same sentences.

usage: train.py PROGRAMS [--text SOURCE TARGET] [--works small base equal gru] [--rounds 5] [--tokens 4096] [--dropout 0.1]

PROGRAMS is the folder of bench_training; regard lies above it. Without text, the built-in corpus. Works: presets small and base on those
sentences, where PyTorch pads its batches, base on sentences that all have 32 tokens, where there is nothing to pad,
and Bahdanau's recurrent model of preset small on those sentences.
PyTorch is much slower without tcmalloc: no ratio is told without it.
"""
import argparse
import math
import os
import pathlib
import random
import subprocess
import sys

from rivals import Rival, Report, race, tcmalloc

HERE = pathlib.Path(__file__).parent
SIZES = {"small": 8000, "base": 32000}  # of the vocabularies
WORKS = ["small", "base", "equal", "gru"]
SECONDS = 4.0  # of a round
LENGTH = 32


class Contest:
    def __init__(self, options, ids, preset, architecture="transformer"):
        self.options, self.ids, self.preset, self.architecture = options, ids, preset, architecture

    def arguments(self, tokens):
        return [self.ids, "--arch", self.architecture, "--preset", self.preset, "--size", SIZES[self.preset], "--tokens", tokens,
                "--dropout", self.options.dropout]

    def ours(self, tokens):
        return Rival(self.options.programs / "bench_training", *self.arguments(tokens))

    def theirs(self, tokens):
        environment = {**os.environ, "THP_MEM_ALLOC_ENABLE": "1", "LD_PRELOAD": tcmalloc("train")}
        rival = Rival(sys.executable, HERE / "peers/torch_training.py", *self.arguments(tokens), env=environment)
        if not rival.ask(steps=1)["tcmalloc"]:
            sys.exit("bench train: tcmalloc is there but was not loaded into PyTorch, so no ratio")
        return rival


def rate(rival, steps):
    answer = rival.ask(steps=steps)
    return answer["tokens"] / answer["seconds"]


def same_function(contest, report, work):
    """Both compute the same: loss and gradient of the same sentences with the same weights."""
    weights = str(contest.options.programs / "models/fresh.safetensors")
    with contest.ours(1024) as ours, contest.theirs(1024) as theirs:
        a = ours.ask(compare=weights)
        b = theirs.ask(compare=weights, sentences=a["sentences"])
    found = {"loss": (a["loss"], b["loss"])}
    for part, length in b["gradients"].items():
        squares = sum(value for name, value in a["squares"].items() if name.startswith(part))
        found[f"gradient of {part}" if part else "gradient"] = math.sqrt(squares), length
    for what, (x, y) in found.items():
        far = abs(x - y) / abs(y)
        report.gate(f"{work}: {what} of {a['sentences']} sentences differs by, relative", far, 1e-4, far <= 1e-4)


def measure(contest, report, work):
    tokens = contest.options.tokens
    with contest.ours(tokens) as ours, contest.theirs(tokens) as theirs:
        ours.ask(steps=2)
        first = ours.ask(steps=1)["seconds"]
        steps = max(3, round(SECONDS / first))
        theirs.ask(steps=1)
        figures = race(lambda: rate(ours, steps), lambda: rate(theirs, steps), contest.options.rounds)
        memory = [rival.ask(steps=1)["peak_mib"] for rival in (ours, theirs)]
    report.row(f"{work}, {tokens} tokens, dropout {contest.options.dropout}", *figures, memory, f"{steps} steps a round")


def growth(contest, report):
    """Throughput and memory against tokens a batch."""
    rates, memory = {"regard": {}, "PyTorch": {}}, {"regard": {}, "PyTorch": {}}
    for tokens in (512, 1024, 2048, 4096, 8192):
        with contest.ours(tokens) as ours, contest.theirs(tokens) as theirs:
            for name, rival in (("regard", ours), ("PyTorch", theirs)):
                steps = max(3, 8192 // tokens)
                rival.ask(steps=2)
                rates[name][tokens] = max(rate(rival, steps) for _ in range(2))
                memory[name][tokens] = rival.ask(steps=1)["peak_mib"]
    report.plot("train_batch", "Training preset small against the size of a batch", ("tokens a batch", "target tokens a second"), rates,
                log=(True, False))
    report.plot("train_memory", "Memory of training preset small", ("tokens a batch", "MiB"), memory, log=(True, True))


def ids_of_text(options):
    text, models = options.text, options.programs / "models"
    models.mkdir(exist_ok=True)
    if not text:
        subprocess.run([options.programs.parent / "regard", "corpus", "builtin:en-fr", "--pairs", "30000", "--out", models, "--overwrite"],
                       check=True, stdout=subprocess.DEVNULL)
        text = [models / "train.en", models / "train.fr"]
    subprocess.run([options.programs / "bench_training", "--write-ids", models / "ids", *text], check=True)
    return models / "ids"


def equal_ids(options):
    path, draw = options.programs / "models/equal_ids", random.Random(1)
    with open(path, "w") as file:
        for _ in range(4096):
            sides = (" ".join(str(draw.randrange(4, SIZES["small"])) for _ in range(LENGTH)) for _ in range(2))
            print(*sides, sep="\t", file=file)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--text", nargs=2)
    parser.add_argument("--works", nargs="+", choices=WORKS, default=WORKS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--dropout", type=float, default=0.1)
    options = parser.parse_args()
    tcmalloc("train")
    report = Report("train", options.programs, "torch", "target tokens a second, median (least-most)")
    text = ids_of_text(options)
    works = {"small": ("small, sentences", text, "small"), "base": ("base, sentences", text, "base"),
             "equal": (f"base, {LENGTH} tokens each", equal_ids(options), "base"),
             "gru": ("recurrent, sentences", text, "small", "bahdanau")}
    for key in options.works:
        work, *what = works[key]
        contest = Contest(options, *what)
        same_function(contest, report, work)
        measure(contest, report, work)
        report.probe()
        if key == "small":
            growth(contest, report)
    sys.exit(0 if report.finish() else 1)


main()
