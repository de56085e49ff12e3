"""Sheet 16: the greedy loop.

Functions cannot be sent to an answer, but names can: the sheet's cell turns them into functions with the same table as here
(as in sheet 10).
"""

import numpy as np

from ..exercise import Verdict, as_array, show
from ..families import adapted
from ..families.decoding import LOOP, SIGHTS, loop
from ..kinds import Implement

TOKENS = 7


def _highest_at(token):
    return -np.abs(np.arange(TOKENS) - token % TOKENS)


STEPS = {
    "chain": lambda ids: _highest_at(3 * int(ids[-1]) + 2),
    "last two": lambda ids: _highest_at(int(ids[-1]) + int(ids[-2]) + 3 if len(ids) > 1 else int(ids[-1]) + 1),
    "all": lambda ids: _highest_at(int(sum(ids)) + len(ids) ** 2),
}


class ImplementIds(Implement):
    """Write a function that returns ids. A message shows the whole sequence."""

    def _problem(self, question, outcome, expected):
        problem, seen = super()._problem(question, outcome, expected), as_array(outcome.value)
        if problem and not outcome.error and seen is not None and seen.ndim == 1:
            message = (
                f"For {self._described(question)}, the ids should be {show(np.asarray(expected.value))}, but are {show(seen)}."
            )
            return Verdict(False, "value", message)
        return problem


def _by_name(generate):
    """A loop that takes the name of a step, and one id as its beginning."""
    return lambda step, begin, end, limit: generate(STEPS[step], [begin], end, limit)


def _recursive(step, begin, end, limit):
    def rest(ids):
        if len(ids) > limit or (len(ids) > 1 and ids[-1] == end):
            return []
        chosen = int(STEPS[step](ids).argmax())
        return [chosen, *rest([*ids, chosen])]

    return np.array(rest([begin]))


def _written(name, begin, count=12, **steps):
    return loop(**steps)(STEPS[name], [begin], None, count).tolist()


PATHS = {(name, begin): _written(name, begin) for name in STEPS for begin in range(TOKENS)}


def _tells(name, begin, count):
    """Whether the first tokens show what the step was given; of a chain they cannot."""
    sights = SIGHTS.values() if name != "chain" else [SIGHTS["the beginning"]]
    others = [_written(name, begin, count, sees=sees) for sees in sights]
    return PATHS[name, begin][:count] not in others


def _draw(rng):
    def drawn(options):
        return options[int(rng.integers(len(options)))]

    questions = []
    for name in STEPS:
        ending, cut = [], []
        for begin in range(TOKENS):
            path = PATHS[name, begin]
            for end in set(range(TOKENS)) - {begin}:
                place = path.index(end) if end in path else 12
                if 3 <= place <= 6 and _tells(name, begin, place) and (begin in path[:place] or name == "chain"):
                    ending.append([name, begin, end, place + int(rng.integers(3, 6))])
                if place >= 6 and _tells(name, begin, 3):
                    cut.append([name, begin, end, int(rng.integers(3, 6))])
        questions += [drawn(ending), drawn(cut)]
    name, begin, end, _ = questions[-1]
    same = [
        [name, begin, begin, path.index(begin) + 3]  # what is chosen first is not begin, so the sequence is longer than that
        for (name, begin), path in PATHS.items()
        if begin in path[1:6] and begin != path[0]
    ]
    return [*questions, drawn(same), [name, begin, end, 1], [name, begin, end, 0]]


greedy = ImplementIds(
    id="decoding.greedy",
    answer_name="greedy",
    prompt="A loop that takes the most probable token at each step, up to the end token or a limit.",
    reference=_by_name(loop()),
    draw=_draw,
    alternatives=(_recursive,),
    why=(
        "Each step sees everything generated so far, takes the most probable token, and stops at the end token or at the "
        "limit."
    ),
    hints=(
        "Keep one list that starts as [begin] and grows. What does step read each time? Which part of the list do you return?",
        "Repeat at most `limit` times: compute scores = step(ids), append the index of the largest, and leave the loop if that is end.",
        "np.argmax(scores) is the index of the largest score. `break` leaves a loop. ids[1:] is the list without its first entry.",
    ),
    mistakes=adapted(LOOP, _by_name),
)
