"""Sheet 20: what each token adds to the output of a layer with several heads, W_O included."""

import numpy as np

from ..kinds import Implement
from ..toolkit import normal, softmax


def _each(values, w_o):
    """What a whole of each token would add in each head: (b, h, m, d_out)."""
    _, h, _, d = values.shape
    return values @ w_o.reshape(h, d, -1)


def _length(vectors):
    return np.linalg.norm(vectors, axis=-1)


def _program(each=_each, measure=_length):
    """What the exercise asks for, with other vectors of each token and head, or a different measure of their sum."""

    def contributions(weights, values, w_o):
        return measure(np.einsum("bhnm,bhmk->bnmk", weights, each(values, w_o)))

    return contributions


contributions = _program()


def _draw(rng):
    def sized(b, h, n, m, d, d_out):
        weights = softmax(2 * normal(rng, b, h, n, m)).astype(np.float32).astype(float)
        return [weights, normal(rng, b, h, m, d), normal(rng, h * d, d_out)]

    return [
        sized(1, 2, 3, 4, 2, 5),
        sized(2, 3, 4, 5, 2, 7),
        sized(3, 2, 1, 6, 3, 4),
        sized(2, 1, 5, 3, 4, 3),
        sized(2, 4, 3, 1, 3, 2),
    ]


def _side_by_side(weights, values, w_o):
    parts = weights[..., None] * values[:, :, None]  # (b, h, n, m, d)
    b, h, n, m, d = parts.shape
    laid = np.moveaxis(parts, 1, 3).reshape(b, n, m, h * d)
    return np.sqrt(((laid @ w_o) ** 2).sum(-1))


def _without_w_o(values, w_o):
    return values


def _by_head(total, each=_each):
    """A length in each head, and the ``total`` of these lengths, (b, h, n, m)."""
    return lambda weights, values, w_o: total(weights * _length(each(values, w_o))[:, :, None])


def _root_of_squares(lengths):
    return np.sqrt((lengths**2).sum(1))


def _at_the_query(weights, values, w_o):
    """With the value at the query's position in place of the key's."""
    each = _each(values, w_o)[:, :, np.arange(weights.shape[2])]
    return _length(np.einsum("bhnm,bhnk->bnmk", weights, each))


def _mean_weights(weights, values, w_o):
    return weights.mean(1) * _length(_each(values, w_o).sum(1))[:, None]


def _merged_by_reshape(weights, values, w_o):
    parts = weights[..., None] * values[:, :, None]
    b, h, n, m, d = parts.shape
    return _length(parts.reshape(b, n, m, h * d) @ w_o)


