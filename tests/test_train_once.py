"""Trainings that are replayed: exactly, and only from the same start."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import train_once
from torch import nn

from transformer_course import training
from transformer_course.training import batches, translation_loss
from transformer_course.transformer import Transformer, TransformerConfig

PAIRS = [[4 + i % 5, 5] for i in range(40)], [[4 + i % 5, 2] for i in range(40)]
SIZES = {"vocabulary_size": 9, "d_model": 8, "d_ff": 8, "num_layers": 1, "dropout": 0.1}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv(train_once.FOLDER, str(tmp_path))
    return tmp_path


def trained(train: Callable, seed: int = 0, steps: int = 5, num_heads: int = 2, loss_of=translation_loss, change=None):
    """Train a small model. Return everything that a lesson could see of it."""
    torch.manual_seed(seed)
    model = Transformer(TransformerConfig(**SIZES, num_heads=num_heads))
    if change is not None:
        change(model)
    looks = []

    def look(step, loss):
        if step % 2:
            seen = translation_loss(model.eval(), *(torch.tensor(column) for column in PAIRS)).item()
            looks.append((step, loss, seen))
            model.train()

    data = batches(*PAIRS, batch_size=8)
    losses = train(model, data, loss_of, steps, lr=1e-2, after_step=look)
    return losses, looks, [p.tolist() for p in model.parameters()], next(data)[0].tolist(), torch.rand(2).tolist()


def refuses(*_, **__):
    raise AssertionError("this training has not been done")


def test_a_training_is_replayed_exactly_and_only_from_the_same_start(folder):
    train, replay = train_once.replaying(training.train), train_once.replaying(refuses)
    first, shorter = trained(train), trained(train, steps=4)
    assert first == trained(training.train)
    assert shorter == trained(training.train, steps=4) != first
    assert trained(replay) == first
    assert trained(replay, steps=4) == shorter
    assert len([*folder.iterdir()]) == 2
    frozen = {"change": lambda model: model.source.requires_grad_(False)}
    drawn = {"change": lambda model: torch.rand(1)}  # dropout will differ
    for different in ({"seed": 2}, {"steps": 3}, {"num_heads": 4}, {"loss_of": training.sequence_loss}, frozen, drawn):
        with pytest.raises(AssertionError, match="has not been done"):
            trained(replay, **different)


def test_what_a_key_would_not_describe_is_trained_each_time(folder):
    """A loss that a lesson defines may have the name of a different one; so may a model, and it has no config."""

    def local_loss(model, source, target):
        return translation_loss(model, source, target)

    train = train_once.replaying(training.train)
    assert trained(train, loss_of=local_loss) == trained(training.train)
    model = nn.Linear(2, 1)
    data = iter([(torch.ones(1, 2), torch.zeros(1, dtype=torch.long))] * 2)
    assert len(train(model, data, training.classification_loss, 2)) == 2
    assert not [*folder.iterdir()]


def test_a_kernel_replays_and_imports_nothing_for_it():
    code = (
        "import sys\nassert 'torch' not in sys.modules\n"
        "from transformer_course.training import train\nprint(train.__wrapped__.__module__, train.__code__.co_name)"
    )
    command = [sys.executable, "-c", f"{train_once.STARTUP}{code}"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.split() == ["transformer_course.training", "train_once"]
