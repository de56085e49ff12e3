"""Stage B1's functions as learners write them: right in each form, and told what they did where they are wrong."""

import numpy as np
import torch
from examining import told, verdict

from transformer_course.exercises import catalogue

ENCODE, BATCH, SAMPLE = (catalogue()[f"build.{name}"] for name in ("encode", "batch", "sample"))


def rows(ids, starts, length):
    return [ids[start : start + length] for start in starts]


def batch(ids, starts, length, after=0):
    """A right batch, unless the labels end ``after`` places later."""
    return torch.stack(rows(ids, starts, length)), torch.stack(rows(ids[1:], starts, length + after))


def test_a_pair_of_tensors_passes_in_each_form():
    forms = (tuple, list, torch.stack)
    assert {form for form in forms if not verdict(BATCH, lambda *question, form=form: form(batch(*question))).passed} == set()


def test_a_random_number_of_its_own_is_named():
    for draw in (lambda p, u: np.random.choice(len(p), p=p), lambda p, u: int((p.cumsum(0) > np.random.random()).argmax())):
        assert verdict(SAMPLE, draw).mistake == "a random number of its own"


def backwards(text, characters):
    ids = dict(enumerate(characters))
    return [ids[character] for character in text]


def test_other_answers_are_described(snapshot):
    assert {
        "lists of tensors": told(BATCH.id, lambda ids, starts, n: (rows(ids, starts, n), rows(ids[1:], starts, n))),
        "labels two too short": told(BATCH.id, lambda *question: batch(*question, after=-2)),
        "labels doubled": told(BATCH.id, lambda *question: (batch(*question)[0], 2 * batch(*question)[0])),
        "a dictionary the wrong way round": told(ENCODE.id, backwards),
    } == snapshot
