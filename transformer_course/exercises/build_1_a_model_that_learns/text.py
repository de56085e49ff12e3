"""Stage B1: from text to batches, and from probabilities back to text."""

from dataclasses import replace
from functools import partial

import numpy as np

from ..exercise import as_array
from ..kinds import Implement, ImplementPair
from ..kinds.error_hints import ErrorHint
from ..kinds.module_faults import Fault
from ..kinds.results import agree, arrays


def _encode(text, characters):
    return np.array([characters.index(character) for character in text])


def _distinct(text):
    return "".join(dict.fromkeys(text))


def _without(*dropped):
    return lambda text: "".join(character for character in text if character not in dropped)


def _draw_text(rng):
    def words(characters, length):
        return ["".join(rng.choice(list(characters), length)), characters]

    edges = [" ab\n", "\n abc"]  # whitespace at both ends
    return [
        ["cabbage", "abceg"],
        words(" aeinst", 12),
        words("\n !abcxyz", 9),
        words("?ab", 5),
        ["a", "xa"],
        ["cabbac", "bca"],
        edges,
    ]


encode = Implement(
    id="build.encode",
    answer_name="encode",
    prompt="The id of each character of a text: its position in the string of all characters.",
    reference=_encode,
    draw=_draw_text,
    alternatives=(lambda text, characters: np.array([{c: i for i, c in enumerate(characters)}[c] for c in text]),),
    error_hints=(
        ErrorHint(
            r"^'(.|\\n)'( \(in|$)",
            "Does your dictionary go from ids to characters? You need one from characters to ids.",
            plain=r"the dictionary has no key '\1'\2",
        ),
        ErrorHint(r"^'..+'( \(in|$)", "The keys of the dictionary are single characters: look up one character at a time."),
    ),
    why="Every id is a position in the same list of characters, so the list turns the ids back into the text.",
    hints=(
        "Work out one character first: what is its position in `characters`? Python counts from 0.",
        "The dictionary has the answer: `ids[character]` is the id of one character.",
        "Look up every character of `text`, in order, and return the ids as a list.",
    ),
    mistakes={
        "counted from 1": (
            "Your ids are too large by one: you count from 1. The ids are rows of a table, and its first row is row 0.",
            "The first character has id 0.",
            lambda text, characters: _encode(text, characters) + 1,
        ),
        "code points": (
            "These are the characters' numbers in Unicode, from `ord`. The table would need a row for each of a million "
            "characters.",
            "Use the position in `characters`.",
            lambda text, characters: np.array([ord(character) for character in text]),
        ),
        "the text's own characters": (
            "You numbered the characters that occur in this text. In another text, the same character would have "
            "a different id.",
            "Use the order of `characters`, whichever of them occur in the text.",
            lambda text, characters: _encode(text, "".join(sorted(set(text)))),
            lambda text, characters: _encode(text, _distinct(text)),
            lambda text, characters: np.array(list(map(text.index, text))),
        ),
        "in a different order": (
            "The ids are right, but they are not in the order of the text.",
            "Go through `text` from left to right.",
            lambda text, characters: np.sort(_encode(text, characters)),
            lambda text, characters: _encode(text, characters)[::-1],
        ),
        "each character once": (
            "You return one id per distinct character. A text needs one id per position.",
            "Go through `text`, not through the set of its characters.",
            lambda text, characters: np.unique(_encode(text, characters)),
            lambda text, characters: _encode(_distinct(text), characters),
        ),
        "spaces dropped": (
            "You drop spaces or line breaks. They are characters too, with ids of their own, and the model has to learn where "
            "they belong.",
            "Go through `text` as it is, from its first character to its last.",
            *(
                lambda text, characters, change=change: _encode(change(text), characters)
                for change in (str.strip, str.lstrip, str.rstrip, _without(" "), _without("\n"), _without(" ", "\n"))
            ),
            *(lambda text, characters, kept=kept: _encode(text.strip(kept), characters) for kept in ("\n", " ")),
        ),
        "the vocabulary sorted": (
            "You sort `characters` before you number them. Its order is given: an id is a position in `characters`, and the "
            "next one to read the ids knows nothing of your order.",
            "Number the characters as they come in `characters`.",
            lambda text, characters: _encode(text, "".join(sorted(characters))),
        ),
        "a binary search": (
            "You look ids up by a binary search. It needs characters in sorted order, and `characters` has its own.",
            "Look for each character itself, wherever it stands in `characters`.",
            lambda text, characters: np.searchsorted(list(characters), list(text)),
        ),
        "0, 1, 2, …": (
            "You return the ids in counting order: the position of each character in the text, or the ids of the whole "
            "vocabulary. They do not depend on what the text says.",
            "Go through `text`, and look up each character in `ids`.",
            lambda text, characters: np.arange(len(text)),
            lambda text, characters: np.arange(len(characters)),
        ),
        "the first character only": (
            "You return the id of the first character only. A `return` inside a loop ends the function in the first round.",
            "Collect all ids in a list, and return that list after the loop.",
            lambda text, characters: _encode(text, characters)[:1],
        ),
    },
)


