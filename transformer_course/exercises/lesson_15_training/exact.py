"""Sheet 15: the share of texts that a model wrote exactly."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Implement


def exact(written, targets, end):
    return _share(written, targets, end)


def _to_end(row, end):
    row = list(row)
    return row[: row.index(end) + 1] if end in row else row


def _share(written, targets, end):
    return np.mean([_to_end(ours, end) == _to_end(right, end) for ours, right in zip(written, targets, strict=True)])


def _first_end(rows, end):
    """How many tokens a row has up to and with its first end; all of them where there is none."""
    return np.where((rows == end).any(1), (rows == end).argmax(1) + 1, rows.shape[1])


def _with_arrays(written, targets, end):
    need = _first_end(targets, end)
    before = np.arange(targets.shape[1]) < need[:, None]
    return ((written == targets) | ~before).all(1).mean()


def _with_loops(written, targets, end):
    right = 0
    for ours, label in zip(written, targets, strict=True):
        for a, b in zip(ours, label, strict=True):
            if a != b:
                break
            if b == end:
                right += 1
                break
    return right / len(targets)


def _draw(rng):
    def sized(b, n, end, pad):
        """Rows of every sort, in an order of their own: what is right, and what only looks so."""
        length = rng.integers(1, n - 1, b)  # the end is there, so each row has something after it
        length[:2] = 0  # empty targets
        targets = rng.integers(end + 1, end + 9, (b, n))
        targets[np.arange(b), length] = end
        targets[np.arange(n) > length[:, None]] = pad
        written, sort = targets.copy(), np.array([5, 6, *2 + rng.permutation(b - 2) % 7 - 2])
        for row, (kind, at) in enumerate(zip(sort, length, strict=True)):
            if kind in (0, 1):  # right, and then it wrote on
                written[row, at + 1 :] = rng.integers(end + 1, end + 9, n - at - 1)
            elif kind == 2:  # right, but it did not stop
                written[row, at:] = rng.integers(end + 1, end + 9, n - at)
            elif kind == 3:  # stopped too early
                written[row, at - 1] = end
            elif kind == 4:  # one token wrong
                written[row, 0] += 1
            elif kind == 6:  # right, and it stopped one token late
                written[row, at : at + 2] = end + 1, end
        return [written, targets, end]  # kind 5: right, and padded

    none = sized(4, 6, 3, 0)
    none[0][:, 0] += 1
    return [sized(13, 7, 2, 0), sized(9, 5, 7, 3), sized(15, 8, 5, 0), sized(14, 6, 2, 1), none]


def _up_to(lengths):
    """Compare each row up to a length that depends on both."""

    def share(written, targets, end):
        limit = lengths(_first_end(written, end), _first_end(targets, end))
        return ((written == targets) | (np.arange(targets.shape[1]) >= limit[:, None])).all(1).mean()

    return share


def _ends_somewhere(written, targets, end):
    before = np.arange(targets.shape[1]) < _first_end(targets, end)[:, None] - 1
    return (((written == targets) | ~before).all(1) & (written == end).any(1)).mean()


def _tokens(written, targets, end):
    real = np.arange(targets.shape[1]) < _first_end(targets, end)[:, None]
    return (written == targets)[real].mean()


exact_match = Implement(
    id="training.exact",
    answer_name="exact",
    prompt="The share of texts that a model wrote exactly.",
    reference=exact,
    draw=_draw,
    alternatives=(_with_arrays, _with_loops),
    why=(
        "A sequence is right only if every token up to and including its end is right, and whatever follows the end does "
        "not matter."
    ),
    hints=(
        "A row is right if it is the target up to and with the target's first end. What stands behind that does not count.",
        "For one row: find the place of end in the target, and compare both rows up to and with that place.",
        "With arrays: `targets == end` marks the ends, `argmax(axis=1)` gives the first place. A comparison of np.arange(n) with these "
        "places marks what counts. Then .all(axis=1) and .mean().",
    ),
    mistakes=(
        Mistake(
            "all compared",
            "You compared the whole rows. What a model writes behind its end, and the padding there, belongs to nothing.",
            "Compare up to and with the end.",
            lambda written, targets, end: (written == targets).all(1).mean(),
        ),
        Mistake(
            "end not compared",
            "You compared the tokens before the end, and not the end: then a text counts that goes on where it should stop.",
            "To stop in time is part of the task.",
            _up_to(lambda ours, right: right - 1),
        ),
        Mistake(
            "an end that comes late",
            "You compared the tokens before the target's end, and then looked for an end anywhere. A text that says more and ends later "
            "is a different text.",
            "The end has to be at the same position in both rows.",
            _ends_somewhere,
        ),
        Mistake(
            "up to the shorter one",
            "You compared up to the end of the shorter one and left it out: then a beginning counts as the whole.",
            "How far does the target go?",
            _up_to(lambda ours, right: np.minimum(ours, right) - 1),
        ),
        Mistake(
            "tokens",
            "This is the share of tokens that are right. A text counts if all of its tokens are.",
            "First one True or False for each row, then their mean.",
            _tokens,
            variants=(
                lambda written, targets, end: np.mean(
                    [
                        (ours == right)[:n].mean()
                        for ours, right, n in zip(written, targets, _first_end(targets, end), strict=True)
                    ]
                ),
            ),
        ),
        Mistake(
            "all tokens, the padding too",
            "This is the share of places that agree, padding included. A text counts if all of its tokens are right.",
            "First one True or False for each row, then their mean.",
            lambda written, targets, end: (written == targets).mean(),
        ),
        Mistake(
            "the number",
            "This is how many rows are right, not their fraction.",
            "Divide by the number of rows.",
            lambda written, targets, end: len(targets) * _share(written, targets, end),
        ),
        Mistake(
            "the share of errors",
            "This is the share of texts that are wrong.",
            "One minus this.",
            lambda written, targets, end: 1 - _share(written, targets, end),
        ),
        Mistake(
            "the whole batch",
            "You tested whether all rows are right together, so one wrong row makes the result 0.",
            ".all over the tokens of a row alone: axis=1.",
            lambda written, targets, end: float(_share(written, targets, end) == 1),
        ),
        Mistake(
            "end is not 2 everywhere",
            "All is right where end is 2. But its id is an argument.",
            "Use the name end.",
            lambda written, targets, end: _share(written, targets, 2),
        ),
        Mistake(
            "the padding is 0",
            "All is right where the padding is 0. But its id is nowhere given, and need not be 0: the end says where a text ends.",
            "Look for end, not for the padding.",
            lambda written, targets, end: ((written == targets) | (targets == 0)).all(1).mean(),
        ),
    ),
)