contributions_exercise = Implement(
    id="explain.contributions",
    answer_name="contributions",
    prompt="How much each token adds to each output, through all heads and W_O, for a batch.",
    reference=contributions,
    draw=_draw,
    alternatives=(_side_by_side,),
    why="The heads' vectors are summed before the length is taken, because contributions of different heads can cancel.",
    hints=(
        "Head k adds weight times value, a vector of d numbers. Which rows of `w_o` multiply it? (In lesson 05, the heads "
        "were concatenated, head 0 first.)",
        "For one output and one token, each head gives a vector of width d_out. Add these vectors, then take the length of "
        "the sum.",
        "`w_o.reshape(h, d, d_out)` gives each head its rows, and `values @` that has shape (b, h, m, d_out). Multiply by "
        "the weights, sum over the heads, and take the length along the last axis.",
    ),
    mistakes={
        "the weights alone": (
            "You combined the heads' weights, and the values play no part in the result.",
            "Multiply each weight by its value, then by `w_o`, and take the length last.",
            lambda weights, values, w_o: weights.mean(1),
            lambda weights, values, w_o: weights.sum(1),
            lambda weights, values, w_o: weights.max(1),
        ),
        "lengths added up": (
            "You took a length in each head, and then the sum or mean of the lengths. But the layer adds vectors, and two "
            "that point in opposite directions cancel.",
            "Sum the vectors over the heads first, then take the length.",
            _by_head(lambda lengths: lengths.sum(1)),
            _by_head(lambda lengths: lengths.mean(1)),
        ),
        "a length per head": (
            "You returned a length for each head. The exercise asks for one number per output and token, for all heads "
            "together.",
            "Sum the vectors over the heads first, then take the length.",
            _by_head(lambda lengths: lengths),
            _by_head(lambda lengths: lengths, _without_w_o),
        ),
        "squares of the heads' lengths": (
            "You added the squares of the heads' lengths, and took the square root. That is the length of the sum only if "
            "the heads' vectors are at right angles.",
            "Sum the vectors over the heads first, then take the length.",
            _by_head(_root_of_squares),
        ),
        "the value at the query": (
            "You multiplied the weight of query i for token j by the value of token i. That weight belongs to the value of "
            "token j.",
            "Which axis of the weights, (b, h, n, m), counts the same tokens as axis m of the values?",
            _at_the_query,
        ),
        "only head 0": (
            "Your result depends only on head 0. Every head adds to the output.",
            "Add the vectors of all heads.",
            lambda weights, values, w_o: contributions(weights[:, :1], values[:, :1], w_o[: values.shape[3]]),
        ),
        "the first rows of w_o for all heads": (
            "You multiplied every head by the first d rows of `w_o`. They belong to head 0, and each other head has d rows "
            "of its own.",
            "Head k has the rows from k · d to (k + 1) · d.",
            lambda weights, values, w_o: contributions(
                weights, values, np.tile(w_o[: values.shape[3]], (weights.shape[1], 1))
            ),
        ),
        "without w_o": (
            "`w_o` is missing. It can stretch what one head adds and shrink what another adds.",
            "Multiply each head's weighted value by that head's rows of `w_o`.",
            _by_head(_root_of_squares, _without_w_o),
            _program(_without_w_o),
            _by_head(lambda lengths: lengths.sum(1), _without_w_o),
        ),
        "mean weights first": (
            "You combined the weights of all heads, and separately the values of all heads. But each head's weight applies "
            "only to that head's own value.",
            "Multiply weight and value within each head. Only then sum over the heads.",
            _mean_weights,
            lambda weights, values, w_o: _mean_weights(weights, values, w_o) * weights.shape[1],
        ),
        "made into shares": (
            "You divided each row by its sum, so your rows sum to 1. Contributions are lengths, and their sum is not fixed.",
            "Leave out the division by the row's sum.",
            lambda *given: contributions(*given) / contributions(*given).sum(-1, keepdims=True),
        ),
        "divided by the number of heads": (
            "Your numbers are too small by a factor of h, the number of heads. The layer adds what its heads output; it does "
            "not average it.",
            "Use a sum over the heads, not a mean.",
            lambda weights, values, w_o: contributions(weights, values, w_o) / weights.shape[1],
        ),
        "without the weights": (
            "Your numbers do not depend on the weights, so every output gets the same number from a token. How much of a "
            "value reaches output i depends on row i of the weights.",
            "Multiply each value by its weight before you sum over the heads.",
            lambda weights, values, w_o: contributions(np.ones_like(weights), values, w_o),
        ),
        "no length": (
            "You returned the vectors that the tokens add, with d_out numbers each. The exercise asks for one number: the "
            "vector's length.",
            "Apply `np.linalg.norm(…, axis=-1)` at the end.",
            _program(measure=lambda added: added),
        ),
        "transposed": (
            "Rows and columns are swapped: your row is a token and your column an output. Row i should be output i, and "
            "column j the token j.",
            "The result has shape (b, n, m), like the weights of one head.",
            lambda weights, values, w_o: contributions(weights, values, w_o).swapaxes(1, 2),
        ),
        "no root": (
            "These are the squares of the lengths.",
            "Take the square root of each sum of squares.",
            _program(measure=lambda added: (added**2).sum(-1)),
        ),
        "a sum in place of a length": (
            "You computed a number from each vector's coordinates, but it is not the length: the length does not depend on "
            "the vector's direction.",
            "The length is the square root of the sum of squares, as in `np.linalg.norm(…, axis=-1)`.",
            _program(measure=lambda added: added.sum(-1)),
            _program(measure=lambda added: np.abs(added).sum(-1)),
            _program(measure=lambda added: np.sqrt((added**2).mean(-1))),
            _program(measure=lambda added: np.abs(added).max(-1)),
        ),
        "merged by reshape alone": (
            "You merged the heads by a reshape alone, which mixes heads and tokens (lesson 05).",
            "Move the axis of the heads next to the last axis, then reshape. Or give each head its own rows of `w_o`.",
            _merged_by_reshape,
        ),
        "w_o cut across": (
            "Head 0 owns the first d rows of `w_o`, head 1 the next d. Your reshape gives each head every h-th row.",
            "Use `w_o.reshape(h, d, d_out)`, with the heads first.",
            _program(
                lambda values, w_o: np.einsum("bhmd,dhk->bhmk", values, w_o.reshape(values.shape[3], values.shape[1], -1))
            ),
        ),
    },
)
