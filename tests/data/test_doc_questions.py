"""Questions made of docstrings: which sentences are asked about, and what is held out."""

import pytest

from transformer_course.data.doc_questions import WORDINGS, questions_from_docs
from transformer_course.data.split import Split

TRAIN = """\
Return a list of nodes.
Returns the number of items that were found. It counts each once.
Return True if it is empty.
Returns a mapping from names to all of the values that anybody has ever asked for.
The length of a row.
"""


def test_the_noun_after_the_article_is_the_answer_and_other_sentences_are_left_out():
    found = questions_from_docs(Split(TRAIN, "Return the name of the file.\nReturn a list of nodes.\n"))
    assert {(each.text.split("Return")[1].lstrip("s "), each.answer) for each in found.train} == {
        ("a list of nodes.", "list"),
        ("the number of items that were found.", "number"),
    }
    assert [each.answer for each in found.test] == ["name"]  # what was trained on is not in the test
    assert found.reworded[0].text == WORDINGS[-1].format(sentence="Return the name of the file.")
    assert not any(each.text.startswith(WORDINGS[-1].split("{")[0]) for each in found.train + found.test)


def test_a_text_without_such_sentences_is_refused():
    with pytest.raises(ValueError, match="for training and for the test, got 2 and 0"):
        questions_from_docs(Split(TRAIN, TRAIN))
