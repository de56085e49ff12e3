"""Sheet 18: which tokens BERT has to predict, and what its input shows in their place."""

from itertools import product

import numpy as np

from ..exercise import Mistake
from ..kinds import ImplementPair

IGNORED, SHARE = -100, 0.15


def mask_tokens(tokens, special, mask_id, draw, fate, others):
    hidden = (draw < SHARE) & ~np.asarray(special, bool)
    return np.stack([_inputs(hidden, tokens, mask_id, fate, others), np.where(hidden, tokens, IGNORED)])


def _inputs(hidden, tokens, mask_id, fate, others):
    inputs = np.where(hidden & (fate < 0.8), mask_id, tokens)
    return np.where(hidden & (fate >= 0.9), others, inputs)


def _draw(rng):
    def sized(b, n):
        tokens = rng.permutation(np.arange(5, 5 + 2 * b * n))[: b * n].reshape(b, n)
        special = np.zeros((b, n), bool)
        special[:, 0] = True
        for row in range(1, b):
            special[row, n - int(rng.integers(1, n)) :] = True  # <end> and padding
        tokens[special] = rng.integers(0, 4, special.sum())
        share, fate = rng.integers(0, 100, (b, n)) / 128, rng.choice([0.25, 0.5, 0.84375, 0.875, 0.9375, 0.96875], (b, n))
        share = np.where(rng.random((b, n)) < 0.5, share / 8, share)  # a good part is hidden, at special places too
        others = rng.integers(300, 400, (b, n))
        share[0, :4], fate[0, 1:4], special[0, :4] = 0.0625, [0.5, 0.875, 0.9375], [True, False, False, False]
        if n > 6:  # on the boundaries of the table
            share[0, 4:7], fate[0, 4:7], special[0, 4:7] = [SHARE, 0.0625, 0.0625], [0.5, 0.8, 0.9], False
            tokens[0, 4:7] = 900 + np.arange(3)
        return [tokens, special, int(rng.integers(500, 600)), share, fate, others]

    return [sized(2, 6), sized(3, 9), sized(1, 5), sized(4, 7), sized(6, 12)]


def _in_loops(tokens, special, mask_id, draw, fate, others):
    inputs, labels = np.array(tokens), np.full(np.shape(tokens), IGNORED)
    for i, j in np.ndindex(*inputs.shape):
        if special[i, j] or draw[i, j] >= SHARE:
            continue
        labels[i, j] = tokens[i, j]
        if fate[i, j] < 0.8:
            inputs[i, j] = mask_id
        elif fate[i, j] >= 0.9:
            inputs[i, j] = others[i, j]
    return inputs, labels


def _by_places(tokens, special, mask_id, draw, fate, others):
    hidden = (np.asarray(draw) < SHARE) & np.logical_not(special)
    inputs, labels = np.array(tokens, float), np.full(np.shape(tokens), -100.0)
    labels[hidden] = np.asarray(tokens)[hidden]
    inputs[hidden & (np.asarray(fate) < 0.8)] = mask_id
    swapped = hidden & (np.asarray(fate) >= 0.9)
    inputs[swapped] = np.asarray(others)[swapped]
    return [inputs.tolist(), labels.tolist()]


def _other(change):
    """A wrong answer: ``change`` maps what is hidden, and all arguments, to (inputs, labels)."""

    def answer(tokens, special, mask_id, draw, fate, others):
        hidden = (draw < SHARE) & ~special
        right = _inputs(hidden, tokens, mask_id, fate, others), np.where(hidden, tokens, IGNORED)
        return change(hidden, right, tokens, special, mask_id, draw, fate, others)

    return answer


def _special_too(hidden, right, tokens, special, mask_id, draw, fate, others):
    hidden = draw < SHARE
    return _inputs(hidden, tokens, mask_id, fate, others), np.where(hidden, tokens, IGNORED)


def _on_the_boundary(draw_at, mask_at, keep_at):
    """A wrong answer that puts a number on a boundary of the table on the wrong side."""

    def answer(tokens, special, mask_id, draw, fate, others):
        hidden = (draw <= SHARE if draw_at else draw < SHARE) & ~special
        inputs = np.where(hidden & (fate <= 0.8 if mask_at else fate < 0.8), mask_id, tokens)
        changed = hidden & (fate > 0.9 if keep_at else fate >= 0.9)
        return np.where(changed, others, inputs), np.where(hidden, tokens, IGNORED)

    return answer


