"""Writing: one token after another, each chosen from what the model says about the next.

All three ways take a `Transformer` with a batch of sources, or a `GPT` with a batch of texts to continue, padded on the
right. They return one list of ids a sequence: what was written, without ``<begin>`` and without the text it continues, up to
and with the first ``<end>``; at most ``limit`` ids. Dropout is off meanwhile, and no gradient is kept.

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary, ``w`` hypotheses of a beam.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from transformer_course.attention import softmax
from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.transformer import Transformer


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

    Raises ValueError for a temperature of 0 or less, a ``top_k`` below 1, or a ``top_p`` outside 0 … 1.
    Source: Fan et al. 2018, "Hierarchical Neural Story Generation", section 5 (top-k); Holtzman et al. 2020, "The
    Curious Case of Neural Text Degeneration", section 3.1 (top-p).
    """
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, saw {temperature}; for the most probable token, use greedy")
    if (top_k is not None and top_k < 1) or (top_p is not None and not 0 < top_p <= 1):
        raise ValueError(f"top_k is 1 or more, and top_p above 0 and at most 1, saw {top_k} and {top_p}")
    probabilities = softmax(logits / temperature)
    if top_k is not None:
        best = probabilities.topk(min(top_k, logits.shape[-1])).indices
        probabilities = torch.zeros_like(probabilities).scatter(-1, best, probabilities.gather(-1, best))
    if top_p is not None:
        ranked, order = (probabilities / probabilities.sum(-1, keepdim=True)).sort(-1, descending=True)
        before = ranked.cumsum(-1) - ranked  # what the tokens ahead have; the first is always kept
        probabilities = torch.zeros_like(ranked).scatter(-1, order, ranked.where(before < top_p, 0))
    return probabilities / probabilities.sum(-1, keepdim=True)


def beam_search(
    model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, *, width: int = 4, length_penalty: float = 0.6
) -> list[list[int]]:
    """Follow the ``width`` most probable beginnings at once, and return for each sequence the best text found.

    Texts are compared by log-probability divided by ``((5 + length) / 6) ** length_penalty``: without a penalty (0)
    short ones win, since each token makes a text less probable. Defaults are the paper's.

    Raises ValueError for a width below 1 or a penalty below 0, and as `greedy` does.
    Source: Vaswani et al. 2017, section 6.1; Wu et al. 2016, "Google's Neural Machine Translation System", section 7,
    equation 14.
    """
    if width < 1 or length_penalty < 0:
        raise ValueError(f"a beam needs a width of 1 or more, and a penalty of 0 or more, saw {width} and {length_penalty}")
    with _reading(model):
        run = _Run(model, prompt, limit, width)
        b, rows = len(prompt), torch.arange(len(prompt))[:, None]
        scores = torch.full((b, width), -math.inf)
        scores[:, 0] = 0.0  # at first all hypotheses are the same: one of them counts
        texts = run.known[:, None, : run.start].expand(b, width, -1)
        best_score, best_text = torch.full((b,), -math.inf), [[] for _ in range(b)]
        new = texts.flatten(0, 1)
        for position in range(run.start, run.stop):
            ahead = torch.log_softmax(run.step(new).float(), -1).unflatten(0, (b, width))
            totals = scores[:, :, None] + ahead  # (b, w, v)
            if (given := position < run.lengths).any():  # still reading: the next token is not ours to choose
                totals[given] = -math.inf
                totals[given, 0, run.known[given, position]] = 0.0
            length = (position + 1 - run.lengths).clamp(min=1)
            penalty, last_penalty = (((5 + size) / 6) ** length_penalty for size in (length, torch.tensor(limit)))
            writing = ~given & (length <= limit)
            ended, which = (totals[:, :, Vocabulary.end] / penalty[:, None]).max(-1)
            for i in (writing & (ended > best_score)).nonzero()[:, 0].tolist():
                best_score[i] = ended[i]
                best_text[i] = [*texts[i, which[i], run.lengths[i] :].tolist(), Vocabulary.end]
            totals[~given, :, Vocabulary.end] = -math.inf
            scores, index = totals.flatten(1).topk(width)
            beam, chosen = index // totals.shape[-1], index % totals.shape[-1]
            texts = torch.cat([texts[rows, beam], chosen[:, :, None]], dim=-1)
            new = chosen.flatten()[:, None]
            run.select((rows * width + beam).flatten())
            full = writing & (length == limit) & (scores[:, 0] / penalty > best_score)
            for i in full.nonzero()[:, 0].tolist():  # cut off at the limit, and still better than all that ended
                best_score[i], best_text[i] = scores[i, 0] / penalty[i], texts[i, 0, run.lengths[i] :].tolist()
            if (~given & ((length >= limit) | (best_score >= scores[:, 0] / last_penalty))).all():
                break  # no hypothesis can overtake any more: its score only falls, and its divisor is at most the last
        return best_text


