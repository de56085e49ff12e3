"""Speculative sampling: a cheap draft proposes some tokens, and one pass of the model checks all of them.

The tokens have exactly the distribution that the model alone would give them, whatever the draft. A good draft only saves
passes.

Shapes: ``v`` vocabulary, ``k`` drafted tokens.
Source: Leviathan et al. 2023, "Fast Inference from Transformers via Speculative Decoding", section 2 and appendix A.1; Chen et
al. 2023, "Accelerating Large Language Model Decoding with Speculative Sampling", algorithm 2. Both found the rule.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from transformer_course.cache import KeyValueCache
from transformer_course.decoding import next_token_distribution

Draft = Callable[[list[int]], Float[Tensor, "v"]]  # the distribution of the next token, after these ids
Target = Callable[[list[int], int], Float[Tensor, "last v"]]  # the same after each of the last so many ids, in one pass


@dataclass(frozen=True)
class SpeculativeSample:
    """The new ``ids``, the ``passes`` of the model, and how many tokens were ``drafted`` and ``accepted``."""

    ids: list[int]
    passes: int
    drafted: int
    accepted: int


def acceptance(p: Float[Tensor, "... v"], q: Float[Tensor, "... v"]) -> Float[Tensor, "... v"]:
    """Return for each token the probability of keeping it if it was drafted: min(1, p/q). Never-drafted tokens have 1."""
    return torch.where(q > p, p / q, 1.0)


def leftover(p: Float[Tensor, "... v"], q: Float[Tensor, "... v"]) -> Float[Tensor, "... v"]:
    """Return the distribution that replaces a rejected token: the positive part of p - q, divided by its sum.

    Where p and q are equal, no token is rejected, and the result is p.
    """
    excess = (p - q).clamp(min=0)
    total = excess.sum(-1, keepdim=True)
    return torch.where(total > 0, excess / total, p)


def verify(
    drafted: list[int], q: Float[Tensor, "k v"], p: Float[Tensor, "k+1 v"], generator: Generator
) -> tuple[list[int], int]:
    """Return 1 to ``k`` + 1 tokens, and how many of these are drafted ones.

    ``q[i]`` is the distribution from which ``drafted[i]`` was drawn, and ``p[i]`` the model's own at the same position. The
    drafted tokens are kept up to the first rejected one, in whose place a token of `leftover` is drawn. If all are kept, the
    last row of ``p`` gives one more.
    """
    accepted = 0
    while accepted < len(drafted):
        keep = acceptance(p[accepted], q[accepted])[drafted[accepted]]
        if torch.rand((), generator=generator) >= keep:
            break
        accepted += 1
    final = leftover(p[accepted], q[accepted]) if accepted < len(drafted) else p[-1]
    return [*drafted[:accepted], _draw(final, generator)], accepted


def speculative_sample(
    target: Target, draft: Draft, prompt: list[int], limit: int, ahead: int = 4, *, generator: Generator
) -> SpeculativeSample:
    """Draw ``limit`` tokens after a prompt, with a draft of up to ``ahead`` tokens before each pass of the model.

    The first pass reads the prompt alone, and gives one token. For sampling at a temperature, or with top-k, both functions
    return the distributions after it. `CachedReader` makes a target of a `GPT`.

    Raises ValueError if the prompt is empty, if ``limit`` or ``ahead`` is below 1, if the two vocabularies differ in size, and
    if either function returns anything but probabilities.
    """
    if not len(prompt) or limit < 1 or ahead < 1:
        raise ValueError(
            f"a prompt of at least one token, and a limit and a draft of at least 1 are needed, got {len(prompt)} tokens, "
            f"limit {limit} and ahead {ahead}"
        )
    ids = [int(token) for token in prompt]
    first = _distributions(target(ids, 1), "model", 1)
    size, passes, drafted, accepted = first.shape[-1], 1, 0, 0
    ids.append(_draw(first[0], generator))
    stop = len(prompt) + limit
    while len(ids) < stop:
        proposed, rows = [], []
        for _ in range(min(ahead, stop - len(ids) - 1)):  # the pass itself gives one more
            (row,) = _distributions(draft([*ids, *proposed])[None], "draft", 1)
            if len(row) != size:
                raise ValueError(
                    f"the draft has a vocabulary of {len(row):,} tokens, and the model one of {size:,}; "
                    "take a draft with the model's own tokenizer"
                )
            rows.append(row)
            proposed.append(_draw(row, generator))
        p = _distributions(target([*ids, *proposed], len(proposed) + 1), "model", len(proposed) + 1)
        q = torch.stack(rows) if rows else p[:0]
        new, kept = verify(proposed, q, p, generator)
        ids += new
        passes, drafted, accepted = passes + 1, drafted + len(proposed), accepted + kept
    return SpeculativeSample(ids[len(prompt) :], passes, drafted, accepted)


class CachedReader:
    """A model with a cache as a `Target`: it reads what it has not read yet, after forgetting what was not kept.

    ``logits`` takes new ids (1, n) and ``caches``, and returns (1, n, v), as a `GPT` does. ``choice`` goes to
    `next_token_distribution`: a temperature, top-k, top-p.
    """

    def __init__(
        self,
        logits: Callable[[Int[Tensor, "1 n"], list[KeyValueCache]], Float[Tensor, "1 n v"]],
        caches: list[KeyValueCache],
        **choice,
    ):
        self._logits, self._caches, self._choice = logits, caches, choice
        self._read: list[int] = []

    @torch.no_grad()
    def __call__(self, ids: list[int], last: int) -> Float[Tensor, "last v"]:
        """Return the distributions of the next token after each of the last so many ids."""
        kept = 0
        while kept < min(len(ids) - last, len(self._read)) and ids[kept] == self._read[kept]:
            kept += 1
        for cache in self._caches:
            cache.forget_after(kept)
        logits = self._logits(torch.tensor([ids[kept:]]), self._caches)
        self._read = list(ids)
        return next_token_distribution(logits[0, -last:], **self._choice)


def _draw(distribution: Float[Tensor, "v"], generator: Generator) -> int:
    return int(torch.multinomial(distribution, 1, generator=generator))


def _distributions(found: Float[Tensor, "rows v"], name: str, rows: int) -> Float[Tensor, "rows v"]:
    """Check what the model or the draft returned; return it in float64."""
    if not isinstance(found, Tensor) or found.ndim != 2 or len(found) != rows:
        got = tuple(found.shape) if isinstance(found, Tensor) else type(found).__name__
        raise ValueError(f"the {name} should return {rows} distributions over its vocabulary, got {got}")
    found = found.double()
    sums = found.sum(-1)
    if not ((found >= 0).all() and (sums - 1).abs().max() < 1e-3):
        raise ValueError(
            f"the {name} should return probabilities, which are not negative and sum to 1, but a row sums to "
            f"{sums[(sums - 1).abs().argmax()]:.3g}; apply softmax to logits"
        )
    return found / sums[:, None]
