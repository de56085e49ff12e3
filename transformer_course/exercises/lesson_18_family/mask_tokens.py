"""Sheet 18: which tokens BERT has to predict, and what its input shows in their place."""

from itertools import product

import numpy as np

from ..kinds import ImplementPair

IGNORED, SHARE = -100, 0.15


def _program(
    hide=lambda draw, special: (draw < SHARE) & ~special,
    masked=lambda fate: fate < 0.8,
    replaced=lambda fate: fate >= 0.9,
    mask_where=lambda hidden, special: hidden,
    replace_where=lambda hidden, special: hidden,
    asked=lambda hidden, tokens, inputs, mask_id: hidden,
    label=lambda tokens, inputs: tokens,
    blank=IGNORED,
):
    """What the exercise asks for, with the steps that a mistake takes in another way."""

    def mask_tokens(tokens, special, mask_id, draw, fate, others):
        tokens, special = np.asarray(tokens), np.asarray(special, bool)
        hidden = hide(draw, special)
        inputs = np.where(mask_where(hidden, special) & masked(fate), mask_id, tokens)
        inputs = np.where(replace_where(hidden, special) & replaced(fate), others, inputs)
        return np.stack([inputs, np.where(asked(hidden, tokens, inputs, mask_id), label(tokens, inputs), blank)])

    return mask_tokens


mask_tokens = _program()


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
        else:  # not hidden, but with the fate of another token
            share[0, 4], fate[0, 4], special[0, 4] = 0.5, 0.9375, False
        return [tokens, special, int(rng.integers(500, 600)), share, fate, others]

    return [sized(2, 6), sized(3, 9), sized(1, 5), sized(4, 7), sized(6, 12)]


def _on_the_boundary(draw_at, mask_at, keep_at):
    """A wrong answer that puts a number on a boundary of the table on the wrong side."""
    return _program(
        hide=lambda draw, special: (draw <= SHARE if draw_at else draw < SHARE) & ~special,
        masked=lambda fate: fate <= 0.8 if mask_at else fate < 0.8,
        replaced=lambda fate: fate > 0.9 if keep_at else fate >= 0.9,
    )


def _everywhere(hidden, *others):
    return np.ones_like(hidden)


def _no_special(hidden, special):
    return hidden & ~special


def _masked_alone(*others):
    """Wrong answers in which a token never becomes another, with ``others`` of their steps."""
    return [_program(masked=lambda fate: fate >= 0, replaced=lambda fate: fate < 0, **steps) for steps in others]


def _not_only_hidden(allowed):
    """Wrong answers that apply fate where ``allowed(special)``: to put in masks, to put in other tokens, or both."""
    steps = {name: lambda hidden, special: allowed(special) for name in ("mask_where", "replace_where")}
    return _program(**steps), *(_program(**{name: step}) for name, step in steps.items())


