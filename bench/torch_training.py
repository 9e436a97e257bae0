#!/usr/bin/env python3
"""The same training steps in PyTorch, at its best on a CPU, as one line of JSON.

usage: torch_training.py IDS [--preset small] [--tokens 4096] [--steps 20] [--dropout 0.1]

What made it fastest: sentences sorted by length into padded batches, scaled_dot_product_attention, the fused Adam,
huge pages and tcmalloc (the driver sets both), denormals flushed; eager, since compiled was slower.
"""
import argparse
import json
import math
import resource
import time

import torch
from torch import nn
from torch.nn import functional as F

SIZES = {"tiny": (128, 512, 4, 2), "small": (256, 1024, 4, 3), "base": (512, 2048, 8, 6), "big": (1024, 4096, 16, 6)}
PAD, BEGIN, END = 0, 1, 2


class Heads(nn.Module):
    """Multi-head attention; keys and values come out of one product."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.query = nn.Linear(width, width)
        self.key_value = nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, source, mask=None, causal=False):
        key, value = self.key_value(source).chunk(2, dim=-1)
        rate = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(self.split(self.query(x)), self.split(key), self.split(value),
                                               attn_mask=mask, is_causal=causal, dropout_p=rate)
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """An encoder layer, or a decoder layer where it looks at a source; norms come after, as in the paper."""

    def __init__(self, width, hidden, heads, dropout, cross):
        super().__init__()
        self.own = Heads(width, heads, dropout)
        self.cross = Heads(width, heads, dropout) if cross else None
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3 if cross else 2))
        self.widen, self.narrow = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask, source=None):
        own = self.own(x, x, None if self.cross else mask, causal=self.cross is not None)
        x = self.norms[0](x + self.drop(own))
        if self.cross:
            x = self.norms[1](x + self.drop(self.cross(x, source, mask)))
        hidden = self.drop(F.relu(self.widen(x)))
        return self.norms[-1](x + self.drop(self.narrow(hidden)))


class Translator(nn.Module):
    def __init__(self, size, vocabulary, dropout):
        super().__init__()
        width, hidden, heads, layers = size
        self.table = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.table.weight, std=width ** -0.5)
        places = torch.arange(2048)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
        self.register_buffer("positions", torch.stack([places.sin(), places.cos()], -1).flatten(1))
        self.encoder = nn.ModuleList(Layer(width, hidden, heads, dropout, False) for _ in range(layers))
        self.decoder = nn.ModuleList(Layer(width, hidden, heads, dropout, True) for _ in range(layers))
        self.drop = nn.Dropout(dropout)

    def embed(self, ids):
        return self.drop(self.table(ids) * math.sqrt(self.table.embedding_dim) + self.positions[: ids.shape[1]])

    def forward(self, source, said):
        mask = (source != PAD)[:, None, None, :]
        memory, x = self.embed(source), self.embed(said)
        for layer in self.encoder:
            memory = layer(memory, mask)
        for layer in self.decoder:
            x = layer(x, mask, memory)
        return F.linear(x, self.table.weight)


def padded(rows):
    box = torch.full((len(rows), max(map(len, rows))), PAD)
    for line, row in zip(box, rows):
        line[: len(row)] = torch.tensor(row)
    return box


def batches(path, tokens, count):
    """Sentences of like length together, at most `tokens` on the longer side with the padding."""
    with open(path) as file:
        pairs = [[[int(i) for i in side.split()] for side in line.split("\t")] for line in file]
    pairs.sort(key=lambda pair: (len(pair[1]), len(pair[0])))
    made, batch, longest = [], [], 0
    for source, target in pairs:
        longest = max(longest, len(source) + 1, len(target) + 1)
        if batch and longest * (len(batch) + 1) > tokens:
            made.append(batch)
            batch, longest = [], max(len(source), len(target)) + 1
        batch.append(([*source, END], [BEGIN, *target, END]))
    made.append(batch)
    order = torch.randperm(len(made), generator=torch.Generator().manual_seed(2))
    return [tuple(padded(side) for side in zip(*made[i])) for i in order[:count]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids")
    parser.add_argument("--preset", choices=SIZES, default="small")
    parser.add_argument("--size", type=int, default=8000)
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    model = Translator(SIZES[options.preset], options.size, options.dropout).train()
    adam = torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), fused=True)
    work = batches(options.ids, options.tokens, options.steps)
    seconds, tokens = 0.0, 0
    for i, (source, target) in enumerate([*work[:3], *work]):
        started = time.perf_counter()
        logits = model(source, target[:, :-1])
        F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD, label_smoothing=0.1).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        adam.zero_grad(set_to_none=True)
        if i >= 3:
            seconds += time.perf_counter() - started
            tokens += int((target[:, 1:] != PAD).sum())
    print(json.dumps({"name": f"torch {torch.__version__}", "steps": len(work), "target_tokens": tokens,
                      "parameters": sum(p.numel() for p in model.parameters()), "seconds": round(seconds, 4),
                      "target_tokens_per_s": round(tokens / seconds, 1),
                      "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))


if __name__ == "__main__":
    main()
