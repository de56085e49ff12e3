"""Sheet 01: what goes wrong in a recurrence, for one sequence or for a batch of them."""

from collections.abc import Callable

import numpy as np


def step(h, token, w_h, w_x):
    return np.tanh(h @ w_h + token @ w_x)


def as_rows(found):
    return np.stack(found, axis=-2)


def recur(step: Callable = step, gather: Callable = as_rows, order: Callable = range) -> Callable:
    """The recurrence with another step, another way to put the states together, or another order of the tokens."""

    def states(x, w_h, w_x):
        h, found = np.zeros((*x.shape[:-2], len(w_h))), []
        for t in order(x.shape[-2]):
            h = step(h, x[..., t, :], w_h, w_x)
            found.append(h)
        return gather(found)

    return states


states = recur()


def unpacked(axes, answer):
    """The same with a line such as `n, d = x.shape`, which needs this many axes."""

    def strict(x, w_h, w_x):
        if x.ndim != axes:
            raise ValueError
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


def _below_zeros(rows):
    return np.concatenate([np.zeros((*rows.shape[:-2], 1, rows.shape[-1])), rows], axis=-2)


def _shifted(rows):
    """Each row one place later, and zeros in the first."""
    return _below_zeros(rows[..., :-1, :])


def _first_without_tanh(x, w_h, w_x):
    found = [x[..., 0, :] @ w_x]
    for t in range(1, x.shape[-2]):
        found.append(step(found[-1], x[..., t, :], w_h, w_x))
    return as_rows(found)


def _tanh_by(formula):
    return recur(lambda h, token, w_h, w_x: formula(h @ w_h + token @ w_x))


_linear = recur(lambda h, token, w_h, w_x: h @ w_h + token @ w_x)

