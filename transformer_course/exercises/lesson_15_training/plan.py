"""Sheet 15: plan the runs that show whether short numbers fail because they are rare in training.

The results in the sheet were measured with the lesson's translator: batch 64, 450 steps, learning rate 0.002, seeds 0, 1 and 2.
"""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

_runs = runs_of(copies=1, steps=450, d_model=128, measured_on="1 to 20")


rare = Experiment(
    id="training.rare",
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
    # after 50 steps, hardly any number is correct yet, short or long
    uninformative=lambda run: "too few steps to show a difference" if run["steps"] == 50 else None,
    max_runs=20,
    why="Two groups of runs that differ only in `copies`: any difference in their results comes from that.",
    hints=(
        "You need two groups of runs that are the same in everything but one field. Which field makes short numbers less "
        "rare?",
        "One group repeats the lesson's training, with `copies` 1. And which numbers did the lesson's model get wrong, so "
        "that there is room to improve?",
        "Use the same three seeds in both groups, six runs in all. Keep `steps` at 450, `d_model` at 128 and `measured_on` at "
        '"1 to 20".',
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"copies": 21},
            others=({"steps": 1400}, {"d_model": 256}),
            off_topic=({"measured_on": "eight digits"}, {"measured_on": "three digits"}),
            other_treatments=({"copies": 5},),
            factor="the number of copies",
            seed="A seed decides the random weights at the start",
            without_control=(
                "There is no run in which the short numbers are as rare as in the lesson.",
                "What was `copies` in the lesson? Repeat each run with that value.",
            ),
            on_another_topic=(
                "The lesson's model is already right on nearly all the numbers that you measure, so more copies could hardly "
                "make a difference there.",
                "Which group of numbers did the lesson's model get wrong?",
            ),
        ),
        "too few steps to show a difference": (
            "After 50 steps, hardly any number is correct, short or long. If both groups get nearly everything wrong, you "
            "see no difference between them.",
            "For how many steps was the lesson's model trained?",
            *(_runs(steps=50) + _runs(steps=50, copies=copies) for copies in (21, 5)),
        ),
    },
)
