"""Whether a wrong answer uses an earlier part of the learner's own that is wrong, such as `LayerNorm` in `Block`."""

from collections.abc import Callable

from transformer_course.runner.names import names, used

from .catalogue import catalogue
from .exercise import Exercise, Verdict, examine
from .learner_parts import parts


def culprit(exercise: Exercise, answer: object, ask: Callable) -> Verdict | None:
    """The verdict on an answer that uses an earlier part which does not pass its own check; None if all that it uses pass.

    ``ask(exercise, answer)`` runs an answer, as `examine` needs it.
    """
    if exercise.id not in parts().values() or "NotImplementedError" in names(answer):
        return None
    found, earlier = used(answer), list(parts())
    for name in earlier[: earlier.index(exercise.answer_name)]:
        if name in found and not getattr(found[name], "__module__", "").startswith("transformer_course."):  # the course's own
            part = catalogue()[parts()[name]]
            verdict = examine(part, ask(part, found[name]), seed=0)
            if not verdict.passed:
                said = "written yet." if verdict.reason == "empty" else f"right yet. {verdict.message}"
                hint = f"Mend `{name}` first, until its own check passes. Then run the cells from there on."
                return Verdict(False, "part", f"`{exercise.answer_name}` uses your `{name}`, which is not {said}", hint)
    return None
