"""Looking into a model: where its heads attend, and where its parameters are.

Shapes: ``b`` batch, ``h`` heads, ``n`` queries, ``m`` keys.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from jaxtyping import Float
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention


@contextmanager
def attention_maps(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "b h n m"]]]:
    """Keep the weights of every `MultiHeadAttention` in ``model`` while the ``with`` block runs.

    Yields a mapping from the name of each (as in ``model.named_modules()``) to the weights of its latest call. The
    outputs stay what they are; the fused kernel is not used meanwhile.
    """
    maps: dict[str, Tensor] = {}

    def ask(module, args, kwargs):
        return args, {**kwargs, "return_weights": True}

    def keep(name):
        def hook(module, args, kwargs, result):
            maps[name] = result[1]
            return result[0]

        return hook

    hooks = []
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            hooks.append(module.register_forward_pre_hook(ask, with_kwargs=True))
            hooks.append(module.register_forward_hook(keep(name), with_kwargs=True))
    try:
        yield maps
    finally:
        for hook in hooks:
            hook.remove()


def count_parameters(model: nn.Module) -> dict[str, int]:
    """Count the numbers that training may change, part by part: one entry for each child of ``model``, in its order.

    A table that two parts share is counted once, with the first of them, so that the sum of all entries is the total.
    """
    seen: set[int] = set()
    counts = {}
    for name, part in model.named_children():
        new = [p for p in part.parameters() if id(p) not in seen]
        seen.update(map(id, new))
        counts[name] = sum(p.numel() for p in new)
    return counts
