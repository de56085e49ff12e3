"""Looking into a model: where its heads attend, which input reaches which output, and where its parameters are.

Shapes: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys, ``d`` width.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention


@contextmanager
def attention_maps(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "b h n m"]]]:
    """Keep the weights of every `MultiHeadAttention` in ``model`` while the ``with`` block runs.

    Yields a mapping from the name of each (as in ``model.named_modules()``) to the weights of its latest call. The
    outputs stay what they are. Decoding calls each part once a token: for the maps of a whole text, let the model read it at
    once, ``model(source, shift(target)[0])``.
    """
    maps: dict[str, Tensor] = {}
    asked: dict[nn.Module, bool] = {}  # whether the caller wanted the weights too

    def ask(module, args, kwargs):
        asked[module] = kwargs.get("return_weights", args[5:] == (True,))
        return args[:5], {**kwargs, "return_weights": True}

    def keep(name):
        def hook(module, args, kwargs, result):
            maps[name] = result[1]
            return result if asked[module] else result[0]

        return hook

    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            hooks.append(module.register_forward_pre_hook(ask, with_kwargs=True))
            hooks.append(module.register_forward_hook(keep(name), with_kwargs=True, prepend=True))
    try:
        yield maps
    finally:
        for hook in hooks:
            hook.remove()


def count_parameters(model: nn.Module) -> dict[str, int]:
    """Count the parameters part by part: an entry for each parameter of the model's own, then for each of its children.

    A table that two parts share is counted once, with the first of them, so that the sum of all entries is the total.
    """
    counts = {name: parameter.numel() for name, parameter in model.named_parameters(recurse=False)}
    seen = set(model.parameters(recurse=False))
    for name, part in model.named_children():
        new = set(part.parameters()) - seen
        seen |= new
        counts[name] = sum(parameter.numel() for parameter in new)
    return counts


@torch.no_grad()
def influence(function: Callable[[Tensor], Tensor], x: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
    """Measure which input reaches which output: how far output ``i`` moves when token ``j`` alone is changed.

    ``function`` maps the tokens (m, d) to outputs (n, d_out). Each token in turn gets another vector; entry (i, j) is the
    largest change among the numbers of output ``i``, and exactly 0 where nothing of token ``j`` arrives.

    Raises ValueError unless ``x`` and the outputs have two axes.
    """
    plain = function(x)
    if x.ndim != 2 or plain.ndim != 2:
        raise ValueError(
            f"tokens are (m, d) and outputs (n, d_out), saw {tuple(x.shape)} and {tuple(plain.shape)}; "
            "for a batch of one, try lambda x: f(x[None])[0]"
        )
    step = torch.linspace(0.5, 1.5, x.shape[1], dtype=x.dtype)  # uneven: a LayerNorm would not see an even one
    columns = []
    for j in range(len(x)):
        other = x.clone()
        other[j] += step
        columns.append((function(other) - plain).abs().amax(-1))
    return torch.stack(columns, dim=1)
