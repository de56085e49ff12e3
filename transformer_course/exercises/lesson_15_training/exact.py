"""Sheet 15: the fraction of sequences that a model generated exactly."""

import numpy as np

from ..kinds import Implement


def _length(row, end):
    """How many tokens a row has up to and including its first end; all of them if it has none."""
    return row.index(end) + 1 if end in row else len(row)


def _share(same):
    """The fraction of rows for which ``same(ours, right, end)`` holds, of two lists."""

    def exact(written, targets, end):
        pairs = zip(np.asarray(written).tolist(), np.asarray(targets).tolist(), strict=True)
        return np.mean([same(ours, right, end) for ours, right in pairs])

    return exact


def _up_to(length, kept=list):
    """Compare what ``kept`` leaves of both rows, up to a length that depends on those of both."""

    def same(ours, right, end):
        stop = length(_length(ours, end), _length(right, end))
        return kept(ours[:stop]) == kept(right[:stop])

    return _share(same)


exact = _up_to(lambda ours, right: right)


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


def _if_it_ends(same):
    """The same, but False for a row without an end."""
    return _share(lambda ours, right, end: end in ours and same(ours, right, end))


def _before_each_end(kept):
    return _if_it_ends(lambda ours, right, end: kept(ours[: ours.index(end)]) == kept(right[: right.index(end)]))


def _last_end(row, end):
    return len(row) - 1 - row[::-1].index(end)


def _measured(measure):
    """A number from which tokens agree, and which belong to the targets, up to and including their end: both (b, n)."""

    def exact(written, targets, end):
        return measure(written == targets, np.arange(targets.shape[1]) <= (targets == end).argmax(1)[:, None])

    return exact


def _of_rows(measure):
    """A number from which rows are right, and which targets are empty: both (b,)."""
    return _measured(lambda agree, before: measure((agree | ~before).all(1), before.sum(1) == 1))


def _padding_by_id(padding, and_end=True):
    """Leave out what has an id that ``padding`` finds in the targets."""
    return lambda written, targets, end: (
        ((written == targets) | ((targets == padding(targets)) & ~(and_end & (targets == end)))).all(1).mean()
    )


