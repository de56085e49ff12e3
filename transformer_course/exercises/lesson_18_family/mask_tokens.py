"""Sheet 18: which words BERT is asked for, and what it is given in their place."""

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
    prompt="A batch of texts as BERT is given it, and what it is asked.",
    reference=mask_tokens,
    draw=_draw,
    alternatives=(_in_loops, _by_places),
    why=(
        "Labels are set wherever a token was selected, whatever the input shows there, so the model has to predict the "
        "kept ones too."
    ),
    hints=(
        "Begin with one boolean array, hidden: drawn below 0.15, and not special. Both results follow from it.",
        "np.where(hidden, tokens, -100) are the labels, whatever becomes of the inputs. For the inputs, cut hidden in three by fate.",
        "Two more np.where: mask_id where hidden and fate < 0.8; the token of others where hidden and fate >= 0.9. In between "
        "nothing changes.",
    ),
    mistakes=(
        Mistake(
            "asked everywhere",
            "The inputs are right, but you ask for all tokens. Where nothing is hidden, the answer stands in the input: most of the "
            "loss would be about copying.",
            "Where nothing is hidden, the label is −100.",
            _other(lambda hidden, right, tokens, *_: (right[0], tokens)),
            variants=(_only(lambda hidden, inputs, tokens, mask_id: inputs >= 4),),
        ),
        Mistake(
            "special tokens hidden",
            "Special tokens are hidden too. Padding asks for nothing, and where a text begins needs no guess.",
            "Which of the arguments says where nothing may be hidden?",
            _other(_special_too),
        ),
        Mistake(
            "special exchanged",
            "You hide only special tokens, and no others.",
            "True in `special` means: leave this one alone. ~special inverts it.",
            _other(
                lambda hidden, right, tokens, special, mask_id, draw, fate, others: (
                    _inputs((draw < SHARE) & special, tokens, mask_id, fate, others),
                    np.where((draw < SHARE) & special, tokens, IGNORED),
                )
            ),
        ),
        Mistake(
            "always masked",
            "Every hidden token has become mask_id. Then a model learns that it is asked only where it sees a mask, and used on texts "
            "without any, it is in a place that it does not know.",
            "What does fate say of the last fifth?",
            _other(lambda hidden, right, tokens, special, mask_id, *_: (np.where(hidden, mask_id, tokens), right[1])),
        ),
        Mistake(
            "none left as it is",
            "Where fate is 0.8 or more, all your tokens become other tokens.",
            "Three cases: 80 %, 10 % and 10 %. What happens from 0.8 to 0.9?",
            _other(_all_random),
        ),
        Mistake(
            "the last two exchanged",
            "Your two rules for fate from 0.8 on are swapped.",
            "Read the table once more, row by row.",
            _other(_random_as_kept),
        ),
        Mistake(
            "asked at masks alone",
            "The inputs are right, but you ask only where a mask stands. Hidden tokens that became others, or stayed, are asked for "
            "too: just there the model cannot know that it is asked.",
            "The labels follow from hidden alone, not from what became of the inputs.",
            _only(lambda hidden, inputs, tokens, mask_id: hidden & (inputs == mask_id)),
        ),
        Mistake(
            "asked where the input changed",
            "You ask wherever the input is another token than before. Hidden tokens that stayed as they are look unchanged, and are "
            "asked for too.",
            "The labels follow from hidden alone, not from what became of the inputs.",
            _only(lambda hidden, inputs, tokens, mask_id: hidden & (inputs != np.asarray(tokens))),
        ),
        Mistake(
            "asked for what went in",
            "At hidden positions, your labels are the new inputs, so the model would learn to predict the mask.",
            "Keep the tokens as they were for the labels, and change a copy.",
            _other(lambda hidden, right, *_: (right[0], np.where(hidden, right[0], IGNORED))),
        ),
        Mistake(
            "0 asks for nothing",
            "Where nothing is hidden your labels are 0. But 0 is a token (padding), and the loss would ask for it. −100 is none.",
            "The loss leaves out −100.",
            _other(lambda hidden, right, tokens, *_: (right[0], np.where(hidden, tokens, 0))),
        ),
        Mistake(
            "the labels turned round",
            "You ask for what is *not* hidden, and leave out what is. The model could copy all answers from its input.",
            "Where hidden is True, the label is the token.",
            _other(lambda hidden, right, tokens, *_: (right[0], np.where(hidden, IGNORED, tokens))),
        ),
        Mistake(
            "fate for all tokens",
            "You cut all tokens by fate, whether they are hidden or not. The shares of 80, 10 and 10 % are shares of the hidden ones.",
            "Each condition on the inputs begins with hidden &.",
            _other(
                lambda hidden, right, tokens, special, mask_id, draw, fate, others: (
                    _inputs(~special, tokens, mask_id, fate, others),
                    right[1],
                )
            ),
            variants=(
                _other(
                    lambda hidden, right, tokens, special, mask_id, draw, fate, others: (
                        _inputs(np.ones_like(special), tokens, mask_id, fate, others),
                        right[1],
                    )
                ),
            ),
        ),
        Mistake(
            "a number on a boundary",
            "All is right except where `draw` or `fate` is exactly 0.15, 0.8 or 0.9. The table says on which side each of these belongs.",
            "Look at each comparison: should it be `<` or `<=`, `>=` or `>`?",
            _on_the_boundary(True, False, False),
            variants=tuple(_on_the_boundary(*sides) for sides in product((False, True), repeat=3) if any(sides[1:])),
        ),
        Mistake(
            "nothing but the shares",
            "You hide where the draw is 0.15 *or more*: six in seven tokens. Nothing would be left to guess from.",
            "draw < 0.15",
            _other(
                lambda hidden, right, tokens, special, mask_id, draw, fate, others: (
                    _inputs((draw >= SHARE) & ~special, tokens, mask_id, fate, others),
                    np.where((draw >= SHARE) & ~special, tokens, IGNORED),
                )
            ),
        ),
        Mistake(
            "exchanged",
            "Both arrays are right, but you returned them in the wrong order.",
            "return inputs, labels",
            _other(lambda hidden, right, *_: right[::-1]),
        ),
        Mistake(
            "the inputs alone",
            "The inputs are right, and they came back alone. The exercise asks for two arrays.",
            "return inputs, labels",
            _other(lambda hidden, right, *_: right[0]),
        ),
    ),
)
