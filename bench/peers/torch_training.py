"""Training in PyTorch as a worker in a race (see race.py): torch_training.py IDS [--preset small] [--size 8000] [--tokens 4096] [--dropout 0.1]
                                                               [--arch transformer] [--loss stored]

What made it fastest: sentences sorted by length into padded batches, scaled_dot_product_attention, the fused Adam,
huge pages and tcmalloc (the driver sets both), denormals flushed; eager, since compiled was slower. The loss either stores all logits or
comes from PyTorch's chunked linear_cross_entropy, which never does: the driver tries both.
"""
import argparse
import json
import math
import os
import pathlib
import struct
import sys
import time

import torch
from memory import peak_mib
from torch import nn
from torch.nn import functional as F
from torch_gru import Recurrent

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
        return x, self.table.weight

    def parts(self):
        """Parameters by how the names of ours begin."""
        return {"encoder.blocks": self.encoder.parameters(), "decoder.blocks": self.decoder.parameters()}

    def load(self, ours):
        """Weights of a model of ours, whose linear layers are [in, out] and whose queries, keys and values are one product."""
        def linear(layer, *parts):
            layer.weight.data = torch.cat([weight.T for weight, _ in parts]).contiguous()
            layer.bias.data = torch.cat([bias for _, bias in parts])

        def packed(name, count):
            return list(zip(ours[name + ".weight"].chunk(count, 1), ours[name + ".bias"].chunk(count)))

        def attention(heads, query, key_value, output):
            linear(heads.query, query)
            linear(heads.key_value, *key_value)
            linear(heads.output, *packed(output, 1))

        self.table.weight.data = ours["decoder.embed.table"]
        for side, layers in (("encoder", self.encoder), ("decoder", self.decoder)):
            for i, layer in enumerate(layers):
                name = f"{side}.blocks.{i}."
                query, *rest = packed(name + "self.packed", 3)
                attention(layer.own, query, rest, name + "self.output")
                if layer.cross:
                    attention(layer.cross, *packed(name + "cross.query", 1), packed(name + "cross.packed", 2), name + "cross.output")
                linear(layer.widen, *packed(name + "feed.widen", 1))
                linear(layer.narrow, *packed(name + "feed.narrow", 1))


MODELS = {"transformer": Translator, "bahdanau": Recurrent}


def padded(rows):
    box = torch.full((len(rows), max(map(len, rows))), PAD)
    for line, row in zip(box, rows):
        line[: len(row)] = torch.tensor(row)
    return box


def read_pairs(path):
    with open(path) as file:
        return [[[int(i) for i in side.split()] for side in line.split("\t")] for line in file]


def batches(pairs, tokens):
    """Sentences of like length together, at most `tokens` on the longer side with the padding; by length."""
    made, batch, longest = [], [], 0
    for source, target in sorted(pairs, key=lambda pair: (len(pair[1]), len(pair[0]))):
        longest = max(longest, len(source) + 1, len(target) + 1)
        if batch and longest * (len(batch) + 1) > tokens:
            made.append(batch)
            batch, longest = [], max(len(source), len(target)) + 1
        batch.append((source, target))
    made.append(batch)
    return [boxes(batch) for batch in made]


def boxes(pairs):
    """Source and target, padded."""
    return padded([[*source, END] for source, _ in pairs]), padded([[BEGIN, *target, END] for _, target in pairs])


SMOOTHING = 0.1


def stored_loss(rows, table, targets):
    return F.cross_entropy(F.linear(rows, table), targets, ignore_index=PAD, label_smoothing=SMOOTHING)


def chunked_loss(rows, table, targets):
    """The same. The chunked operation has no label smoothing: of -log p(c) = lse - z(c), the mean over all classes is -log p(target) +
    z(target) - mean z."""
    loss = F.linear_cross_entropy(rows, table, targets, ignore_index=PAD, options=nn.LinearCrossEntropyOptions())
    real = (targets != PAD).float()
    beyond = ((rows * (F.embedding(targets, table) - table.mean(0))).sum(-1) * real).sum() / real.sum()
    return loss + SMOOTHING * beyond


LOSSES = {"stored": stored_loss, "chunked": chunked_loss}


def loss_of(model, loss, source, target):
    rows, table = model(source, target[:, :-1])
    return LOSSES[loss](rows.flatten(0, 1), table, target[:, 1:].flatten())


def weights_of(path):
    """The tensors of a safetensors file, by name."""
    raw = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    body, weights = memoryview(raw)[8 + size:], {}
    for name, entry in json.loads(raw[8:8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            weights[name] = torch.frombuffer(bytearray(body[begin:end]), dtype=torch.float32).reshape(entry["shape"])
    return weights


def length(parameters):
    return math.sqrt(sum(float(p.grad.double().square().sum()) for p in parameters))


class Worker:
    def __init__(self, options):
        self.options, self.pairs = options, read_pairs(options.ids)
        self.model = self.made(options.dropout).train()
        self.adam = torch.optim.Adam(self.model.parameters(), lr=1e-4, betas=(0.9, 0.98), fused=True)
        self.work = batches(self.pairs, options.tokens)

    def made(self, dropout):
        return MODELS[self.options.arch](SIZES[self.options.preset], self.options.size, dropout)

    def step(self, source, target):
        loss_of(self.model, self.options.loss, source, target).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.adam.step()
        self.adam.zero_grad(set_to_none=True)

    def answer(self, task):
        if "compare" in task:
            return self.compared(task)
        seconds, tokens = 0.0, 0
        for i in range(steps := task.get("steps", 1)):
            # Batches of short, middling and long sentences, the same every time.
            source, target = self.work[(2 * i + 1) * len(self.work) // (2 * steps)]
            started = time.perf_counter()
            self.step(source, target)
            seconds += time.perf_counter() - started
            tokens += int((target[:, 1:] != PAD).sum())
        return {"seconds": seconds, "tokens": tokens, "peak_mib": peak_mib(),
                "tcmalloc": "libtcmalloc" in pathlib.Path("/proc/self/maps").read_text()}

    def compared(self, task):
        """With the weights of a file, without dropout: the loss of a target token of the first sentences, and how long its gradient is, of
        all parameters and of parts that say little in that."""
        model = self.made(0.0)
        model.load(weights_of(task["compare"]))
        loss = loss_of(model, self.options.loss, *boxes(self.pairs[:task["sentences"]]))
        loss.backward()
        parts = {"": model.parameters(), **model.parts()}
        return {"loss": loss.item(), "gradients": {name: length(part) for name, part in parts.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ids")
    parser.add_argument("--preset", choices=SIZES, default="small")
    parser.add_argument("--size", type=int, default=8000)
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--arch", choices=MODELS, default="transformer")
    parser.add_argument("--loss", choices=LOSSES, default="stored")
    options = parser.parse_args()
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.set_flush_denormal(True)
    torch.manual_seed(0)
    worker = Worker(options)
    for line in sys.stdin:
        print(json.dumps(worker.answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
