"""Attention forward and back beside PyTorch's, against the length: time, and memory beyond the operands.

usage: attention.py PROGRAMS [--lengths 256 512 1024 2048 4096] [--rounds 6]

8 heads of 64, with dropout 0.1, without, and causal; then 200 sentences of 20 tokens. PyTorch runs with tcmalloc and huge pages. The last
rows are our unfused reference, made of simple operations, which stores every weight: what fusing them is worth.
"""
import argparse
import os
import pathlib
import sys

from race import Worker, Report, race, tcmalloc

HERE = pathlib.Path(__file__).parent
KINDS = {"dropout 0.1": {"dropout": 0.1, "causal": False}, "no dropout": {"dropout": 0, "causal": False},
         "causal": {"dropout": 0, "causal": True}}
FILES = {"dropout 0.1": "dropout", "no dropout": "plain", "causal": "causal"}  # what their pictures are called
SECONDS = 0.5  # of a round


def ours(options):
    return Worker(options.programs / "bench_attention")


def theirs(_):
    environment = {**os.environ, "THP_MEM_ALLOC_ENABLE": "1", "LD_PRELOAD": tcmalloc("attention")}
    return Worker(sys.executable, HERE / "peers/torch_attention.py", env=environment)


def gflops(task):
    """Two products forward and five back, of which a causal mask leaves half."""
    full = 14e-9 * 8 * task["segments"] * task["length"] ** 2 * task["width"]
    return full / 2 if task["causal"] else full


def measure(options, report, work, task, workers=(ours, theirs), changes=({}, {})):
    """Seconds of both, and their memory."""
    with workers[0](options) as a, workers[1](options) as b:
        tasks = [{**task, **change} for change in changes]
        memory = [worker.ask(**each)["extra_mib"] for worker, each in zip((a, b), tasks)]
        slower = max(worker.ask(**each)["seconds"] for worker, each in zip((a, b), tasks))
        calls = max(1, round(SECONDS / slower))
        outcome = race(*(lambda worker=worker, each=each: gflops(each) / worker.ask(**each, calls=calls)["seconds"]
                         for worker, each in zip((a, b), tasks)), options.rounds, report.steady_rate)
    report.row(work, outcome, memory, "" if workers[1] is theirs else "against the unfused reference")
    return [gflops(task) / each.median for each in (outcome.ours, outcome.theirs)], memory


def same_function(options, report):
    with ours(options) as a, theirs(options) as b:
        for causal in (False, True):
            task = {"compare": True, "length": 300, "width": 64, "causal": causal}
            x, y = a.ask(**task), b.ask(**task)
            for what, (length, weighted) in y.items():
                far = max(abs(x[what][0] - length), abs(x[what][1] - weighted)) / length
                report.gate(f"{'causal' if causal else 'full'}: {what} differs by, relative", far, 1e-4, far <= 1e-4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--lengths", type=int, nargs="+", default=[256, 512, 1024, 2048, 4096])
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    tcmalloc("attention")
    report = Report("attention", options.programs, "torch",
                    "GFLOP/s forward and back, median (least-most); MiB beyond the operands")
    same_function(options, report)
    for kind, settings in KINDS.items():
        times, memory = {"regard": {}, "PyTorch": {}}, {"regard": {}, "PyTorch": {}}
        for length in options.lengths:
            task = {"segments": 1, "length": length, "width": 64, **settings}
            spent, held = measure(options, report, f"{kind}, length {length}", task)
            for i, name in enumerate(("regard", "PyTorch")):
                times[name][length], memory[name][length] = spent[i], held[i]
        report.plot(f"attention_time_{FILES[kind]}", f"Attention forward and back: {kind}", ("length", "seconds"), times, log=(True, True))
        report.plot(f"attention_memory_{FILES[kind]}", f"Memory of attention beyond its operands: {kind}", ("length", "MiB"), memory, log=(True, True))
        report.probe()
    measure(options, report, "dropout 0.1, 200 sentences of 20", {"segments": 200, "length": 20, "width": 64, **KINDS["dropout 0.1"]})
    for kind in ("dropout 0.1", "causal"):
        task = {"segments": 1, "length": max(options.lengths), "width": 64, **KINDS[kind]}
        measure(options, report, f"{kind}, length {max(options.lengths)}", task, (ours, ours), ({}, {"composed": True}))
    sys.exit(0 if report.finish() else 1)


main()
