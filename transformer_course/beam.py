"""Beam search: several beginnings of a text are followed at once, and the best end wins.

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
    """Follow the ``width`` most probable beginnings at once, and return for each sequence the best text found.

    Texts are compared by log-probability divided by ``((5 + length) / 6) ** length_penalty``: without a penalty (0)
    short ones win, since each token makes a text less probable. Defaults are the paper's. A width of 1 without a penalty
    is greedy. What is read and what comes back is as in `greedy`.

    Raises ValueError for a width below 1 or a penalty below 0, and as `greedy` does.
    Source: Vaswani et al. 2017, section 6.1; Wu et al. 2016, "Google's Neural Machine Translation System", section 7,
    equation 14.
    """
    if width < 1 or length_penalty < 0:
        raise ValueError(f"a beam needs a width of 1 or more, and a penalty of 0 or more, saw {width} and {length_penalty}")
    with eval_mode(model):
        run = DecodingState(model, prompt, limit, width)
        beam = _Beam(run, limit, width, length_penalty)
        new = beam.texts.flatten(0, 1)
        for position in range(run.start, run.stop):
            log_probabilities = run.step(new).float().log_softmax(-1).unflatten(0, (-1, width))
            run.select(beam.extend(position, log_probabilities))
            if beam.settled(position):
                break
            new = beam.texts[:, :, -1].flatten()[:, None]
        return beam.best_texts


class _Beam:
    """The ``w`` live hypotheses of each row, best first, and the best text of each row that has come to an end."""

    def __init__(self, run: DecodingState, limit: int, width: int, length_penalty: float):
        b = len(run.known)
        self.run, self.limit, self.width, self.length_penalty = run, limit, width, length_penalty
        self.texts = run.known[:, None, : run.start].expand(b, width, -1)
        self.scores = torch.full((b, width), -math.inf)  # log-probabilities
        self.scores[:, 0] = 0.0  # at first all hypotheses are the same: one of them counts
        self.best_scores = torch.full((b,), -math.inf)  # divided by the length's penalty
        self.best_texts: list[list[int]] = [[] for _ in range(b)]

    def extend(self, position: int, log_probabilities: Float[Tensor, "b w v"]) -> Int[Tensor, "b*w"]:
        """Add one token to each hypothesis; return the row of the batch that each of the new ones goes on from."""
        totals = self.scores[:, :, None] + log_probabilities
        length = position + 1 - self.run.lengths  # of what is written with this token; below 1 while a row is still read
        given = length < 1
        if given.any():  # the next token is not ours to choose
            totals[given] = -math.inf
            totals[given, 0, self.run.known[given, position]] = 0.0
        written = ~given & (length <= self.limit)

        ended, which = totals[:, :, Vocabulary.end].max(-1)
        last = totals.flatten(1).topk(self.width).values[:, -1]  # an end counts only where it is in the beam like any token
        self._keep(written & (ended >= last), ended / self._penalty(length), which, Vocabulary.end)
        totals[~given, :, Vocabulary.end] = -math.inf

        self.scores, index = totals.flatten(1).topk(self.width)
        vocabulary = totals.shape[-1]
        parents, tokens = index // vocabulary, index % vocabulary
        rows = torch.arange(len(totals))[:, None]
        self.texts = torch.cat([self.texts[rows, parents], tokens[:, :, None]], dim=-1)

        cut = self.scores[:, 0] / self._penalty(length)  # at the limit, an open text counts as it is
        self._keep(written & (length == self.limit), cut, torch.zeros_like(which))
        return (rows * self.width + parents).flatten()

    def settled(self, position: int) -> bool:
        """Say whether no hypothesis can overtake any more: its score only falls, and its divisor is at most the last."""
        length = position + 1 - self.run.lengths
        hopeless = self.best_scores >= self.scores[:, 0] / self._penalty(torch.tensor(self.limit))
        return bool(((length >= 1) & (hopeless | (length >= self.limit))).all())

    def _keep(self, rows: Bool[Tensor, "b"], scores: Float[Tensor, "b"], which: Int[Tensor, "b"], *last: int) -> None:
        """Remember the text of hypothesis ``which``, with the ``last`` token, in those rows where it is the best so far."""
        for i in (rows & (scores > self.best_scores)).nonzero()[:, 0].tolist():
            self.best_scores[i] = scores[i]
            self.best_texts[i] = [*self.texts[i, which[i], self.run.lengths[i] :].tolist(), *last]

    def _penalty(self, length: Int[Tensor, "..."]) -> Float[Tensor, "..."]:
        return ((5 + length.clamp(min=1)) / 6) ** self.length_penalty