def _random_as_kept(hidden, right, tokens, special, mask_id, draw, fate, others):
    inputs = np.where(hidden & (fate < 0.8), mask_id, tokens)
    return np.where(hidden & (fate >= 0.8) & (fate < 0.9), others, inputs), right[1]


def _masked_as_kept(hidden, right, tokens, special, mask_id, draw, fate, others):
    return np.where(hidden, np.where(fate < 0.9, mask_id, others), tokens), right[1]


def _not_only_hidden(masks, replaces, allowed):
    """A wrong answer that applies fate where ``allowed(special)``: to put in masks, to put in other tokens, or both."""

    def change(hidden, right, tokens, special, mask_id, draw, fate, others):
        inputs = np.where((allowed(special) if masks else hidden) & (fate < 0.8), mask_id, tokens)
        return np.where((allowed(special) if replaces else hidden) & (fate >= 0.9), others, inputs), right[1]

    return _other(change)


def _all_random(hidden, right, tokens, special, mask_id, draw, fate, others):
    return np.where(hidden, np.where(fate < 0.8, mask_id, others), tokens), right[1]


def _only(kept):
    """Ask only where ``kept(hidden, inputs, tokens, mask_id)``."""
    return _other(
        lambda hidden, right, tokens, special, mask_id, *_: (
            right[0],
            np.where(kept(hidden, right[0], tokens, mask_id), tokens, IGNORED),
        )
    )


