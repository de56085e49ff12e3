"""Sheet 15: the fraction of sequences that a model generated exactly."""

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
    """Return how many tokens each row has up to and including its first end; all of them if it has none."""
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
        """Return rows of every sort in random order: correct ones, and some that only look correct."""
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
    return [*_few_rows(rng), sized(13, 7, 2, 0), sized(9, 5, 7, 3), sized(15, 8, 5, 0), sized(14, 6, 2, 1), none]


def _few_rows(rng):
    """Batches of one or two rows, small enough for a message to show them in full, each of which can go wrong in one way."""
    end, a, b, c, d = rng.permutation(np.arange(3, 12))[:5].tolist()
    batches = [
        ([[a, end, b, c]], [[a, end, 0, 0]]),  # right, and then it wrote on
        ([[a, end, 0, b]], [[a, end, 0, 0]]),  # and here only after a token of padding
        ([[a, b, 0, 0]], [[a, end, 0, 0]]),  # right, but it did not stop
        ([[a, b, end, 0]], [[a, c, end, 0]]),  # stopped in time, but wrong
        ([[b, a, end, 0]], [[a, b, end, 0]]),
        ([[b, c, end, a, a]], [[a, c, end, a, a]]),  # the padding's id also comes before the end
        ([[a, b, end, 0, 0]], [[a, b, end, c, d]]),  # two ids after the end
        ([[a, end, b, end]], [[a, end, 0, 0]]),  # two ends
        ([[end, 0, 0, 0], [a, b, end, 0]], [[end, 0, 0, 0], [a, c, end, 0]]),
        ([[a, end, 0, 0], [a, b, end, 0]], [[end, 0, 0, 0], [a, b, end, 0]]),
    ]
    return [[np.array(written), np.array(targets), end] for written, targets in batches]


def _up_to(lengths):
    """Compare each row up to a length that depends on both rows."""

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


def _by_row(same):
    """The fraction of rows for which ``same`` holds, a function of two lists and ``end``."""

    def share(written, targets, end):
        pairs = zip(written.tolist(), targets.tolist(), strict=True)
        return np.mean([same(ours, right, end) for ours, right in pairs])

    return share


def _unordered(kept):
    """Compare what ``kept`` leaves of the tokens before each end."""

    def same(ours, right, end):
        return end in ours and kept(ours[: ours.index(end)]) == kept(right[: right.index(end)])

    return _by_row(same)


def _unordered_to_the_targets_end(kept):
    def same(ours, right, end):
        stop = right.index(end) + 1
        return kept(ours[:stop]) == kept(right[:stop])

    return _by_row(same)


def _size_and_set(row):
    return len(row), set(row)


def _last_end(row, end):
    return len(row) - 1 - row[::-1].index(end)


def _to_the_last_end(ours, right, end):
    if end not in ours:
        return False
    stop = _last_end(ours, end)
    return ours[: stop + 1] == right[: stop + 1]


def _each_to_its_last_end(ours, right, end):
    return end in ours and ours[: _last_end(ours, end)] == right[: right.index(end)]


def _padding_by_id(padding, and_end=True):
    """Leave out what has an id that ``padding`` finds in the targets."""

    def share(written, targets, end):
        real = (targets != padding(targets)) | (and_end & (targets == end))
        return ((written == targets) | ~real).all(1).mean()

    return share


def _right(written, targets, end):
    """Which rows are right, and which targets are empty."""
    return np.array([_share([w], [t], end) for w, t in zip(written, targets, strict=True)]), targets[:, 0] == end


def _without_the_empty(written, targets, end):
    right, empty = _right(written, targets, end)
    return right[~empty].mean()


def _empty_wrong(written, targets, end):
    right, empty = _right(written, targets, end)
    return (right * ~empty).mean()


def _empty_right(written, targets, end):
    right, empty = _right(written, targets, end)
    return np.where(empty, 1, right).mean()


def _columns(written, targets, end):
    after = np.arange(targets.shape[1]) >= _first_end(targets, end)[:, None]
    return ((written == targets) | after).all(0).mean()


