"""Sheet 01: what it says of its exercises is so, and other answers are told why."""

import numpy as np
from examining import cells_of, told, verdict

from transformer_course.exercises import catalogue


def spread(reach, most: int = 2000) -> int:
    """After how many layers the last of 1,025 places knows of the first; ``reach(layer)`` are the steps to the right."""
    known = np.zeros(1025, dtype=bool)
    known[0] = True
    for layer in range(most):
        if known[-1]:
            return layer
        known = np.any([known, *(np.r_[np.zeros(step, bool), known[:-step]] for step in reach(layer))], axis=0)
    raise AssertionError("never")


def test_what_sheet_01_says_of_its_exercises_is_so():
    cells = cells_of("01")
    text = "\n".join(cells)

    def part_of_the_first(w, tokens):
        states = [0.0, 0.0]
        for t, x in enumerate(tokens):
            states = [w * states[0] + x, w * states[1] + x * (t > 0)]
        return states[0] - states[1]

    assert [part_of_the_first(0.5, [4, 1, 1][:n]) for n in (1, 2, 3)] == [4, 2, 1]
    falls = [part_of_the_first(0.8, [3, *[1] * n]) < 0.03 for n in range(30)].index(True)
    left = [part_of_the_first(0.8, [3] + [1] * 8), falls, part_of_the_first(30 / 31, [1] + [5] * 60)]
    np.testing.assert_allclose(catalogue()["recurrence.fading"].value, left, rtol=1e-12)
    assert part_of_the_first(0.5, [1] + [0] * 60) < 1e-9  # "less than a billionth"

    reaches = (lambda _: [1]), (lambda _: [1, 2]), (lambda layer: [2**layer]), (lambda _: range(1, 1025))
    assert catalogue()["paths.lengths"].value == [spread(reach) for reach in reaches]

    plan, tables = catalogue()["recall.plan"], [[part.strip() for part in line.split("|")[1:-1]] for line in text.splitlines()]
    example = next(cell for cell in cells if cell.startswith('{"model"'))
    assert verdict(plan, [eval(example)]).reason == "mistake"  # its form is right
    assert f"at most {plan.max_runs} runs" in text
    rows = [row[1:] for row in tables if row and row[0].startswith(("length", "forget bias"))]
    for length, default, biased in zip(*rows, strict=True):
        for bias, result in ((0.0, default), (3.9, biased)):
            flaw = plan.uninformative({"length": int(length), "forget_bias": bias})
            assert (flaw == "at the ceiling") == (result.split(",")[0] == "remembers")
    assert list(map(int, rows[0])) == list(plan.fields["length"])

    farthest = " · ".join(row[-1] for row in tables if row and row[0].startswith("**LSTM"))
    assert catalogue()["recall.verdict"].right["value"] == max(map(float, farthest.split(" · ")))


def test_a_plan_at_a_length_that_the_claim_is_not_about_does_not_pass():
    exercise = catalogue()["recall.plan"]

    def runs(length):
        fields = {"model": "lstm", "forget_bias": 0.0, "length": length}
        return [{**fields, "hidden": hidden, "seed": seed} for hidden in (32, 64) for seed in range(3)]

    assert verdict(exercise, runs(50)).mistake == "at another length"
    assert verdict(exercise, runs(50) + runs(20)).passed  # further runs may come on top


def test_a_state_that_begins_as_a_single_number_is_told(snapshot):
    def states(x, w_h, w_x):
        h = 0
        return np.tanh(h @ w_h + x @ w_x)

    assert told("recurrence.states", states) == snapshot