def _windows(ids, starts, length, by=0):
    return np.array([ids[start + by : start + by + length] for start in starts])


def _pair(labels):
    """The right inputs, with ``labels(ids, starts, length)``."""
    return lambda *question: [_windows(*question), labels(*question)]


def _filled_in(filler, *question):
    return np.pad(_windows(*question)[:, 1:], ((0, 0), (0, 1)), constant_values=filler)


def _shifted(by):
    return _pair(lambda *question: _windows(*question, by))


def _cut(ids, starts, length):
    return np.stack(_shifted(1)(ids, starts, length))


def _draw_batches(rng):
    def sized(size, count, length):
        return [rng.integers(0, 9, size), rng.integers(length, size - 2 * length - 1, count).tolist(), length]

    return [[np.arange(12), [2, 5], 3], sized(40, 4, 5), sized(30, 3, 2), sized(25, 1, 4), sized(60, 5, 8)]


class Batch(ImplementPair):
    """Cut windows; those cut anywhere else, such as at random places, are recognised by what they are."""

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, outcomes)
        cuts = zip(self.questions(seed), outcomes, strict=False)
        if verdict.reason == "value" and all(_cut_anywhere(*question, as_array(each.value)) for question, each in cuts):
            return OTHER_STARTS.verdict()
        return verdict


def _cut_anywhere(ids, starts, length, pair):
    """Whether these are windows of ids with the right labels, from whatever starts."""
    if pair is None or pair.shape != (2, len(starts), length):
        return False
    windows = np.lib.stride_tricks.sliding_window_view(ids, length + 1)
    return all(
        ((windows[:, :-1] == inputs) & (windows[:, 1:] == labels)).all(1).any() for inputs, labels in zip(*pair, strict=True)
    )


OTHER_STARTS = Fault(
    "other starts",
    "Your windows are cut out of `ids`, and their labels fit, but they begin somewhere other than at `starts`. Did you draw "
    "the places yourself?",
    "The places are already drawn: row i begins at `starts[i]`.",
)

