"""Sheet 16: what it says of its exercises is so, and other answers are told why."""

import math
from fractions import Fraction

import numpy as np
import torch
from examining import cells_of, solved, told

from transformer_course import models
from transformer_course.decoding import next_token_distribution
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_16_decoding.greedy import STEPS
from transformer_course.generation_state import DecodingState, eval_mode


def test_what_sheet_16_says_of_its_exercises_is_so():
    cells = cells_of("16")
    by_hand, tree = catalogue()["decoding.by_hand"], catalogue()["decoding.tree"]
    rows = [[part.strip(" *") for part in line.split("|")[1:-1]] for line in "\n".join(cells).splitlines() if line[:1] == "|"]
    totals = {}
    for name in "AB":
        row = next(row for row in rows if row[0] == name and "1/2" in row)
        factors = [float(Fraction(part)) for part in row[1:] if part]
        totals[name] = [math.log(math.prod(factors)), (5 + len(factors)) / 6]
    (short, penalty), (long, longer) = totals.values()
    p = next_token_distribution(torch.tensor([0.64, 0.16, 0.16, 0.04]).log(), temperature=2)
    np.testing.assert_allclose(by_hand.value, [short, short / penalty, long / longer, p[0]], rtol=1e-6)
    assert short > long
    assert short / penalty < long / longer

    names = {"np": np}
    exec(next(cell for cell in cells if "STEPS = {" in cell), names)
    assert list(names["STEPS"]) == list(STEPS)
    for name, function in STEPS.items():  # what the sheet's table does is what is judged
        for ids in ([3], [2, 6], [1, 4, 0, 5]):
            assert np.array_equal(names["STEPS"][name](ids), function(ids))

    exec(next(cell for cell in cells if cell.startswith("def beam_of_two(")), names)
    rng = np.random.default_rng(0)
    for first, then in (names["example"], solved(tree), *((rng.random(3), rng.random((3, 3))) for _ in range(200))):
        assert names["beam_of_two"](first, then) == tree.faulty(np.array(first), np.array(then))
        assert names["most_probable"](first, then) == tree.reference(np.array(first), np.array(then))
    assert names["beam_of_two"](*names["example"]) == names["most_probable"](*names["example"])  # it is no answer

    measured = {row[0]: row[2:] for row in rows if len(row) == 4 and row[0] in "ABCDE"}
    model, vocabularies = models.load("gpt-pre")
    text, passes = vocabularies["text"], []
    model.stack.register_forward_hook(lambda *_: passes.append(1))
    letters = "GREEK SMALL LETTER OMEGA WITH PSILI AND VARIA AND YPOGEGRAMMENI"[:60]
    ids = torch.tensor([[text.begin, *text.encode(letters)]])

    def written(rows, given):
        run, new = DecodingState(model, ids[:, : given + 1].repeat(rows, 1), 60 - given), ids[:, : given + 1].repeat(rows, 1)
        with eval_mode(model):
            for place in range(given, 60):
                run.step(new)
                new = ids[:, place + 1 : place + 2].repeat(rows, 1)

    counted = []
    with torch.no_grad():
        runs = [lambda: model(ids), lambda: [model(ids[:, : k + 1]) for k in range(60)]]
        for do in (*runs, lambda: written(1, 0), lambda: written(1, 40), lambda: written(32, 0)):
            passes.clear()
            do()
            counted.append(len(passes))
    assert counted == [int(passes) for passes, _ in measured.values()]
    assert catalogue()["decoding.parallel"].right["value"] == counted[3]


def test_other_answers_to_sheet_16_are_told_why(snapshot):
    even = np.full((3, 3), 1 / 3)
    answers = {
        "decoding.tree": {
            "two tokens": ([0.5, 0.5], [[1, 0], [0, 1]]),
            "a sum of 0.9": ([0.4, 0.3, 0.2], even),
            "below 0.3": ([0.5, 0.3, 0.2], even),
            "above 0.6": ([0.36, 0.33, 0.31], np.eye(3)),
            "three equal": ([1 / 3] * 3, even),
            "two equal": ([0.4, 0.3, 0.3], even),
        },
        "decoding.greedy": {"other ids": lambda *question: 6 - catalogue()["decoding.greedy"].reference(*question)},
        "decoding.top_p": {"a sum of 2": lambda probabilities, p: 2 * probabilities},
        "decoding.by_hand": {
            "rounded too early": [-3.5, -2.9706, -2.0794, 0.4444],
            "a wrong probability": [-3.4657, -2.9706, -2.0794, 0.5],
            "a probability further off": [-3.4657, -2.9706, -2.0794, 0.55],
        },
    }
    assert {name: {case: told(name, answer) for case, answer in cases.items()} for name, cases in answers.items()} == snapshot