exact_match = Implement(
    id="training.exact",
    answer_name="exact",
    prompt="The fraction of sequences that a model generated exactly.",
    reference=exact,
    draw=_draw,
    alternatives=(_with_arrays, _with_loops),
    why=(
        "A sequence is right only if every token up to and including its end is right, and whatever follows the end does "
        "not matter."
    ),
    hints=(
        "A row is correct if it equals the target up to and including the target's end. Ignore everything after that.",
        "For one row, find the position of `end` in the target. Compare both rows up to and including that position.",
        "With arrays, `(targets == end).argmax(axis=1)` gives these positions. Compare `np.arange(n)` with them to mark the tokens that "
        "matter. Then use `.all(axis=1)` and `.mean()`.",
    ),
    mistakes=(
        Mistake(
            "all compared",
            "You compared the whole rows. The tokens after the end are not part of the sequence, so they should make no difference.",
            "Compare only up to and including the target's end.",
            lambda written, targets, end: (written == targets).all(1).mean(),
        ),
        Mistake(
            "one token after the end compared",
            "You also compared the token after the end. It is not part of the sequence, so it should make no difference.",
            "At which position does your comparison stop? The end of a Python slice is not included.",
            _up_to(lambda ours, right: right + 1),
        ),
        Mistake(
            "end not compared",
            "You compared the tokens before the end, but not the end itself. So a row that goes on where it should stop still passes.",
            "Include the position of `end` in the comparison.",
            _up_to(lambda ours, right: right - 1),
        ),
        Mistake(
            "an end that comes late",
            "You compared the tokens before the target's end, and then looked for an end anywhere. So a row that goes on and ends "
            "later still passes.",
            "The end has to be at the same position in both rows.",
            _ends_somewhere,
        ),
        Mistake(
            "up to the shorter one",
            "You compared up to the end of the shorter row, but left out its end token. So a row that is only the beginning of the target passes.",
            "Always compare up to and including the *target's* end.",
            _up_to(lambda ours, right: np.minimum(ours, right) - 1),
        ),
        Mistake(
            "tokens",
            "This is the fraction of tokens that are correct. A row is correct only if all its tokens are.",
            "Find one True or False for each row first, then take their mean.",
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
            "This is the fraction of positions that agree, including the padding. A row is correct only if all its tokens are.",
            "Find one True or False for each row first, then take their mean.",
            lambda written, targets, end: (written == targets).mean(),
        ),
        Mistake(
            "the number",
            "This is the number of correct rows, not their fraction.",
            "Divide by the number of rows.",
            lambda written, targets, end: len(targets) * _share(written, targets, end),
        ),
        Mistake(
            "a percentage",
            "This is a percentage. The exercise asks for a number from 0 to 1.",
            "Return the fraction itself.",
            lambda written, targets, end: 100 * _share(written, targets, end),
        ),
        Mistake(
            "the share of errors",
            "This is the fraction of rows that are wrong.",
            "Subtract it from 1.",
            lambda written, targets, end: 1 - _share(written, targets, end),
        ),
        Mistake(
            "the whole batch",
            "You tested whether all rows together are correct, so a single wrong row makes the result 0.",
            "Apply `.all` to each row by itself, with `axis=1`.",
            lambda written, targets, end: float(_share(written, targets, end) == 1),
        ),
        Mistake(
            "end is not 2 everywhere",
            "Your function is correct if `end` is 2, but fails for a different id.",
            "Use the argument `end` in place of the number.",
            lambda written, targets, end: _share(written, targets, 2),
        ),
        Mistake(
            "the padding is 0",
            "Your function is correct if the padding is 0, but the padding can be any other id.",
            "Look for `end`, not for the padding.",
            lambda written, targets, end: ((written == targets) | (targets == 0)).all(1).mean(),
        ),
        Mistake(
            "padding recognised by its id",
            "You recognise padding by its id. But the same id may also occur before the end, and padding may have several ids.",
            "Only the position counts: everything after the target's end is padding.",
            _padding_by_id(lambda targets: targets[:, -1:]),
            variants=(
                _padding_by_id(lambda targets: targets[:, -1:], and_end=False),
                _padding_by_id(lambda targets: targets[0, -1]),
            ),
        ),
        Mistake(
            "in any order",
            "You ignore the order of the tokens. The same tokens in a different order are not the same sequence.",
            "Compare the tokens position by position.",
            _unordered(sorted),
            variants=(
                _unordered(_size_and_set),
                _unordered(set),
                _unordered_to_the_targets_end(sorted),
                _unordered_to_the_targets_end(set),
            ),
        ),
        Mistake(
            "up to the last end",
            "You cut at the last `end` that was written. What comes after the target's end does not matter, even another `end`.",
            "Where does the target end? Cut both rows there.",
            _by_row(_to_the_last_end),
            variants=(_by_row(_each_to_its_last_end),),
        ),
        Mistake(
            "the position of the end alone",
            "You compared only where the two rows end, not the tokens before.",
            "A row is correct only if every token up to and including the end is.",
            lambda written, targets, end: ((written == end).argmax(1) == (targets == end).argmax(1)).mean(),
            variants=(lambda written, targets, end: (_first_end(written, end) == _first_end(targets, end)).mean(),),
        ),
        Mistake(
            "the columns",
            "You computed one True or False for each position, over all rows. You need one for each row.",
            "Along which axis does `.all` have to run, so that each row keeps one result?",
            _columns,
        ),
        Mistake(
            "empty targets left out",
            "You leave out the rows whose target is empty, or count them as wrong. They are rows like any other.",
            "When the target is empty, only the first token matters. What should it be?",
            _without_the_empty,
            variants=(_empty_wrong,),
        ),
        Mistake(
            "empty targets always right",
            "If a target is empty, you count the row as correct whatever was written.",
            "When the target is empty, only the first token matters. What should it be?",
            _empty_right,
        ),
    ),
)
