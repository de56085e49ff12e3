"""What goes wrong in the plan of an experiment: a mistake for each of the ``FLAWS`` in `kinds/experiment.py`."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..exercise import Mistakes, in_order


def runs_of(**usual: object) -> Callable[..., list[dict]]:
    """How an exercise writes a group of runs: ``runs(length=50)`` is one for each seed, with the usual values otherwise."""

    def runs(seeds: Sequence[int] = (0, 1, 2), **others: object) -> list[dict]:
        return [{**usual, **others, "seed": seed} for seed in seeds]

    return runs


def plan_mistakes(
    runs: Callable[..., list[dict]],
    treated: Mapping[str, object],
    *,
    others: Iterable[Mapping[str, object]],
    off_topic: Iterable[Mapping[str, object]],
    factor: str,
    seed: str,
    without_control: tuple[str, str],
    on_another_topic: tuple[str, str],
    other_treatments: Iterable[Mapping[str, object]] = (),
) -> Mistakes:
    """The mistakes of a plan whose control group is ``runs()``, and whose treated group is ``runs(**treated)``.

    ``others`` are settings in which fields besides the factor have another value, and ``off_topic`` those that the question is
    not about. The words: what the ``factor`` is, such as "the size"; what a ``seed`` decides, as a whole clause; and what to
    say of a plan ``without_control`` and ``on_another_topic``, each a diagnosis and a hint.
    """
    others, off_topic = list(others), list(off_topic)

    def both(**setting):
        return runs(**setting) + runs(**setting, **treated)

    plans = {
        "a run twice": (
            "With the same seed, a run gives exactly the same number again, so the second one tells you nothing new.",
            "What has to change from run to run, so that you can see the effect of luck?",
            both(seeds=(0, 0, 0)),
            runs() + both(),
            both() + runs(),
        ),
        "another factor varied": (
            f"These runs can show what that field does, but nothing about {factor}, which is the same in all of them.",
            "Which field should be the only one that differs between your two groups?",
            *(runs(**group) + runs(**group, **other) for other in others for group in ({}, treated)),
        ),
        "nothing varied": (
            f"These runs have no counterpart to compare them with, so they cannot show what {factor} does.",
            "Which further runs would show a difference?",
            runs(),
            runs(seeds=(5,)),
            *(runs(**other) for other in others),
        ),
        "no control": (
            f"Your plan has no control. {without_control[0]}",
            without_control[1],
            runs(**treated),
            runs(**treated, seeds=(4,)),
            *(runs(**treated, **other) for other in others),
            *(plan for other in other_treatments for plan in (runs(**other, seeds=(4,)), runs(**treated) + runs(**other))),
        ),
        "two factors varied": (
            f"Your two groups differ in more than {factor}. If their results differ, nobody can say which of the differences "
            "is the reason.",
            "Go through the fields one by one. Every run needs a partner in the other group that is the same in everything "
            "but one field.",
            *(runs() + runs(**treated, **other) for other in others),
            *(runs(**other) + runs(**treated) for other in others),
            *(runs(seeds=(0,)) + runs(**treated, **other, seeds=(1,)) for other in others),
        ),
        "different seeds in the two groups": (
            f"Your two groups have different seeds. {seed}, and some seeds are luckier than others. In your plan, luck can "
            "favour one group.",
            "Use one list of seeds for both groups.",
            runs() + runs(**treated, seeds=(3, 4, 5)),
            runs(seeds=(0,)) + runs(**treated, seeds=(1,)),
            runs(seeds=(0, 1)) + runs(**treated),
        ),
        "a different thing varied": (*on_another_topic, *(both(**other) for other in off_topic)),
        "too few seeds": (
            f"{seed}, so some runs are lucky. With so few of them, you cannot tell luck from the effect of {factor}.",
            "Use at least three seeds, the same ones in both groups.",
            both(seeds=(0,)),
            both(seeds=(0, 1)),
            *(both(seeds=(0,)) + both(**other, seeds=(0,)) for other in off_topic),  # the seeds are at fault, not the others
        ),
    }
    return in_order(plans)
