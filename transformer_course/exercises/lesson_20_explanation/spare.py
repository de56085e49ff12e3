"""Sheet 20: plan the runs that show whether a head carries anything, when others could stand in for it."""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

SILENCED, WORKING = "silenced", "working"

_runs = runs_of(head_1=WORKING, heads_2_to_4=SILENCED, numbers="unseen")


spare = Experiment(
    id="explain.spare",
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
    uninformative=lambda run: "others stand in" if run["heads_2_to_4"] == WORKING else None,
    why="With the other heads silenced, none of them can stand in, so any difference comes from head 1.",
    hints=(
        "You need two groups of runs that differ in only one field. Which field is the question about?",
        "The lesson has already made this comparison with the other three heads working, and hardly anything changed. When "
        "could a difference show?",
        "Silence heads 2 to 4 in both groups. Then compare head 1 working with head 1 silenced, for the same three seeds. "
        "That is six runs.",
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"head_1": SILENCED},
            others=({"heads_2_to_4": WORKING}, {"numbers": "trained on"}),
            off_topic=({"numbers": "trained on"}, {"numbers": "trained on", "heads_2_to_4": WORKING}),
            factor="head 1",
            seed="A seed draws the 200 numbers",
            without_control=(
                "If head 1 is silenced in every run, a low result may have a different cause.",
                "What do you want to compare these runs with?",
            ),
            on_another_topic=(
                "The question is about numbers that the model did not see in training. On its training numbers, a head may "
                "do something else.",
                "Which numbers does the question name?",
            ),
        ),
        "others stand in": (
            "In both groups, heads 2 to 4 are working. They can stand in for head 1, so nothing changes, whether it carries "
            "anything or not. The lesson has already made this comparison.",
            "In which state of the other three heads could head 1 make a difference?",
            *(
                _runs(seeds, heads_2_to_4=WORKING) + _runs(seeds, heads_2_to_4=WORKING, head_1=SILENCED)
                for seeds in ((0, 1, 2), (1, 2, 3, 4))
            ),
        ),
    },
)
