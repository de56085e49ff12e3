"""Run an answer that takes training steps or estimates a loss, with a table of logits as its model and plain SGD.

Torch's default dtype and random numbers are as before afterwards.
"""

from collections.abc import Callable

import numpy as np

from .outcome import record
from .structure import named_parameters
from .tensors import imported_torch


def run_training_steps(answer, question: dict) -> dict:
    """Call ``answer(model, optimizer, inputs, labels)`` for each batch, with a table of logits as the model, and plain SGD.

    Returns what each call returned, as ``losses`` and their ``types``, the table after each call, as ``tables``, and as
    ``trace`` the order in which the optimizer's methods were called and gradients arrived.
    """
    torch = imported_torch()
    with torch.precision(torch.float64):
        model = torch.Embedding.from_pretrained(torch.from_numpy(question["table"].copy()), freeze=False)
        trace, losses, tables = [], [], []
        model.weight.register_hook(lambda gradient: trace.append("backward"))
        optimizer = _SGD(torch, model, question["rate"], trace)
        for batch in question["batches"]:
            losses.append(record(answer(model, optimizer, *(torch.from_numpy(ids) for ids in batch))))
            ((_, weight),) = named_parameters(torch, model)
            tables.append(torch.array(weight).copy())
        types = [loss.type for loss in losses]
        return {"losses": [loss.value for loss in losses], "types": types, "tables": tables, "trace": trace}


def run_estimate(answer, question: dict) -> dict:
    """Call ``answer(model, batches)`` with a table of logits as the model, which gives the opposite ones in training mode.

    Returns what the call returned, in ``losses``, and its ``type``. ``left`` says whether the model is in training mode now,
    whether gradients were recorded when it ran, and whether it has any.
    """
    torch = imported_torch()
    with torch.precision(torch.float64):
        model = torch.Embedding.from_pretrained(torch.from_numpy(question["table"].copy()), freeze=False)
        recorded = []

        def watched(module, inputs, logits):
            recorded.append(torch.records())
            return -logits if module.training else logits

        model.register_forward_hook(watched)
        model.train(question["training"])
        batches = [tuple(torch.from_numpy(ids.copy()) for ids in batch) for batch in question["batches"]]
        loss = record(answer(model, batches))
        with_gradients = any(torch.grad.__get__(weight) is not None for _, weight in named_parameters(torch, model))
        left = np.array([bool(model.training), any(recorded), with_gradients])
        return {"losses": [loss.value], "type": loss.type, "left": left}


class _SGD:
    """Plain SGD with a record of its calls. In torch.optim, making the first optimizer takes seconds, which answers lack."""

    def __init__(self, torch, model, rate: float, trace: list[str]):
        self.torch, self.trace, self.rate = torch, trace, rate
        self.param_groups = [{"params": list(model.parameters()), "lr": rate}]

    def zero_grad(self, set_to_none: bool = True) -> None:
        self.trace.append("zero_grad")
        for parameter in self.param_groups[0]["params"]:
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else self.torch.zeros_like(parameter)

    def step(self, closure: Callable | None = None):
        loss = None if closure is None else closure()
        self.trace.append("step")
        with self.torch.without_gradients():
            for parameter in self.param_groups[0]["params"]:
                if parameter.grad is not None:
                    self.torch.sub_(parameter, parameter.grad, alpha=self.rate)
        return loss