mask = ImplementPair(
    id="family.mask_tokens",
    answer_name="mask_tokens",
    prompt="A batch of sequences as BERT reads it, and its labels.",
    reference=mask_tokens,
    draw=_draw,
    alternatives=(_in_loops, _by_places),
    why=(
        "Labels are set wherever a token was selected, whatever the input shows there, so the model also has to predict "
        "those that stayed as they were."
    ),
    hints=(
        "Begin with one boolean array, hidden: True where draw is less than 0.15 and the token is not special. You need it for "
        "both results.",
        "np.where(hidden, tokens, -100) gives the labels, whatever the inputs show. For the inputs, fate divides the hidden tokens "
        "into three groups.",
        "Use np.where twice more: mask_id where hidden and fate < 0.8, and the id from others where hidden and fate >= 0.9. In "
        "between, nothing changes.",
    ),
    mistakes=(
        Mistake(
            "asked everywhere",
            "The inputs are right, but you gave a label to every token, or to every one that is not special. Where nothing "
            "is hidden, the answer is in the input, so most of the loss would only reward copying.",
            "Where a token is not hidden, its label is −100.",
            _other(lambda hidden, right, tokens, *_: (right[0], tokens)),
            variants=(_only(lambda hidden, inputs, tokens, mask_id: inputs >= 4),),
        ),
        Mistake(
            "special tokens hidden",
            "You hide special tokens too. There is nothing to learn from predicting padding, or where a sequence begins.",
            "Which argument says where nothing may be hidden?",
            _other(_special_too),
        ),
        Mistake(
            "special exchanged",
            "You hide only special tokens, and none of the others.",
            "True in `special` means that the token must not be hidden. Write ~special for the opposite.",
            _other(
                lambda hidden, right, tokens, special, mask_id, draw, fate, others: (
                    _inputs((draw < SHARE) & special, tokens, mask_id, fate, others),
                    np.where((draw < SHARE) & special, tokens, IGNORED),
                )
            ),
        ),
        Mistake(
            "always masked",
            "Every hidden token became mask_id. A model trained like this learns that it has to predict only where it sees a mask, but "
            "the texts that it reads later contain none.",
            "What does the table say for a fate of 0.8 or more?",
            _other(lambda hidden, right, tokens, special, mask_id, *_: (np.where(hidden, mask_id, tokens), right[1])),
        ),
        Mistake(
            "kept ones masked",
            "Hidden tokens with a fate from 0.8 to less than 0.9 became mask_id too.",
            "What does the second row of the table say?",
            _other(_masked_as_kept),
        ),
        Mistake(
            "none left as it is",
            "Where fate is 0.8 or more, you replace all hidden tokens with other tokens. Some of them should not change.",
            "The table has three rows. What happens from 0.8 to less than 0.9?",
            _other(_all_random),
        ),
        Mistake(
            "the last two exchanged",
            "You swapped the last two rows of the table.",
            "Read the rows for a fate of 0.8 or more again.",
            _other(_random_as_kept),
        ),
        Mistake(
            "asked at masks alone",
            "The inputs are right, but you gave labels only to tokens that became a mask. Hidden tokens that were replaced or kept have "
            "labels too, and nothing in the input tells the model that it has to predict them.",
            "The labels follow from hidden alone, not from what became of the inputs.",
            _only(lambda hidden, inputs, tokens, mask_id: hidden & (inputs == mask_id)),
        ),
        Mistake(
            "asked where the input changed",
            "You gave labels only where the input differs from the original token. Hidden tokens that were kept have labels too.",
            "The labels follow from hidden alone, not from what became of the inputs.",
            _only(lambda hidden, inputs, tokens, mask_id: hidden & (inputs != np.asarray(tokens))),
        ),
        Mistake(
            "asked for what went in",
            "Where tokens are hidden, your labels are the new inputs, so the model would learn to predict the mask.",
            "Compute the labels from the original tokens, and the inputs in a new array.",
            _other(lambda hidden, right, *_: (right[0], np.where(hidden, right[0], IGNORED))),
        ),
        Mistake(
            "0 asks for nothing",
            "Where nothing is hidden, your labels are 0. But 0 is the id of a token (padding), so the model would be trained to predict "
            "it.",
            "The loss ignores the label −100.",
            _other(lambda hidden, right, tokens, *_: (right[0], np.where(hidden, tokens, 0))),
        ),
        Mistake(
            "the labels turned round",
            "You gave labels to the tokens that are *not* hidden, and none to those that are. The model could copy every answer from "
            "its input.",
            "Where hidden is True, the label is the original token.",
            _other(lambda hidden, right, tokens, *_: (right[0], np.where(hidden, IGNORED, tokens))),
        ),
        Mistake(
            "fate for all tokens",
            "You applied fate to all tokens, whether they are hidden or not. The 80%, 10% and 10% are percentages of the hidden tokens.",
            "Every condition for the inputs begins with hidden &.",
            _not_only_hidden(True, True, np.logical_not),
            variants=tuple(
                _not_only_hidden(masks, replaces, allowed)
                for allowed in (np.logical_not, np.ones_like)
                for masks, replaces in ((True, True), (True, False), (False, True))
            )[1:],
        ),
        Mistake(
            "a number on a boundary",
            "Everything is right except where `draw` or `fate` is exactly 0.15, 0.8 or 0.9. The text and the table say where these belong.",
            "Look at each comparison: should it be `<` or `<=`, `>=` or `>`?",
            _on_the_boundary(True, False, False),
            variants=tuple(_on_the_boundary(*sides) for sides in product((False, True), repeat=3) if any(sides[1:])),
        ),
        Mistake(
            "nothing but the shares",
            "You hide tokens where draw is 0.15 *or more*, which is about 85% of them. Too little would be left to predict "
            "from.",
            "A token is hidden where draw is *less* than 0.15.",
            _other(
                lambda hidden, right, tokens, special, mask_id, draw, fate, others: (
                    _inputs((draw >= SHARE) & ~special, tokens, mask_id, fate, others),
                    np.where((draw >= SHARE) & ~special, tokens, IGNORED),
                )
            ),
        ),
        Mistake(
            "swapped",
            "Both arrays are right, but you returned them in the wrong order.",
            "Your last line should be: return inputs, labels",
            _other(lambda hidden, right, *_: right[::-1]),
        ),
        Mistake(
            "the inputs alone",
            "The inputs are right, but you returned only them. The exercise asks for two arrays.",
            "Your last line should be: return inputs, labels",
            _other(lambda hidden, right, *_: right[0]),
        ),
    ),
)
