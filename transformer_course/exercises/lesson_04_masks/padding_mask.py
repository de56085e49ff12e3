"""Sheet 04: the padding mask of a batch, in the form that attention takes."""

import numpy as np

from ..families import adapted
from ..families.mask import ADDITIVE, causal_mask
from ..kinds import Implement


def padding_mask(tokens, pad):
    return (tokens != pad)[:, None, :]


def _draw_batches(rng):
    def batch(longest, lengths, pad, smallest, largest):
        """Rows of real tokens, none of them ``pad``, filled up with it on the right."""
        choice = np.array([token for token in range(smallest, largest + 1) if token != pad])
        rows = rng.choice(choice, (len(lengths), longest))
        rows[:, 0] = smallest if smallest != pad else largest  # 0, a small and a large number are real tokens, always
        rows[0, 1] = largest if largest != pad else smallest
        return np.where(np.arange(longest) < np.array(lengths)[:, None], rows, pad)

    return [
        [np.array([[5, 2, 7, 4], [3, 6, 0, 0]]), 0],
        [batch(5, (3, 5, 2), 1, 0, 9), 1],
        [batch(7, (6, 4), 9, 0, 9), 9],
        [batch(6, (2, 6, 1, 4), -1, 0, 9), -1],
        [batch(3, (3,), 4, 0, 9), 4],
    ]


def _real(form, judge=lambda tokens, pad: tokens != pad):
    """A padding mask with another form, or with another way to know the real tokens."""
    return lambda tokens, pad: form(judge(tokens, pad))


def _row_each(real):
    return real[:, None, :]


attention_padding_mask = Implement(
    id="attention.padding_mask",
    answer_name="padding_mask",
    prompt="The padding mask of a batch of token numbers, (b, 1, m), boolean, True = real token.",
    reference=padding_mask,
    draw=_draw_batches,
    alternatives=(lambda tokens, pad: [[[bool(token != pad) for token in row]] for row in tokens],),
    why=(
        "Padding is masked as a key, so the axis for the keys comes last, and the axis of length 1 is broadcast to all "
        "queries."
    ),
    hints=(
        "Take two steps: first find which tokens are real, and then change the shape.",
        "Compare the whole array with one number. This gives True and False in shape (b, m) at once.",
        "Insert a new axis of length 1 in the middle by indexing with [:, None, :].",
    ),
    mistakes={
        "True for the padding": (
            "Your mask is True where there is padding. Here True = may attend, and the real tokens are the ones to attend to.",
            "Which comparison is True for what is *not* padding?",
            _real(_row_each, lambda tokens, pad: tokens == pad),
        ),
        "the middle axis is missing": (
            "Your True and False are in the right places, but have shape (b, m). Scores have shape (b, n, m), and "
            "broadcasting aligns axes from the last one, so the batch axis would line up with the queries.",
            "Insert an axis of length 1 between the two. It is for the queries, which all get the same row.",
            _real(lambda real: real),
        ),
        "queries masked in place of keys": (
            "You returned shape (b, m, 1), so your mask forbids queries in place of keys: a query that is padding would see "
            "nothing at all, and all others would see the padding.",
            "Mask the keys, along the last axis: use shape (b, 1, m). The axis of length 1 belongs to the queries.",
            _real(lambda real: real[:, :, None]),
            _real(lambda real: np.repeat(real[:, :, None], real.shape[1], 2)),
        ),
        "queries masked too": (
            "You masked queries as well as keys. A query that is padding then has a row without a single True, and "
            "softmax returns NaN for it.",
            "Mask only keys: nothing uses the outputs of padding. One row serves all queries, so the shape is (b, 1, m).",
            _real(lambda real: real[:, :, None] & real[:, None, :]),
        ),
        "a row for each query": (
            "Your True and False are in the right places, but each sequence has its row m times. One row is enough: "
            "it is the same for every query, and broadcasting stretches an axis of length 1 to any number of them.",
            "Return shape (b, 1, m).",
            _real(lambda real: np.repeat(real[:, None, :], real.shape[1], 1)),
        ),
        "an axis for the heads": (
            "Your True and False are in the right places, but there is one axis too many. Shape (b, 1, 1, m) fits "
            "scores with several heads, (b, h, n, m). Here the scores are (b, n, m).",
            "Return shape (b, 1, m).",
            _real(lambda real: real[:, None, None, :]),
        ),
        "the new axis in front": (
            "Your True and False are in the right places, but the axis of length 1 comes before the batch, so every "
            "sequence would get the rows of all the sequences.",
            "In scores of shape (b, n, m), which of the three places belongs to the queries? Put the new axis there.",
            _real(lambda real: real[None]),
        ),
        "assumes that padding is 0": (
            "Your function takes 0 for padding, whatever `pad` is. But 0 can be a real token, and padding can be a "
            "different number.",
            "Compare with `pad`.",
            _real(_row_each, lambda tokens, pad: tokens != 0),
            _real(_row_each, lambda tokens, pad: tokens > 0),
            _real(_row_each, lambda tokens, pad: np.arange(tokens.shape[1]) < np.count_nonzero(tokens, 1)[:, None]),
        ),
        "larger or smaller than the padding": (
            "You compare with < or >, but a real token can have a number above or below `pad`. Only a token equal to "
            "`pad` is padding.",
            "Use != in place of > or <.",
            *(_real(_row_each, judge) for judge in (np.greater, np.less)),
        ),
        "a sequence without padding": (
            "In your mask, a sequence that fills its row is all False. You count up to the first padding, and if "
            "there is none, argmax returns 0.",
            "Compare each token with `pad`. You don't need any lengths.",
            _real(_row_each, lambda tokens, pad: np.arange(tokens.shape[1]) < (tokens == pad).argmax(1)[:, None]),
        ),
        "the future masked too": (
            "You included the causal mask. The exercise asks only for the padding, which is the same for every "
            "query. That is why the shape is (b, 1, m).",
            "Keep the two masks apart. If you need both, you can combine them with &.",
            _real(lambda real: real[:, None, :] & causal_mask(real.shape[1])),
        ),
        **adapted([ADDITIVE], lambda form: _real(lambda real: form(real[:, None, :]))),
    },
)
