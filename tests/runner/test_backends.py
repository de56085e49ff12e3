"""What answers get that generate ids or work on strings, and that a change of their input is noticed."""

import numpy as np

from transformer_course.runner.run import respond

TABLE = np.arange(7.0)[:, None] + [0, 2, 1]  # row 4 is 4, 6, 5


def test_a_step_depends_on_all_ids_in_their_order_and_a_choice_on_the_scores():
    def answer(step, begin, end, limit, choose=None):
        scores = [step(ids) for ids in ([], [0], [1], [0, 1], [1, 0])]
        if choose is None:
            return [float(each[0]) for each in scores]
        return [int(choose(each)) for each in scores]

    rows, chosen = respond(answer, [[TABLE, [2], 1, 5], [TABLE, [2, 0], 0, 4, 1]], "run_generation")
    assert rows.value == [0, 1, 2, 0, 4]
    assert chosen.value == [2] * 5  # 1 below the largest of 0, 2 and 1


def test_a_beginning_that_is_changed_is_noticed():
    [seen] = respond(lambda step, begin, end, limit: begin.append(1), [[TABLE, [2], 1, 5]], "run_generation")
    assert seen.mutated_argument == 1


QUESTION = ["word", [["w", "o"], ["r", "d"]], ["two", "words"], {"word": 2}]


def test_a_pair_in_a_list_comes_as_a_tuple_and_a_list_of_strings_as_a_list():
    seen = []
    respond(lambda *question: seen.append(question), [QUESTION], "run_on_strings")
    assert seen == [("word", [("w", "o"), ("r", "d")], ["two", "words"], {"word": 2})]
    assert QUESTION[1] == [["w", "o"], ["r", "d"]]


def test_a_change_of_the_input_is_noticed_and_tuples_alone_are_none():
    def shorten(word, merges, *_):
        merges.pop()

    [quiet] = respond(lambda *question: "", [QUESTION], "run_on_strings")
    [loud] = respond(shorten, [QUESTION], "run_on_strings")
    assert (quiet.mutated_argument, loud.mutated_argument) == (None, 1)
