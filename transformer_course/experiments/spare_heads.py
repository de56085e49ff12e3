"""Which heads of a translator can go? Heads are silenced, one or several, in a model that is trained already.

A head is named by the name of its attention and its number in there, from 0: ``("encoder.layers.0.self_attention", 3)``.
Shapes: ``b`` batch, ``n`` tokens, ``h`` heads, ``d`` width of a head.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.embedding import Vocabulary
from transformer_course.training import shift, translation_loss
from transformer_course.transformer import Transformer

Head = tuple[str, int]


def heads_of(model: nn.Module) -> list[Head]:
    """Return every head of a model, attention by attention in the order of `named_modules`."""
    attentions = (pair for pair in model.named_modules() if isinstance(pair[1], MultiHeadAttention))
    return [(name, number) for name, attention in attentions for number in range(attention.num_heads)]


@contextmanager
def silenced(
    model: nn.Module, heads: Sequence[Head], instead: Mapping[Head, Float[Tensor, "d"]] | None = None
) -> Iterator[None]:
    """Let these heads bring zeros while the ``with`` block runs, or what ``instead`` says, the same for all tokens.

    Source: Michel et al. 2019, "Are Sixteen Heads Really Better than One?".
    """

    def pre_hook(name, attention):
        def silence(module, arguments):
            parts = arguments[0].unflatten(-1, (attention.num_heads, -1)).clone()
            for head in heads:
                if head[0] == name:
                    parts[..., head[1], :] = 0 if instead is None else instead[head]
            return (parts.flatten(-2),)

        return silence

    attentions = [(name, model.get_submodule(name)) for name in {name for name, _ in heads}]
    hooks = [attention.w_o.register_forward_pre_hook(pre_hook(name, attention)) for name, attention in attentions]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@torch.no_grad()
def usual(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> dict[Head, Float[Tensor, "d"]]:
    """Return what each head brings on average, over the tokens of these pairs (padding among them)."""
    means: dict[Head, Tensor] = {}

    def keep(name, attention):
        def note(module, arguments):
            parts = arguments[0].unflatten(-1, (attention.num_heads, -1)).mean((0, 1))
            means.update({(name, number): part for number, part in enumerate(parts)})

        return note

    attentions = [pair for pair in model.named_modules() if isinstance(pair[1], MultiHeadAttention)]
    hooks = [attention.w_o.register_forward_pre_hook(keep(name, attention)) for name, attention in attentions]
    try:
        model(source, shift(target)[0])
    finally:
        for hook in hooks:
            hook.remove()
    return means


@torch.no_grad()
def exact(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> float:
    """Return the share of pairs that the model would write without a mistake.

    Shown the right target, is the likeliest token the label at every place? Then, and only then, it would write just that.
    """
    inputs, labels = shift(target)
    right = (model(source, inputs).argmax(-1) == labels) | (labels == Vocabulary.pad)
    return right.all(1).float().mean().item()


@torch.no_grad()
def search(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"], count: int) -> list[Head]:
    """Take away ``count`` heads, one after another: each time the one whose loss leaves the loss of these pairs lowest."""
    gone: list[Head] = []
    for _ in range(count):
        losses = {}
        for head in heads_of(model):
            if head not in gone:
                with silenced(model, [*gone, head]):
                    losses[head] = translation_loss(model, source, target).item()
        gone.append(min(losses, key=losses.get))
    return gone
