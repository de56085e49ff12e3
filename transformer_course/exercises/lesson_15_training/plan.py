"""Sheet 15: plan the runs that tell whether short numbers go wrong because they are rare in training.

What came out was measured with the lesson's translator: batch 64, 450 steps, learning rate 0.002, seeds 0, 1 and 2.
"""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(copies: int = 1, seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each seed."""
    run = {"copies": copies, "steps": 450, "d_model": 128, "measured_on": "1 to 20", **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    return "at the floor" if run["steps"] == 50 else None  # where hardly any number is right yet, short or long


rare = Experiment(
    id="training.rare",
    answer_name="plan",
    prompt="The runs that tell whether short numbers go wrong because they are rare.",
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
    why="Only how often the short numbers appear differs between the groups, so a difference can come from that alone.",
    hints=(
        "Compare two groups of runs that are alike in everything but one. Which field makes short numbers less rare?",
        "One group has the training as it was: copies 1. Where did the lesson's translator go wrong, so that there is something to gain?",
        "The same three seeds in both groups, six runs in all; steps, d_model and measured_on are the same in all of them.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same run with the same seed gives the same number again. That looks like a repetition and tells nothing new.",
            "What has to change from run to run, so that luck can show?",
            _runs(seeds=(0, 0, 0)) + _runs(21, seeds=(0, 0, 0)),
        ),
        Mistake(
            "another factor varied",
            "Such runs can tell what that field does. But how rare the short numbers are never changes.",
            "Which field says how often a short number is there?",
            _runs() + _runs(steps=1400),
            variants=(_runs() + _runs(d_model=256), _runs(21) + _runs(21, steps=1400)),
        ),
        Mistake(
            "nothing varied",
            "These runs repeat what the lesson has shown. Nothing stands beside them to compare with.",
            "Which runs, set beside these, would show what rarity does?",
            _runs(),
        ),
        Mistake(
            "no control",
            "A control is missing: runs in which the short numbers are as rare as they were in the lesson.",
            "What was `copies` in the lesson? Repeat each run with that value.",
            _runs(21),
            variants=(_runs(5) + _runs(21),),
        ),
        Mistake(
            "two factors varied",
            "If the two arms then differ in their results, nobody can say which of the differences did it.",
            "Go through the fields one by one: which are not the same in both groups?",
            _runs() + _runs(21, steps=1400),
            variants=(_runs() + _runs(21, d_model=256),),
        ),
        Mistake(
            "other seeds in the arms",
            "A seed decides the random weights that training starts with, and some are luckier than others. In your "
            "plan, luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(21, seeds=(3, 4, 5)),
        ),
        Mistake(
            "another thing studied",
            "The question is about the numbers from 1 to 20. The translator was nearly always right on all others, so"
            " there is nothing to gain there.",
            "Which group of numbers went wrong in the lesson?",
            _runs(measured_on="eight digits") + _runs(21, measured_on="eight digits"),
            variants=(_runs(measured_on="three digits") + _runs(5, measured_on="three digits"),),
        ),
        Mistake(
            "too few seeds",
            "With so few runs, you cannot tell luck from the effect of the copies.",
            "Use at least three seeds, the same ones in both groups.",
            _runs(seeds=(0,)) + _runs(21, seeds=(0,)),
            variants=(_runs(seeds=(0, 1)) + _runs(21, seeds=(0, 1)),),
        ),
        Mistake(
            "at the floor",
            "After 50 steps hardly any number is right, short or long. Where both arms can do nothing, no difference can show.",
            "How long was the lesson's translator trained?",
            _runs(steps=50) + _runs(21, steps=50),
            variants=(_runs(steps=50) + _runs(5, steps=50),),
        ),
    ),
)
