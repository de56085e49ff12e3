"""Sheet 16: the greedy loop.

Functions cannot be sent to an answer, but names can: the sheet's cell turns them into functions with the same table as here
(as in sheet 10).
"""

import numpy as np

from ..exercise import Mistake, Verdict, as_array, show
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


def loop(choose=np.argmax, sees=lambda ids: ids, gives=lambda written, begin, end: written, more=0, stops=True):
    """An answer that writes in the usual way, except for what is passed here.

    It takes the name of a step, or the step itself; and as its beginning one id, or a list (stage B7 of the Build).
    """

    def answer(step, begin, end, limit):
        step, given = STEPS.get(step, step), begin if isinstance(begin, list) else [begin]
        ids = [*given]
        for _ in range(limit + more):
            ids.append(int(choose(step(sees(ids)))))
            if stops and ids[-1] == end:
                break
        return np.array(gives(ids[len(given) :], begin, end))

    return answer


greedy_by_name = loop()


def _recursive(step, begin, end, limit):
    def rest(ids):
        if len(ids) > limit or (len(ids) > 1 and ids[-1] == end):
            return []
        chosen = int(STEPS[step](ids).argmax())
        return [chosen, *rest([*ids, chosen])]

    return np.array(rest([begin]))


def _by_sorting(step, begin, end, limit):
    ids = [begin]
    while len(ids) <= limit and (ids[-1] != end or len(ids) == 1):
        ids = [*ids, int(np.argsort(STEPS[step](ids))[-1])]
    return np.array(ids[1:])


def _path(name, begin):
    return loop(stops=False)(name, begin, None, 12).tolist()


def _stops_at_begin(step, begin, end, limit):
    return np.array([]) if begin == end else loop()(step, begin, end, limit)


def _end_anywhere(step, begin, end, limit):
    return loop()(step, begin, end, min(limit, 1) if begin == end else limit)


def _at_least_one(step, begin, end, limit):
    return loop()(step, begin, end, max(limit, 1))


PATHS = {(name, begin): _path(name, begin) for name in STEPS for begin in range(TOKENS)}
SIGHTS = (lambda ids: ids[1:] or ids, lambda ids: ids[-1:], lambda ids: ids[:1])  # without begin, the last token, begin alone


def _tells(name, begin, count):
    """Whether the first tokens show what the step was given; of a chain they cannot."""
    others = [loop(sees=sees, stops=False)(name, begin, None, count).tolist() for sees in SIGHTS[2 * (name == "chain") :]]
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
                if 3 <= place <= 6 and _tells(name, begin, place):
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
    reference=greedy_by_name,
    draw=_draw,
    alternatives=(_recursive, _by_sorting),
    why=(
        "Each step sees everything generated so far, takes the most probable token, and stops at the end token or at the "
        "limit."
    ),
    hints=(
        "Keep one list that starts as [begin] and grows. What does step read each time? Which part of the list do you return?",
        "Repeat at most `limit` times: compute scores = step(ids), append the index of the largest, and leave the loop if that is end.",
        "np.argmax(scores) is the index of the largest score. `break` leaves a loop. ids[1:] is the list without its first entry.",
    ),
    mistakes=(
        Mistake(
            "begin is returned too",
            "Your ids start with begin. It was given, not generated.",
            "Return the list without its first entry.",
            loop(gives=lambda written, begin, end: [begin, *written]),
        ),
        Mistake(
            "end is missing",
            "Your sequences stop before end. Without it, a complete sequence looks the same as one that was cut off at the "
            "limit.",
            "First append the token, then check whether it was end.",
            loop(gives=lambda written, begin, end: [token for token in written if token != end]),
        ),
        Mistake(
            "end does not stop it",
            "Your loop goes on after end, until it reaches the limit.",
            "Compare the chosen token with end in each round.",
            loop(stops=False),
        ),
        Mistake(
            "end is appended after a cut",
            "When the limit comes first, you append end anyway. But the model did not choose it.",
            "Return only tokens that were chosen.",
            loop(gives=lambda written, begin, end: written if written[-1:] == [end] else [*written, end]),
        ),
        Mistake(
            "begin counts towards the limit",
            "Your sequences are cut one token too early, because you counted begin as a generated token.",
            "How long is a list that holds begin and `limit` tokens?",
            loop(more=-1),
        ),
        Mistake(
            "begin taken for the end",
            "When begin and end are the same id, you stop before the first token. Only a token that was chosen ends the sequence.",
            "Compare end with the token just chosen, not with the list you started from.",
            _stops_at_begin,
        ),
        Mistake(
            "end is sought in the whole list",
            "When begin and end are the same id, you stop after the first token, because your list contains end from the start. "
            "Only a token that was chosen ends the sequence.",
            "Compare end with the newest token only.",
            _end_anywhere,
        ),
        Mistake(
            "one token at least",
            "Everything is right except when limit is 0. You still return a token, but there is room for none.",
            "Test the limit before you choose a token.",
            _at_least_one,
        ),
        Mistake(
            "one too many",
            "Your sequences are cut one token too late.",
            "How many times does your loop run? Should it be `<` or `<=`?",
            loop(more=1),
        ),
        Mistake(
            "step sees only the last token",
            "You passed only the newest token to step. But what comes next depends on all tokens so far.",
            "Pass the whole list, including begin.",
            loop(sees=SIGHTS[1]),
        ),
        Mistake(
            "always the same prefix",
            "You passed only begin to step in every round, so it returns the same scores each time. The chosen tokens never reach it.",
            "The list that you pass to step has to grow.",
            loop(sees=SIGHTS[2]),
        ),
        Mistake(
            "begin is dropped after the first step",
            "You passed begin to step only the first time. Later, step saw only the generated tokens, but what comes next depends "
            "on everything from begin on.",
            "Everything that step reads starts with begin.",
            loop(sees=SIGHTS[0]),
        ),
        Mistake(
            "begin is not shown to step",
            "You passed only the generated tokens to step. For the first token, that is an empty list.",
            "Everything that step reads starts with begin.",
            loop(sees=lambda ids: ids[1:]),
        ),
        Mistake(
            "the least probable",
            "You took the index of the smallest score.",
            "Use argmax, not argmin. (np.argsort sorts from the smallest to the largest.)",
            loop(choose=np.argmin),
        ),
        Mistake(
            "the score in place of the id",
            "You appended the largest score itself. The id of a token is the *index* of its score.",
            "np.max and max return the score. Which function returns its index?",
            loop(choose=np.max),
        ),
        Mistake(
            "only one token",
            "You returned one token where there should be more, as if your `return` were inside the loop.",
            "Indent `return` as far as the `for` line, so that it comes after the loop.",
            loop(gives=lambda written, begin, end: written[:1]),
        ),
        Mistake(
            "only the last token",
            "You returned only the last token. The exercise asks for all of them.",
            "Collect them in a list.",
            loop(gives=lambda written, begin, end: written[-1:]),
            variants=(loop(gives=lambda written, begin, end: written[-1] if written else written),),
        ),
    ),
)
