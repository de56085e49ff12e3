"""A token's attention weight, compared with what happens to the prediction when the token is hidden.

The models are already trained. Shapes: ``n`` positions that predict a token, ``m`` tokens attended to, ``l`` layers, ``h``
heads, ``d`` width.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.family import GPT
from transformer_course.inspection import attention_maps, attentions, hooked
from transformer_course.masks import causal_mask
from transformer_course.training import shift
from transformer_course.transformer import Transformer


@dataclass(frozen=True)
class Row:
    """One position that predicts the next token: what it attends to, and how much each token matters to the prediction."""

    weights: Float[Tensor, "l m"]  # averaged over the heads of each layer
    contributions: Float[Tensor, "l m"]  # the length of the vector that each token adds to the layer's output
    drops: Float[Tensor, "m"]  # how far log p of the correct token falls when this token is hidden, in nats


@torch.no_grad()
def source_rows(model: Transformer, source: Sequence[int], target: Sequence[int]) -> list[Row]:
    """Return a row per token of ``target``, which ends with ``<end>``: how cross-attention weights the source tokens.

    A hidden source token is masked in the encoder and in the decoder. The others keep their positions.
    """
    words, (inputs, labels) = torch.tensor([source]), shift(torch.tensor([target]))
    m = len(source)
    visible = torch.cat([torch.ones(1, m, dtype=torch.bool), ~torch.eye(m, dtype=torch.bool)])[:, None]
    memory = model.encoder(model.source(words).expand(m + 1, -1, -1), visible)
    drops = _drops(model.decode(inputs.expand(m + 1, -1), memory, visible), labels)
    layers = [f"decoder.layers.{k}.cross_attention" for k in range(model.config.num_layers)]
    weights, contributions = _weights_and_contributions(model, layers, words, inputs)
    return [Row(weights[:, i], contributions[:, i], row) for i, row in enumerate(drops)]


@torch.no_grad()
def earlier_rows(model: GPT, tokens: Int[Tensor, "n"], first: int = 5) -> list[Row]:
    """Return a row per position from ``first`` on: how self-attention weights the tokens before it, ``<begin>`` included.

    ``tokens`` ends with ``<end>``. A hidden token is masked in all layers at all positions except its own.
    """
    inputs, labels = shift(tokens[None])
    n = len(tokens)
    own, causal = torch.eye(n, dtype=torch.bool), causal_mask(n)
    hidden = (causal & (own | ~own[j]) for j in range(n))
    logits = model.output(model.stack(model.input(inputs).expand(n + 1, -1, -1), torch.stack([causal, *hidden])))
    drops = _drops(logits, labels)
    layers = [f"stack.layers.{k}.self_attention" for k in range(model.config.num_layers)]
    weights, contributions = _weights_and_contributions(model, layers, inputs)
    return [Row(weights[:, i, :i], contributions[:, i, :i], drops[i, :i]) for i in range(first, n)]


def _drops(logits: Float[Tensor, "m+1 n v"], labels: Int[Tensor, "1 n"]) -> Float[Tensor, "n m"]:
    """Return how far log p falls from the first sample, in which nothing is hidden, to each of the others."""
    labels = labels.expand(len(logits), -1)[..., None]
    log_p = logits.log_softmax(-1).gather(-1, labels)[..., 0]
    return (log_p[0] - log_p[1:]).T


def _weights_and_contributions(model: nn.Module, layers: Sequence[str], *inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Return the weights (averaged over heads) and the contributions of these layers, each (l, n, m)."""
    with attention_maps(model) as maps, attention_inputs(model) as keys:
        model(*inputs)
    added = [
        torch.einsum("hnm,hmd->nmd", maps[k][0], projected_values(model.get_submodule(k), keys[k])[0]).norm(dim=-1)
        for k in layers
    ]
    return torch.stack([maps[k][0].mean(0) for k in layers]), torch.stack(added)


def projected_values(attention: MultiHeadAttention, x: Float[Tensor, "b m d"]) -> Float[Tensor, "b h m d"]:
    """Return what each head adds to the output for a token that has all of its weight: the token's value, times W_O.

    Source: Kobayashi et al. 2020, "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms".
    """
    heads = attention.num_heads
    values = attention.w_v(x).unflatten(-1, (heads, -1))
    return torch.einsum("bmhk,dhk->bhmd", values, attention.w_o.weight.unflatten(-1, (heads, -1)))


@contextmanager
def attention_inputs(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "b m d"]]]:
    """Record the input of the keys and values of every `MultiHeadAttention`, by name, while the ``with`` block runs."""
    names = attentions(model)
    inputs: dict[str, Tensor] = {}
    with hooked(names, before=lambda module, args: inputs.update({names[module]: args[1].detach()})):
        yield inputs


@dataclass(frozen=True)
class Agreement:
    """How well a measure of the tokens predicts the drops, layer by layer. Both fields are means over the rows."""

    correlation: Float[Tensor, "l"]  # Pearson correlation, from -1 to 1
    top: Float[Tensor, "l"]  # how often the token with the largest value is also the one with the largest drop


def agreement(rows: Sequence[Row], measure: str = "weights", seed: int | None = None) -> Agreement:
    """Compare ``measure``, "weights" or "contributions", with the drops. A ``seed`` shuffles the tokens of each row first.

    A shuffled row has the same weights, and so the same sharpness, on different tokens: any agreement is due to chance.
    """
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    correlations, tops = [], []
    for row in rows:
        values = getattr(row, measure)
        if generator is not None:
            values = values[:, torch.randperm(values.shape[1], generator=generator)]
        correlations.append(torch.corrcoef(torch.cat([values, row.drops[None]]))[-1, :-1])
        tops.append((values.argmax(-1) == row.drops.argmax()).float())
    return Agreement(torch.stack(correlations).mean(0), torch.stack(tops).mean(0))
