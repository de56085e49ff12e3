"""Sheet 20: plan the runs that show whether a head carries anything, when others could stand in for it."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment

SILENCED, WORKING = "silenced", "working"


def _runs(head_1: str = WORKING, seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each sample of numbers."""
    run = {"head_1": head_1, "heads_2_to_4": SILENCED, "numbers": "unseen", **others}
    return [{**run, "seed": seed} for seed in seeds]


def _stand_in(run) -> str | None:
    """Where the other three heads are there to stand in."""
    return "others stand in" if run["heads_2_to_4"] == WORKING else None


spare = Experiment(
    id="explain.spare",
    answer_name="plan",
    prompt="The runs that can tell whether a head carries anything, when others could stand in for it.",
    fields={
        "head_1": (WORKING, SILENCED),
        "heads_2_to_4": (WORKING, SILENCED),
        "numbers": ("unseen", "trained on"),
        "seed": range(10),
    },
    factor="head_1",
    control=WORKING,
    fixed={"numbers": "unseen"},
    uninformative=_stand_in,
    why="With the other heads silenced, none of them can stand in, so any difference comes from head 1 itself.",
    hints=(
        "Two groups of runs that differ in one field alone. Which field is the question about?",
        "With the other three at work, the lesson has made this comparison: hardly anything changed. When could a difference show?",
        "Silence heads 2 to 4 in both groups. Then head 1 working against head 1 silenced, with the same three seeds: six runs.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same model on the same 200 numbers gives the same share again. That is no repetition.",
            "Another seed draws other numbers.",
            _runs(seeds=(0, 0, 0)) + _runs(SILENCED, seeds=(0, 0, 0)),
            variants=(_runs() + _runs() + _runs(SILENCED),),
        ),
        Mistake(
            "another factor varied",
            "Such runs can tell what that field does. The question is about head 1, and it is treated alike in all of them.",
            "Which field should be the only one that differs?",
            _runs() + _runs(heads_2_to_4=WORKING),
            variants=(
                _runs(SILENCED) + _runs(SILENCED, heads_2_to_4=WORKING),
                _runs() + _runs(numbers="trained on"),
            ),
        ),
        Mistake(
            "nothing varied",
            "These runs show how well the model does with head 1. Nothing stands beside them to compare with.",
            "What would the model do without head 1?",
            _runs(),
            variants=(_runs(heads_2_to_4=WORKING), _runs(seeds=(4,))),
        ),
        Mistake(
            "no control",
            "A control is missing: the same runs with head 1 at work. A low share may be low for another reason.",
            "With what do you want to compare?",
            _runs(SILENCED),
            variants=(_runs(SILENCED, heads_2_to_4=WORKING), _runs(SILENCED, seeds=(5,))),
        ),
        Mistake(
            "two factors varied",
            "If your two groups differ in their results, nobody can say which of the differences caused it.",
            "Apart from `head_1`, give both groups the same values: the same `numbers`, and the same state of heads 2 to 4.",
            _runs(heads_2_to_4=WORKING) + _runs(SILENCED),
            variants=(
                _runs() + _runs(SILENCED, heads_2_to_4=WORKING),
                _runs(numbers="trained on") + _runs(SILENCED),
            ),
        ),
        Mistake(
            "other seeds in the arms",
            "A seed draws the 200 numbers, and some draws are harder than others. In your plan, luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(SILENCED, seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs(SILENCED, seeds=(1,)), _runs(seeds=(0, 1)) + _runs(SILENCED)),
        ),
        Mistake(
            "another thing studied",
            "The question is about numbers that the model never saw. What it has been trained on it may know in another way.",
            "Which numbers are asked for?",
            _runs(numbers="trained on") + _runs(SILENCED, numbers="trained on"),
            variants=(
                _runs(numbers="trained on", heads_2_to_4=WORKING)
                + _runs(SILENCED, numbers="trained on", heads_2_to_4=WORKING),
            ),
        ),
        Mistake(
            "too few seeds",
            "200 numbers are a sample, and a different sample gives a different result. Your plan has too few of them.",
            "Use at least three seeds, the same ones in both groups.",
            _runs(seeds=(0,)) + _runs(SILENCED, seeds=(0,)),
            variants=(_runs(seeds=(0, 1)) + _runs(SILENCED, seeds=(0, 1)),),
        ),
        Mistake(
            "others stand in",
            "Here heads 2 to 4 are at work in both groups. If head 1 goes, they can stand in for it, and nothing changes, whether it "
            "carries something or not. That is what the lesson has seen already.",
            "In which state of the other three could a difference show?",
            _runs(heads_2_to_4=WORKING) + _runs(SILENCED, heads_2_to_4=WORKING),
            variants=(
                _runs(heads_2_to_4=WORKING, seeds=(1, 2, 3, 4)) + _runs(SILENCED, heads_2_to_4=WORKING, seeds=(1, 2, 3, 4)),
            ),
        ),
    ),
)
