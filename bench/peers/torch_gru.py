"""Bahdanau's model in PyTorch, the one of `--arch bahdanau`.

What made it fastest: whole sequences wherever they are known (the encoder, without its padding; the tokens' part of the decoder's
gates; keys, readout and output), and a step of the decoder as few operations.
"""
import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

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
        self.encoder = nn.GRU(width, width, layers, batch_first=True, dropout=dropout)
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
        packed = pack_padded_sequence(self.embed(source), (source != PAD).sum(1), batch_first=True, enforce_sorted=False)
        rows, states = self.encoder(packed)
        return pad_packed_sequence(rows, batch_first=True)[0], list(states.unbind())

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
        return F.linear(self.drop(torch.tanh(self.readout(rows))), self.table.weight)

    def load(self, ours):
        """Weights of a model of ours, whose linear layers are [in, out]."""
        def linear(layer, name):
            layer.weight.data = ours[name + ".weight"].T.contiguous()
            if layer.bias is not None:
                layer.bias.data = ours[name + ".bias"]

        self.table.weight.data = ours["decoder.embed.table"]
        for i, (inputs, hiddens) in enumerate(zip(self.inputs, self.hiddens)):
            for name, part in (("input", "ih"), ("hidden", "hh")):
                layer = f"encoder.cells.layers.{i}.{name}"
                getattr(self.encoder, f"weight_{part}_l{i}").data = ours[layer + ".weight"].T.contiguous()
                getattr(self.encoder, f"bias_{part}_l{i}").data = ours[layer + ".bias"]
            linear(inputs, f"decoder.cells.layers.{i}.input")
            linear(hiddens, f"decoder.cells.layers.{i}.hidden")
        linear(self.context, "decoder.context")
        linear(self.readout, "decoder.readout")
        self.query.weight.data, self.key.weight.data = (ours["decoder.attention." + name][0].T.contiguous() for name in ("query", "key"))
        self.judge.data = ours["decoder.attention.judge"][0]
