"""Beam search: follow several partial sequences at once, and return the best one that ends.

Shapes: ``b`` batch, ``w`` hypotheses of each row of the batch, ``v`` vocabulary.
"""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.generation_state import DecodingState, eval_mode
from transformer_course.transformer import Transformer


def beam_search(
    model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, *, width: int = 4, length_penalty: float = 0.6
) -> list[list[int]]:
    """Follow the ``width`` most probable partial sequences at once, and return the best sequence found for each row.

    Sequences are compared by log-probability divided by ``((5 + length) / 6) ** length_penalty``. Without a penalty (0)
    short ones win, because each token makes a sequence less probable. The defaults are the paper's. A width of 1 without
    a penalty gives greedy decoding. Arguments and result are those of `greedy`.

    Raises ValueError if ``width`` is below 1 or ``length_penalty`` below 0, and as `greedy` does.
    Source: Vaswani et al. 2017, section 6.1; Wu et al. 2016, "Google's Neural Machine Translation System", section 7,
    equation 14.
    """
    if width < 1 or length_penalty < 0:
        raise ValueError(f"width must be 1 or more, and length_penalty 0 or more, got {width} and {length_penalty}")
    with eval_mode(model):
        state = DecodingState(model, prompt, limit, width)
        beam = _Beam(state, limit, width, length_penalty)
        new = beam.sequences.flatten(0, 1)
        for position in range(state.start, state.stop):
            log_probabilities = state.step(new).float().log_softmax(-1).unflatten(0, (-1, width))
            state.select(beam.extend(position, log_probabilities))
            if beam.settled(position):
                break
            new = beam.sequences[:, :, -1].flatten()[:, None]
        return beam.best_sequences


class _Beam:
    """The ``w`` live hypotheses of each row, best first, and the best finished sequence of each row."""

    def __init__(self, state: DecodingState, limit: int, width: int, length_penalty: float):
        b = len(state.known)
        self.state, self.limit, self.width, self.length_penalty = state, limit, width, length_penalty
        self.sequences = state.known[:, None, : state.start].expand(b, width, -1)
        self.scores = torch.full((b, width), -math.inf)  # log-probabilities
        self.scores[:, 0] = 0.0  # at first all hypotheses are the same, so only one of them may win
        self.best_scores = torch.full((b,), -math.inf)  # divided by the length penalty
        self.best_sequences: list[list[int]] = [[] for _ in range(b)]

    def extend(self, position: int, log_probabilities: Float[Tensor, "b w v"]) -> Int[Tensor, "b*w"]:
        """Append one token to each hypothesis; return the batch row that each new hypothesis continues."""
        totals = self.scores[:, :, None] + log_probabilities
        length = position + 1 - self.state.lengths  # tokens generated, with this one; below 1 where it is given
        given = length < 1
        if given.any():  # the next token is known
            totals[given] = -math.inf
            totals[given, 0, self.state.known[given, position]] = 0.0
        generated = ~given & (length <= self.limit)

        ended, which = totals[:, :, Vocabulary.end].max(-1)
        last = totals.flatten(1).topk(self.width).values[:, -1]  # like any token, <end> must be in the top ``width``
        self._keep(generated & (ended >= last), ended / self._penalty(length), which, Vocabulary.end)
        totals[~given, :, Vocabulary.end] = -math.inf

        self.scores, index = totals.flatten(1).topk(self.width)
        vocabulary = totals.shape[-1]
        parents, tokens = index // vocabulary, index % vocabulary
        rows = torch.arange(len(totals))[:, None]
        self.sequences = torch.cat([self.sequences[rows, parents], tokens[:, :, None]], dim=-1)

        cut = self.scores[:, 0] / self._penalty(length)  # at the limit, a sequence may win without <end>
        self._keep(generated & (length == self.limit), cut, torch.zeros_like(which))
        return (rows * self.width + parents).flatten()

    def settled(self, position: int) -> bool:
        """Return whether no live hypothesis can still win: scores only fall, and the divisor is largest at the limit."""
        length = position + 1 - self.state.lengths
        hopeless = self.best_scores >= self.scores[:, 0] / self._penalty(torch.tensor(self.limit))
        return bool(((length >= 1) & (hopeless | (length >= self.limit))).all())

    def _keep(self, rows: Bool[Tensor, "b"], scores: Float[Tensor, "b"], which: Int[Tensor, "b"], *last: int) -> None:
        """Store hypothesis ``which``, with the ``last`` token appended, in those rows where it is the best so far."""
        for i in (rows & (scores > self.best_scores)).nonzero()[:, 0].tolist():
            self.best_scores[i] = scores[i]
            self.best_sequences[i] = [*self.sequences[i, which[i], self.state.lengths[i] :].tolist(), *last]

    def _penalty(self, length: Int[Tensor, "..."]) -> Float[Tensor, "..."]:
        return ((5 + length.clamp(min=1)) / 6) ** self.length_penalty
