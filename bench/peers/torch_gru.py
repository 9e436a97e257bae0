"""Bahdanau's model in PyTorch, the one of `--arch bahdanau`.

What made it fastest: whole sequences wherever they are known (the encoder, the tokens' part of the decoder's gates, keys, readout and
output), and few operations a step of the decoder. Packed sequences were slower than padding; steps compiled were no faster.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F

PAD = 0


def next_state(gates, hidden, state):
    """A gated recurrent unit, given what the input and the state make of the gates."""
    width = state.shape[1]
    reset, keep = torch.sigmoid(gates[:, :2 * width] + hidden[:, :2 * width]).chunk(2, 1)
    fresh = torch.tanh(torch.addcmul(gates[:, 2 * width:], reset, hidden[:, 2 * width:]))
    return torch.lerp(fresh, state, keep)


class Recurrent(nn.Module):
    def __init__(self, size, vocabulary, dropout):
        super().__init__()
        width, _, _, layers = size
        self.table = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.table.weight, std=width ** -0.5)
        self.encoder = nn.ModuleList(nn.GRU(width, width, batch_first=True) for _ in range(layers))
        self.query, self.key = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.judge = nn.Parameter(torch.empty(width).uniform_(-0.1, 0.1))
        self.context = nn.Linear(width, 3 * width, bias=False)
        self.inputs = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(layers))
        self.hiddens = nn.ModuleList(nn.Linear(width, 3 * width) for _ in range(layers))
        self.readout = nn.Linear(3 * width, width)
        self.drop = nn.Dropout(dropout)

    def embed(self, ids):
        return self.drop(self.table(ids) * math.sqrt(self.table.embedding_dim))

    def encode(self, source):
        """The last layer's states, and each layer's after the last token."""
        rows, states, last = self.embed(source), [], (source != PAD).sum(1) - 1
        for i, layer in enumerate(self.encoder):
            rows, _ = layer(self.drop(rows) if i > 0 else rows)
            states.append(rows[torch.arange(len(last)), last])
        return rows, states

    def forward(self, source, said):
        memory, states = self.encode(source)
        hidden, keys, tokens = source == PAD, self.key(memory), self.embed(said)
        tops, contexts = [], []
        for gates in self.inputs[0](tokens).unbind(1):
            scores = (torch.tanh(self.query(states[-1])[:, None] + keys) @ self.judge).masked_fill(hidden, -torch.inf)
            context = torch.bmm(self.drop(scores.softmax(-1))[:, None], memory)[:, 0]
            gates = torch.addmm(gates, context, self.context.weight.T)
            for i, state in enumerate(states):
                if i > 0:
                    gates = self.inputs[i](self.drop(states[i - 1]))
                states[i] = next_state(gates, self.hiddens[i](state), state)
            tops.append(states[-1])
            contexts.append(context)
        rows = torch.cat([torch.stack(tops, 1), torch.stack(contexts, 1), tokens], -1)
        return self.drop(torch.tanh(self.readout(rows))), self.table.weight

    def parts(self):
        """Parameters by how the names of ours begin."""
        return {"decoder.attention": [self.query.weight, self.key.weight, self.judge], "decoder.context": [self.context.weight],
                "encoder.cells": list(self.encoder.parameters())}

    def load(self, ours):
        """Weights of a model of ours, whose linear layers are [in, out]."""
        def linear(layer, name):
            layer.weight.data = ours[name + ".weight"].T.contiguous()
            if layer.bias is not None:
                layer.bias.data = ours[name + ".bias"]

        self.table.weight.data = ours["decoder.embed.table"]
        for i, layer in enumerate(self.encoder):
            for name, part in (("input", "ih"), ("hidden", "hh")):
                cells = f"encoder.cells.layers.{i}.{name}"
                getattr(layer, f"weight_{part}_l0").data = ours[cells + ".weight"].T.contiguous()
                getattr(layer, f"bias_{part}_l0").data = ours[cells + ".bias"]
            linear(self.inputs[i], f"decoder.cells.layers.{i}.input")
            linear(self.hiddens[i], f"decoder.cells.layers.{i}.hidden")
        linear(self.context, "decoder.context")
        linear(self.readout, "decoder.readout")
        self.query.weight.data, self.key.weight.data = (ours["decoder.attention." + name][0].T.contiguous() for name in ("query", "key"))
        self.judge.data = ours["decoder.attention.judge"][0]
