"""Stage B13: one round of speculative sampling, by the rule of sheet 25."""

from functools import partial

import numpy as np

from ..families import adapted
from ..kinds import ImplementPair
from ..lesson_25_small_and_fast.rule import distribution, rule

MARGIN = 1e-3  # between a chance and any probability of keeping, so that rounding decides nothing


def program(
    rule=rule.reference,
    model=lambda p, count: p[:count],
    kept=lambda chance, keep: chance < keep,
    given=lambda drafted, count: drafted[:count],
    more=lambda p, q, last: p[-1],
    goes_on=None,
):
    """A round with the pieces that a mistake replaces."""

    def speculative(p, q, drafted, chances):
        if p.shape[-1] != q.shape[-1]:
            raise ValueError(f"the draft has a vocabulary of {q.shape[-1]} tokens, and the model one of {p.shape[-1]}")
        keep, instead = rule(model(p, len(drafted)), q)
        held = [bool(kept(chance, row[token])) for chance, row, token in zip(chances, keep, drafted, strict=True)]
        if all(held):
            return [np.array(given(drafted, len(drafted))), more(p, q, instead[-1])]
        if goes_on:
            last = instead[len(held) - 1 - held[::-1].index(False)]
            kept_ids = np.array([token for token, each in zip(drafted, held, strict=True) if each], int)
            return [kept_ids, goes_on(p[-1], last, instead[len(kept_ids)])]
        first = held.index(False)
        return [np.array(given(drafted, first), int), instead[first]]

    return speculative


def _late(places, p, q):
    """The rule with rows of p that come this many places later, for what is kept and for what comes instead."""
    return np.stack([rule.reference(p[place:][: len(q)], q)[part] for part, place in enumerate(places)])


def _draw(rng):
    def question(kept, count, size):
        """A round of ``count`` drafted tokens, of which the first ``kept`` are kept."""
        while True:
            p, q = distribution(rng, count + 1, size), distribution(rng, count, size)
            drafted = [int(rng.choice(size, p=row)) for row in q]
            ratio = np.array([p[place, token] / q[place, token] for place, token in enumerate(drafted)])
            chances = rng.integers(1, 1024, count) / 1024
            right = program()(p, q, drafted, chances.tolist())
            if len(right[0]) == kept and np.abs(chances - ratio).min() > MARGIN:
                return [p, q, drafted, chances.tolist()]

    p, q = np.array([[0.75, 0.125, 0.125], [0.25, 0.25, 0.5]]), np.array([[0.25, 0.25, 0.5]])
    return [
        question(1, 2, 4),
        question(0, 3, 5),
        question(2, 2, 3),
        *(question(kept, count, size) for kept, count, size in ((2, 4, 6), (3, 3, 5), (1, 3, 4), (0, 1, 5), (1, 1, 4))),
        *(question(kept, 5, 4) for kept in (1, 3, 2, 4, 5)),
        *([p, q, [0], [chance]] for chance in (0.5, 0.875)),  # between q and p, and above both
        [distribution(rng, 3, 6), distribution(rng, 2, 5), [1, 4], [0.25, 0.5]],
    ]


class Round(ImplementPair):
    """Write a round of speculative sampling. Which tokens are kept is compared, and the distribution of the last one."""


speculative = Round(
    id="build.speculative",
    answer_name="speculative",
    prompt="One round of speculative sampling: the drafted tokens that are kept, and the distribution of one more.",
    names=("kept tokens", "probabilities of the last token"),
    reference=program(),
    draw=_draw,
    why="Whatever the draft is, each token has the distribution that the model alone would give it.",
    hints=(
        "Go through the drafted tokens in order. At place i, the model's distribution is `p[i]`, and the draft's `q[i]`.",
        "Token t is kept if `chances[i] < p[i, t] / q[i, t]`: a chance is below 1, so a ratio above 1 always keeps it.",
        "At the first token that is not kept, return `drafted[:i]` and max(p − q, 0) of this place, divided by its sum. "
        "After the loop, return all of them and `p[-1]`.",
    ),
    mistakes={
        **adapted(rule.mistakes, program, but=("no minimum", "nothing where p and q are equal", "zero divided by zero")),
        "only the most probable kept": (
            "You keep a token only if it is the model's most probable one. That is right for greedy decoding; here the text "
            "would lose all its variety.",
            "Token t is kept with probability min(1, p/q). What is its chance for?",
            program(lambda p, q: np.stack([(p == p.max(-1, keepdims=True)) * 1.0, rule.reference(p, q)[1]])),
        ),
        "kept above the ratio": (
            "You keep a token if its chance is *above* p/q. What the draft proposes too rarely would never be kept.",
            "A number between 0 and 1 is below r with probability r.",
            program(kept=lambda chance, keep: chance > keep),
            program(kept=lambda chance, keep: chance > 1 - keep),
        ),
        "no token after a whole draft": (
            "When every drafted token is kept, the last distribution is wrong. The pass has computed one more: that after the "
            "whole draft.",
            "Return `p[-1]` there.",
            program(more=lambda p, q, last: last),
            program(more=lambda p, q, last: p[-2]),
            program(more=lambda p, q, last: q[-1]),
        ),
        "on after a rejection": (
            "You go on after the first token that is not kept. What follows was drafted after a token that is now gone.",
            "Return at once.",
            *(program(goes_on=lambda *rows, place=place: rows[place]) for place in range(3)),
        ),
        "another list after a rejection": (
            "When a token is rejected, your list contains it as well, or you also give up those before it.",
            "The tokens before place i are `drafted[:i]`.",
            program(given=lambda drafted, count: drafted[: count + 1]),
            program(given=lambda drafted, count: drafted if count == len(drafted) else []),
        ),
        "p one place too late": (
            "You compare `q[i]` with `p[i + 1]`, or subtract it from that. Both begin with that of the first drafted token.",
            "Use the same i for both, when you compare and when you subtract.",
            *(program(partial(_late, places), lambda p, count: p) for places in ((1, 1), (1, 0), (0, 1))),
        ),
    },
)
