"""PyTorch's scaled_dot_product_attention forward and back as a worker in a race (see race.py); tasks as bench_attention takes them."""
import json
import os
import sys
import time

import torch
from memory import peak_mib, resident_mib
from torch.nn.functional import scaled_dot_product_attention

HEADS = 8


def compared(task):
    """The output and the gradients of the waves that bench_attention makes, in its words."""
    length, width = task["length"], task["width"]
    rows = torch.arange(length, dtype=torch.float64)[:, None]

    def columns(parts):
        return torch.arange(parts * HEADS * width, dtype=torch.float64)

    def heads(x):  # [length, heads * width] -> [1, heads, length, width]
        return x.unflatten(-1, (HEADS, width)).transpose(0, 1)[None]

    x = torch.sin(0.7 * rows + 0.3 * columns(3)).float().requires_grad_()
    y = scaled_dot_product_attention(*(heads(part) for part in x.chunk(3, dim=1)), is_causal=task["causal"])
    y.backward(heads(torch.cos(0.2 * rows + 0.5 * columns(1)).float()))

    def summary(part):
        weights = torch.cos(0.11 * rows + 0.07 * columns(1))
        return part.double().norm().item(), (part.double() * weights).sum().item()

    gradients = (f"gradient of {part}" for part in ("queries", "keys", "values"))
    return {"output": summary(y.detach()[0].transpose(0, 1).flatten(1)), **dict(zip(gradients, map(summary, x.grad.chunk(3, dim=1))))}


def main():
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    made = None

    def step(task):
        q, k, v, gradient = made
        scaled_dot_product_attention(q, k, v, is_causal=task["causal"], dropout_p=task["dropout"]).backward(gradient)
        q.grad = k.grad = v.grad = None

    for line in sys.stdin:
        task = json.loads(line)
        if "compare" in task:
            print(json.dumps(compared(task)), flush=True)
            continue
        if made is None:
            shape = task["segments"], HEADS, task["length"], task["width"]
            made = *(torch.randn(shape, requires_grad=True) for _ in range(3)), torch.randn(shape)
        before, calls, start = resident_mib(), task.get("calls", 1), time.perf_counter()
        for _ in range(calls):
            step(task)
        spent = (time.perf_counter() - start) / calls
        print(json.dumps({"seconds": spent, "extra_mib": peak_mib() - before}), flush=True)


main()
