"""Writing: one token after another, each chosen from what the model says about the next.

All three ways take a `Transformer` with a batch of sources, or a `GPT` with a batch of texts to continue, which begin with
``<begin>``; both padded on the right. They return one list of ids a sequence: what was written, without ``<begin>`` and
without the text it continues, up to and with the first ``<end>``; at most ``limit`` ids, none of them padding. Dropout is off
meanwhile, and no gradient is kept.

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from transformer_course.attention import softmax
from transformer_course.beam import beam_search
from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.generation_state import DecodingState, eval_mode
from transformer_course.transformer import Transformer

__all__ = ["beam_search", "greedy", "next_token_distribution", "sample"]


def greedy(model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int) -> list[list[int]]:
    """Write the most probable token at each step.

    Raises ValueError when prompt and limit are too long for the model, or a text to continue is empty.
    """
    return _write(model, prompt, limit, lambda logits: logits.argmax(-1))


def sample(
    model: Transformer | GPT,
    prompt: Int[Tensor, "b n"],
    limit: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: Generator,
) -> list[list[int]]:
    """Draw each token from `next_token_distribution`; the same ``generator`` state writes the same text.

    Raises ValueError as `greedy` and `next_token_distribution` do.
    """

    def draw(logits: Float[Tensor, "b v"]) -> Int[Tensor, "b"]:
        probabilities = next_token_distribution(logits, temperature, top_k, top_p)
        return torch.multinomial(probabilities, 1, generator=generator)[:, 0]

    return _write(model, prompt, limit, draw)


def next_token_distribution(
    logits: Float[Tensor, "... v"], temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Float[Tensor, "... v"]:
    """Return the probabilities to draw from: ``softmax(logits / temperature)``, cut and made to sum to 1 again.

    ``top_k`` keeps the ``k`` most probable tokens, then ``top_p`` the fewest that together have at least the
    probability ``p``. A temperature below 1 sharpens, above 1 flattens.

    The result is in float64. Raises ValueError for a temperature of 0 or less, a ``top_k`` below 1, or a ``top_p`` outside
    0 … 1.
    Source: Fan et al. 2018, "Hierarchical Neural Story Generation", section 5.4 (top-k); Holtzman et al. 2020, "The
    Curious Case of Neural Text Degeneration", section 3.1 (top-p).
    """
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, saw {temperature}; for the most probable token, use greedy")
    if (top_k is not None and top_k < 1) or (top_p is not None and not 0 < top_p <= 1):
        raise ValueError(f"top_k is 1 or more, and top_p above 0 and at most 1, saw {top_k} and {top_p}")
    probabilities = softmax(logits.double() / temperature)  # in 16 bits, small probabilities would not add up
    if top_k is not None:
        best = probabilities.topk(min(top_k, logits.shape[-1])).indices
        probabilities = torch.zeros_like(probabilities).scatter(-1, best, probabilities.gather(-1, best))
    if top_p is not None:
        ranked, order = (probabilities / probabilities.sum(-1, keepdim=True)).sort(-1, descending=True)
        before = ranked.cumsum(-1) - ranked  # what the tokens ahead have; the first is always kept
        probabilities = torch.zeros_like(ranked).scatter(-1, order, ranked.where(before < top_p, 0))
    return probabilities / probabilities.sum(-1, keepdim=True)


def _write(
    model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, choose: Callable[[Tensor], Tensor]
) -> list[list[int]]:
    with eval_mode(model):
        run = DecodingState(model, prompt, limit)
        new = run.known[:, : run.start]
        columns, ended = [], torch.zeros(len(prompt), dtype=torch.bool)
        for position in range(run.start, run.stop):
            chosen = choose(run.step(new))
            ends = chosen == Vocabulary.end
            if position < run.known.shape[1]:  # rows that are longer than the shortest are still read
                writing = position >= run.lengths
                chosen, ends = torch.where(writing, chosen, run.known[:, position]), ends & writing
            columns.append(chosen)
            ended |= ends
            if ended.all():
                break
            new = chosen[:, None]
    written = []
    for row, length in zip(torch.stack(columns, dim=1).tolist(), run.lengths.tolist(), strict=True):
        text = row[length - run.start :]  # the columns before were given, not written
        end = text.index(Vocabulary.end) + 1 if Vocabulary.end in text else limit
        written.append(text[: min(end, limit)])
    return written