exact_match = Implement(
    id="training.exact",
    answer_name="exact",
    prompt="The fraction of sequences that a model generated exactly.",
    reference=exact,
    draw=_draw,
    alternatives=(_of_rows(lambda right, empty: right.mean()),),
    why=(
        "A sequence is right only if every token up to and including its end is right, and whatever follows the end does "
        "not matter."
    ),
    hints=(
        "A row is correct if it equals the target up to and including the target's end. Ignore everything after that.",
        "For one row, find the position of `end` in the target. Compare both rows up to and including that position.",
        "With arrays, `(targets == end).argmax(axis=1)` gives these positions. Compare `np.arange(n)` with them to mark the "
        "tokens that matter. Then use `.all(axis=1)` and `.mean()`.",
    ),
    mistakes={
        "tokens after the end compared": (
            "You also compared what comes after the end. It is not part of the sequence, so it should make no difference.",
            "At which position does your comparison stop? Compare only up to and including the target's end.",
            _share(lambda ours, right, end: ours == right),
            _up_to(lambda ours, right: right + 1),
        ),
        "end not compared": (
            "You compared the tokens before the end, but not the end itself. So a row that goes on where it should stop still "
            "passes.",
            "Include the position of `end` in the comparison.",
            _up_to(lambda ours, right: right - 1),
        ),
        "an end that comes late": (
            "You compared the tokens before the target's end, and then looked for an end anywhere. So a row that goes on and "
            "ends later still passes.",
            "The end has to be at the same position in both rows.",
            _if_it_ends(lambda ours, right, end: ours[: right.index(end)] == right[: right.index(end)]),
        ),
        "up to the shorter one": (
            "You compared up to the end of the shorter row, but left out its end token. So a row that is only the beginning "
            "of the target passes.",
            "Always compare up to and including the *target's* end.",
            _up_to(lambda ours, right: min(ours, right) - 1),
        ),
        "up to the written end": (
            "You compared up to the first `end` that was written. A row without one has none, and `argmax` then says 0, so "
            "only its first token is compared.",
            "Every target has an end. Stop there.",
            lambda written, targets, end: _of_rows(lambda right, empty: right.mean())(targets, written, end),
        ),
        "tokens": (
            "This is the fraction of tokens that are correct, of the real ones or of all. A row is correct only if all its "
            "tokens are.",
            "Find one True or False for each row first, then take their mean.",
            _measured(lambda agree, before: agree[before].mean()),
            _measured(lambda agree, before: np.mean([row[real].mean() for row, real in zip(agree, before, strict=True)])),
            _measured(lambda agree, before: agree.mean()),
            _measured(lambda agree, before: (agree | ~before).mean()),
        ),
        "the number": (
            "This is the number of correct rows, or a percentage. The exercise asks for a fraction, from 0 to 1.",
            "Divide by the number of rows.",
            _of_rows(lambda right, empty: right.sum()),
            _of_rows(lambda right, empty: 100 * right.mean()),
        ),
        "the share of errors": (
            "This is the fraction of rows that are wrong.",
            "Subtract it from 1.",
            _of_rows(lambda right, empty: 1 - right.mean()),
        ),
        "the whole batch": (
            "You tested whether all rows together are correct, so a single wrong row makes the result 0.",
            "Apply `.all` to each row by itself, with `axis=1`.",
            _of_rows(lambda right, empty: float(right.all())),
        ),
        "padding recognised by its id": (
            "You recognise padding by its id, such as 0. But the same id may also occur before the end, and padding may have "
            "several ids, or any other one.",
            "Only the position counts: everything after the target's end is padding.",
            _padding_by_id(lambda targets: targets[:, -1:]),
            _padding_by_id(lambda targets: targets[:, -1:], and_end=False),
            _padding_by_id(lambda targets: targets[0, -1]),
            _padding_by_id(lambda targets: 0, and_end=False),
        ),
        "in any order": (
            "You ignore the order of the tokens. The same tokens in a different order are not the same sequence.",
            "Compare the tokens position by position.",
            *map(_before_each_end, (sorted, lambda row: (len(row), set(row)), set)),
            *(_up_to(lambda ours, right: right, kept) for kept in (sorted, set)),
        ),
        "no end taken for an end at 0": (
            "You compared where the two rows end. But `argmax` says 0 for a row without an `end`, so such a row passes where the "
            "target is empty.",
            "Compare the tokens up to *and including* the target's end. Then nothing has to be looked for in `written`.",
            _share(
                lambda own, due, end: (
                    (end not in own and due[0] == end) or own[: _length(due, end)] == due[: _length(due, end)]
                )
            ),
        ),
        "up to the last end": (
            "You cut at the last `end` that was written. What comes after the target's end does not matter, even another "
            "`end`.",
            "Where does the target end? Cut both rows there.",
            _if_it_ends(lambda ours, right, end: ours[: _last_end(ours, end) + 1] == right[: _last_end(ours, end) + 1]),
            _if_it_ends(lambda ours, right, end: ours[: _last_end(ours, end)] == right[: right.index(end)]),
        ),
        "the position of the end alone": (
            "You compared only where the two rows end, not the tokens before.",
            "A row is correct only if every token up to and including the end is.",
            lambda written, targets, end: ((written == end).argmax(1) == (targets == end).argmax(1)).mean(),
            _share(lambda ours, right, end: _length(ours, end) == _length(right, end)),
        ),
        "the columns": (
            "You computed one True or False for each position, over all rows. You need one for each row.",
            "Along which axis does `.all` have to run, so that each row keeps one result?",
            _measured(lambda agree, before: (agree | ~before).all(0).mean()),
        ),
        "empty targets treated apart": (
            "You leave out the rows whose target is empty, or count them as wrong, or as right whatever was written. They are "
            "rows like any other.",
            "When the target is empty, only the first token matters. What should it be?",
            _of_rows(lambda right, empty: right[~empty].mean()),
            _of_rows(lambda right, empty: (right & ~empty).mean()),
            _of_rows(lambda right, empty: (right | empty).mean()),
        ),
    },
)
