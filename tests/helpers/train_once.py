"""Replaces `train` in the kernels of a test, so that a training that one kernel has done is replayed by the next.

A training is replayed only from the same model, batches, settings and random state. Then it gives a lesson exactly what
training again would give it: the same losses, the same parameters whenever ``after_step`` looks at the model, and the same
trained model.
"""

import hashlib
from itertools import islice
from pathlib import Path

import torch
from torch.nn.modules.module import register_module_forward_pre_hook

from transformer_course import training

train = training.train


def install(folder: Path) -> None:
    """Replace `train`, and keep trainings in this folder."""
    training.train = lambda *arguments, **settings: train_once(folder, *arguments, **settings)


def train_once(folder: Path, model, data, loss_of, steps, *, after_step, **settings) -> list[float]:
    """Train, or replay a training that started in the same state."""
    batches = list(islice(data, steps))
    start = hashlib.sha256(repr((loss_of.__qualname__, steps, settings)).encode())
    for tensor in [*model.state_dict().values(), torch.get_rng_state(), *(column for batch in batches for column in batch)]:
        start.update(repr(tensor.shape).encode() + tensor.numpy().tobytes())
    file = folder / start.hexdigest()
    if file.exists():
        losses, seen, trained, random_state = torch.load(file)
        model.train()
        for step, loss in enumerate(losses, 1):
            if step in seen:
                model.load_state_dict(seen[step])
            after_step(step, loss)
        model.load_state_dict(trained)
        torch.set_rng_state(random_state)
        return losses
    seen, calls = {}, []

    def record(step: int, loss: float) -> None:
        calls.clear()
        after_step(step, loss)
        if calls:  # it has looked at the model
            seen[step] = {name: value.clone() for name, value in model.state_dict().items()}

    hook = register_module_forward_pre_hook(lambda *_: calls.append(True))
    try:
        losses = train(model, iter(batches), loss_of, steps, after_step=record, **settings)
    finally:
        hook.remove()
    torch.save((losses, seen, model.state_dict(), torch.get_rng_state()), file)
    return losses
