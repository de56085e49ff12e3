"""Sheet 01: what goes wrong when a recurrence is written, for one sequence already."""

from dataclasses import replace

import numpy as np

from ..exercise import Mistake
from .batches import items, one_sequence
from .recurrence import as_rows, recur, states, step


def _below_zeros(rows):
    return np.concatenate([np.zeros((*rows.shape[:-2], 1, rows.shape[-1])), rows], axis=-2)


def _shifted(rows):
    """Each row one place later, and zeros in the first."""
    return _below_zeros(rows[..., :-1, :])


def _after_the_first(x, w_h, w_x):
    return states(x[..., 1:, :], w_h, w_x)  # of one token, nothing is left to stack


def _first_without_tanh(x, w_h, w_x):
    found = [x[..., 0, :] @ w_x]
    for t in range(1, x.shape[-2]):
        found.append(step(found[-1], x[..., t, :], w_h, w_x))
    return as_rows(found)


def _tanh_by(formula):
    return recur(lambda h, token, w_h, w_x: formula(h @ w_h + token @ w_x))


_linear = recur(lambda h, token, w_h, w_x: h @ w_h + token @ w_x)

_SLIPS = (
    Mistake(
        "the state not carried over",
        "Each state is made of its own token alone: the state before does not reach it. Nothing of the first token is then left "
        "in the second state.",
        "Does the new state become `h` before the next round of the loop begins?",
        lambda x, w_h, w_x: np.tanh(x @ w_x),
    ),
    Mistake(
        "only one step back",
        "Each state knows its own token and the one before, and no earlier one. What must be carried over is the whole state, "
        "which has something of all earlier tokens in it.",
        "All states at once cannot be had here: each needs the finished one before it. Go through the tokens with a loop.",
        lambda x, w_h, w_x: np.tanh(_shifted(np.tanh(x @ w_x)) @ w_h + x @ w_x),
        variants=(lambda x, w_h, w_x: np.tanh(_shifted(x @ w_x) @ w_h + x @ w_x),),
    ),
    Mistake(
        "only the last state",
        "This is the last state, and right. The exercise asks for the states after every token, one row for each.",
        "Collect each state in a list as it is made.",
        lambda x, w_h, w_x: states(x, w_h, w_x)[..., -1, :],
        variants=(lambda x, w_h, w_x: states(x, w_h, w_x)[..., -1:, :],),
    ),
    Mistake(
        "the last state in every row",
        "Every row is the last state. If you write each state into the same array (`h[:] = …`), a list that holds this array "
        "n times shows its last content n times.",
        "Make a new array each time (`h = …`), or append h.copy().",
        lambda x, w_h, w_x: np.repeat(states(x, w_h, w_x)[..., -1:, :], x.shape[-2], axis=-2),
    ),
    Mistake(
        "no tanh",
        "There is no tanh: the sums are carried on as they are, and grow without bound. Lesson 01's one-number recurrence was "
        "like that; this one has a tanh around it.",
        "Where in h_t = tanh(h_{t−1} w_h + x_t w_x) does tanh stand?",
        _linear,
    ),
    Mistake(
        "tanh after everything",
        "tanh comes after the loop: the sums are carried on without it. In the formula, the next state is made of the one that "
        "tanh has already been taken of.",
        "Put tanh into the loop, before the state is used again.",
        lambda x, w_h, w_x: np.tanh(_linear(x, w_h, w_x)),
    ),
    Mistake(
        "kept before tanh",
        "You carry the right state on, but keep the sum from before tanh. The state is what comes out of tanh.",
        "Append h after tanh.",
        lambda x, w_h, w_x: _shifted(states(x, w_h, w_x)) @ w_h + x @ w_x,
    ),
    Mistake(
        "tanh not around the sum",
        "tanh is not taken of the sum of both parts: it stands around one of the two, or around each by itself. States can then "
        "leave the range from −1 to 1.",
        "First add the two products, then take tanh of the sum: mind the brackets.",
        recur(lambda h, token, w_h, w_x: np.tanh(h @ w_h) + token @ w_x),
        variants=(
            recur(lambda h, token, w_h, w_x: h @ w_h + np.tanh(token @ w_x)),
            recur(lambda h, token, w_h, w_x: np.tanh(h @ w_h) + np.tanh(token @ w_x)),
        ),
    ),
    Mistake(
        "another squashing function",
        "You used the sigmoid, 1 / (1 + exp(−z)), which runs from 0 to 1. tanh runs from −1 to 1.",
        "NumPy has it: np.tanh.",
        _tanh_by(lambda z: 1 / (1 + np.exp(-z))),
    ),
    Mistake(
        "exp overflows",
        "Right for small sums, but some here are larger than 800. exp of these overflows to infinity, and infinity divided by "
        "infinity is no number (NaN), which is then carried into every later state.",
        "np.tanh is safe for numbers of any size.",
        _tanh_by(lambda z: (np.exp(z) - np.exp(-z)) / (np.exp(z) + np.exp(-z))),
        variants=(
            _tanh_by(lambda z: (np.exp(2 * z) - 1) / (np.exp(2 * z) + 1)),
            _tanh_by(lambda z: np.sinh(z) / np.cosh(z)),
        ),
    ),
    Mistake(
        "the state before the first token included",
        "There is one row too many: the zero state from before the first token stands first. The exercise asks for the states after each "
        "token, n of them.",
        "Begin with an empty list, and append only what a token has been read into.",
        lambda x, w_h, w_x: _below_zeros(states(x, w_h, w_x)),
    ),
    Mistake(
        "one token late",
        "Your first row is zero, and every later row is the state that belongs one row higher. Either you keep h before it is "
        "updated, or you read the token before the one whose turn it is; the last token never counts.",
        "Row t should hold the state after token t: first update, then append.",
        lambda x, w_h, w_x: _shifted(states(x, w_h, w_x)),
    ),
    Mistake(
        "the last token read first",
        "Your first state is made of the last token, and then each token comes one step late. x[t − 1] does that: for t = 0 it "
        "is x[−1], and −1 counts from the end.",
        "State t reads token t. Only the state is taken from the step before.",
        lambda x, w_h, w_x: states(np.roll(x, 1, axis=-2), w_h, w_x),
    ),
    Mistake(
        "the first token skipped",
        "The first token is never read: the loop begins with the second. The first state is made like all others, from a zero "
        "state before it.",
        "Begin the loop at 0.",
        _after_the_first,
        variants=(
            lambda x, w_h, w_x: states(np.concatenate([np.zeros_like(x[..., :1, :]), x[..., 1:, :]], axis=-2), w_h, w_x),
        ),
    ),
    Mistake(
        "the first state without tanh",
        "Your first state is x₁ w_x as it is. It has its tanh like all others: h before the first token is zero, so "
        "h₁ = tanh(0 + x₁ w_x).",
        "Begin with h = 0 and let the loop do all the tokens, the first included.",
        _first_without_tanh,
    ),
    Mistake(
        "read backwards",
        "The last token is read first. In this recurrence a state knows its own token and those before it.",
        "In which order does your loop go through the tokens?",
        recur(order=lambda n: reversed(range(n))),
        variants=(lambda x, w_h, w_x: states(x[..., ::-1, :], w_h, w_x)[..., ::-1, :],),
    ),
    Mistake(
        "w_h transposed",
        "The state is multiplied by w_h with rows and columns exchanged. That is what `w_h @ h` does too. The formula has the "
        "state on the left, and states are rows.",
        "h @ w_h, in this order.",
        recur(lambda h, token, w_h, w_x: step(h, token, w_h.T, w_x)),
    ),
    Mistake(
        "multiplied place by place",
        "`h * w_h` multiplies place by place and adds nothing up, so a whole table (k, k) comes out where a state of k numbers "
        "should. The formula means the product of a row with a matrix.",
        "Which sign stands for the product of matrices in Python?",
        one_sequence(recur(lambda h, token, w_h, w_x: np.tanh(h * w_h + token @ w_x))),
        variants=(one_sequence(recur(lambda h, token, w_h, w_x: np.tanh(h * w_h + token @ w_x), gather=np.array)),),
    ),
    Mistake(
        "w_h left out",
        "The state before is added as it is, without w_h.",
        "What is the state multiplied by before it is added?",
        recur(lambda h, token, w_h, w_x: np.tanh(h + token @ w_x)),
    ),
    Mistake(
        "w_h for both parts",
        "The token's part is multiplied by w_h as well, after it was added to the state. w_h belongs to the state before alone.",
        "Two products first, each of its own pair; then the sum.",
        recur(lambda h, token, w_h, w_x: np.tanh((h + token @ w_x) @ w_h)),
    ),
    Mistake(
        "the states stacked at the back",
        "The numbers are right and lie the wrong way round: time runs along the last axis, where the width k should stand.",
        "np.stack(…, axis=−2) puts time last but one.",
        recur(gather=lambda found: np.stack(found, axis=-1)),
    ),
)

# Most people write it for one sequence first: what is wrong there is named before the batch is.
SLIPS = tuple(
    replace(mistake, variants=(*mistake.variants, one_sequence(mistake.answer), items(mistake.answer))) for mistake in _SLIPS
)
