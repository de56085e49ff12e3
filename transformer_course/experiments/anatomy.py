"""What a model's attention modules really do: recorded while the model runs, not inferred from their names."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from transformer_course.inspection import attentions, hooked
from transformer_course.masks import causal_mask


@dataclass(frozen=True)
class AttentionCall:
    """One call of an attention module."""

    name: str  # the module's name in the model
    queries: int
    keys: int
    self_attention: bool  # whether the queries and keys come from the same tokens
    mask: str  # "none", "padding" (the same for all queries), "causal" or "other"


@torch.no_grad()
def attention_calls(model: nn.Module, *inputs: Tensor) -> list[AttentionCall]:
    """Run ``model(*inputs)`` once, and return all calls of its `MultiHeadAttention` modules in order."""
    names, calls = attentions(model), []

    def record(module, args):
        query, key, _, mask = args[:4]
        calls.append(AttentionCall(names[module], query.shape[1], key.shape[1], key is query, _mask_type(mask)))

    with hooked(names, before=record):
        model(*inputs)
    return calls


def _mask_type(mask: Tensor | None) -> str:
    if mask is None:
        return "none"
    if mask.shape[-2] == 1:
        return "padding"
    return "causal" if torch.equal(mask, causal_mask(mask.shape[-1])) else "other"