_SLIPS = {
    "the state not carried over": (
        "You computed each state from its own token alone. The previous state is not used, so nothing of the first token is "
        "left in the second state.",
        "Does the new state become `h` before the next round of the loop?",
        lambda x, w_h, w_x: np.tanh(x @ w_x),
    ),
    "only one step back": (
        "Each of your states depends on its own token and the one before, and on no earlier one. In the recurrence, the "
        "previous *state* carries information about all earlier tokens.",
        "You cannot compute all states at once here, because each needs the finished state before it. Go through the tokens "
        "with a loop.",
        lambda x, w_h, w_x: np.tanh(_shifted(np.tanh(x @ w_x)) @ w_h + x @ w_x),
        lambda x, w_h, w_x: np.tanh(_shifted(x @ w_x) @ w_h + x @ w_x),
    ),
    "only the last state": (
        "You returned the last state, and it is right. The exercise asks for the state after every token, one row each.",
        "Append each state to a list as soon as you have computed it.",
        lambda x, *given: states(x, *given)[..., -1, :],
        lambda x, *given: states(x, *given)[..., -1:, :],
    ),
    "the last state in every row": (
        "Every row of your result is the last state. If you write each state into the same array (`h[:] = …`), a list that "
        "holds this array n times shows its last content n times.",
        "Create a new array each time (`h = …`), or append h.copy().",
        lambda x, *given: np.repeat(states(x, *given)[..., -1:, :], x.shape[-2], axis=-2),
    ),
    "no tanh": (
        "You left out tanh, so the sums can grow without bound. The lesson's recurrence with one number had no tanh, but "
        "this one does.",
        "In h_t = tanh(h_{t−1} w_h + x_t w_x), what is inside tanh?",
        _linear,
    ),
    "tanh after everything": (
        "You took tanh after the loop, so the sums are carried over without it. In the formula, the next state depends on "
        "the previous one *after* tanh.",
        "Move tanh into the loop, so that the next round uses its result.",
        lambda x, *given: np.tanh(_linear(x, *given)),
    ),
    "kept before tanh": (
        "You carried over the right state, but stored the sum from before tanh. The state is the result of tanh.",
        "Append h after you have taken tanh.",
        lambda x, w_h, w_x: _shifted(states(x, w_h, w_x)) @ w_h + x @ w_x,
    ),
    "tanh not around the sum": (
        "You took tanh of only one of the two parts, or of each separately. The states can then leave the range from −1 to 1.",
        "Add the two products first, then take tanh of the sum. Check your brackets.",
        recur(lambda h, token, w_h, w_x: np.tanh(h @ w_h) + token @ w_x),
        recur(lambda h, token, w_h, w_x: h @ w_h + np.tanh(token @ w_x)),
        recur(lambda h, token, w_h, w_x: np.tanh(h @ w_h) + np.tanh(token @ w_x)),
    ),
    "a different squashing function": (
        "You used the sigmoid, 1 / (1 + exp(−z)), which goes from 0 to 1. tanh goes from −1 to 1.",
        "Use np.tanh.",
        _tanh_by(lambda z: 1 / (1 + np.exp(-z))),
    ),
    "exp overflows": (
        "Your function is right for small sums, but some here are larger than 800. Their exp overflows to infinity, infinity "
        "divided by infinity is not a number (NaN), and NaN is carried into every later state.",
        "Use np.tanh, which is safe for numbers of any size.",
        _tanh_by(lambda z: (np.exp(z) - np.exp(-z)) / (np.exp(z) + np.exp(-z))),
        _tanh_by(lambda z: (np.exp(2 * z) - 1) / (np.exp(2 * z) + 1)),
        _tanh_by(lambda z: np.sinh(z) / np.cosh(z)),
    ),
    "the state before the first token included": (
        "Your result has one row too many: it begins with the zero state from before the first token. The exercise asks for "
        "the n states after the tokens.",
        "Begin with an empty list, and append a state only after it has read a token.",
        lambda x, *given: _below_zeros(states(x, *given)),
    ),
    "one token late": (
        "Your first row is zero, and every later row is the state that belongs one row higher. Either you store h before you "
        "update it, or each round reads the token of the round before. Either way, the last token has no effect.",
        "Row t should hold the state after token t: update first, then append.",
        lambda x, *given: _shifted(states(x, *given)),
    ),
    "the last token read first": (
        "Your first state comes from the last token, and each other token comes one step late. The index x[t − 1] does that: "
        "for t = 0 it is x[−1], which counts from the end.",
        "Read token t for state t. Only the state comes from the step before.",
        lambda x, *given: states(np.roll(x, 1, axis=-2), *given),
    ),
    "the first token skipped": (
        "You never read the first token, because the loop begins with the second. The first state is computed like all the "
        "others, from a zero state before it.",
        "Begin the loop at 0.",
        lambda x, *given: states(x[..., 1:, :], *given),  # of one token, nothing is left to stack
        lambda x, *given: states(np.concatenate([np.zeros_like(x[..., :1, :]), x[..., 1:, :]], axis=-2), *given),
    ),
    "the first state without tanh": (
        "Your first state is x₁ w_x without tanh. It needs tanh like all the others; the state before it is zero.",
        "Begin with a zero state, and let the loop handle all the tokens, including the first.",
        _first_without_tanh,
    ),
    "read backwards": (
        "You read the last token first. In this recurrence, a state depends on its own token and on those before it.",
        "In what order does your loop go through the tokens?",
        recur(order=lambda n: reversed(range(n))),
        lambda x, *given: states(x[..., ::-1, :], *given)[..., ::-1, :],
    ),
    "w_h transposed": (
        "You multiplied the state by the transpose of w_h; `w_h @ h` does that too. In the formula the state is a row, on "
        "the left of the matrix.",
        "Write h @ w_h, in this order.",
        recur(lambda h, token, w_h, w_x: step(h, token, w_h.T, w_x)),
    ),
    "multiplied element by element": (
        "You multiplied element by element: `h * w_h` adds nothing up, so you get a matrix (k, k) in place of a state with k "
        "numbers.",
        "Which operator multiplies matrices in Python?",
        unpacked(2, recur(lambda h, token, w_h, w_x: np.tanh(h * w_h + token @ w_x))),
        unpacked(2, recur(lambda h, token, w_h, w_x: np.tanh(h * w_h + token @ w_x), gather=np.array)),
    ),
    "w_h left out": (
        "You added the previous state as it is, without w_h.",
        "What multiplies the previous state in the formula?",
        recur(lambda h, token, w_h, w_x: np.tanh(h + token @ w_x)),
    ),
    "w_h for both parts": (
        "You added the token's part to the state first, so w_h multiplied it too. But w_h multiplies only the previous state.",
        "Compute the two products first, each with its own matrix, and then the sum.",
        recur(lambda h, token, w_h, w_x: np.tanh((h + token @ w_x) @ w_h)),
    ),
    "the states stacked at the back": (
        "Your numbers are right, but time runs along the last axis, where the k numbers of a state should be.",
        "np.stack(…, axis=-2) makes time the second-to-last axis.",
        recur(gather=lambda found: np.stack(found, axis=-1)),
    ),
}

