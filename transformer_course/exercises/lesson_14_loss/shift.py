"""Sheet 14: a batch of targets as what goes in and what is asked."""

import numpy as np

from ..kinds import ImplementPair

LESSON = np.array([[7, 16, 17, 10, 2], [15, 13, 2, 0, 0]])


def _column(targets, token):
    return np.full_like(targets[:, :1], token)


def _before(targets, token):
    """The targets moved one place to the right, with a token in front."""
    return np.concatenate([_column(targets, token), targets[:, :-1]], axis=1)


def _after(targets, token):
    """The targets moved one place to the left, with a token at the end."""
    return np.concatenate([targets[:, 1:], _column(targets, token)], axis=1)


_as_given, _rolled, _round = (lambda targets, token, by=by: np.roll(targets, by, axis=1) for by in (0, -1, 1))


def _longer(targets, token):
    return np.concatenate([_column(targets, token), targets], axis=1)


_zero_before, _zero_after = (lambda targets, token, moved=moved: moved(targets, 0) for moved in (_before, _after))


def _pair(inputs, labels=_as_given):
    return lambda targets, begin: (inputs(targets, begin), labels(targets, begin))


def shift(targets, begin):
    return np.stack([_before(targets, begin), targets])  # as a pair's outcome is compared: two arrays of one shape are one


def _draw(rng):
    def sized(b, n):
        targets = rng.permutation(np.arange(2, 2 + 2 * b * n))[: b * n].reshape(b, n)  # all different
        for row in targets[1:]:
            row[n - int(rng.integers(n)) :] = 0  # the first row is as long as the batch
        return [targets, int(rng.integers(200, 300))]

    return [[LESSON, 1], [LESSON, 7], sized(3, 7), sized(2, 4), sized(1, 5), sized(5, 1), sized(7, 3), [sized(2, 5)[0], 0]]


def _by_roll(targets, begin):
    inputs = np.roll(targets, 1, axis=1)
    inputs[:, 0] = begin
    return inputs, targets.copy()


def _in_lists(targets, begin):
    rows = np.asarray(targets).tolist()
    return [[begin, *row[:-1]] for row in rows], rows


shift_right = ImplementPair(
    id="training.shift",
    answer_name="shift",
    prompt="A batch of targets as inputs and labels.",
    reference=shift,
    draw=_draw,
    ids=True,
    alternatives=(_by_roll, _in_lists),
    why="Shifting the inputs by one position means that the model never sees the token that it has to predict.",
    hints=(
        "The labels are the targets, unchanged. Which token comes before each label?",
        "`targets[:, :-1]` contains all rows without their last token. Put a column of `begin` in front of it.",
        "np.full((b, 1), begin) makes such a column, and np.concatenate([column, rest], axis=1) joins the two. In torch: "
        "torch.full and torch.cat with dim=1.",
    ),
    mistakes={
        "not shifted": (
            "Your inputs and your labels are the same, so each position is given its own answer.",
            "The input at a position is the token before its label. If you wrote into `targets` itself, make the inputs a new "
            "array.",
            _pair(_as_given),
            _pair(_before, _before),
            _pair(_longer, _longer),
        ),
        "begin in place of the first token": (
            "You replaced the first token by `begin`, but nothing has moved. All later positions are given their own answer.",
            "Move all tokens one position to the right, and put `begin` in front.",
            _pair(lambda targets, begin: np.delete(_longer(targets, begin), 1, axis=1)),
        ),
        "shifted the wrong way": (
            "You moved the inputs to the left. Each position is given the token *after* its label.",
            "Which token should be the input for the first label?",
            *(_pair(inputs, labels) for inputs in (_after, _zero_after, _rolled) for labels in (_as_given, _before, _round)),
            _pair(lambda targets, begin: np.concatenate([_column(targets, begin), _rolled(targets, begin)[:, 1:]], axis=1)),
            *(
                _pair(lambda targets, begin: targets[:, 1:], labels)
                for labels in (_as_given, lambda targets, begin: targets[:, :-1])
            ),
        ),
        "both shifted": (
            "You moved the inputs to the right and the labels to the left. Each position has to predict the token after the "
            "next, and the first token is never predicted.",
            "Leave the labels as they are.",
            *(_pair(_before, labels) for labels in (_after, _zero_after, _rolled, lambda targets, begin: targets[:, 1:])),
            _pair(_round, _rolled),
            lambda targets, begin: (_before(targets, begin)[:, :-1], targets[:, 1:]),
        ),
        "shifted twice": (
            "You moved the inputs by two positions, so no position sees the token right before its label.",
            "The last input that a position sees is the token right before its label.",
            _pair(lambda targets, begin: _before(_before(targets, begin), begin)),
            _pair(lambda targets, begin: _before(_before(targets, begin), 0)),
            _pair(lambda targets, begin: _before(_before(targets, 0), begin)),
            _pair(lambda targets, begin: _before(_round(targets, begin), begin)),
        ),
        "swapped": (
            "Both arrays are right, but you returned them in the wrong order.",
            "Write `return inputs, labels`.",
            _pair(_as_given, _before),
        ),
        "begin is missing": (
            "Your labels leave out the first token, so it is never predicted. A model that generates starts from `begin`, and "
            "would not know how to go on.",
            "Keep the length of each row, and put `begin` in front of the inputs.",
            lambda targets, begin: (targets[:, :-1], targets[:, 1:]),
            *(_pair(_as_given, labels) for labels in (_zero_after, _after, _rolled)),
            _pair(_as_given, lambda targets, begin: _after(targets, targets[:, -1:])),
        ),
        "the last token in front": (
            "All tokens have moved to the right, but the last token of a row has come in on the left. That is what np.roll "
            "does.",
            "The first column should contain `begin`. Overwrite the first column after the roll, or concatenate a column of "
            "`begin` and the rest.",
            _pair(_round),
            _pair(lambda targets, begin: np.roll(targets, 1)),
            _pair(lambda targets, begin: np.concatenate([[begin], targets.flat[:-1]]).reshape(targets.shape)),
            _pair(lambda targets, begin: np.concatenate([_round(targets, begin)[:, :-1], _column(targets, begin)], axis=1)),
            _pair(lambda targets, begin: _before(targets, [[row[row != 0][-1]] for row in targets])),  # before its padding
        ),
        "one position too many": (
            "You put `begin` in front, but dropped nothing: there is one more input than the targets have tokens.",
            "Nothing is predicted after the last token, so drop it from the inputs.",
            _pair(_longer),
            _pair(_longer, lambda targets, begin: np.concatenate([targets, _column(targets, 0)], axis=1)),
            _pair(_longer, lambda targets, begin: np.concatenate([targets, _column(targets, begin)], axis=1)),
        ),
        "shifted along the batch": (
            "You moved the rows down by one, so each sequence is given the one before it in the batch.",
            "The tokens of a sequence are along axis 1.",
            _pair(lambda targets, begin: np.concatenate([0 * targets[:1] + begin, targets[:-1]])),
            _pair(lambda targets, begin: np.roll(targets, 1, axis=0)),
            _pair(lambda targets, begin: np.delete(_longer(np.roll(targets, 1, axis=0), begin), 1, axis=1)),
        ),
        "the inputs alone": (
            "The inputs are right, but you did not return the labels. The exercise asks for two arrays.",
            "Write `return inputs, labels`.",
            _before,
        ),
    },
)
