"""Trains a model once in all tests of a run: what one process has trained, the others replay.

Lessons, the parts of lessons that workshops lead, and tests of experiments train the same models. A training is replayed only
from the same model, batches, settings and random state. Then it gives exactly what training again would give: the same losses,
the same parameters whenever ``after_step`` looks at the model, and the same trained model.
"""

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

FOLDER = "TRANSFORMER_COURSE_TRAININGS"  # names the folder of a run's trainings; conftest.py sets it
PACKAGE = "transformer_course"
STARTUP = f"import sys\nsys.path.append({str(Path(__file__).parent)!r})\nimport train_once\ntrain_once.in_this_kernel()\n"


def in_this_kernel() -> None:
    """Replace `train` once this process imports it. Nothing is imported here: lessons without torch stay without it."""
    sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != f"{PACKAGE}.training":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module) -> None:
            execute(module)
            module.train = replaying(module.train)

        spec.loader.exec_module = exec_module
        return spec


def replaying(train: Callable) -> Callable:
    """Return a `train` that replays a training which this run has done already."""

    @functools.wraps(train)
    def train_once(model, data, loss_of, steps, *, after_step=None, **settings) -> list[float]:
        if not (_is_ours(type(model)) and _is_ours(loss_of) and hasattr(model, "config")):  # a key would not describe it
            return train(model, data, loss_of, steps, after_step=after_step, **settings)
        batches = list(islice(data, steps))
        file = Path(os.environ[FOLDER]) / _key(model, batches, loss_of, steps, settings)
        if file.exists():
            return _replayed(file, model, after_step)
        losses, *rest = _recorded(train, model, batches, loss_of, steps, after_step, settings)
        _save(file, (losses, *rest))
        return losses

    return train_once


def _is_ours(part) -> bool:
    """Whether a function or a class is the same everywhere: it is the library's own, and not made inside a function."""
    return getattr(part, "__module__", "").startswith(f"{PACKAGE}.") and "<" not in getattr(part, "__qualname__", "<")


def _key(model, batches, loss_of, steps: int, settings: dict) -> str:
    import torch

    state = model.state_dict()
    trained = [name for name, parameter in model.named_parameters() if parameter.requires_grad]
    described = (type(model).__qualname__, model.config, model, [*state], trained, loss_of.__qualname__, steps, settings)
    key = hashlib.sha256(repr((*described, torch.get_num_threads())).encode())
    for tensor in [*state.values(), torch.get_rng_state(), *(column for batch in batches for column in batch)]:
        key.update(repr((tensor.shape, tensor.dtype)).encode() + tensor.numpy().tobytes())
    return key.hexdigest()


def _recorded(train, model, batches, loss_of, steps: int, after_step, settings: dict) -> tuple:
    """Train. Return the losses, the state at each step whose ``after_step`` used the model, and what there is at the end."""
    import torch
    from torch.nn.modules.module import register_module_forward_pre_hook

    seen, calls = {}, []

    def record(step: int, loss: float) -> None:
        calls.clear()
        if after_step is not None:
            after_step(step, loss)
        if calls:  # it has looked at the model
            seen[step] = {name: value.clone() for name, value in model.state_dict().items()}

    hook = register_module_forward_pre_hook(lambda *_: calls.append(True))
    try:
        losses = train(model, iter(batches), loss_of, steps, after_step=record, **settings)
    finally:
        hook.remove()
    return losses, seen, model.state_dict(), torch.get_rng_state()


def _replayed(file: Path, model, after_step) -> list[float]:
    import torch

    losses, seen, trained, random_state = torch.load(file)
    model.train()
    for step, loss in enumerate(losses, 1):
        if step in seen:
            model.load_state_dict(seen[step])
        if after_step is not None:
            after_step(step, loss)
    model.load_state_dict(trained)
    torch.set_rng_state(random_state)
    return losses


def _save(file: Path, training: tuple) -> None:
    """Write the file at once, because another process may look for it meanwhile."""
    import torch

    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f"{file.name}.{os.getpid()}")
    torch.save(training, unfinished)
    unfinished.replace(file)
