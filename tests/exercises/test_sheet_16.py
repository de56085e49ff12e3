"""Sheet 16: what it says of its exercises is so, its references are right, and other answers are told why."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import torch
from examining import SEEDS, solved, verdict

from transformer_course import models
from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.decoding import next_token_distribution
from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_16_decoding.greedy import STEPS
from transformer_course.generation_state import DecodingState, eval_mode


def test_what_sheet_16_says_of_its_exercises_is_so():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("16_"))
    cells = [cell.source for cell in build.notebook_of(source).cells]
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


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        (([0.5, 0.5], [[1, 0], [0, 1]]), "should hold 3 numbers and `then` 3 rows"),
        (([0.4, 0.3, 0.2], np.full((3, 3), 1 / 3)), "a sum of 1 in each row"),
        (([0.5, 0.3, 0.2], np.full((3, 3), 1 / 3)), "at least 0.3; your smallest is 0.2"),
        (([0.36, 0.33, 0.31], np.eye(3)), "above 0.6; your largest is 1"),
        (([1 / 3] * 3, np.full((3, 3), 1 / 3)), "chance would decide"),
        (([0.4, 0.3, 0.3], np.full((3, 3), 1 / 3)), "(almost) equal, 0.3 and 0.3"),
    ],
)
def test_a_tree_that_is_none_is_told(trap, words):
    assert words in verdict(catalogue()["decoding.tree"], trap).message


def test_top_p_of_sheet_16_equals_the_librarys():
    exercise = catalogue()["decoding.top_p"]
    for seed in SEEDS:
        for probabilities, p in exercise.questions(seed):
            if p in (0.3, 0.6, 0.7, 0.8, 0.9, 1.0):  # by way of logarithms, a sum that is just p is not met exactly
                expected = next_token_distribution(torch.from_numpy(probabilities).log(), top_p=min(p, 1 - 1e-9))
                np.testing.assert_allclose(exercise.reference(probabilities, p), expected, atol=1e-9)


def test_ids_that_are_wrong_in_a_new_way_are_told_as_a_text():
    exercise = catalogue()["decoding.greedy"]
    seen = verdict(exercise, lambda *question: 6 - exercise.reference(*question))
    assert re.search(r"the ids should be \[[\d, ]+\], but are \[[-\d, ]+\]\.", seen.message)


@pytest.mark.parametrize(
    ("flat", "words"),
    [(False, "at least* p together"), (True, "nothing is left in some of the rows")],
    ids=["by p", "one sum"],
)
def test_rows_of_top_p_that_do_not_sum_to_1_are_told_why(flat, words):
    def answer(probabilities, p):
        axis, row = (None, probabilities.ravel()) if flat else (-1, probabilities)
        order = np.argsort(-row, axis=axis)
        ranked = np.take_along_axis(row, order, -1)
        kept = np.zeros(row.shape)
        np.put_along_axis(kept, order, np.where(ranked.cumsum(-1) - ranked < p, ranked, 0), -1)
        kept = kept.reshape(probabilities.shape)
        return kept / np.maximum(kept.sum(-1, keepdims=True), 1e-12) if flat else kept / p

    assert words in verdict(catalogue()["decoding.top_p"], answer).message


def test_a_sum_of_top_p_that_is_not_1_is_shown():
    seen = verdict(catalogue()["decoding.top_p"], lambda probabilities, p: 2 * probabilities)
    assert seen.message.startswith("Each row of the result should sum to 1. For probabilities = [")


def test_a_loop_that_seeks_end_in_the_whole_list_is_told_on_every_seed():
    def answer(step, begin, end, limit):
        ids = [begin]
        for _ in range(limit):
            ids.append(int(np.argmax(STEPS[step](ids))))
            if end in ids:
                break
        return ids[1:]

    for seed in SEEDS:
        assert verdict(catalogue()["decoding.greedy"], answer, seed).mistake == "end is sought in the whole list"


@pytest.mark.parametrize("pick", [np.max, np.min, lambda counts: counts.ravel()[0]])
def test_one_number_of_tokens_for_all_rows_of_top_p_is_told(pick):
    def answer(probabilities, p):
        ranked = -np.sort(-probabilities, axis=-1)
        count = pick(np.asarray(1 + (ranked.cumsum(-1) < p).sum(-1)))
        order = np.argsort(-probabilities, axis=-1).argsort(-1)
        kept = np.where(order < count, probabilities, 0)
        return kept / kept.sum(-1, keepdims=True)

    for seed in SEEDS:
        assert verdict(catalogue()["decoding.top_p"], answer, seed).mistake == "one number of tokens for all rows"


@pytest.mark.parametrize(
    ("second", "third", "mistake"),
    [
        (-3.47, -4.16, "the penalty forgotten"),
        (-3.47, -2.08, "the penalty forgotten"),
        (-2.97, -4.16, "the penalty forgotten"),
        (-3.47, -2.27, "end is not counted"),
        (-2.97, -2.27, "end is not counted"),
    ],
)
def test_a_forgotten_penalty_is_not_taken_for_a_length_without_end(second, third, mistake):
    assert verdict(catalogue()["decoding.by_hand"], [-3.47, second, third, 0.44]).mistake == mistake
