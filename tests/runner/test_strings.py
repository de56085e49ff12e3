"""Answers that work on strings: what they get, and that a change of their input is noticed."""

from transformer_course.runner.run import respond

QUESTION = ["word", [["w", "o"], ["r", "d"]], ["two", "words"], {"word": 2}]


def test_a_pair_in_a_list_comes_as_a_tuple_and_a_list_of_strings_as_a_list():
    seen = []
    respond(lambda *question: seen.append(question), [QUESTION], "strings")
    assert seen == [("word", [("w", "o"), ("r", "d")], ["two", "words"], {"word": 2})]
    assert QUESTION[1] == [["w", "o"], ["r", "d"]]


def test_a_change_of_the_input_is_noticed_and_tuples_alone_are_none():
    def shorten(word, merges, *_):
        merges.pop()

    [quiet] = respond(lambda *question: "", [QUESTION], "strings")
    [loud] = respond(shorten, [QUESTION], "strings")
    assert (quiet.mutated_argument, loud.mutated_argument) == (None, 1)
