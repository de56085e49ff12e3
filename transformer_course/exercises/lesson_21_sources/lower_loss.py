"""Sheet 21: of two models, the one with the lower loss gets fewer tokens right. The label is always the first token."""

import numpy as np

from ..kinds import Construct
from ..toolkit import known

MOST, LEAST = 6, 0.05


def loss(rows):
    return -np.log(rows[:, 0]).mean()


def right(rows):
    return int((rows[:, :1] > rows[:, 1:]).all(axis=1).sum())


def _violation(drawn, a, b):
    if len(a) > MOST:
        return f"`a` and `b` have {len(a)} rows. There may be at most {MOST}."
    for name, rows in (("a", a), ("b", b)):
        if not _distributions(rows):
            return f"Each row of `{name}` should hold three probabilities, none below 0, and sum to 1."
        if (rows[:, 0] == 0).any():
            return f"In `{name}`, a label has probability 0, so its loss is infinite."
    if loss(b) - loss(a) < LEAST or right(a) >= right(b):
        return f"a: loss {loss(a):.3f}, {right(a)} right. b: loss {loss(b):.3f}, {right(b)} right."
    return None


def _distributions(*tables):
    return all((rows >= 0).all() and np.allclose(rows.sum(axis=1), 1, atol=1e-3) for rows in tables)


def _both(condition):
    """A predicate on the two differences, in loss and in positions right, if both can be computed."""

    def holds(a, b):
        if len(a) > MOST or not _distributions(a, b) or not ((a[:, 0] > 0).all() and (b[:, 0] > 0).all()):
            return False
        return condition(loss(b) - loss(a), right(b) - right(a))

    return holds


A, B = [[0.45, 0.55, 0.0]], [[0.4, 0.3, 0.3]]

lower_loss = Construct(
    id="reading.lower_loss",
    answer_name="two_models",
    prompt="Two models: the one with the lower loss gets fewer tokens right.",
    shapes={"a": ("n", 3), "b": ("n", 3)},
    violation=_violation,
    why="The loss depends on the probability of the right token, and accuracy only on whether that token comes first.",
    hints=(
        "The loss depends only on the label's probability. Whether a position is right also depends on the other two.",
        "How small can the label's probability be in a row that is right? How large can it be in a row that is wrong?",
        "With three tokens, a label with 0.4 can be right, and a label with 0.45 can be wrong. One position is enough. "
        "(There is a second way: b is right more often, but wrong once with great confidence.)",
    ),
    mistakes={
        "no probabilities": known(
            "A row does not sum to 1, or contains a number below 0. A model outputs probabilities.",
            "Choose the first two numbers, and let the third be 1 minus their sum.",
            ([[3.0, 1.0, 0.0]], [[1.0, 2.0, 0.0]]),
            ([[0.5, 0.5, 0.5]], B),
            (A, [[1.2, -0.1, -0.1]]),
            recognise=lambda a, b: len(a) <= MOST and not _distributions(a, b),
        ),
        "an infinite loss": known(
            "A label has probability 0, so its loss is infinite. Softmax never outputs exactly 0.",
            "Use a small number in its place, such as 0.001.",
            (A * 2, [[0.4, 0.3, 0.3], [0.0, 1.0, 0.0]]),
            ([[0.0, 1.0, 0.0]], B),
            recognise=lambda a, b: len(a) <= MOST and ((a[:, 0] == 0).any() or (b[:, 0] == 0).any()),
        ),
        "swapped": known(
            "Your two models refute the claim, but in the other order: b has the lower loss, and a is right more often.",
            "Write `two_models = (a, b)`, where a is the model with the lower loss.",
            (B, A),
            ([[0.36, 0.32, 0.32]], [[0.49, 0.51, 0.0]]),
            recognise=_both(lambda gap, more: gap <= -LEAST and more < 0),
        ),
        "too little": known(
            "As it should, a has the lower loss and gets fewer positions right. But the losses differ by less than 0.05.",
            "How large can a label's probability be in a row that is wrong? How small can it be in a row that is right?",
            ([[0.41, 0.59, 0.0]], [[0.4, 0.3, 0.3]]),
            ([[0.45, 0.55, 0.0]], [[0.44, 0.28, 0.28]]),
            recognise=_both(lambda gap, more: 0 < gap < LEAST and more > 0),
        ),
        "equally many right": known(
            "Both models get the same number of positions right. The claim says “at least as many”, so it still holds.",
            "Find a position that is right in b and wrong in a.",
            ([[0.9, 0.1, 0.0]], [[0.5, 0.3, 0.2]]),
            ([[0.2, 0.8, 0.0]], [[0.1, 0.9, 0.0]]),
            ([[0.4, 0.3, 0.3]], [[0.9, 0.1, 0.0]]),
            (A, [[0.4, 0.4, 0.2]]),
            recognise=_both(lambda gap, more: more == 0),
        ),
        "the claim confirmed": known(
            "Here the model with the lower loss is right more often. This agrees with the claim, but you need a case that "
            "contradicts it.",
            "In a row of three, how can a label with a *small* probability still be the largest?",
            ([[0.9, 0.1, 0.0]], [[0.2, 0.7, 0.1]]),
            ([[0.2, 0.7, 0.1]], [[0.9, 0.1, 0.0]]),
            recognise=_both(lambda gap, more: more * gap < 0),
        ),
    },
)
