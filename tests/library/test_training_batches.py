"""Batches: each example once per epoch, little padding, repeatable."""

import itertools
import random

import pytest
import torch
import twins
from training_data import reversals

from transformer_course.training import batches


def test_an_epoch_has_each_example_once_and_its_columns_belong_together():
    sources, targets = reversals()
    columns = [[[i + 4] * len(source) for i, source in enumerate(sources)], targets]
    seen = []
    for source, target in itertools.islice(batches(*columns, batch_size=64), 10):
        assert source.shape[0] == target.shape[0] == 64
        for row, row_target in zip(source.tolist(), target.tolist(), strict=True):
            number = row[0] - 4
            seen.append(number)
            assert [t for t in row_target if t] == targets[number]
    assert sorted(seen) == list(range(640))


def test_the_longest_examples_are_not_left_out_when_batches_do_not_come_out_even():
    texts = [[i + 4] * (i + 1) for i in range(70)]
    drawn = [batch for (batch,) in itertools.islice(batches(texts, batch_size=64), 2)]
    assert sorted(len(batch) for batch in drawn) == [6, 64]
    assert sorted(row[0] - 4 for batch in drawn for row in batch.tolist()) == list(range(70))


def test_tensors_give_their_rows_beside_the_sequences():
    images, labels = twins.random(9, 2, 2), torch.arange(9)
    texts = [[i + 4] * (i + 1) for i in range(9)]
    for some, text, label in itertools.islice(batches(images, texts, labels, batch_size=4), 3):
        assert torch.equal(some, images[label])
        assert torch.equal(text[:, 0], label + 4)


def test_little_of_a_batch_is_padding_and_batches_come_in_no_order_of_length():
    draw = random.Random(0)
    texts = [[5] * draw.randint(1, 60) for _ in range(6400)]
    drawn = [batch for (batch,) in itertools.islice(batches(texts, batch_size=64), 100)]
    assert sum((batch == 0).sum() for batch in drawn) / sum(batch.numel() for batch in drawn) < 0.03
    lengths = [batch.shape[1] for batch in drawn]
    assert sum(a < b for a, b in itertools.pairwise(lengths)) in range(30, 70)


def test_batches_follow_the_seed_and_epochs_differ():
    texts = [[5] * (i % 7 + 1) for i in range(128)]

    def drawn(seed: int, skip: int = 0) -> list[list[list[int]]]:
        return [batch.tolist() for (batch,) in itertools.islice(batches(texts, batch_size=4, seed=seed), skip, skip + 32)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert drawn(1) != drawn(1, skip=32)


def test_each_epoch_mixes_anew():
    texts = [[i + 4] * (i % 3 + 1) for i in range(60)]
    drawn = [tuple(sorted(batch[:, 0].tolist())) for (batch,) in itertools.islice(batches(texts, batch_size=4), 30)]
    assert len(set(drawn[:15]) & set(drawn[15:])) < 8


def test_columns_that_do_not_fit_are_told_at_once():
    with pytest.raises(ValueError, match=r"got \[\]"):
        batches()
    with pytest.raises(ValueError, match=r"columns must have the same length, at least batch_size = 64, got \[2, 3\]"):
        batches([[1]] * 2, [[1]] * 3)
    with pytest.raises(ValueError, match=r"got \[2\]"):
        batches([[1]] * 2)
    with pytest.raises(ValueError, match=r"sequences of ids or be a tensor, got 3 in it; encode it, or use torch.tensor"):
        batches([[1]] * 2, [3, 4])
    with pytest.raises(ValueError, match="got 'ab' in it; encode it"):
        batches(["ab", "cd"])