# Most people write it for one sequence first: what is wrong there is named before the batch is.
SLIPS = {name: (*told, unpacked(2, told[2]), items(told[2])) for name, told in _SLIPS.items()}


def _as_many_steps_as_sequences(x, *given):
    found = states(x, *given)
    found[..., len(x) :, :] = 0
    return found  # and an index out of range, where there are more sequences than tokens


BATCH_SLIPS = {
    "a batch taken for a sequence": (
        "Your function is right for one sequence (n, d), but not for a batch (b, n, d), whose first axis counts sequences, "
        "not tokens. `for token in x`, `x[t]` and `n, d = x.shape` need exactly two axes, and so does a product with the "
        "matrix on the left.",
        "Which axis holds the tokens, if you count from the back?",
        items(states),
        lambda x, *given: items(states)(x if x.ndim == 2 else np.array([x[t] for t in range(x.shape[-2])]), *given),
        unpacked(2, states),
    ),
    "a batch only": (
        "Your function is right for a batch (b, n, d), but not for one sequence (n, d). Axis 1 holds the tokens of a batch, "
        "but the numbers of one token if there is no batch. `x[:, t]`, `x.shape[1]`, `axis=1` and `b, n, d = x.shape` all "
        "depend on that.",
        "Count from the back: in both cases the tokens are along axis −2.",
        unpacked(3, states),
        recur(gather=lambda found: np.stack(found, axis=1)),
    ),
    "sequences taken for tokens": (
        "Your function is right for one sequence (n, d). In a batch (b, n, d), your loop over the first axis treats whole "
        "sequences as tokens, and then stacks the results along a different axis.",
        "Which axis holds the tokens, if you count from the back?",
        lambda x, *given: states(x.swapaxes(0, 1) if x.ndim == 3 else x, *given),
    ),
    "the states of a batch stacked in front": (
        "The states of a batch are right, but you stacked them along the first axis, which should count the sequences. For "
        "one sequence this makes no difference.",
        "np.stack can put its new axis elsewhere. Where should time go, counted from the back?",
        recur(gather=lambda found: np.stack(found)),
        recur(gather=np.vstack),
    ),
    "carried into the next sequence": (
        "Within one sequence everything is right. In a batch, though, the second sequence begins with the last state of the "
        "first. They are separate sequences, and each begins with a zero state.",
        "Where is h set to zero, and how often does that line run?",
        lambda x, *given: states(x.reshape(-1, x.shape[-1]), *given).reshape(*x.shape[:-1], -1),
    ),
    "as many steps as sequences": (
        "Your loop makes len(x) steps. For one sequence that is the number of tokens, but for a batch it is the number of "
        "sequences.",
        "Which axis holds the tokens, if you count from the back? Its length is the number of steps.",
        _as_many_steps_as_sequences,
    ),
}
