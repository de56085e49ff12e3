"""Inspection: where a model's heads attend, which inputs change which outputs, and where its parameters are.

Shapes: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys, ``d`` width.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention


@contextmanager
def hooked(
    modules: Iterable[nn.Module], *, before: Callable | None = None, after: Callable | None = None, **options: bool
) -> Iterator[None]:
    """Call hooks before and after each forward pass of ``modules``; remove them when the ``with`` block ends or fails.

    ``before(module, args)`` may return new arguments, ``after(module, args, output)`` a new output; returning None
    changes nothing. ``options`` go to torch: with ``with_kwargs=True`` both hooks also receive ``kwargs``, after ``args``;
    with ``prepend=True`` they run before the hooks that are already there.
    """
    with ExitStack() as hooks:
        for module in modules:
            if before is not None:
                hooks.enter_context(module.register_forward_pre_hook(before, **options))
            if after is not None:
                hooks.enter_context(module.register_forward_hook(after, **options))
        yield


def attentions(model: nn.Module) -> dict[MultiHeadAttention, str]:
    """Return every `MultiHeadAttention` in a model with its name, in the order of ``model.named_modules()``."""
    return {module: name for name, module in model.named_modules() if isinstance(module, MultiHeadAttention)}


@contextmanager
def attention_maps(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "b h n m"]]]:
    """Record the attention weights of every `MultiHeadAttention` in ``model`` while the ``with`` block runs.

    Yields a dictionary from each module's name (as in ``model.named_modules()``) to the weights of its latest call. The
    model's outputs do not change. Decoding calls each module once per token; for the maps of a whole sequence, pass it
    through the model at once: ``model(source, shift(target)[0])``.
    """
    names = attentions(model)
    maps: dict[str, Tensor] = {}
    wanted: dict[nn.Module, bool] = {}  # whether the caller asked for the weights too

    def request_weights(module, args, kwargs):
        wanted[module] = kwargs.get("return_weights", args[5:] == (True,))
        return args[:5], {**kwargs, "return_weights": True}

    def record(module, args, kwargs, result):
        maps[names[module]] = result[1]
        return result if wanted[module] else result[0]

    # ``record`` runs first, so that other hooks see the output that the caller asked for.
    with hooked(names, before=request_weights, with_kwargs=True), hooked(names, after=record, with_kwargs=True, prepend=True):
        yield maps


def count_parameters(model: nn.Module) -> dict[str, int]:
    """Count the parameters of each part: one entry per parameter of the model itself, then one per child module.

    Parameters that two parts share are counted once, in the first part, so the entries sum to the total.
    """
    counts = {name: parameter.numel() for name, parameter in model.named_parameters(recurse=False)}
    counted = set(model.parameters(recurse=False))
    for name, part in model.named_children():
        new = set(part.parameters()) - counted
        counted |= new
        counts[name] = sum(parameter.numel() for parameter in new)
    return counts


@torch.no_grad()
def perturbation_map(function: Callable[[Tensor], Tensor], x: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
    """Measure which inputs change which outputs: by how much output ``i`` changes if only token ``j`` does.

    ``function`` maps tokens (m, d) to outputs (n, d_out). Each token in turn is replaced by a different vector. Entry
    (i, j) is the largest change among the numbers of output ``i``, and exactly 0 if ``i`` does not depend on token ``j``.
    The lessons call this table an influence map.

    Raises ValueError unless ``x`` and the outputs have two axes.
    """
    plain = function(x)
    if x.ndim != 2 or plain.ndim != 2:
        raise ValueError(
            f"tokens must be (m, d) and outputs (n, d_out), got {tuple(x.shape)} and {tuple(plain.shape)}; "
            "for a batch of one, try lambda x: f(x[None])[0]"
        )
    step = torch.linspace(0.5, 1.5, x.shape[1], dtype=x.dtype)  # uneven: LayerNorm would cancel an even one
    columns = []
    for j in range(len(x)):
        other = x.clone()
        other[j] += step
        columns.append((function(other) - plain).abs().amax(-1))
    return torch.stack(columns, dim=1)
