"""How many lines CTranslate2 is tried and measured with: never so few that a worker has none."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
import translate


def contest(count, length, mean):
    made = object.__new__(translate.Contest)
    made.count, made.length, made.mean = count, length, mean
    return made


@pytest.mark.parametrize("workers", [1, 2, 16, 64])
@pytest.mark.parametrize("batch", translate.BATCHES)
def test_every_worker_gets_whole_batches_of_equal_lines(workers, batch, monkeypatch):
    monkeypatch.setattr(translate, "CORES", workers)
    random = contest(max(1024, 4 * workers * 128), 24, 24)
    way = {"workers": workers, "threads": 1, "batch": batch}
    assert random.trial(way) >= max(translate.TRIAL, workers * batch)
    for at_work in (10, 40, 163):
        for enough in (1, 500, 2000):
            lines = translate.lines_of_a_round(random, way, at_work, enough)
            assert lines % (workers * batch) == 0
            assert lines >= min(enough, random.count // (workers * batch) * workers * batch)


def test_real_lines_are_two_batches_for_each_worker_while_there_are_so_many():
    real = contest(10000, 0, 12.5)
    assert real.trial({"workers": 2, "batch": 8}) == translate.TRIAL
    assert real.trial({"workers": 2, "batch": 128}) == 512
    assert real.trial({"workers": 2, "batch": 2048, "batch_type": "tokens"}) == 2 * 328
    assert contest(300, 0, 12.5).trial({"workers": 2, "batch": 128}) == 300


def test_the_steps_of_both_are_the_same():
    ours, theirs = contest(1024, 24, 24).tasks({"beam": 4}, "int8")
    assert ours == {"beam": 4, "length": 24}  # and the end
    assert theirs == {"beam": 4, "length": 24, "longest": 25, "compute": "int8"}
    assert "longest" not in contest(1000, 0, 12.5).tasks({"beam": 4}, "int8")[1]
