"""Traces and answers made by rule, in the shapes that the server sends: for cases no small model gives
(80 tokens by 48 heads, text of the other direction, text that looks like markup)."""

import base64
import math
import random
import struct

END = "</s>"


def floats(values):
    return base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode()


def octets(values):
    return base64.b64encode(bytes(round(255 * value) for value in values)).decode()


def softmax(scores):
    peak = max(scores)
    powers = [math.exp(score - peak) if score > -1e9 else 0.0 for score in scores]
    return [power / sum(powers) for power in powers]


def pieces(word):
    """A word as a model of subwords spells it: in two where it is long enough."""
    half = len(word) // 2 if len(word) > 3 else len(word)
    return [("▁" + word[:half], word[:half])] + ([(word[half:], word[half:])] if word[half:] else [])


def side(words, subwords=False):
    tokens, text = [], ""
    for i, word in enumerate(words):
        text += " " if text else ""
        for shown, part in pieces(word) if subwords else [(word, word)]:
            start = len(text.encode())
            text += part
            tokens.append({"text": shown, "id": 10 + len(tokens), "word": i, "start": start, "end": len(text.encode())})
    size = len(text.encode())
    tokens.append({"text": END, "id": 2, "word": -1, "start": size, "end": size})
    return {"text": text, "tokens": tokens, "words": list(words)}


def head(kind, layer, number, rows, columns, rng, exact, vectors):
    """One head: queries and keys near each other along the diagonal, so that a pattern is seen."""
    width = 16
    sharp = rng.uniform(0.3, 2.5)
    shift = {"cross": 0, "encoder": rng.choice([-1, 0, 1]), "decoder": rng.choice([0, 1])}[kind]
    place = lambda at: [math.cos(at * (d + 1) / width * 2) for d in range(width)]
    query = [[sharp * value + rng.gauss(0, 0.2) for value in place(i * columns / rows - shift)] for i in range(rows)]
    key = [[sharp * value + rng.gauss(0, 0.2) for value in place(j)] for j in range(columns)]
    scale = 1 / math.sqrt(width)
    weights, entropy = [], 0.0
    for i in range(rows):
        scores = [scale * sum(a * b for a, b in zip(query[i], key[j])) for j in range(columns)]
        if kind == "decoder":
            scores = [score if j <= i else -math.inf for j, score in enumerate(scores)]
        row = softmax(scores)
        entropy -= sum(value * math.log2(value) for value in row if value > 0)
        weights += row
    entry = {"kind": kind, "layer": layer, "head": number, "rows": rows, "cols": columns,
             "dtype": "f32" if exact else "u8", "data": floats(weights) if exact else octets(weights),
             "entropy": entropy / rows, "tag": "diagonal" if sharp > 1.4 else "broad"}
    if vectors:
        offered = random.Random(f"{kind} {layer} {number}")  # of its own, so that weights are the same without it
        entry |= {"query": floats(sum(query, [])), "key": floats(sum(key, [])), "width": width, "scale": scale,
                  "value": floats([offered.gauss(0, 1) for _ in range(columns * width)]), "value_width": width}
    return entry


def beam(words):
    nodes = []
    for step, word in enumerate([*words, END]):
        for rank in range(4):
            final = step == len(words) and rank < 2
            logprob = -0.1 * (step + 1) - 0.7 * rank
            nodes.append({"step": step, "id": 4 * step + rank, "parent": 4 * (step - 1) + min(rank, 1) if step else -1,
                          "token": 10 + step, "text": word if rank == 0 or final else f"{word}{rank}",
                          "logprob": logprob, "score": logprob / ((5 + step + 1) / 6),
                          "state": "final" if final else "kept" if rank < 2 else "pruned"})
    return nodes


