"""`--npz`, read by the real NumPy, and the example that draws it."""
import os
import pathlib
import subprocess
import sys
import types
from unittest import mock

import pytest

numpy = pytest.importorskip("numpy", reason="skipped: needs numpy of PyPI")

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "attention.py"
TEXT = "the black cat does not see the dog ."


def regard(*arguments):
    subprocess.run([os.environ["REGARD_PROGRAM"], "-q", *map(str, arguments)], check=True,
                   capture_output=True)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("npz") / "cat.npz"
    regard("inspect", "--model", os.environ["REGARD_MODEL"], TEXT, "--npz", path)
    return path


def softmax(scores):
    powers = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_a_trace_is_whole(file):
    trace = numpy.load(file, allow_pickle=False)
    assert list(trace["source_tokens"][:2]) == ["the", "black"]
    assert trace["source_tokens"][-1] == trace["target_tokens"][-1] == "</s>"
    assert trace["decoder_input"][0] == "<s>"
    assert list(trace["decoder_input"][1:]) == list(trace["target_tokens"][:-1])
    S, T = len(trace["source_tokens"]), len(trace["target_tokens"])
    layers = [name[:-len(".weights")] for name in trace.files if name.endswith(".weights")]
    assert {layer.split(".")[0] + layer.split(".")[2] for layer in layers} == {
        "encoderself", "decoderself", "decodercross"}
    for layer in layers:
        weights, q, k, v = (trace[f"{layer}.{what}"] for what in ("weights", "q", "k", "v"))
        rows = S if layer.startswith("encoder") else T
        columns = T if layer.startswith("decoder") and layer.endswith("self") else S
        assert weights.shape[1:] == (rows, columns) and weights.dtype == numpy.float32
        assert q.shape[:2] == weights.shape[:2] and k.shape[1] == v.shape[1] == columns
        assert numpy.allclose(weights.sum(axis=-1), 1, atol=1e-5)
        scores = float(trace[f"{layer}.scale"]) * q @ k.transpose(0, 2, 1)
        if layer.startswith("decoder") and layer.endswith("self"):
            scores = numpy.where(numpy.tri(rows, dtype=bool), scores, -numpy.inf)
        assert numpy.allclose(weights, softmax(scores), atol=1e-5)
    assert (trace["log_probabilities"] <= 0).all() and len(trace["log_probabilities"]) == T


def test_attention_on_matrices(tmp_path):
    regard("attend", "--query", "1,0;0,1;1,1", "--mask", "causal", "--labels", "été,b,c",
           "--npz", tmp_path / "a.npz")
    a = numpy.load(tmp_path / "a.npz", allow_pickle=False)
    assert list(a["query_labels"]) == list(a["key_labels"]) == ["été", "b", "c"]
    assert a["weights"].shape == (1, 1, 3, 3) and a["weights"].dtype == numpy.float64
    assert numpy.isnan(a["scores"][0, 0, 0, 1]) and a["weights"][0, 0, 0, 1] == 0
    assert numpy.allclose(a["weights"][0, 0] @ a["v"][0], a["output"][0])


def test_the_example_draws_it(file, monkeypatch):
    pyplot = mock.MagicMock()
    axes = numpy.array([[mock.Mock() for _ in range(4)]])
    pyplot.subplots.return_value = (figure := mock.MagicMock(), axes)
    matplotlib = types.ModuleType("matplotlib")
    matplotlib.pyplot = pyplot
    monkeypatch.setitem(sys.modules, "matplotlib", matplotlib)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    for layer in ("decoder.0.cross", "encoder.0.self", "decoder.1.self"):
        monkeypatch.setattr(sys, "argv", ["attention.py", str(file), layer])
        exec(compile(EXAMPLE.read_text(), str(EXAMPLE), "exec"), {})
        shown = axes[0, 0].imshow.call_args.args[0]
        assert (shown == numpy.load(file)[f"{layer}.weights"][0]).all()
        figure.savefig.assert_called_with("heads.pdf")
        assert len(axes[0, 0].set_xticks.call_args.args[1]) == shown.shape[1]
        assert len(axes[0, 0].set_yticks.call_args.args[1]) == shown.shape[0]
