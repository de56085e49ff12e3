"""Sheet 21: two models of which the one with the lower loss gets fewer tokens right. The label is always the first token."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Construct

MOST, LEAST = 6, 0.05


def loss(rows):
    return -np.log(rows[:, 0]).mean()


def right(rows):
    return int((rows[:, :1] > rows[:, 1:]).all(axis=1).sum())


def _violation(drawn, a, b):
    if len(a) > MOST:
        return f"`a` and `b` have {len(a)} rows. At most {MOST} will do."
    for name, rows in (("a", a), ("b", b)):
        if not _distributions(rows):
            return f"Each row of `{name}` should hold three probabilities, none below 0, with the sum 1."
        if (rows[:, 0] == 0).any():
            return f"In `{name}` a label has the probability 0, so that its loss is infinite."
    if loss(b) - loss(a) < LEAST or right(a) >= right(b):
        return f"a: loss {loss(a):.3f}, {right(a)} right. b: loss {loss(b):.3f}, {right(b)} right."
    return None


def _distributions(*tables):
    return all((rows >= 0).all() and np.allclose(rows.sum(axis=1), 1, atol=1e-3) for rows in tables)


def _both(condition):
    """A predicate that looks at losses and at how many are right, where both can be had."""

    def holds(a, b):
        if len(a) > MOST or not _distributions(a, b) or not ((a[:, 0] > 0).all() and (b[:, 0] > 0).all()):
            return False
        return condition(loss(b) - loss(a), right(b) - right(a))

    return holds


A, B = [[0.45, 0.55, 0.0]], [[0.4, 0.3, 0.3]]

lower_loss = Construct(
    id="reading.lower_loss",
    answer_name="two_models",
    prompt="Two models of which the one with the lower loss gets fewer tokens right.",
    shapes={"a": ("n", 3), "b": ("n", 3)},
    draw=lambda rng: [None],
    violation=_violation,
    why="The loss depends on the probability of the right token, and accuracy only on whether that token comes first.",
    hints=(
        "The loss looks at the label's probability alone. Being right depends on the others as well.",
        "How small may the label's probability be in a row that is right? How large in one that is wrong?",
        "With three tokens, 0.4 can be right and 0.45 wrong. One position is enough. (Or: b is right more often, and once very sure and "
        "wrong.)",
    ),
    mistakes=(
        Mistake(
            "no probabilities",
            "A row does not sum to 1, or holds a number below 0. A model gives probabilities, and they share out 1.",
            "Let the third number be what is left to 1.",
            ([[3.0, 1.0, 0.0]], [[1.0, 2.0, 0.0]]),
            variants=(([[0.5, 0.5, 0.5]], B), (A, [[1.2, -0.1, -0.1]])),
            recognise=lambda a, b: len(a) <= MOST and not _distributions(a, b),
        ),
        Mistake(
            "an infinite loss",
            "A label has probability 0, and its loss is infinite. What softmax gives is never quite 0.",
            "0.001 does the same, and stays a number.",
            (A * 2, [[0.4, 0.3, 0.3], [0.0, 1.0, 0.0]]),
            variants=(([[0.0, 1.0, 0.0]], B),),
            recognise=lambda a, b: len(a) <= MOST and ((a[:, 0] == 0).any() or (b[:, 0] == 0).any()),
        ),
        Mistake(
            "exchanged",
            "Your two models refute the claim, in the other order: b has the lower loss, and a is right more often.",
            "two_models = (a, b), where a has the lower loss.",
            (B, A),
            variants=(([[0.36, 0.32, 0.32]], [[0.49, 0.51, 0.0]]),),
            recognise=_both(lambda gap, more: gap <= -LEAST and more < 0),
        ),
        Mistake(
            "too little",
            "a has the lower loss and fewer right, as it should be. But the losses differ by less than 0.05.",
            "How large can the probability of a label be that loses? How small that of one that wins?",
            ([[0.41, 0.59, 0.0]], [[0.4, 0.3, 0.3]]),
            variants=(([[0.45, 0.55, 0.0]], [[0.44, 0.28, 0.28]]),),
            recognise=_both(lambda gap, more: 0 < gap < LEAST and more > 0),
        ),
        Mistake(
            "equally many right",
            "Both get the same number of positions right. The claim says “at least as many”, and so it still holds.",
            "One position must be right in b and wrong in a.",
            ([[0.9, 0.1, 0.0]], [[0.5, 0.3, 0.2]]),
            variants=(([[0.2, 0.8, 0.0]], [[0.1, 0.9, 0.0]]), ([[0.4, 0.3, 0.3]], [[0.9, 0.1, 0.0]]), (A, [[0.4, 0.4, 0.2]])),
            recognise=_both(lambda gap, more: more == 0),
        ),
        Mistake(
            "the claim confirmed",
            "Here the one with the lower loss is right more often: a case for the claim. One such case proves nothing, and you look for one "
            "against it.",
            "In which row can a label with *less* probability still be the largest?",
            ([[0.9, 0.1, 0.0]], [[0.2, 0.7, 0.1]]),
            variants=(([[0.2, 0.7, 0.1]], [[0.9, 0.1, 0.0]]),),
            recognise=_both(lambda gap, more: more * gap < 0),
        ),
    ),
)