mask = ImplementPair(
    id="family.mask_tokens",
    answer_name="mask_tokens",
    prompt="A batch of sequences as BERT reads it, and its labels.",
    reference=mask_tokens,
    draw=_draw,
    why=(
        "Labels are set wherever a token was selected, whatever the input shows there, so the model also has to predict "
        "those that stayed as they were."
    ),
    hints=(
        "Begin with one boolean array, hidden: True where draw is less than 0.15 and the token is not special. You need it "
        "for both results.",
        "np.where(hidden, tokens, -100) gives the labels, whatever the inputs show. For the inputs, fate divides the hidden "
        "tokens into three groups.",
        "Use np.where twice more: mask_id where hidden and fate < 0.8, and the id from others where hidden and fate >= 0.9. "
        "In between, nothing changes.",
    ),
    mistakes={
        "asked everywhere": (
            "The inputs are right, but you gave a label to every token, or to every one that is not special. Where nothing "
            "is hidden, the answer is in the input, so most of the loss would only reward copying.",
            "Where a token is not hidden, its label is −100.",
            _program(asked=_everywhere),
            _program(asked=lambda hidden, tokens, inputs, mask_id: inputs >= 4),
        ),
        "special tokens hidden": (
            "You hide special tokens, or give them labels. There is nothing to learn from predicting padding, or a beginning.",
            "Which argument says where nothing may be hidden?",
            _program(hide=lambda draw, special: draw < SHARE),
            _program(hide=lambda draw, special: draw < SHARE, mask_where=_no_special, replace_where=_no_special),
        ),
        "special exchanged": (
            "You hide only special tokens, and none of the others.",
            "True in `special` means that the token must not be hidden. Write ~special for the opposite.",
            _program(hide=lambda draw, special: (draw < SHARE) & special),
        ),
        "always masked": (
            "Every hidden token became mask_id. A model trained like this learns that it has to predict only where it sees a "
            "mask, but the texts that it reads later contain none.",
            "What does the table say for a fate of 0.8 or more?",
            *_masked_alone({}, {"hide": lambda draw, special: draw < SHARE}, {"hide": lambda draw, special: draw >= SHARE}),
            *_masked_alone({"hide": lambda draw, special: (draw >= SHARE) & ~special}, {"asked": _everywhere}, {"blank": 0}),
        ),
        "everything masked": (
            "You put mask_id in place of all tokens, or of all that are not special, whatever their `draw`. The model would "
            "have nothing to predict from.",
            "Only hidden tokens change: draw is less than 0.15, *and* the token is not special.",
            *(
                program
                for where in (lambda hidden, special: ~special, lambda hidden, special: special | True)
                for program in _masked_alone(
                    {"mask_where": where},
                    {"mask_where": where, "asked": _everywhere},
                    {"mask_where": where, "asked": lambda hidden, tokens, inputs, mask_id: inputs == mask_id},
                )
            ),
        ),
        "kept ones masked": (
            "Hidden tokens with a fate from 0.8 to less than 0.9 became mask_id too.",
            "What does the second row of the table say?",
            _program(masked=lambda fate: fate < 0.9),
        ),
        "none left as it is": (
            "Where fate is 0.8 or more, you replace all hidden tokens with other tokens. Some of them should not change.",
            "The table has three rows. What happens from 0.8 to less than 0.9?",
            _program(replaced=lambda fate: fate >= 0.8),
        ),
        "the last two exchanged": (
            "You swapped the last two rows of the table.",
            "Read the rows for a fate of 0.8 or more again.",
            _program(replaced=lambda fate: (fate >= 0.8) & (fate < 0.9)),
        ),
        "asked at masks alone": (
            "The inputs are right, but you gave labels only to tokens that became a mask. Hidden tokens that were replaced "
            "or kept have labels too, and nothing in the input tells the model that it has to predict them.",
            "The labels follow from hidden alone, not from what became of the inputs.",
            _program(asked=lambda hidden, tokens, inputs, mask_id: hidden & (inputs == mask_id)),
        ),
        "asked where the input changed": (
            "You gave labels only where the input differs from the original token. Hidden tokens that were kept have labels "
            "too.",
            "The labels follow from hidden alone, not from what became of the inputs.",
            _program(asked=lambda hidden, tokens, inputs, mask_id: hidden & (inputs != tokens)),
        ),
        "asked for what went in": (
            "Where tokens are hidden, your labels are the new inputs, so the model would learn to predict the mask.",
            "Compute the labels from the original tokens, and the inputs in a new array.",
            _program(label=lambda tokens, inputs: inputs),
        ),
        "0 asks for nothing": (
            "Where nothing is hidden, your labels are 0. But 0 is the id of a token (padding), so the model would be trained "
            "to predict it.",
            "The loss ignores the label −100.",
            _program(blank=0),
        ),
        "the labels turned round": (
            "You gave labels to the tokens that are *not* hidden, and none to those that are. The model could copy every "
            "answer from its input.",
            "Where hidden is True, the label is the original token.",
            _program(asked=lambda hidden, *_: ~hidden),
        ),
        "fate for all tokens": (
            "You applied fate to all tokens, whether they are hidden or not. The 80%, 10% and 10% are percentages of the "
            "hidden tokens.",
            "Every condition for the inputs begins with hidden &.",
            *_not_only_hidden(np.logical_not),
            *_not_only_hidden(np.ones_like),
        ),
        "a number on a boundary": (
            "Everything is right except where `draw` or `fate` is exactly 0.15, 0.8 or 0.9. The text and the table say where "
            "these belong.",
            "Look at each comparison: should it be `<` or `<=`, `>=` or `>`?",
            *(_on_the_boundary(*sides) for sides in product((False, True), repeat=3) if any(sides)),
        ),
        "nothing but the shares": (
            "You hide tokens where draw is 0.15 *or more*, which is about 85% of them. Too little would be left to predict "
            "from.",
            "A token is hidden where draw is *less* than 0.15.",
            _program(hide=lambda draw, special: (draw >= SHARE) & ~special),
            _program(hide=lambda draw, special: (draw > SHARE) & ~special),
        ),
        "draw and fate exchanged": (
            "You used `draw` and `fate` in each other's place, or `fate` for both. The first says which tokens are hidden, "
            "and the second what becomes of those.",
            "0.15 belongs to `draw`; 0.8 and 0.9 belong to `fate`.",
            lambda tokens, special, mask_id, draw, fate, others: mask_tokens(tokens, special, mask_id, fate, draw, others),
            lambda tokens, special, mask_id, draw, fate, others: mask_tokens(tokens, special, mask_id, fate, fate, others),
        ),
        "all hidden": (
            "You hide every token, or every one that is not special, whatever its `draw`. Nothing would be left to predict "
            "from.",
            "A token is hidden where draw is less than 0.15 *and* it is not special.",
            _program(hide=lambda draw, special: ~special),
            _program(hide=lambda draw, special: (draw < SHARE) | ~special),
            _program(hide=lambda draw, special: special | True),
        ),
        "the masks overwritten": (
            "Your inputs contain no masks. The second np.where begins again with the original tokens, so what the first has "
            "put in is lost.",
            "Begin the second step with the result of the first.",
            _program(masked=lambda fate: fate < 0),
        ),
        "no other tokens": (
            "Your inputs contain masks, but never an id from `others`.",
            "What does the last row of the table say?",
            _program(replaced=lambda fate: fate < 0),
        ),
        "the inputs unchanged": (
            "Your inputs are the original tokens, so the model can copy every answer.",
            "Return the array that you have made, with masks and other tokens in it.",
            _program(masked=lambda fate: fate < 0, replaced=lambda fate: fate < 0),
        ),
        "a different mark": (
            "Where nothing is hidden, your labels have a number of their own. The loss ignores only one label, and takes "
            "every other one for an id.",
            "Which number does the exercise give for these labels?",
            *(_program(blank=blank) for blank in (-1, 100, -99, -101)),
        ),
        "swapped": (
            "Both arrays are right, but you returned them in the wrong order.",
            "Your last line should be: return inputs, labels",
            lambda *arguments: mask_tokens(*arguments)[::-1],
        ),
        "the inputs alone": (
            "The inputs are right, but you returned only them. The exercise asks for two arrays.",
            "Your last line should be: return inputs, labels",
            lambda *arguments: mask_tokens(*arguments)[0],
        ),
    },
)
