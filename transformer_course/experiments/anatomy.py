"""What a model's attentions really do: watched while it runs, not read off its names."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.masks import causal_mask


@dataclass(frozen=True)
class Seen:
    """One call of an attention: its name in the model, how many queries met how many keys, whether both came from the same
    tokens, and what its mask was: "none", "padding" (the same for all queries) or "causal"."""

    name: str
    queries: int
    keys: int
    same: bool
    mask: str


@torch.no_grad()
def watch(model: nn.Module, *inputs: Tensor) -> list[Seen]:
    """Run ``model(*inputs)`` once, and return what each of its `MultiHeadAttention` was called with, in the order of calls."""
    seen = []

    def hook(name):
        def note(module, arguments):
            query, key, _, mask = arguments[:4]
            seen.append(Seen(name, query.shape[1], key.shape[1], key is query, _kind(mask)))

        return note

    parts = ((name, part) for name, part in model.named_modules() if isinstance(part, MultiHeadAttention))
    hooks = [part.register_forward_pre_hook(hook(name)) for name, part in parts]
    try:
        model(*inputs)
    finally:
        for each in hooks:
            each.remove()
    return seen


def _kind(mask: Tensor | None) -> str:
    if mask is None:
        return "none"
    if mask.shape[-2] == 1:
        return "padding"
    return "causal" if torch.equal(mask, causal_mask(mask.shape[-1])) else "other"