def trace(source, target, layers=2, heads=4, request=None, seed=1, subwords=False):
    """A trace of two lists of words; `request` narrows it as a request to /v1/inspect does."""
    request = request or {}
    rng = random.Random(seed)
    exact, vectors = request.get("encoding") in ("f32", "float"), request.get("vectors", False)
    src, tgt = side(source, subwords), side(target, subwords)
    S, T = len(src["tokens"]), len(tgt["tokens"])
    for i, token in enumerate(tgt["tokens"]):
        p = 0.98 - 0.11 * (i % 4)
        token["logprob"] = math.log(p)
        token["top"] = [{"text": token["text"], "id": token["id"], "p": p}, {"text": "autre", "id": 900, "p": (1 - p) / 2},
                        {"text": "plus", "id": 901, "p": (1 - p) / 4}]
    attention = []
    for kind, rows, columns in (("encoder", S, S), ("decoder", T, T), ("cross", T, S)):
        for layer in range(layers):
            for number in range(heads):
                entry = head(kind, layer, number, rows, columns, rng, exact, vectors)
                if (kind in request.get("attention", [kind]) and layer in request.get("layers", [layer])
                        and number in request.get("heads", [number])):
                    attention.append(entry)
    nearest = [min(len(source) - 1, round(i * len(source) / len(target))) for i in range(len(target))]
    soft = [0.85 if j == nearest[i] else 0.15 / max(1, len(source) - 1) for i in range(len(target)) for j in range(len(source))]
    total = sum(token["logprob"] for token in tgt["tokens"])
    return {"format": "regard-trace", "schema": 1, "translatedText": tgt["text"], "score": total / T, "log_probability": total,
            "model": {"name": "en-fr", "from": "en", "to": "fr", "architecture": "transformer",
                      "encoder_layers": layers, "decoder_layers": layers, "heads": heads, "width": 64},
            "source": src, "target": tgt,
            "alignment": {"layer": layers - 1, "head": 0, "shift": False,
                          "moses": " ".join(f"{s}-{t}" for t, s in enumerate(nearest)),
                          "pairs": [[s, t, 0.85] for t, s in enumerate(nearest)],
                          "soft": {"rows": len(target), "cols": len(source), "dtype": "f32", "data": floats(soft)}},
            "beam": beam(target), "attention": attention, "timing_ms": {"encode": 1.25, "decode": 7.5}} | (
                embedding(src["tokens"]) if request.get("embedding") else {})


def embedding(tokens, width=64):
    """The rows of the tokens, alike where their numbers are, and what positions add to them."""
    rows = [random.Random(f"row {token['id']}") for token in tokens]
    values = [rng.gauss(0, 1) for rng in rows for _ in range(width)]
    added = positional(len(tokens), width)
    return {"embedding": {"rows": len(tokens), "cols": width, "dtype": "f32", "data": floats(values)},
            "position": {name: added[name] for name in ("rows", "cols", "dtype", "data")}}


def fast_trace(size, layers, heads):
    """A large trace whose heads are cheap to make: for measuring the page, not this module."""
    data = trace([f"w{i}" for i in range(size - 1)], [f"v{i}" for i in range(size - 1)], layers=0, heads=0)
    rng = random.Random(7)
    for kind in ("encoder", "decoder", "cross"):
        for layer in range(layers):
            for number in range(heads):
                raw = base64.b64encode(rng.randbytes(size * size)).decode()
                data["attention"].append({"kind": kind, "layer": layer, "head": number, "rows": size, "cols": size, "dtype": "u8",
                                          "data": raw, "entropy": 5.0 + number / 10, "tag": "broad"})
    return data


def model():
    width, hidden = 64, 256
    weights = []

    def add(name, *shape):
        weights.append({"name": name, "shape": list(shape), "count": math.prod(shape)})

    for name, size, parts in (("encoder", 628, ["self"]), ("decoder", 1236, ["self", "cross"])):
        add(f"{name}.embed.table", size, width)
        for layer in range(2):
            block = f"{name}.blocks.{layer}"
            for part in parts:
                add(f"{block}.{part}.packed.weight", width, 3 * width)
                add(f"{block}.{part}.output.weight", width, width)
                add(f"{block}.around_{part}.norm.gain", width)
            add(f"{block}.feed.widen.weight", width, hidden)
            add(f"{block}.feed.narrow.weight", hidden, width)
            add(f"{block}.around_feed.norm.gain", width)
    entry = {"name": "en-fr", "from": "en", "to": "fr", "fromName": "English", "toName": "French", "architecture": "transformer",
             "parameters": sum(weight["count"] for weight in weights), "hash": "00ff",
             "spec": {"architecture": "transformer", "d_model": width, "d_hidden": hidden, "heads": 4, "encoder_layers": 2,
                      "decoder_layers": 2, "position": "sinusoidal"},
             "alignment": {"layer": 1, "head": 0, "shift": False}, "example": "The black cat does not see the dog.",
             "weights": weights, "vocabulary": {"source": 628, "target": 1236, "kind": "words"}}
    return {"schema": 1, "models": [entry], "limits": {"chars": 5000, "batch": 64, "beam": 8, "work": 2048}}


