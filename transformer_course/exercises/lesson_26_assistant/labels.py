"""Sheet 26: the labels of a batch of conversations, and a conversation on which a simple way to find them fails."""

from itertools import pairwise

import numpy as np

from ..families import adapted
from ..families.answers import PAD, WRITTEN
from ..kinds import Counterexample, Implement
from ..toolkit import known

BEGIN, END, USER, ASSISTANT = 1, 2, 3, 4
MASKED = -100


def _written(ids, assistant, end):
    """Whether the assistant writes each id: from the one after ``assistant`` to ``end``."""
    ids = np.asarray(ids)
    written, speaking = np.zeros(ids.shape, bool), np.zeros(len(ids), bool)
    for place in range(ids.shape[1]):
        written[:, place] = speaking
        speaking = (ids[:, place] == assistant) | (speaking & (ids[:, place] != end))
    return written


def _labelled(ids, written, masked=MASKED):
    return np.where(written[:, 1:], np.asarray(ids)[:, 1:], masked)


def labels(ids, assistant, end):
    return _labelled(ids, _written(ids, assistant, end))


def _counted(ids, assistant, end):
    """The same by counting: there are more marks than ends to the left."""
    marks, ends = (np.cumsum(ids == each, axis=1) for each in (assistant, end))
    return np.where((marks > ends)[:, :-1], ids[:, 1:], MASKED)


def _in_lists(ids, assistant, end):
    rows = []
    for row in np.asarray(ids).tolist():
        made, own = [], False
        for here, after in pairwise(row):
            own = here == assistant or (own and here != end)
            made.append(after if own else MASKED)
        rows.append(made)
    return rows


def _draw(rng):
    def conversation(turns):
        words = iter((10 + rng.permutation(200)).tolist())
        row = [BEGIN]
        for asked, answered in turns:
            row += [USER, *(next(words) for _ in range(asked)), assistant]
            row += [*(next(words) for _ in range(answered)), end]
        row[2] = row[-2]  # the user says a word of the assistant's
        return row

    questions = []
    for shapes in (
        [[(2, 1)]],
        [[(3, 2), (2, 3)], [(1, 1)]],
        [[(2, 4)], [(4, 1), (1, 2), (3, 1)], [(1, 2), (2, 2)]],
        [[(5, 3), (2, 1)], [(2, 2), (3, 3)]],
    ):
        end, assistant = (int(number) for number in 300 + rng.permutation(50)[:2])
        rows = [conversation(turns) for turns in shapes]
        longest = max(map(len, rows))
        questions.append([np.array([row + [PAD] * (longest - len(row)) for row in rows]), assistant, end])
    return questions


def _with(change):
    """Labels whose positions are changed: ``change(ids, written, assistant, end)`` returns others."""
    return lambda ids, assistant, end: _labelled(ids, change(np.asarray(ids), _written(ids, assistant, end), assistant, end))


def _moved(ids, assistant, end):
    """Right positions, but the labels are one token further on."""
    return np.where(labels(ids, assistant, end) != MASKED, np.roll(np.asarray(ids), -2, axis=1)[:, :-1], MASKED)


