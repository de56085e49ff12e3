"""Whether a wrong answer uses an earlier part of the learner's own that is wrong, such as `LayerNorm` in `Block`."""

import dis
from collections.abc import Callable, Iterator
from inspect import isfunction, unwrap
from types import CodeType

from .catalogue import catalogue
from .exercise import Exercise, Verdict, examine
from .learner_parts import is_part, parts


def culprit(exercise: Exercise, answer: object, ask: Callable) -> Verdict | None:
    """The verdict on an answer that uses an earlier part which does not pass its own check; None if all that it uses pass.

    ``ask(exercise, answer)`` runs an answer, as `examine` needs it.
    """
    if not is_part(exercise) or "NotImplementedError" in _names(answer):
        return None
    found, earlier = _used(answer), list(parts())
    for name in earlier[: earlier.index(exercise.answer_name)]:
        if name in found and not getattr(found[name], "__module__", "").startswith("transformer_course."):  # the course's own
            part = catalogue()[parts()[name]]
            verdict = examine(part, ask(part, found[name]), seed=0)
            if not verdict.passed:
                state = "written yet." if verdict.reason == "empty" else f"right yet. {verdict.message}"
                hint = f"Mend `{name}` first, until its own check passes. Then run the cells from there on."
                return Verdict(False, "part", f"`{exercise.answer_name}` uses your `{name}`, which is not {state}", hint)
    return None


def _used(answer: object) -> dict[str, object]:
    """What an answer takes from its notebook by name, also in the classes and functions of the notebook that it uses."""
    found, todo = {}, [answer]
    while todo:
        new = {name: each for name, each in _names(todo.pop()).items() if name not in found}
        found |= new
        todo += [each for each in new.values() if getattr(each, "__module__", "") == answer.__module__]
    return found


def _names(thing: object) -> dict[str, object]:
    """The global names in the code of a function, or in that of a class's methods, and its bases, with what they are there."""
    if isinstance(thing, type):
        bases, methods = {each.__name__: each for each in thing.__bases__}, [_names(each) for each in vars(thing).values()]
        return bases | {name: each for method in methods for name, each in method.items()}
    function = unwrap(getattr(thing, "__func__", thing))
    return {name: function.__globals__.get(name) for name in _global_names(function.__code__)} if isfunction(function) else {}


def _global_names(code: CodeType) -> Iterator[str]:
    yield from (each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
    for inner in filter(lambda each: isinstance(each, CodeType), code.co_consts):
        yield from _global_names(inner)