def _write(
    model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, choose: Callable[[Tensor], Tensor]
) -> list[list[int]]:
    with _reading(model):
        run = _Run(model, prompt, limit)
        new = run.known[:, : run.start]
        columns, ended = [], torch.zeros(len(prompt), dtype=torch.bool)
        for position in range(run.start, run.stop):
            chosen = choose(run.step(new))
            ends = chosen == Vocabulary.end
            if position < run.known.shape[1]:  # rows that are longer than the shortest go on reading
                writing = position >= run.lengths
                chosen, ends = torch.where(writing, chosen, run.known[:, position]), ends & writing
            columns.append(chosen)
            ended |= ends
            if ended.all():
                break
            new = chosen[:, None]
    written = torch.stack(columns, dim=1).tolist()
    texts = [row[length - run.start :][:limit] for row, length in zip(written, run.lengths.tolist(), strict=True)]
    return [text[: text.index(Vocabulary.end) + 1] if Vocabulary.end in text else text for text in texts]


class _Run:
    """One run of decoding: what is given, the caches, and a step that reads new tokens and tells about the next.

    Rows of a batch march together. ``start`` is the length of the shortest beginning; a longer one is read on token by
    token while others already write, so that no padding ever stands between a row's tokens.
    """

    def __init__(self, model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, copies: int = 1):
        if limit < 1:
            raise ValueError(f"limit is the number of tokens to write at most, 1 or more, saw {limit}")
        if isinstance(model, Transformer):
            self.known = torch.full((len(prompt), 1), Vocabulary.begin)
        else:
            self.known = prompt
        real = self.known != Vocabulary.pad
        if (real[:, 1:] & ~real[:, :-1]).any():
            raise ValueError("texts to continue are padded on the right, saw padding before a token; see pad_right")
        self.lengths = real.sum(-1)
        self.start, longest = (int(size) for size in self.lengths.aminmax())
        if not self.start:
            raise ValueError("each text to continue needs a token, <begin> at least, and one row has none")
        self.stop = longest + limit
        if self.stop - 1 > model.config.max_length:
            raise ValueError(f"this model has {model.config.max_length} positions, saw {longest} given and {limit} to write")
        caches = model.caches(self.stop)
        if isinstance(model, Transformer):
            memory, mask = (t.repeat_interleave(copies, 0) for t in model.encode(prompt))
            self.caches = [own for own, _ in caches]  # the memory's need no reordering: hypotheses of one row share it
            self._logits = lambda tokens: model.decode(tokens, memory, mask, caches)
        else:
            self.caches = caches
            self._logits = lambda tokens: model(tokens, caches)

    def step(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b v"]:
        """Read the new tokens; return the logits of the next."""
        return self._logits(tokens)[:, -1]

    def select(self, rows: Int[Tensor, "b"]) -> None:
        for cache in self.caches:
            cache.select(rows)


@contextmanager
def _reading(model: Transformer | GPT) -> Iterator[None]:
    was_training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train(was_training)
