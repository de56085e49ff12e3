"""A token's attention weight, beside what happens to the answer when the token is taken away.

Both are asked of models that are trained already. Shapes: ``n`` places that are asked, ``m`` tokens looked at, ``l`` layers,
``h`` heads, ``d`` width.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from transformer_course.attention import MultiHeadAttention
from transformer_course.family import GPT
from transformer_course.inspection import attention_maps
from transformer_course.masks import causal_mask
from transformer_course.training import shift
from transformer_course.transformer import Transformer


@dataclass(frozen=True)
class Row:
    """One place that is asked for the next token: what it looks at, and what each of that is worth to the right answer."""

    weights: Float[Tensor, "l m"]  # the mean over the heads of each layer
    contributions: Float[Tensor, "l m"]  # how long the vector is that each token adds to the layer's output
    drops: Float[Tensor, "m"]  # by how much log p of the right token falls when this token is hidden, in nats


@torch.no_grad()
def source_rows(model: Transformer, source: Sequence[int], target: Sequence[int]) -> list[Row]:
    """Return a row for each token of ``target``, which ends with ``<end>``: what cross-attention gives to each source token.

    A source token is hidden from the encoder and from the decoder; the others keep their positions.
    """
    words, (inputs, labels) = torch.tensor([source]), shift(torch.tensor([target]))
    m = len(source)
    may = torch.cat([torch.ones(1, m, dtype=torch.bool), ~torch.eye(m, dtype=torch.bool)])[:, None]
    memory = model.encoder(model.source(words).expand(m + 1, -1, -1), may)
    drops = _drops(model.decode(inputs.expand(m + 1, -1), memory, may), labels)
    layers = [f"decoder.layers.{k}.cross_attention" for k in range(model.config.num_layers)]
    weights, contributions = _looked_at(model, layers, words, inputs)
    return [Row(weights[:, i], contributions[:, i], row) for i, row in enumerate(drops)]


@torch.no_grad()
def earlier_rows(model: GPT, text: Int[Tensor, "n"], first: int = 5) -> list[Row]:
    """Return a row for each place from ``first`` on: what self-attention gives to the tokens before it, ``<begin>`` included.

    ``text`` ends with ``<end>``. A token is hidden, in all layers, from all places but its own.
    """
    inputs, labels = shift(text[None])
    n = len(text)
    own, causal = torch.eye(n, dtype=torch.bool), causal_mask(n)
    hidden = (causal & (own | ~own[j]) for j in range(n))
    logits = model.output(model.stack(model.input(inputs).expand(n + 1, -1, -1), torch.stack([causal, *hidden])))
    drops = _drops(logits, labels)
    layers = [f"stack.layers.{k}.self_attention" for k in range(model.config.num_layers)]
    weights, contributions = _looked_at(model, layers, inputs)
    return [Row(weights[:, i, :i], contributions[:, i, :i], drops[i, :i]) for i in range(first, n)]


def _drops(logits: Float[Tensor, "m+1 n v"], labels: Int[Tensor, "1 n"]) -> Float[Tensor, "n m"]:
    """The first sample is whole; in each of the others one token is hidden."""
    asked = labels.expand(len(logits), -1)[..., None]
    of_right = logits.log_softmax(-1).gather(-1, asked)[..., 0]
    return (of_right[0] - of_right[1:]).T


def _looked_at(model: nn.Module, layers: Sequence[str], *inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Weights (mean over heads) and contributions of these layers, each (l, n, m)."""
    with attention_maps(model) as maps, keys_of(model) as keys:
        model(*inputs)
    added = [
        torch.einsum("hnm,hmd->nmd", maps[k][0], brought(model.get_submodule(k), keys[k])[0]).norm(dim=-1) for k in layers
    ]
    return torch.stack([maps[k][0].mean(0) for k in layers]), torch.stack(added)


def brought(attention: MultiHeadAttention, x: Float[Tensor, "b m d"]) -> Float[Tensor, "b h m d"]:
    """Return what each head adds to the output for one whole of weight on a token: its value, through W_O.

    Source: Kobayashi et al. 2020, "Attention is Not Only a Weight: Analyzing Transformers with Vector Norms".
    """
    heads = attention.num_heads
    values = attention.w_v(x).unflatten(-1, (heads, -1))
    return torch.einsum("bmhk,dhk->bhmd", values, attention.w_o.weight.unflatten(-1, (heads, -1)))


@contextmanager
def keys_of(model: nn.Module) -> Iterator[dict[str, Float[Tensor, "b m d"]]]:
    """Keep what every `MultiHeadAttention` made its keys and values from, by name, while the ``with`` block runs."""
    kept: dict[str, Tensor] = {}
    parts = ((name, part) for name, part in model.named_modules() if isinstance(part, MultiHeadAttention))

    def keep(name):
        return lambda module, arguments: kept.update({name: arguments[1].detach()})

    hooks = [part.register_forward_pre_hook(keep(name)) for name, part in parts]
    try:
        yield kept
    finally:
        for hook in hooks:
            hook.remove()


@dataclass(frozen=True)
class Agreement:
    """How well something said of each token foretells the drops, layer by layer; means over the rows."""

    correlation: Float[Tensor, "l"]  # Pearson's, from -1 to 1
    top: Float[Tensor, "l"]  # the share of rows in which the token with the most is the one whose hiding hurts most


def agreement(rows: Sequence[Row], what: str = "weights", seed: int | None = None) -> Agreement:
    """Compare ``what``, "weights" or "contributions", with the drops; with a ``seed``, after shuffling each row's tokens.

    A shuffled row has the same weights, so the same sharpness, on other tokens: what agrees then agrees by chance.
    """
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    correlations, tops = [], []
    for row in rows:
        said = getattr(row, what)
        if generator is not None:
            said = said[:, torch.randperm(said.shape[1], generator=generator)]
        correlations.append(torch.corrcoef(torch.cat([said, row.drops[None]]))[-1, :-1])
        tops.append((said.argmax(-1) == row.drops.argmax()).float())
    return Agreement(torch.stack(correlations).mean(0), torch.stack(tops).mean(0))
