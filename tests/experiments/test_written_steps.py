"""Written steps: what a row holds, how a model is asked, and what was recorded."""

import pytest
import torch
from torch import nn

from transformer_course.experiments import written_steps
from transformer_course.experiments.records import recorded
from transformer_course.experiments.written_steps import DOT, EQUALS, ONE, ZERO, accuracy, rows

ALL = ("at once", "dots", "steps")


def drawn(writing: str) -> list[list[int]]:
    return rows(writing, 20, torch.Generator().manual_seed(0), bits=5).tolist()


def test_a_row_ends_with_the_parity_of_its_bits():
    for writing in ALL:
        for row in drawn(writing):
            assert row[5] == EQUALS
            assert row[-1] - ZERO == row[:5].count(ONE) % 2
    assert [row[6:-1] for row in drawn("dots")] == [[DOT] * 5] * 20


def test_the_steps_are_the_parities_of_the_prefixes():
    for row in drawn("steps"):
        assert [step - ZERO for step in row[6:]] == [row[: k + 1].count(ONE) % 2 for k in range(5)]


class Reader(nn.Module):
    """Writes the steps, each from the step before and its bit: what a trained model should do."""

    def forward(self, tokens):
        self.read, logits = tokens, torch.zeros(*tokens.shape, 8)
        bits = int((tokens[0] == EQUALS).nonzero())
        step = tokens.shape[1] - bits - 1
        before = tokens[:, -1] - ZERO if step else 0
        logits[:, -1] = nn.functional.one_hot(ZERO + (before + tokens[:, step] - ZERO) % 2, 8).float()
        return logits


def test_a_wrong_step_makes_a_careful_reader_wrong():
    reader = Reader()
    assert accuracy(reader, "steps", bits=7) == 1
    assert accuracy(reader, "steps", bits=7, wrong_at=2) == 0
    bits, steps = reader.read[:, :7] - ZERO, reader.read[:, 8:] - ZERO
    wrong = steps != (bits.cumsum(1) % 2)[:, : steps.shape[1]]
    assert wrong[:, :3].unique(dim=0).tolist() == [[False, False, True]]


def test_an_unknown_way_to_write_is_refused():
    with pytest.raises(ValueError, match="one of at once, dots, steps, got 'aloud'"):
        rows("aloud", 1, torch.Generator())


def test_the_record_is_of_these_settings():
    assert recorded("written_steps")["settings"] == written_steps.settings()
