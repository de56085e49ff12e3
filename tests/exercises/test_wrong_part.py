"""A wrong answer of the Build that uses a wrong earlier part of the learner's own: its card says which part."""

import pytest
from examining import solution_code

from transformer_course.exercises import catalogue, check

NO_MASK = ("self.attention(y, y, y, causal)", "self.attention(y, y, y)")
WRONG_NORM = ("x.var(dim=-1, keepdim=True, correction=0)", "x.var(dim=-1, keepdim=True, correction=1)")
LONGER = ("i += 2 if found else 1", "i += 1")
UNWRITTEN = ("joined, i = [], 0", "raise NotImplementedError")


def told(name: str, *changes: tuple[str, str]) -> str:
    """What the card says of a solution in which some code was changed."""
    code, cell = solution_code(catalogue()[name]), {"__name__": "a notebook"}
    for before, after in changes:
        assert before in code
        code = code.replace(before, after, 1)
    exec(code, cell)
    card = check(name, cell[catalogue()[name].answer_name])
    assert not card
    return card.paragraphs[0]


@pytest.mark.parametrize(
    ("name", "begins", "changes"),
    [
        ("build.block", "`Block` uses your `LayerNorm`, which is not right yet. You divided", [WRONG_NORM, NO_MASK]),
        ("build.gpt", "`GPT` uses your `LayerNorm`, which is not right yet.", [WRONG_NORM]),  # through its blocks
        ("build.byte_pairs", "`train_merges` uses your `merge`, which is not written yet.", [UNWRITTEN]),
        ("build.tokenizer", "`Tokenizer` uses your `merge`, which is not right yet.", [LONGER]),
        ("build.block", "The block looks into the future", [NO_MASK]),
        ("build.encode_word", "There's no answer", [UNWRITTEN, ("pieces = list(word)", "raise NotImplementedError")]),
    ],
)
def test_the_earliest_wrong_part_is_named(name, begins, changes):
    assert told(name, *changes).startswith(begins)