get_batch = Batch(
    id="build.batch",
    answer_name="get_batch",
    prompt="Cut windows out of a long row of ids: inputs, and labels that are one character further on.",
    reference=_cut,
    stacked=True,
    draw=_draw_batches,
    why="Each label is the character after its input, so one window of length n gives n predictions to learn from.",
    hints=(
        "Begin with one start: `ids[start : start + length]` is a row of the inputs.",
        "The label of each character is the character after it. So the row of labels begins one position later, and has "
        "the same length.",
        "Stack the rows of all starts, (b, length), and return the pair `inputs, labels`.",
    ),
    mistakes={
        "labels not shifted": (
            "Labels and inputs are the same. The model would learn to repeat the character that it has just seen.",
            "The label is the next character: cut the labels one position later.",
            _shifted(0),
        ),
        "shifted backwards": (
            "Each label is the character before its input. The model would learn to write backwards.",
            "Cut the labels one position later, not earlier.",
            _shifted(-1),
        ),
        "shifted too far": (
            "Your labels begin too late. The model would learn to skip characters.",
            "The label of each character is the one right after it.",
            _shifted(2),
            _pair(lambda ids, starts, length: _windows(ids, starts, length, length)),
        ),
        "1 added to the ids": (
            "You added 1 to the ids. The id after 7 need not be 8: the label is the id of the next character in the text.",
            "Cut the labels out of `ids`, one position later.",
            _pair(lambda *question: _windows(*question) + 1),
        ),
        "labels of another length": (
            "Your rows of labels do not have the length of the rows of inputs. Either the last character has no label, or "
            "they begin with the first input itself.",
            "A row of labels begins one position later, and ends one position later too.",
            _pair(lambda ids, starts, length: _windows(ids, starts, length - 1, 1)),
            _pair(lambda ids, starts, length: _windows(ids, starts, length + 1)),
        ),
        "rolled around": (
            "You moved each window by one position, and its first character came back as the last label. The last label "
            "should be the character after the window.",
            "Cut the labels out of `ids`, one position later.",
            _pair(lambda *question: np.roll(_windows(*question), -1, axis=1)),
        ),
        "the last label filled in": (
            "The last label of each of your windows is not from the text: you filled in a number, such as 0. You took the "
            "labels from the inputs, and those end one character too early.",
            "Cut the labels out of `ids`, one position later.",
            *(_pair(partial(_filled_in, filler)) for filler in (0, -1, -100)),
        ),
        "one label per window": (
            "You return a single label per window, the character after its end. Every position predicts its own next "
            "character, so there are as many labels as inputs.",
            "Cut a row of labels as long as the row of inputs.",
            _pair(lambda ids, starts, length: ids[np.add(starts, length)]),
        ),
        "labels and inputs swapped": (
            "Labels and inputs are swapped: the model would see the later character and predict the earlier one.",
            "Return `inputs, labels`, in this order.",
            lambda *question: _cut(*question)[::-1],
        ),
        "transposed": (
            "Each of your windows is a column. Here each window is a row: the shape is (b, length).",
            "In torch, use `torch.stack(rows)`, with the default `dim=0`.",
            lambda *question: _cut(*question).swapaxes(1, 2),
        ),
    },
)


AGAIN = 8  # so often the last question is asked


class Sample(Implement):
    """Write a function that is given its random number, so it must answer the same question in the same way."""

    def judge(self, seed, outcomes):
        verdict, same = super().judge(seed, outcomes), outcomes[-AGAIN:]
        if verdict.reason != "value":
            return verdict
        first = replace(same[0], value=arrays(same[0].value))
        if all(agree(first, other) for other in same):
            return verdict
        return OWN_NUMBER.verdict()


OWN_NUMBER = Fault(
    "a random number of its own",
    "With the same probabilities and the same u, your function does not always choose the same character: it draws a random "
    "number of its own.",
    "u is the random number. On whose piece of the line does it fall?",
)


def _first_above(probabilities, u):
    return np.int64(np.argmax(np.cumsum(probabilities) > u))


def _order(numbers):
    return np.argsort(numbers, kind="stable")


def _by_order(order):
    """A choice among pieces in another order."""
    return lambda probabilities, u: order(probabilities)[_first_above(probabilities[order(probabilities)], u)]


def _begun(probabilities, u):
    """How many pieces begin before u."""
    return np.sum(np.cumsum(probabilities) - probabilities < u)


def _by_sums(choose):
    """A choice by the sums of the probabilities so far."""
    return lambda probabilities, u: choose(np.cumsum(probabilities), u)


def _draw_probabilities(rng):
    """Different probabilities in 64ths, and numbers between two of them, so that every sum is exact."""

    def sized(v):
        rising = np.arange(v) / np.arange(v).sum()
        while len({*(parts := np.bincount(rng.choice(v, 64, p=rising), minlength=v))}) < v:
            pass
        return [rng.permutation(parts) / 64.0, (rng.integers(0, 64) + 0.5) / 64]

    small = [[np.array([0.5, 0.125, 0.375]), 0.55], [np.array([0.0, 0.25, 0.75]), 0.0], [np.array([0.25, 0.75]), 0.2]]
    return [*small, *(sized(v) for v in (4, 6, 9, 5, 7, 8)), *[[np.full(8, 0.125), 0.7]] * AGAIN]


