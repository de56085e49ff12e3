"""Sheet 01: what goes wrong with a batch, where a recurrence is right for one sequence; or the other way round."""

import numpy as np

from ..toolkit import mistake
from .recurrence import recur, states


def one_sequence(answer):
    """The same with `n, d = x.shape`, which fails on a batch."""

    def strict(x, w_h, w_x):
        _, _ = x.shape
        return answer(x, w_h, w_x)

    return strict


def items(answer):
    """The same with a loop over the first axis, which holds the sequences where x is a batch."""

    def over_items(x, w_h, w_x):
        if x.ndim == 2:
            return answer(x, w_h, w_x)
        result = answer(x.swapaxes(0, 1), w_h, w_x)
        return result.swapaxes(0, 1) if result.ndim == 3 else result

    return over_items


def _items_by_number(x, w_h, w_x):
    """`x[t]` for t in range(n)."""
    return items(states)(x if x.ndim == 2 else np.array([x[t] for t in range(x.shape[-2])]), w_h, w_x)


def _sequences_as_tokens(x, w_h, w_x):
    """`for token in x`, and the states stacked along axis -2."""
    h, found = np.zeros(len(w_h)), []
    for token in x:
        h = np.tanh(h @ w_h + token @ w_x)
        found.append(h)
    return np.stack(found, axis=-2)


def _batch_only(x, w_h, w_x):
    _, _, _ = x.shape
    return states(x, w_h, w_x)


BATCH_SLIPS = (
    mistake(
        "a batch taken for a sequence",
        "Your function is right for one sequence (n, d), but not for a batch (b, n, d), whose first axis counts sequences, "
        "not tokens. `for token in x`, `x[t]` and `n, d = x.shape` need exactly two axes, and so does a product with the "
        "matrix on the left.",
        "Which axis holds the tokens, if you count from the back?",
        items(states),
        _items_by_number,
        one_sequence(states),
    ),
    mistake(
        "a batch only",
        "Your function is right for a batch (b, n, d), but not for one sequence (n, d). Axis 1 holds the tokens of a batch, "
        "but the numbers of one token if there is no batch. `x[:, t]`, `x.shape[1]`, `axis=1` and `b, n, d = x.shape` all "
        "depend on that.",
        "Count from the back: in both cases the tokens are along axis −2.",
        _batch_only,
        recur(gather=lambda found: np.stack(found, axis=1)),
    ),
    mistake(
        "sequences taken for tokens",
        "Your function is right for one sequence (n, d). In a batch (b, n, d), your loop over the first axis treats whole "
        "sequences as tokens, and then stacks the results along a different axis.",
        "Which axis holds the tokens, if you count from the back?",
        _sequences_as_tokens,
    ),
    mistake(
        "the states of a batch stacked in front",
        "The states of a batch are right, but you stacked them along the first axis, which should count the sequences. For "
        "one sequence this makes no difference.",
        "np.stack can put its new axis elsewhere. Where should time go, counted from the back?",
        recur(gather=lambda found: np.stack(found)),
        recur(gather=np.vstack),
    ),
    mistake(
        "carried into the next sequence",
        "Within one sequence everything is right. In a batch, though, the second sequence begins with the last state of the "
        "first. They are separate sequences, and each begins with a zero state.",
        "Where is h set to zero, and how often does that line run?",
        lambda x, w_h, w_x: states(x.reshape(-1, x.shape[-1]), w_h, w_x).reshape(*x.shape[:-1], -1),
    ),
)
