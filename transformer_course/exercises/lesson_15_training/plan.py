"""Sheet 15: plan the runs that show whether short numbers fail because they are rare in training.

The results in the sheet were measured with the lesson's translator: batch 64, 450 steps, learning rate 0.002, seeds 0, 1 and 2.
"""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(copies: int = 1, seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """Return one group: a run for each seed."""
    run = {"copies": copies, "steps": 450, "d_model": 128, "measured_on": "1 to 20", **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    return (
        "too few steps to show a difference" if run["steps"] == 50 else None
    )  # hardly any number is correct yet, short or long


rare = Experiment(
    id="training.rare",
    answer_name="plan",
    prompt="The runs that show whether short numbers fail because they are rare.",
    fields={
        "copies": (1, 5, 21),
        "steps": (50, 450, 1400),
        "d_model": (64, 128, 256),
        "measured_on": ("1 to 20", "three digits", "eight digits"),
        "seed": range(10),
    },
    factor="copies",
    control=1,
    fixed={"measured_on": "1 to 20"},
    uninformative=_cannot_tell,
    max_runs=20,
    why="Two groups of runs that differ only in `copies`: any difference in their results comes from that.",
    hints=(
        "You need two groups of runs that are the same in everything but one field. Which field makes short numbers less rare?",
        "One group repeats the lesson's training, with `copies` 1. And which numbers did the lesson's model get wrong, so that "
        "there is room to improve?",
        "Use the same three seeds in both groups, six runs in all. Keep `steps` at 450, `d_model` at 128 and `measured_on` at "
        '"1 to 20".',
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "With the same seed, the same run gives the same number again. It looks like a repetition, but adds nothing.",
            "Which field has to change from run to run, so that you can see how much luck matters?",
            _runs(seeds=(0, 0, 0)) + _runs(21, seeds=(0, 0, 0)),
        ),
        Mistake(
            "another factor varied",
            "This plan shows the effect of a different field. The short numbers are equally rare in all of its runs.",
            "Which field says how often each short number appears in the training data?",
            _runs() + _runs(steps=1400),
            variants=(_runs() + _runs(d_model=256), _runs(21) + _runs(21, steps=1400)),
        ),
        Mistake(
            "nothing varied",
            "These runs repeat the training of the lesson, and there is nothing to compare them with.",
            "Which runs could you compare these with, to see what rarity does?",
            _runs(),
        ),
        Mistake(
            "no control",
            "You have no control: no run in which the short numbers are as rare as in the lesson.",
            "What was `copies` in the lesson? Repeat each run with that value.",
            _runs(21),
            variants=(_runs(5) + _runs(21),),
        ),
        Mistake(
            "two factors varied",
            "If the two groups then give different results, you cannot say which of the two differences is the reason.",
            "Go through the fields one by one. Which ones, apart from `copies` and `seed`, differ between your groups?",
            _runs() + _runs(21, steps=1400),
            variants=(_runs() + _runs(21, d_model=256),),
        ),
        Mistake(
            "different seeds in the two groups",
            "A seed decides the random weights at the start, and some are luckier than others. In your plan, one group may "
            "simply be luckier.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(21, seeds=(3, 4, 5)),
        ),
        Mistake(
            "a different thing varied",
            "The lesson's model is already right on nearly all the numbers that you measure, so more copies could hardly make a "
            "difference there.",
            "Which group of numbers did the lesson's model get wrong?",
            _runs(measured_on="eight digits") + _runs(21, measured_on="eight digits"),
            variants=(_runs(measured_on="three digits") + _runs(5, measured_on="three digits"),),
        ),
        Mistake(
            "too few seeds",
            "With so few runs, you cannot tell luck from the effect of the copies.",
            "Use at least three seeds, the same ones in both groups.",
            _runs(seeds=(0,)) + _runs(21, seeds=(0,)),
            variants=(
                _runs(seeds=(0, 1)) + _runs(21, seeds=(0, 1)),
                # the seeds are at fault here, not the extra runs
                _runs(seeds=(0,))
                + _runs(21, seeds=(0,))
                + [run for copies in (1, 21) for run in _runs(copies, seeds=(0,), measured_on="eight digits")],
            ),
        ),
        Mistake(
            "too few steps to show a difference",
            "After 50 steps, hardly any number is correct, short or long. If both groups get nearly everything wrong, you see no "
            "difference between them.",
            "For how many steps was the lesson's model trained?",
            _runs(steps=50) + _runs(21, steps=50),
            variants=(_runs(steps=50) + _runs(5, steps=50),),
        ),
    ),
)
