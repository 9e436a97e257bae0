"""CTranslate2 as a worker in a race (see race.py): ct2_translation.py MODEL TOKENS

TOKENS holds a JSON list of tokens per line. A task may name compute, workers, threads (of each worker), beam, length (forced), longest (it
may go on to this), batch (lines or, as batch_type says, tokens that a worker translates together), at_once (lines a call gets), lines (how
many in all), say (a file for the translations), score (such a file).
"""
import json
import sys
import time

import ctranslate2
from memory import peak_mib


def main():
    model, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        sources = [json.loads(line) for line in file]
    with open(f"{model}/config.json", encoding="utf-8") as file:
        begin = json.load(file)["bos_token"]
    made = {}

    def translator(task):
        key = task.get("compute", "float32"), task.get("workers", 1), task.get("threads", 1)
        if key not in made:
            made.clear()
            made[key] = ctranslate2.Translator(model, device="cpu", compute_type=key[0], inter_threads=key[1],
                                               intra_threads=key[2], max_queued_batches=-1)
        return made[key]

    def translate(task):
        lines = sources[:task.get("lines", len(sources))]
        at_once = task.get("at_once", len(lines))
        options = {"beam_size": task.get("beam", 1), "max_batch_size": task.get("batch", 0),
                   "batch_type": task.get("batch_type", "examples")}
        length = task.get("length", 0)
        if length:
            options.update(min_decoding_length=length, max_decoding_length=task.get("longest", length))
        if task.get("say"):
            options.update(suppress_sequences=[["<pad>"], [begin]])
        engine = translator(task)
        start = time.perf_counter()
        said = []
        for i in range(0, len(lines), at_once):
            said += engine.translate_batch(lines[i:i + at_once], **options)
        spent = time.perf_counter() - start
        if task.get("say"):
            with open(task["say"], "w", encoding="utf-8") as file:
                for line in said:
                    print(json.dumps({"tokens": line.hypotheses[0]}), file=file)
        counted = (len(line.hypotheses[0]) for line in said)
        return {"seconds": spent, "tokens": sum(min(each, length or each) for each in counted), "peak_mib": peak_mib()}

    def score(task):
        """The log-probabilities of what a file says, a list a line."""
        with open(task["score"], encoding="utf-8") as file:
            said = [json.loads(line)["tokens"] for line in file]
        found = translator(task).score_batch(sources[:len(said)], said, max_batch_size=32)
        return {"log_p": [each.log_probs for each in found]}

    for line in sys.stdin:
        task = json.loads(line)
        print(json.dumps(score(task) if "score" in task else translate(task)), flush=True)


main()
