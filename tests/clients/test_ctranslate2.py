"""`regard convert --to ctranslate2`, read by the real CTranslate2."""
import json
import os
import subprocess

import pytest

ctranslate2 = pytest.importorskip("ctranslate2", reason="skipped: needs ctranslate2 of PyPI")

# The model of the other tests, and kinds of Transformer that it is not.
OTHERS = {
    "pre_norm": ["pre_norm=true", "position=learned", "activation=gelu", "tied=target"],
    "untied": ["tied=none", "position=sinusoidal-halves", "activation=swish", "first_position=1"],
    "subwords": ["tied=all", "position=none"],
}


def regard(*arguments, text=None):
    return subprocess.run([os.environ["REGARD_PROGRAM"], *map(str, arguments)], input=text,
                          check=True, capture_output=True, text=True,
                          env={**os.environ, "REGARD_DECODE_MAX_RATIO": "0"}).stdout


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    regard("corpus", "builtin:en-fr", "--pairs", "300", "--out", folder)
    return (folder / "train.en").read_text().splitlines()[:100]


@pytest.fixture(scope="module", params=["trained", *OTHERS])
def model(request, tmp_path_factory):
    if request.param == "trained":
        return os.environ["REGARD_MODEL"]
    folder = tmp_path_factory.mktemp("models") / request.param
    settings = [f"model.{setting}" for setting in OTHERS[request.param]]
    settings += ["data.builtin_pairs=2k", "train.validate_sentences=20"]
    if request.param == "subwords":
        settings += ["vocab.type=bpe", "vocab.size=600", "vocab.joint=true"]
    regard("train", "-q", "--train", "builtin:en-fr", "--model", folder, "--preset", "tiny",
           "--steps", "60", "--batch-tokens", "512", *(f"--set={each}" for each in settings))
    return folder


def test_says_the_same(model, lines, tmp_path):
    regard("convert", "--to", "ctranslate2", model, "--out", tmp_path / "out")
    ours = [json.loads(line) for line in
            regard("translate", "-q", "-m", model, "--beam", "1", "--max-length", "40", "--json",
                   text="\n".join(lines)).splitlines()]
    sources = [line["source_tokens"] for line in ours]
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    translator = ctranslate2.Translator(str(tmp_path / "out"), compute_type="float32")
    theirs = translator.translate_batch(
        sources, beam_size=1, max_decoding_length=40,
        suppress_sequences=[["<pad>"], [config["bos_token"]]])
    same = sum(a["tokens"] == b.hypotheses[0] for a, b in zip(ours, theirs))
    assert same >= 0.99 * len(lines)  # rounding may decide between two tokens
    scored = translator.score_batch(sources, [line["tokens"] for line in ours])
    for a, b in zip(ours, scored):
        # Where the length limit ended ours, theirs has an end token more.
        mine = a["token_log_probabilities"]
        assert len(b.log_probs) - len(mine) in (0, 1)
        assert b.log_probs[:len(mine)] == pytest.approx(mine, rel=1e-4, abs=1e-4)
