"""Draws every head of a layer, from the arrays that `regard inspect --npz` writes.

usage: python examples/attention.py cat.npz decoder.1.cross"""
import sys

import matplotlib.pyplot as plt
import numpy as np

file, layer = sys.argv[1:]
trace = np.load(file)
weights = trace[f"{layer}.weights"]  # [heads, rows, columns]
rows = trace["source_tokens" if layer.startswith("encoder") else "target_tokens"]
columns = trace["decoder_input" if layer.endswith("self") and layer.startswith("decoder") else "source_tokens"]

figure, axes = plt.subplots(1, len(weights), squeeze=False, figsize=(3 * len(weights), 3), layout="constrained")
for head, axis in enumerate(axes.flat):
    axis.imshow(weights[head], vmin=0, vmax=1, cmap="cividis")
    axis.set_title(f"head {head + 1}")
    axis.set_xticks(range(len(columns)), columns, rotation=90)
    axis.set_yticks(range(len(rows)), rows)
figure.savefig("heads.pdf")
