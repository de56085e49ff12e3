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
    prompt="The runs that can show whether a head carries anything, when others could stand in for it.",
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
    why="With the other heads silenced, none of them can stand in, so any difference comes from head 1.",
    hints=(
        "You need two groups of runs that differ in only one field. Which field is the question about?",
        "The lesson has already made this comparison with the other three heads working, and hardly anything changed. When "
        "could a difference show?",
        "Silence heads 2 to 4 in both groups. Then compare head 1 working with head 1 silenced, for the "
        "same three seeds. That is six runs.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same model on the same 200 numbers gives the same result. That is not a repetition.",
            "Use a different seed, which draws different numbers.",
            _runs(seeds=(0, 0, 0)) + _runs(SILENCED, seeds=(0, 0, 0)),
            variants=(_runs() + _runs() + _runs(SILENCED),),
        ),
        Mistake(
            "another factor varied",
            "Such runs can show what that field does. The question is about head 1, and its state is the same in all of them.",
            "Which field should be the only one that differs?",
            _runs() + _runs(heads_2_to_4=WORKING),
            variants=(
                _runs(SILENCED) + _runs(SILENCED, heads_2_to_4=WORKING),
                _runs() + _runs(numbers="trained on"),
            ),
        ),
        Mistake(
            "nothing varied",
            "These runs show how well the model does with head 1. There is nothing to compare them with.",
            "What would the model do without head 1?",
            _runs(),
            variants=(_runs(heads_2_to_4=WORKING), _runs(seeds=(4,))),
        ),
        Mistake(
            "no control",
            "A control group is missing: the same runs with head 1 working. A low result may have a different cause.",
            "What do you want to compare these runs with?",
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
            "different seeds in the two groups",
            "A seed draws the 200 numbers, and some draws are harder than others. In your plan, luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(SILENCED, seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs(SILENCED, seeds=(1,)), _runs(seeds=(0, 1)) + _runs(SILENCED)),
        ),
        Mistake(
            "a different thing varied",
            "The question is about numbers that the model did not see in training. On its training numbers, a "
            "head may do something else.",
            "Which numbers does the question name?",
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
            "In both groups, heads 2 to 4 are working. They can stand in for head 1, so nothing changes, "
            "whether it carries anything or not. The lesson has already made this comparison.",
            "In which state of the other three heads could head 1 make a difference?",
            _runs(heads_2_to_4=WORKING) + _runs(SILENCED, heads_2_to_4=WORKING),
            variants=(
                _runs(heads_2_to_4=WORKING, seeds=(1, 2, 3, 4)) + _runs(SILENCED, heads_2_to_4=WORKING, seeds=(1, 2, 3, 4)),
            ),
        ),
    ),
)
