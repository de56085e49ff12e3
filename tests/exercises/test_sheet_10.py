"""Sheet 10: what it says of its exercises is so, and other answers are told why."""

import numpy as np
import pytest
import torch
from examining import cells_of, lettered_rows, solved, told

from transformer_course.exercises import catalogue
from transformer_course.exercises.lesson_10_residual.residual import NAMED
from transformer_course.experiments.stacks import echo_accuracy, gradient_at_input, token_specific_fractions


def test_what_sheet_10_says_of_its_exercises_is_so():
    cells = cells_of("10")
    text, names = "\n".join(cells), {"np": np}
    by_hand, ours, replaced, which = (
        catalogue()[name] for name in ("residual.by_hand", "layers.residual", "residual.replace", "residual.which_one")
    )
    makes = np.array([[[1, 0], [1, 0]], [[0, -1], [0, 0]], [[0, 1], [1, 0]]])  # what each sublayer makes, as a matrix
    token = x = silenced = np.array([1.0, 2.0])
    for place, w in enumerate(makes):
        x, silenced = x + x @ w, silenced + (silenced @ w if place != 1 else 0)
    assert by_hand.value == [x.tolist(), silenced.tolist()]
    handed_on, below = token @ makes[0] @ makes[1] @ makes[2], token @ (np.eye(2) + makes[0]) @ (np.eye(2) + makes[1])
    second_reads_it = (token + token @ (makes[0] + makes[1])) @ (np.eye(2) + makes[2])
    firsts = [handed_on, token + (token @ makes).sum(0), second_reads_it, token + handed_on, x - token]
    in_two_steps = [below[0] + below[1], below[0] + 2 * below[1]]
    firsts += [below, 2 * below, [x[0], silenced[0]], in_two_steps, below @ makes[2], x, x]
    np.testing.assert_allclose([mistake.answer[0] for mistake in by_hand.mistakes], firsts)

    exec(next(cell for cell in cells if cell.startswith("NAMED = ")), names)
    assert list(names["NAMED"]) == list(NAMED)
    for question in ours.questions(0):
        for name, function in NAMED.items():  # what the sheet's table does is what is judged, on arrays and on tensors
            np.testing.assert_array_equal(names["NAMED"][name](question[0]), function(question[0]))
            np.testing.assert_array_equal(function(torch.from_numpy(question[0])), function(question[0]))
    own = solved(ours)
    for order, right in (("pre", [6.5, 0.5]), ("post", [4.0, 0.0])):  # functions of one's own will do too
        assert own(np.array([3.0, -1.0]), lambda x: x + 2, lambda x: x / 2, order).tolist() == right
    exec(next(cell for cell in cells if cell.startswith("def after(")), names)
    assert names["after"](solved(replaced)).tolist() == [3, 1, 2]

    rows = lettered_rows(text)
    largest = []
    for row, (attention, network, gradient, share, learned) in rows.items():
        kinds = [kind for kind, has in (("attention", attention), ("feed-forward", network)) if has == "yes"]
        arm = {"residual": kinds, "xavier": True, "rescaled": True}
        gradients = [float(one) for one in gradient.split(" · ")]
        assert [gradient_at_input(4, seed, **arm) for seed in range(3)] == pytest.approx(gradients, abs=0.06)
        shares, limit = [token_specific_fractions(4, seed, **arm)[-1] for seed in range(3)], float(share[2:])
        assert max(shares) < limit if share[0] == "<" else min(shares) > limit
        accuracies = [float(one) for one in learned.split(" · ")]
        if row in "BC":
            assert echo_accuracy(4, 0, **arm) == pytest.approx(accuracies[0], abs=0.05)
        largest += [max(gradients)] if max(accuracies) < 0.5 else []
    assert list(rows) == list("ABCD")
    assert which.right["value"] == max(largest)


def test_the_rows_in_the_other_order_are_told(snapshot):
    assert told("residual.by_hand", [[6, 6], [2, 2]]) == snapshot
