"""Stage B1's functions as learners write them wrongly: each is told what it did."""

import numpy as np
import pytest
import torch
from examining import SEEDS, verdict

from transformer_course.exercises import catalogue

ENCODE, BATCH, SAMPLE = (catalogue()[f"build.{name}"] for name in ("encode", "batch", "sample"))


def rows(ids, starts, length):
    return [ids[start : start + length] for start in starts]


def batch(ids, starts, length, after=0):
    """A right batch, unless the labels end ``after`` places later."""
    return torch.stack(rows(ids, starts, length)), torch.stack(rows(ids[1:], starts, length + after))


@pytest.mark.parametrize("form", [tuple, list, torch.stack], ids=["tuple", "list", "stacked"])
def test_a_pair_of_tensors_passes_in_each_form(form):
    assert verdict(BATCH, lambda *question: form(batch(*question))).passed


def test_lists_of_tensors_are_refused():
    seen = verdict(BATCH, lambda ids, starts, length: (rows(ids, starts, length), rows(ids[1:], starts, length)))
    assert not seen.passed
    assert seen.message == "`inputs` is a list; `torch.stack` makes it a tensor of shape (2, 3)."


@pytest.mark.parametrize(
    ("exercise", "answer", "name"),
    [
        (BATCH, lambda *question: batch(*question, after=-1), "labels one too short"),
        (BATCH, lambda *question: (batch(*question)[0], batch(*question)[0] + 1), "1 added to the ids"),
        (
            SAMPLE,
            lambda p, u: next((i for i, each in enumerate(p) if each > u), None),
            "single probabilities",
        ),
        (SAMPLE, lambda p, u: np.random.choice(len(p), p=p), "a random number of its own"),
        (SAMPLE, lambda p, u: int((p.cumsum(0) > np.random.random()).argmax()), "a random number of its own"),
    ],
)
def test_a_mistake_is_named(exercise, answer, name):
    for seed in SEEDS:
        assert verdict(exercise, answer, seed).mistake == name


def test_other_wrong_pairs_are_described_as_a_pair():
    shorter = verdict(BATCH, lambda *question: batch(*question, after=-2))
    assert "the labels should have shape (2, 3), but have (2, 1)" in shorter.message
    doubled = verdict(BATCH, lambda *question: (batch(*question)[0], 2 * batch(*question)[0]))
    assert "row 0 of the labels should be [3, 4, 5], but is [4, 6, 8]" in doubled.message


def test_a_dictionary_the_wrong_way_round_is_recognised():
    def backwards(text, characters):
        ids = dict(enumerate(characters))
        return [ids[character] for character in text]

    seen = verdict(ENCODE, backwards)
    assert "the dictionary has no key 'c'" in seen.message
    assert "from characters to ids" in seen.hint
