"""Training beside PyTorch on the same sentences.

usage: train.py PROGRAMS [--text SOURCE TARGET] [--works small base equal gru] [--rounds 5] [--tokens 4096] [--dropout 0.1]

PROGRAMS is the folder of bench_training; regard lies above it. Without text, the built-in corpus. Works: presets small and base on those
sentences, where PyTorch pads its batches, base on sentences that all have 32 tokens, where there is nothing to pad,
and Bahdanau's recurrent model of preset small on those sentences.
PyTorch is much slower without tcmalloc: no ratio is told without it. Its loss either stores all logits or computes them in chunks,
whichever is faster in the work at hand.
"""
import argparse
import math
import os
import pathlib
import random
import subprocess
import sys

from race import Worker, Report, race, tcmalloc

HERE = pathlib.Path(__file__).parent
SIZES = {"small": 8000, "base": 32000}  # of the vocabularies
WORKS = ["small", "base", "equal", "gru"]
SECONDS = 4.0  # of a round
LENGTH = 32
LOSSES = ("stored", "chunked")  # of PyTorch: all logits at once, or never


class Contest:
    def __init__(self, options, ids, preset, architecture="transformer"):
        self.options, self.ids, self.preset, self.architecture = options, ids, preset, architecture

    def arguments(self, tokens):
        return [self.ids, "--arch", self.architecture, "--preset", self.preset, "--size", SIZES[self.preset], "--tokens", tokens,
                "--dropout", self.options.dropout]

    def ours(self, tokens):
        return Worker(self.options.programs / "bench_training", *self.arguments(tokens))

    def theirs(self, tokens, loss="stored"):
        environment = {**os.environ, "THP_MEM_ALLOC_ENABLE": "1", "LD_PRELOAD": tcmalloc("train")}
        worker = Worker(sys.executable, HERE / "peers/torch_training.py", *self.arguments(tokens), "--loss", loss,
                        env=environment)
        if not worker.ask(steps=1)["tcmalloc"]:
            sys.exit("bench train: tcmalloc is there but was not loaded into PyTorch, so no ratio")
        return worker


def rate(worker, steps):
    answer = worker.ask(steps=steps)
    return answer["tokens"] / answer["seconds"]


def best_loss(contest, tokens):
    """The one with which PyTorch is fastest."""
    def speed(loss):
        with contest.theirs(tokens, loss) as theirs:
            return max(rate(theirs, 3) for _ in range(2))

    return max(LOSSES, key=speed)


def same_function(contest, report, work, loss):
    """Both compute the same: loss and gradient of the same sentences with the same weights."""
    weights = str(contest.options.programs / "models/fresh.safetensors")
    with contest.ours(1024) as ours, contest.theirs(1024, loss) as theirs:
        a = ours.ask(compare=weights)
        b = theirs.ask(compare=weights, sentences=a["sentences"])
    found = {"loss": (a["loss"], b["loss"])}
    for part, length in b["gradients"].items():
        squares = sum(value for name, value in a["squares"].items() if name.startswith(part))
        found[f"gradient of {part}" if part else "gradient"] = math.sqrt(squares), length
    for what, (x, y) in found.items():
        far = abs(x - y) / abs(y)
        report.gate(f"{work}: {what} of {a['sentences']} sentences differs by, relative", far, 1e-4, far <= 1e-4)


def measure(contest, report, work, loss):
    tokens = contest.options.tokens
    with contest.ours(tokens) as ours, contest.theirs(tokens, loss) as theirs:
        ours.ask(steps=2)
        first = ours.ask(steps=1)["seconds"]
        steps = max(3, round(SECONDS / first))
        theirs.ask(steps=1)
        outcome = race(lambda: rate(ours, steps), lambda: rate(theirs, steps), contest.options.rounds, report.steady_rate)
        memory = [worker.ask(steps=1)["peak_mib"] for worker in (ours, theirs)]
    report.row(f"{work}, {tokens} tokens, dropout {contest.options.dropout}", outcome, memory,
               f"PyTorch: loss {loss}; {steps} steps per round")


def growth(contest, report, loss):
    """Throughput and memory against tokens per batch."""
    rates, memory = {"regard": {}, "PyTorch": {}}, {"regard": {}, "PyTorch": {}}
    for tokens in (512, 1024, 2048, 4096, 8192):
        with contest.ours(tokens) as ours, contest.theirs(tokens, loss) as theirs:
            for name, worker in (("regard", ours), ("PyTorch", theirs)):
                steps = max(3, 8192 // tokens)
                worker.ask(steps=2)
                rates[name][tokens] = max(rate(worker, steps) for _ in range(2))
                memory[name][tokens] = worker.ask(steps=1)["peak_mib"]
    report.plot("train_batch", "Training preset small against the size of a batch", ("tokens per batch", "target tokens per second"), rates,
                log=(True, False))
    report.plot("train_memory", "Memory of training preset small", ("tokens per batch", "MiB"), memory, log=(True, True))


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
    report = Report("train", options.programs, "torch", "target tokens per second, median (least-most)")
    text = ids_of_text(options)
    works = {"small": ("small, sentences", text, "small"), "base": ("base, sentences", text, "base"),
             "equal": (f"base, {LENGTH} tokens each", equal_ids(options), "base"),
             "gru": ("recurrent, sentences", text, "small", "bahdanau")}
    for key in options.works:
        work, *what = works[key]
        contest = Contest(options, *what)
        loss = best_loss(contest, options.tokens)
        same_function(contest, report, work, loss)
        measure(contest, report, work, loss)
        report.probe()
        if key == "small":
            growth(contest, report, loss)
    sys.exit(0 if report.finish() else 1)


main()
