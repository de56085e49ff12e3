"""What goes wrong in one piece of a Transformer, whatever exercise asks for it: each mistake is written once, in NumPy.

A family is a table of mistakes whose answers are wrong *pieces*: functions with the arguments that the file names. An exercise
adapts the family to its own arguments with ``adapted``, and adds only what nobody else can get wrong.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import combinations, product

from ..exercise import Mistake, Mistakes, continued, in_order
from ..toolkit import mistake


def adapted(
    family: Iterable, *builds: Callable, but: Iterable[str] = (), more: dict[str, tuple] | None = None, **words: str
) -> Mistakes:
    """A family's mistakes for one exercise: ``build(piece)`` is the answer in which this piece is wrong.

    With several builds, each piece gives several answers, such as one with an axis turned and one without.
    ``words`` fill the gaps in diagnoses and hints, such as ``{axis}``. The mistakes named in ``but`` are left out, since here
    they are not mistakes, or cannot be told apart. ``more`` has further answers to some, by name: how it is also written here.
    """
    mistakes = {each.name: each for each in in_order(family)}
    unknown = {*but, *(more or {})} - set(mistakes)
    assert not unknown, f"the family has no {', '.join(sorted(unknown))}"
    kept = []
    for name, each in mistakes.items():
        if name in but:
            continue
        built = [build(piece) for piece in (each.answer, *each.variants) for build in builds]
        answer, *variants = (*built, *(more or {}).get(name, ()))
        diagnosis, hint = each.diagnosis.format(**words), each.hint.format(**words)
        kept.append(replace(each, diagnosis=diagnosis, hint=hint, answer=answer, variants=variants))
    return Mistakes(kept)


def named(family: Iterable, *names: str) -> Mistakes:
    """Some mistakes of a family."""
    mistakes = in_order(family)
    return Mistakes(mistakes[name] for name in names)


def in_part(part: str, family: Iterable, *builds: Callable, **how) -> Mistakes:
    """The mistakes of one part of a larger whole: their names and sentences begin with the part, such as "your LayerNorm"."""
    return Mistakes(
        replace(each, name=f"{part}: {each.name}", diagnosis=f"In {part}: {continued(each.diagnosis)}")
        for each in adapted(family, *builds, **how)
    )


def both(first: Mistake, second: Mistake, join: Callable) -> Mistake:
    """Two mistakes that people make at once: ``join(piece, other)`` is the piece in which both are made."""
    pieces = product((first.answer, *first.variants), (second.answer, *second.variants))
    return mistake(
        f"{first.name}, and {second.name}",
        f"There are two mistakes. First, {continued(first.diagnosis)} Second, {continued(second.diagnosis)}",
        f"{first.hint} {second.hint}",
        *(join(*pair) for pair in pieces),
    )


def with_both(first: partial, second: partial) -> partial:
    """One function with the keywords of both."""
    return partial(first.func, **{**first.keywords, **second.keywords})


def pairs(join: Callable, *families: Iterable) -> Mistakes:
    """All pairs of mistakes from two of these families, each made at once."""
    chosen = (pair for two in combinations(map(in_order, families), 2) for pair in product(*two))
    return Mistakes(both(*pair, join) for pair in chosen)
