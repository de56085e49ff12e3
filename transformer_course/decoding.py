"""Decoding: generate one token after another, each chosen from the model's distribution over the next token.

`greedy`, `sample` and `beam_search` take a `Transformer` with a batch of sources, or a `GPT` with a batch of sequences to
continue, which begin with ``<begin>``. Pad both on the right. All three return one list of ids per sequence: the generated
tokens, up to and including the first ``<end>``, but not ``<begin>`` or the given tokens. A list has at most ``limit``
ids, none of them padding. Decoding turns dropout off and keeps no gradients.

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from transformer_course.attention import softmax
from transformer_course.beam import beam_search as beam_search
from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.generation_state import DecodingState, eval_mode
from transformer_course.transformer import Transformer


def greedy(model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int) -> list[list[int]]:
    """Generate the most probable token at each step.

    Raises ValueError if the prompt or the limit exceeds the model's maximum length, or if a sequence to continue is empty.
    """
    return _generate(model, prompt, limit, lambda logits: logits.argmax(-1))


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
    """Draw each token from `next_token_distribution`; the same state of ``generator`` gives the same tokens.

    Raises ValueError as `greedy` and `next_token_distribution` do.
    """

    def draw(logits: Float[Tensor, "b v"]) -> Int[Tensor, "b"]:
        probabilities = next_token_distribution(logits, temperature, top_k, top_p)
        return torch.multinomial(probabilities, 1, generator=generator)[:, 0]

    return _generate(model, prompt, limit, draw)


def next_token_distribution(
    logits: Float[Tensor, "... v"], temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Float[Tensor, "... v"]:
    """Return the probabilities to draw from: ``softmax(logits / temperature)``, truncated and renormalised to sum to 1.

    ``top_k`` keeps the ``k`` most probable tokens; ``top_p`` then keeps the fewest whose probabilities sum to at least
    ``p``. A temperature below 1 sharpens the distribution, and one above 1 flattens it. The result is float64.

    Raises ValueError if ``temperature`` is not above 0, if ``top_k`` is below 1, or if ``top_p`` is not in (0, 1].
    Source: Fan et al. 2018, "Hierarchical Neural Story Generation", section 5.4 (top-k); Holtzman et al. 2020, "The
    Curious Case of Neural Text Degeneration", section 3.1 (top-p).
    """
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, got {temperature}; for the most probable token, use greedy")
    if (top_k is not None and top_k < 1) or (top_p is not None and not 0 < top_p <= 1):
        raise ValueError(f"top_k must be 1 or more, and top_p above 0 and at most 1, got {top_k} and {top_p}")
    probabilities = softmax(logits.double() / temperature)  # in 16 bits, small ones would be lost in sums
    if top_k is not None:
        best = probabilities.topk(min(top_k, logits.shape[-1])).indices
        probabilities = torch.zeros_like(probabilities).scatter(-1, best, probabilities.gather(-1, best))
    if top_p is not None:
        ranked, order = (probabilities / probabilities.sum(-1, keepdim=True)).sort(-1, descending=True)
        before = ranked.cumsum(-1) - ranked  # the sum over more probable tokens: 0 for the first, which is always kept
        probabilities = torch.zeros_like(ranked).scatter(-1, order, ranked.where(before < top_p, 0))
    return probabilities / probabilities.sum(-1, keepdim=True)


def _generate(
    model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, choose: Callable[[Tensor], Tensor]
) -> list[list[int]]:
    with eval_mode(model):
        state = DecodingState(model, prompt, limit)
        new = state.known[:, : state.start]
        columns, ended = [], torch.zeros(len(prompt), dtype=torch.bool)
        for position in range(state.start, state.stop):
            chosen = choose(state.step(new))
            ends = chosen == Vocabulary.end
            if position < state.known.shape[1]:  # longer rows may still have a given token here
                generating = position >= state.lengths
                chosen, ends = torch.where(generating, chosen, state.known[:, position]), ends & generating
            columns.append(chosen)
            ended |= ends
            if ended.all():
                break
            new = chosen[:, None]
    generated = []
    for row, length in zip(torch.stack(columns, dim=1).tolist(), state.lengths.tolist(), strict=True):
        tokens = row[length - state.start :]  # earlier columns were given, not generated
        end = tokens.index(Vocabulary.end) + 1 if Vocabulary.end in tokens else limit
        generated.append(tokens[: min(end, limit)])
    return generated
