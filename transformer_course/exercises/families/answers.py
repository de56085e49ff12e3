"""What goes wrong with the answers in a conversation: which tokens are the assistant's, and where their predictions stand.

A piece of `WRITTEN` is ``written(ids, right, assistant, end)``, with ids and the right mask (b, n): another mask. Its gaps say
what a token of the mask has: ``{has}`` and ``{have}`` ("a label", "labels"), ``{lacks}``, and ``{what}`` is the mask itself.
A piece of `PREDICTED` is ``predicted(model, ids, written)``: the logits (b, m, v), their labels (b, m), and which of them
count, where ``model(ids)`` gives logits (b, n, v). ``{sum}`` is what is added up there.
"""

import numpy as np

PAD = 0


def _after_the_first_mark(ids, right, assistant, end):
    return np.cumsum(ids == assistant, axis=1) - (ids == assistant) > 0


def _turn(place):
    """The mask of one answer of each row."""

    def written(ids, right, assistant, end):
        kept = np.zeros(ids.shape, bool)
        for row, (numbers, own) in enumerate(zip(ids, right, strict=True)):
            ends = np.flatnonzero(own & (numbers == end))
            low, high = (ends[-2] if len(ends) > 1 else -1, ends[-1]) if place < 0 else (-1, ends[0])
            kept[row, low + 1 : high + 1] = own[low + 1 : high + 1]
        return kept

    return written


WRITTEN = {
    "the prompt in the loss": (
        "Every token {has}, the user's too. So most of the loss would be about predicting questions.",
        "{keep}",
        lambda ids, right, assistant, end: ids != PAD,
        lambda ids, right, assistant, end: np.ones_like(right),
    ),
    "end is missing": (
        "The words of each answer {have}, but the `end` after them {lacks}. This model would never learn to stop.",
        "The assistant writes `end` as well.",
        lambda ids, right, assistant, end: right & (ids != end),
    ),
    "the mark is a label": (
        "The mark of the assistant {has} too. But the mark is given: it comes with the prompt.",
        "What the assistant writes begins with the token *after* its mark.",
        lambda ids, right, assistant, end: right | (ids == assistant),
    ),
    "the first word is missing": (
        "The first token of each answer {lacks}. In use, it is what the model generates first.",
        "What the assistant writes begins with the token right after its mark.",
        lambda ids, right, assistant, end: right & ~(np.roll(ids, 1, axis=1) == assistant),
    ),
    "upside down": (
        "{what} is upside down: the questions {have}, and not the answers.",
        "{which}",
        lambda ids, right, assistant, end: ~right & (ids != PAD),
        lambda ids, right, assistant, end: ~right,
    ),
    "everything after the first mark": (
        "In the first turn you are right. But a second question comes after the first mark, too, and it {has}.",
        "A mark begins an answer, and `end` ends it. What comes after that is the user's.",
        lambda ids, *rest: _after_the_first_mark(ids, *rest) & (ids != PAD),
        _after_the_first_mark,
    ),
    "the last answer only": (
        "Only the last answer of each conversation {has}. The earlier ones are examples as well.",
        "Every mark begins an answer that the assistant should learn.",
        _turn(-1),
    ),
    "the first answer only": (
        "Only the first answer of each conversation {has}. There may be more turns.",
        "Don't stop at the first mark: every one begins an answer.",
        _turn(0),
    ),
}


def predicted(model, ids, written):
    return model(ids)[:, :-1], ids[:, 1:], written[:, 1:]


def _counting(counts):
    """The right predictions, of which others count: ``counts(written)``, (b, n)."""
    return lambda model, ids, written: predicted(model, ids, counts(written))


def _after_the_prompt(written):
    return np.cumsum(written, axis=1) > 0


PREDICTED = {
    "the prompt in the loss": (
        "Every token counts in your {sum}, the user's and the padding too. The model would learn to ask.",
        "Only tokens for which `written` is True may count.",
        _counting(np.ones_like),
    ),
    "padding in the loss": (
        "Everything counts from the first token of an answer on: the padding as well, and the next question.",
        "`written` says for each token whether it counts, not only where the first answer begins.",
        _counting(_after_the_prompt),
    ),
    "upside down": (
        "You count what the model did *not* write.",
        "`written` is True where a token counts.",
        _counting(np.logical_not),
    ),
    "not shifted": (
        "You compared the logits of each token with that token itself, which is their input. There is nothing to predict.",
        "The logits at position t are about token t + 1: `logits[:, :-1]` belong to `ids[:, 1:]`.",
        lambda model, ids, written: (model(ids)[:, 1:], ids[:, 1:], written[:, 1:]),
        lambda model, ids, written: (model(ids)[:, :-1], ids[:, :-1], written[:, 1:]),
    ),
    "shifted twice": (
        "You compared logits with the token after the next one: they are shifted twice, so the model would learn to skip a "
        "token.",
        "One shift is enough: `logits[:, :-1]` belong to `ids[:, 1:]`.",
        lambda model, ids, written: (model(ids)[:, :-2], ids[:, 2:], written[:, 2:]),
        lambda model, ids, written: (model(ids)[:, :-2], ids[:, 2:], written[:, 1:-1]),
    ),
    "the mask not shifted": (
        "You shifted the labels, but not `written`. So the first token of each answer does not count, and what follows `end` "
        "does.",
        "`written` is about the tokens themselves. Cut it as you cut the labels.",
        lambda model, ids, written: (model(ids)[:, :-1], ids[:, 1:], written[:, :-1]),
    ),
    "the question hidden": (
        "You masked the model's input, so it does not see the question that it should answer.",
        "The model reads all ids. `written` only decides which predictions count.",
        lambda model, ids, written: (model(ids * written)[:, :-1], ids[:, 1:], written[:, 1:]),
    ),
}