def recurrent_model():
    """The entry of a model with one additive head, between the same languages."""
    width = 64
    shapes = {"encoder.embed.table": (628, width), "decoder.embed.table": (1236, width), "decoder.context.weight": (width, 3 * width),
              "decoder.attention.query": (1, width, width), "decoder.readout.weight": (3 * width, width)}
    shapes |= {f"{side}.cells.layers.{layer}.{part}.weight": (width, 3 * width)
               for side in ("encoder", "decoder") for layer in range(2) for part in ("input", "hidden")}
    weights = [{"name": name, "shape": list(shape), "count": math.prod(shape)} for name, shape in shapes.items()]
    entry = model()["models"][0]
    unused = [f"{side}_{setting}" for side in ("encoder", "decoder", "cross") for setting in ("attention", "heads", "norm", "window")]
    unused += ["heads", "kv_heads", "position", "activation", "pre_norm", "ffn_dropout", "epsilon", "max_length", "first_position"]
    return entry | {"name": "en-fr-bahdanau", "architecture": "bahdanau", "recurrent": True, "unused": unused, "weights": weights,
                    "spec": entry["spec"] | {"architecture": "bahdanau", "attention": "additive", "d_hidden": width}}


def recurrent_trace(source, target, subwords=False):
    """What such a model sends: one head of cross-attention, exact or not, without vectors."""
    data = trace(source, target, layers=1, heads=1, request={"attention": ["cross"]}, subwords=subwords)
    return data | {"alignment": data["alignment"] | {"layer": -1, "head": -1},
                   "model": data["model"] | {"name": "en-fr-bahdanau", "architecture": "bahdanau", "recurrent": True}}


def positional(length, width=64):
    values = [(math.sin if d % 2 == 0 else math.cos)(p / 10000 ** ((d - d % 2) / width)) for p in range(length) for d in range(width)]
    return {"schema": 1, "scheme": "sinusoidal", "rows": length, "cols": width, "dtype": "f32", "data": floats(values)}


def pooled_weight(name, size=128):
    """A weight of the model as a picture: waves, so that something is seen."""
    shape = next(weight["shape"] for weight in model()["models"][0]["weights"] + recurrent_model()["weights"] if weight["name"] == name)
    matrix = [math.prod(shape[:-1]), shape[-1]]
    rows, columns = (min(size, length) for length in matrix)
    values = bytes(round(127 * math.sin(i / 5) * math.cos(j / 9)) & 255 for i in range(rows) for j in range(columns))
    return {"schema": 1, "parameter": name, "shape": matrix, "rows": rows, "cols": columns, "dtype": "i8", "scale": 0.002,
            "data": base64.b64encode(values).decode()}


def metrics():
    lines = []
    for step in range(100, 1801, 100):
        loss = 6 * math.exp(-step / 400) + 1.1
        lines.append({"type": "train", "step": step, "epoch": 0, "loss": loss, "perplexity": math.exp(loss - 1),
                      "learning_rate": 5e-6 * min(step, 400), "grad_norm": 1.5 * math.exp(-step / 900), "tokens": 1960 * step})
        if step % 400 == 0:
            lines.append({"type": "valid", "step": step, "epoch": 0, "loss": loss - 1, "perplexity": math.exp(loss - 1),
                          "bleu": 100 * (1 - math.exp(-step / 300))})
    return lines
