"""What goes wrong in one piece of a Transformer, whatever exercise asks for it: each mistake is written once, in NumPy.

A family is a tuple of mistakes whose answers are wrong *pieces*: functions with the arguments that the file names. An exercise
adapts the family to its own arguments with ``adapted``, and adds only what nobody else can get wrong.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..exercise import Mistake


def adapted(
    family: Iterable[Mistake], *builds: Callable, but: Iterable[str] = (), more: dict[str, tuple] | None = None, **words: str
) -> tuple[Mistake, ...]:
    """A family's mistakes for one exercise: ``build(piece)`` is the answer in which this piece is wrong.

    With several builds, each piece gives several answers, such as one with an axis turned and one without.
    ``words`` fill the gaps in diagnoses and hints, such as ``{axis}``. The mistakes named in ``but`` are left out, since here
    they are not mistakes, or cannot be told apart. ``more`` has further answers to some, by name: how it is also written here.
    """
    mistakes = {mistake.name: mistake for mistake in family}
    unknown = {*but, *(more or {})} - set(mistakes)
    assert not unknown, f"the family has no {', '.join(sorted(unknown))}"
    kept = []
    for name, mistake in mistakes.items():
        if name in but:
            continue
        built = [build(piece) for piece in (mistake.answer, *mistake.variants) for build in builds]
        answer, *variants = (*built, *(more or {}).get(name, ()))
        diagnosis, hint = mistake.diagnosis.format(**words), mistake.hint.format(**words)
        kept.append(replace(mistake, diagnosis=diagnosis, hint=hint, answer=answer, variants=variants))
    return tuple(kept)


def named(family: Iterable[Mistake], *names: str) -> tuple[Mistake, ...]:
    """Some mistakes of a family."""
    mistakes = {mistake.name: mistake for mistake in family}
    return tuple(mistakes[name] for name in names)


def in_part(part: str, family: Iterable[Mistake], *builds: Callable, **how) -> tuple[Mistake, ...]:
    """The mistakes of one part of a larger whole: their names and sentences begin with the part, such as "your LayerNorm"."""
    return tuple(
        replace(each, name=f"{part}: {each.name}", diagnosis=f"In {part}: {each.diagnosis}")
        for each in adapted(family, *builds, **how)
    )
