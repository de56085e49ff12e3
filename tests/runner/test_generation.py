"""Answers that generate ids: the functions that they get, made from a table."""

import numpy as np

from transformer_course.runner.run import respond

TABLE = np.arange(7.0)[:, None] + [0, 2, 1]  # row 4 is 4, 6, 5


def test_a_step_depends_on_all_ids_in_their_order_and_a_choice_on_the_scores():
    def answer(step, begin, end, limit, choose=None):
        scores = [step(ids) for ids in ([], [0], [1], [0, 1], [1, 0])]
        if choose is None:
            return [float(each[0]) for each in scores]
        return [int(choose(each)) for each in scores]

    rows, chosen = respond(answer, [[TABLE, [2], 1, 5], [TABLE, [2, 0], 0, 4, 1]], "generation")
    assert rows.value == [0, 1, 2, 0, 4]
    assert chosen.value == [2] * 5  # 1 below the largest of 0, 2 and 1


def test_a_beginning_that_is_changed_is_noticed():
    [seen] = respond(lambda step, begin, end, limit: begin.append(1), [[TABLE, [2], 1, 5]], "generation")
    assert seen.mutated_argument == 1
