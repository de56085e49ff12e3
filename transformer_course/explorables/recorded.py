"""What the heads of a trained Transformer do on one example: weights, value norms, and outputs without each head."""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.inspection import attention_maps, hooked
from transformer_course.transformer import Transformer


def attentions(model: Transformer) -> Iterator[tuple[str, MultiHeadAttention]]:
    """Yield the name and the module of each attention, the encoder's first."""
    yield from ((name, part) for name, part in model.named_modules() if isinstance(part, MultiHeadAttention))


@torch.no_grad()
def weights_and_norms(
    model: Transformer, source: Int[Tensor, "1 m"], target: Int[Tensor, "1 n"]
) -> dict[str, tuple[Float[Tensor, "h n m"], Float[Tensor, "h m"]]]:
    """Return for each attention its weights, and the length of each value after the head's part of W_O (without bias).

    A head adds to the residual stream the sum of these transformed values times their weights.
    Source: Kobayashi et al. 2020, "Attention is Not Only a Weight", section 2.2.
    """
    projected: dict[nn.Module, Tensor] = {}
    modules = dict(attentions(model))

    def keep(module, args, output):
        projected[module] = output

    with attention_maps(model) as maps, hooked([part.w_v for part in modules.values()], after=keep):
        model(source, target)
    found = {}
    for name, part in modules.items():
        values = projected[part.w_v][0].unflatten(-1, (part.num_heads, -1)).transpose(0, 1)  # (h, m, d_v)
        parts_of_w_o = part.w_o.weight.T.unflatten(0, (part.num_heads, -1))  # (h, d_v, d)
        found[name] = maps[name][0], (values @ parts_of_w_o).norm(dim=-1)
    return found


@torch.no_grad()
def without_head(
    model: Transformer, attention: MultiHeadAttention, head: int, source: Int[Tensor, "1 m"], target: Int[Tensor, "1 n"]
) -> Float[Tensor, "n v"]:
    """Return the logits when this head's output is replaced by zeros."""

    def remove(module, args):
        (heads,) = args
        kept = heads.unflatten(-1, (attention.num_heads, -1)).clone()
        kept[..., head, :] = 0
        return (kept.flatten(-2),)

    with hooked([attention.w_o], before=remove):
        return model(source, target)[0]
