"""Run an answer that trains, or estimates a loss, with a table of logits as its model and plain SGD.

Torch's default dtype and random numbers are as before afterwards.
"""

from collections.abc import Callable

import numpy as np

from .outcome import record
from .structure import named_parameters
from .tensors import imported_torch
from .wire import mapped


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
        optimizer = _SGD(torch, [model.weight], question["rate"], trace)
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


def run_fit(answer, question: dict) -> dict:
    """Call ``answer(model, optimizer, batch, rate, evaluate, save, steps, every, start, best)`` once, on such a table.

    ``batch(step)`` gives the batch of a step, ``rate(step)`` its learning rate, and ``evaluate`` prepared losses. Returns what
    each of them was asked for and when, the arguments of each ``save`` with the table at that time, and what was returned. The
    table is in the second group of the optimizer, as some parameters are in real ones. Where the question ``diverges``, the
    answer may raise an error.
    """
    torch = imported_torch()
    with torch.precision(torch.float64):
        model = torch.Embedding.from_pretrained(torch.from_numpy(question["table"].copy()), freeze=False)
        seen = {"asked": [], "modes": [], "rates": [], "evaluated": [], "saved": [], "tables": []}
        optimizer = _SGD(torch, [], question["rate"], [], seen["rates"])
        optimizer.param_groups.append({"params": [model.weight], "lr": question["rate"]})
        model.register_forward_pre_hook(lambda module, given: seen["modes"].append(bool(module.training)))

        def batch(step):
            seen["asked"].append(step)
            return tuple(torch.from_numpy(ids) for ids in question["batches"][int(step) % len(question["batches"])])

        def evaluate(module):
            seen["evaluated"].append(bool(module.training))
            return tuple(question["losses"][min(len(seen["evaluated"]), len(question["losses"])) - 1])

        def save(done, train, held_out, better):
            seen["saved"].append([float(done), float(train), float(held_out), float(better)])
            seen["tables"].append(torch.array(model.weight).copy())

        try:
            plan = (question[name] for name in ("steps", "every", "start", "best"))
            seen["returned"] = answer(
                model, optimizer, batch, lambda step: question["rates"][int(step) % 10], evaluate, save, *plan
            )
        except Exception:
            if not question["diverges"]:
                raise
            seen["returned"] = None
            return {**seen, "raised": np.array(True), "type": "", "table": torch.array(model.weight).copy()}
        return {
            **seen,
            "raised": np.array(False),
            "type": record(seen["returned"]).type,
            "table": torch.array(model.weight).copy(),
        }


def run_loss(answer, question: dict) -> dict:
    """Call ``answer`` with tables of logits as its models, and with what is ``given`` besides, in tensors.

    Returns the ``loss`` with its ``type``, and the gradient of each table: none if the loss is no tensor that has one.
    """
    torch = imported_torch()
    with torch.precision(torch.float64):
        models = [
            torch.Embedding.from_pretrained(torch.from_numpy(table.copy()), freeze=False) for table in question["tables"]
        ]
        given = mapped(
            question["given"], lambda value: torch.from_numpy(value.copy()) if isinstance(value, np.ndarray) else value
        )
        loss = answer(*models, *given)
        if isinstance(loss, torch.Tensor) and torch.requires_grad.__get__(loss):
            shape = torch.shape_of(loss)
            torch.backward(loss, torch.to(torch.from_numpy(np.ones(shape)), torch.dtype.__get__(loss)))
        gradients = []
        for model in models:
            ((_, weight),) = named_parameters(torch, model)
            gradient = torch.grad.__get__(weight)
            gradients.append(np.zeros(torch.shape_of(weight)) if gradient is None else torch.array(gradient).copy())
        recorded = record(loss)
        return {"loss": recorded.value, "type": recorded.type, "gradients": gradients}


class _SGD:
    """Plain SGD with a record of its calls. In torch.optim, making the first optimizer takes seconds, which answers lack."""

    def __init__(self, torch, parameters: list, rate: float, trace: list[str], rates: list | None = None):
        self.torch, self.trace, self.rates = torch, trace, rates
        self.param_groups = [{"params": parameters, "lr": rate}]

    def zero_grad(self, set_to_none: bool = True) -> None:
        self.trace.append("zero_grad")
        for parameter in (each for group in self.param_groups for each in group["params"]):
            if parameter.grad is not None:
                parameter.grad = None if set_to_none else self.torch.zeros_like(parameter)

    def step(self, closure: Callable | None = None):
        loss = None if closure is None else closure()
        self.trace.append("step")
        if self.rates is not None:
            self.rates.append([float(group["lr"]) for group in self.param_groups])
        with self.torch.without_gradients():
            for group in self.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is not None:
                        self.torch.sub_(parameter, parameter.grad, alpha=group["lr"])
        return loss
