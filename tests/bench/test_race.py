"""Which rounds of a race count, tried with contestants that are lists of figures."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
import publish
from race import race


def run(probes, ours, theirs, rounds):
    """A race of figures; the machine's rate before the first round and after each."""
    turns = []

    def contestant(name, figures):
        figures = iter(figures)

        def call():
            turns.append(name)
            return next(figures)

        return call

    probes = iter(probes)
    outcome = race(contestant("ours", ours), contestant("theirs", theirs), rounds, lambda: next(probes), rest=0)
    return outcome, turns


def test_both_take_turns_and_all_steady_rounds_count():
    outcome, turns = run([100] * 5, [4, 6, 8, 10], [2, 2, 2, 2], rounds=4)
    assert turns == ["ours", "theirs", "theirs", "ours"] * 2
    assert (outcome.ours.median, outcome.theirs.median, outcome.ratio.median) == (7, 2, 3.5)
    assert (outcome.repeated, outcome.disturbed) == (0, 0)


def test_a_disturbed_round_is_repeated():
    # The second probe is low: the rounds before and after it are disturbed.
    outcome, _ = run([100, 100, 50, 100, 100, 100], [5, 90, 90, 6, 7], [5] * 5, rounds=3)
    assert outcome.ours.values == [5, 6, 7]
    assert (outcome.repeated, outcome.disturbed) == (2, 0)
    assert [each["ours"] for each in outcome.to_json()["rounds"]] == [5, 90, 90, 6, 7]
    assert [each["counts"] for each in outcome.to_json()["rounds"]] == [True, False, False, True, True]


def test_a_faster_machine_disturbs_what_was_before():
    outcome, _ = run([100, 100, 110, 110, 110], [1, 2, 3, 4], [1] * 4, rounds=2)
    assert outcome.ours.values == [3, 4]
    assert (outcome.repeated, outcome.disturbed) == (2, 0)


def test_where_no_round_is_steady_the_probe_alone_decides():
    # After the first look the machine never gives as much again; rounds 1, 3 and 5 are as good as one another, 2 is a little better.
    probes = [200, 99, 99, 100, 100, 99, 99]
    ours, theirs = [1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1]
    outcome, _ = run(probes, ours, theirs, rounds=3)
    assert [each["fma_gflops"] for each in outcome.to_json()["rounds"]] == [99, 99, 99, 100, 99, 99]
    assert outcome.counted == [0, 1, 3], "ties go to the earlier round, not to the one in which we were faster"
    assert outcome.ours.values == [1, 2, 4]
    assert (outcome.repeated, outcome.disturbed) == (3, 3)


def test_a_table_tells_how_many_rounds_were_disturbed():
    rows = [{**run([100, 100, 50, 100, 100, 100], [5] * 5, [5] * 5, rounds=3)[0].to_json(), "work": "a", "mib": {"ours": None}, "settings": ""},
            {**run([200, 99, 99], [1, 2], [1, 1], rounds=1)[0].to_json(), "work": "b", "mib": {"ours": 1, "theirs": 2}, "settings": ""}]
    lines = publish.table({"peer": "Peer 1.0", "unit": "tokens", "rows": rows, "gates": [], "notes": [], "processor": "P", "date": "today",
                           "commit": "abc", "probes": [{"fma_gflops": 1, "read_gb_s": 1, "cores": 2}]})
    assert lines[-1].endswith("Rounds that count: 4, disturbed all the same: 1; repeated: 3.")