sample = Sample(
    id="build.sample",
    answer_name="sample",
    prompt="Choose a character at random: the first one at which the sum of the probabilities so far is above u.",
    reference=_first_above,
    draw=_draw_probabilities,
    alternatives=(_by_sums(lambda sums, u: np.searchsorted(sums, u, side="right")),),
    why="Each character has a piece of the line as long as its probability, so u falls in that piece with that probability.",
    hints=(
        "Lay the probabilities end to end on a line from 0 to 1. Where does u fall?",
        "The ends of these pieces are the sums so far: `cumsum`. You need the first that is above u.",
        "The comparison gives an array of True and False, and its `argmax` is the index of the first True.",
    ),
    mistakes={
        "the most likely": (
            "You always choose the most likely character. Then u has no effect, and the model writes the same text every "
            "time.",
            "Add up the probabilities from the left until the sum is above u.",
            lambda probabilities, u: np.argmax(probabilities),
        ),
        "an impossible character": (
            "For u = 0 you choose a character whose probability is 0. Its piece of the line is empty, so nothing can fall "
            "there.",
            "The sum has to be above u, not equal to it.",
            _by_sums(lambda sums, u: np.argmax(sums >= u)),
            _by_sums(np.searchsorted),
        ),
        "the comparison the wrong way round": (
            "You choose the first character at which the sum is *not* above u. That is nearly always character 0.",
            "Compare the sums with `>`, and find the first True.",
            _by_sums(lambda sums, u: np.argmax(sums < u)),
            _by_sums(lambda sums, u: np.argmax(sums <= u)),
        ),
        "the largest sum": (
            "You choose the character with the largest sum. The sums grow up to 1, so that is always one of the last.",
            "Compare the sums with u before you take `argmax`.",
            _by_sums(lambda sums, u: np.argmax(sums)),
        ),
        "the nearest end": (
            "You choose the piece whose end is nearest to u. That end can be to the left of u.",
            "Take the first sum that is greater than u.",
            _by_sums(lambda sums, u: np.argmin(abs(sums - u))),
        ),
        "the sum itself": (
            "You return a sum of probabilities. The answer is the id at which that sum is reached.",
            "`argmax` gives the index of the first True.",
            _by_sums(lambda sums, u: sums[sums > u][0]),
        ),
        "one beside it": (
            "You choose the character before or after the one whose piece contains u.",
            "The sum at the chosen character includes its own probability, and is greater than u.",
            lambda probabilities, u: max(_first_above(probabilities, u) - 1, 0),
            lambda probabilities, u: min(_first_above(probabilities, u) + 1, len(probabilities) - 1),
            lambda probabilities, u: _first_above(probabilities, u) + 1,
            lambda probabilities, u: np.argmax(np.cumsum(probabilities) - probabilities > u),
            lambda probabilities, u: (*range(1, len(probabilities)), None)[_first_above(probabilities, u)],
            lambda probabilities, u: min(_begun(probabilities, u), len(probabilities) - 1),
            lambda probabilities, u: _begun(probabilities, u),
            _by_sums(lambda sums, u: np.sum(sums < u) + 1),
            lambda probabilities, u: (*range(len(probabilities)), None)[_begun(probabilities, u)],
        ),
        "single probabilities": (
            "You compare u with single probabilities. It should be compared with their sum so far, which always ends above u.",
            "Take `cumsum` first.",
            lambda probabilities, u: np.argmax(probabilities > u),
            lambda probabilities, u: next((i for i, each in enumerate(probabilities) if each > u), None),
        ),
        "from the right": (
            "You lay the pieces end to end from the right. That is just as random, but the check expects the order of "
            "the ids.",
            "Begin with the probability of character 0.",
            lambda probabilities, u: len(probabilities) - 1 - _first_above(probabilities[::-1], u),
        ),
        "from the most probable": (
            "You lay the pieces end to end in the order of their probabilities. That is just as random, but the check expects "
            "the order of the ids.",
            "Leave out the sorting, and begin with the probability of character 0.",
            *map(_by_order, (lambda p: _order(-p), lambda p: _order(p)[::-1], _order, lambda p: _order(-p)[::-1])),
        ),
    },
)