label_batch = Implement(
    id="assistant.labels",
    answer_name="labels",
    prompt="The labels of a batch of conversations: the next token where the assistant writes it, and −100 elsewhere.",
    reference=labels,
    draw=_draw,
    alternatives=(_counted, _in_lists),
    why="A label belongs to the position before its token, so the first one is at the mark, and the last one is `end`.",
    hints=(
        "Take one row, and go from left to right. After which token does the assistant begin to write, and with which one does "
        "it stop?",
        "Decide for each *token* first whether the assistant writes it. Then the label at position i is token i + 1, if the "
        "assistant writes token i + 1.",
        "With np.cumsum you can do without a loop: the assistant writes a token if there are more marks than ends to its left.",
    ),
    mistakes={
        **adapted(
            WRITTEN,
            _with,
            has="has a label",
            have="have labels",
            lacks="has no label",
            what="Your mask",
            keep="Put −100 wherever the assistant does not write the next token.",
            which="−100 hides a position from the loss. Which ones should it not see?",
        ),
        "the mask one token early": (
            "The mark of the assistant counts as written, and the `end` does not: your mask is one token too early.",
            "There is one more mark than ends to the left of what the assistant writes, the token itself left out.",
            _with(lambda ids, written, assistant, end: np.roll(written, -1, axis=1)),
        ),
        "no label at all": (
            "None of your positions has a label, as if no mark had been found. The check has other ids than 4 and 2.",
            "Compare with the arguments `assistant` and `end`.",
            lambda ids, assistant, end: labels(ids, ASSISTANT, END),
        ),
        "not shifted": (
            "At each position, your label is the token that is the input there. The model sees it, so there is nothing to predict.",
            "The label at position i is token i + 1.",
            *(lambda *given, n=n: np.where(_written(*given), given[0], MASKED)[:, :n] for n in (-1, None)),
            lambda ids, assistant, end: np.where(_written(ids, assistant, end)[:, 1:], np.asarray(ids)[:, :-1], MASKED),
        ),
        "shifted twice": (
            "Your labels are two tokens further on than their inputs. So the model would learn to skip a token.",
            "Once the labels are one token further on, nothing else may move them: some training loops shift by themselves.",
            lambda *given: np.pad(labels(*given)[:, 1:], ((0, 0), (0, 1)), constant_values=MASKED),
            _moved,
        ),
        "padding in the loss": (
            "The answers have their labels, but so has the padding after the last `end`. The model would learn to write padding.",
            "After `end` the assistant does not write any more. What is in your mask there?",
            _with(lambda ids, written, assistant, end: written | (ids == PAD)),
        ),
        "masked with 0": (
            "The positions are right, but the others hold 0, or −1. `cross_entropy` takes 0 for a token, and leaves out only −100.",
            "Use −100.",
            lambda ids, assistant, end: _labelled(ids, _written(ids, assistant, end), 0),
            lambda ids, assistant, end: _labelled(ids, _written(ids, assistant, end), -1),
        ),
        "one column too many": (
            "Your labels have as many columns as the ids. The last token has no next one, so there is one label less.",
            "Drop the last column.",
            lambda ids, assistant, end: np.pad(labels(ids, assistant, end), ((0, 0), (0, 1)), constant_values=MASKED),
        ),
    },
)


def after_the_mark(ids):
    """The faulty way of the sheet: everything after the first mark has a label."""
    ids = np.asarray(ids).astype(int).tolist()
    start = ids.index(ASSISTANT)
    return np.array([MASKED] * start + ids[start + 1 :])


def _one_row(ids):
    return labels(np.asarray(ids).astype(int)[None], ASSISTANT, END)[0]


def _invalid(ids):
    if ids.ndim != 1 or not 5 <= len(ids) <= 30:
        return f"`trap` should be one list of 5 to 30 ids, but has shape {ids.shape}."
    if (ids % 1).any() or ids.min() < 1 or ids.max() > 99:
        return "Please use integers from 1 to 99: 1 to 4 are the special tokens, and all others are words."
    row = ids.astype(int).tolist()
    if row[0] != BEGIN or row[-1] != END or BEGIN in row[1:]:
        return "A conversation begins with 1, `begin`, which occurs only there, and ends with 2, `end`."
    expected = USER
    for here, after in zip(row[1:], [*row[2:], USER], strict=True):
        if here <= ASSISTANT:
            if here != expected:
                name = {USER: "3, `user`", ASSISTANT: "4, `assistant`", END: "2, `end`"}[expected]
                return (
                    f"In each turn, 3, 4 and 2 follow in this order, and turns follow each other. Expected {name}, got {here}."
                )
            if here != END and after <= ASSISTANT:
                return f"There should be a word, 5 to 99, after each 3 and each 4, but {here} is followed by {after}."
            expected = {USER: ASSISTANT, ASSISTANT: END, END: USER}[here]
        elif expected == USER:
            return f"The word {here} belongs to no turn: after 1 or 2 comes 3, `user`."
    return None


trap = Counterexample(
    id="assistant.trap",
    prompt="A conversation in which “everything after the first mark” is not what the assistant writes.",
    faulty=after_the_mark,
    reference=_one_row,
    invalid=_invalid,
    why="With two turns, the second question also comes after the first mark, and would be learned as if it were an answer.",
    hints=(
        "With one turn, everything after the mark *is* the answer and its `end`. What can come after that?",
        "After `end`, another turn may begin, with `user`.",
        "Write two turns, one after the other: 3, a word, 4, a word, 2, and the same again, after a 1 at the beginning.",
    ),
    mistakes={
        "one turn": known(
            "This conversation has one turn, and there the function is right, whatever the lengths are.",
            "What could the user do after the first answer?",
            [1, 3, 10, 4, 11, 2],
            [1, 3, 10, 11, 12, 13, 4, 11, 2],
            [1, 3, 10, 4, 11, 12, 13, 14, 15, 2],
            recognise=lambda ids: (np.asarray(ids) == ASSISTANT).sum() == 1,
        ),
    },
)
