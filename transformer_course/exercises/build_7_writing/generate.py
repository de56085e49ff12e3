"""Stage B7: the loop that generates, after a beginning of any length and with any choice of the next id.

The step functions are made from score matrices (`runner.generation`).
"""

from collections.abc import Callable

import numpy as np

from transformer_course.runner.generation import run_generation

from ..exercise import listed, show
from ..families import adapted
from ..families.decoding import LOOP, loop
from ..kinds.error_hints import ErrorHint
from ..lesson_16_decoding.greedy import ImplementIds
from ..toolkit import softmax

TOKENS, ROWS = 9, 23  # a step chooses a row by all ids that it is given


class Generate(ImplementIds):
    """Write a function that calls a step and a choice, both made from data."""

    backends = (run_generation.__name__,)

    def _described(self, question, shapes=False):
        _, begin, end, limit, *rank = question
        named = [f"begin = {show(begin)}", f"end = {end}", f"limit = {limit}"]
        return listed([*named, *["a `choose` from the check" for _ in rank]])


def _highest(scores) -> int:
    return int(scores.argmax())  # of an array or a tensor


def _with_choice(answer: Callable) -> Callable:
    """A loop that takes the highest score, with a ``choose``: its step gives the chosen id the highest."""

    def generate(step, begin, end, limit, choose=_highest):
        return answer(lambda ids: np.eye(TOKENS)[int(choose(step(ids)))], begin, end, limit)

    return generate


generate = _with_choice(loop())


def _by_counting(step, begin, end, limit, choose=_highest):
    generated = []
    while len(generated) < limit and end not in generated:
        generated.append(int(choose(step([*begin, *generated]))))
    return np.array(generated)


def _appending_to_begin(step, begin, end, limit, choose=_highest):
    while len(begin) < limit and end not in begin:
        begin.append(int(choose(step([*begin, *begin]))))
    return np.array(begin)


def _with_choice_of(part: Callable) -> Callable:
    """The loop that chooses from ``part(scores)``."""

    def answer(step, begin, end, limit, choose=_highest):
        return generate(step, begin, end, limit, lambda scores: choose(part(scores)))

    return answer


def _question(rng, size: int, kind: str, rank: int | None = None) -> list:
    """A beginning of ``size`` ids; then the text repeats one and ends, is cut, or ends with one that is in it too."""
    while True:
        table = rng.permuted(np.tile(np.arange(float(TOKENS)), (ROWS, 1)), axis=1)
        begin, length = rng.integers(0, TOKENS, size).tolist(), int(rng.integers(3, 6))
        path = run_generation(generate, table, begin, -1, 8, rank).tolist()
        ends = {
            "ends": {path[length]} - {*begin, *path[:length]},
            "is cut": {*range(TOKENS)} - {*begin, *path},
            "begins with the end": {begin[-1]} & ({path[length]} - {*path[:length]}),
            "contains the end": {begin[0]} & ({path[length]} - {*path[:length], begin[-1]}),
        }[kind]
        if ends and len({*path[:3]}) == 3 and (kind != "ends" or {*begin} & {*path[:length]}):
            return [table, begin, min(ends), length + 3 * (kind != "is cut"), *([] if rank is None else [rank])]


def _draw(rng):
    short = _question(rng, 2, "is cut")
    return [
        _question(rng, 1, "ends"),
        _question(rng, 3, "ends"),
        _question(rng, 4, "is cut"),
        _question(rng, 1, "begins with the end"),  # as a paragraph between two newlines
        _question(rng, 3, "contains the end"),
        _question(rng, 3, "ends", rank=1),
        _question(rng, 2, "is cut", rank=2),
        [*short[:3], 1],
        [*short[:3], 0],
    ]


generate_ids = Generate(
    id="build.greedy",
    answer_name="generate",
    prompt="A loop that continues a list of ids up to an end token or a limit, greedily unless it is given another choice.",
    reference=generate,
    draw=_draw,
    alternatives=(_by_counting,),
    error_hints=(
        ErrorHint(
            r"only one element tensors|only integer tensors of a single element|can only be converted to a scalar",
            "`step` takes one list of ids, such as `[4, 7, 1]`, without an axis for a batch.",
        ),
    ),
    why="The loop knows nothing about the model or the choice, so it works for greedy decoding, for sampling and with the "
    "cache.",
    hints=(
        "Make a new list that starts as a copy of `begin` and grows by one id per round.",
        "In each round, `choose(step(ids))` is the next id. Append it as an `int`, and leave the loop if it is `end`.",
        "Return only the part after the first `len(begin)` ids.",
    ),
    mistakes={
        **adapted(LOOP, _with_choice, but=("the least probable", "the score in place of the id")),  # `choose` takes the scores
        "one given id removed": (
            "You remove one id from the start of the list, as in sheet 16. Here `begin` may have several.",
            "Remove as many as were given.",
            _with_choice(loop(gives=lambda new, given, end: [*given[1:], *new])),
        ),
        "begin itself grows": (
            "You append to `begin` itself. What you return is empty, or `step` gets its ids twice.",
            "Begin with a list of your own, such as `ids = list(begin)`.",
            _appending_to_begin,
            lambda step, begin, end, limit, choose=_highest: np.zeros(0, int),
        ),
        "only the newest id": (
            "`step` gets all ids once, then only the newest one. With a cache that is enough, but this `step` has none, so it "
            "knows nothing of what came before.",
            "In every round, pass all ids so far.",
            _with_choice(loop(sees=lambda ids, given: ids if len(ids) == len(given) else ids[-1:])),
        ),
        "choose ignored": (
            "You always take the highest score, even if a different `choose` is passed. Then nothing can be sampled.",
            "Call `choose` with the scores.",
            lambda step, begin, end, limit, choose=None: generate(step, begin, end, limit),
        ),
        "one score in place of all": (
            "You pick a single number out of what `step` returns, so there is nothing to choose from.",
            "`step` has already taken the last token's logits. Pass them on as they are.",
            _with_choice_of(lambda scores: scores[-1]),
        ),
        "softmax before choose": (
            "You take the softmax before `choose`. It expects logits, and one that samples takes the softmax itself. Applied "
            "twice, softmax makes all tokens almost equally probable.",
            "Pass on what `step` returns as it is.",
            _with_choice_of(lambda scores: softmax(np.asarray(scores))),
        ),
        "argmax of the chosen id": (
            "All your ids are 0: you take an argmax of what `choose` returned. That is an id already, and the argmax of a "
            "single number is 0.",
            "`int(…)` is all that it needs.",
            _with_choice(loop(lambda chosen: 0)),
        ),
    },
)
