"""Sheet 01: plan the runs that show whether it is the size of its state that lets an LSTM remember."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(hidden: int = 32, seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each seed."""
    run = {"model": "lstm", "hidden": hidden, "forget_bias": 0.0, "length": 20, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    """Where the small LSTM of the lesson remembers already, so that a larger one cannot do better."""
    return "at the ceiling" if run["length"] in (5, 10) or run["forget_bias"] > 0 else None


recall_plan = Experiment(
    id="recall.plan",
    answer_name="plan",
    prompt="The runs that can tell whether a larger state lets an LSTM remember.",
    fields={
        "model": ("rnn", "lstm", "attention"),
        "hidden": (32, 64, 128),
        "forget_bias": (0.0, 3.0, 3.9),
        "length": (5, 10, 20, 50),
        "seed": range(10),
    },
    factor="hidden",
    control=32,
    fixed={"model": "lstm"},
    uninformative=_cannot_tell,
    max_runs=20,
    why=(
        "The two groups differ in one factor only and share their seeds, so a difference between them can come only from "
        "that factor."
    ),
    hints=(
        "Compare two groups of runs that are alike in everything but one. Which field should differ, and which group is the one "
        "to compare with?",
        "Everything else is the same in both groups: the model, its forget bias, the length, and the list of seeds. Choose a "
        "length and a forget bias with which the small LSTM only guesses, or a larger one has nothing to gain.",
        "One run of each may be luck. Take at least three seeds, and the same three in both groups: six runs in all.",
        "For each seed of 0, 1, 2, two runs: an LSTM with forget_bias 0.0 at length 20, once with hidden 32 and once with 64.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same run with the same seed gives the same number again, to the last digit. That looks like a repetition and "
            "tells nothing new.",
            "What has to change from run to run, so that luck can show?",
            _runs(seeds=(0, 0, 0)) + _runs(64, seeds=(0, 0, 0)),
            variants=(_runs() + _runs() + _runs(64),),
        ),
        Mistake(
            "another factor varied",
            "Such runs can tell what that field does, and nothing of the size: it is asked about and never changes.",
            "Which field should be the only one that differs between your two groups?",
            _runs() + _runs(forget_bias=3.0),
            variants=(
                _runs() + _runs(model="rnn"),
                _runs(64, length=20) + _runs(64, length=50),
                _runs(model="attention") + _runs(),
            ),
        ),
        Mistake(
            "nothing varied",
            "These runs show what comes of 32 numbers. Nothing stands beside them to compare with.",
            "Which runs, set beside these, would show what the size does?",
            _runs(),
            variants=(_runs(seeds=(7,)),),
        ),
        Mistake(
            "no control",
            "A control is missing: the same runs with hidden 32, the size that failed. Without it nobody knows whether it would have "
            "remembered here in any case.",
            "With what do you want to compare?",
            _runs(64),
            variants=(_runs(64) + _runs(128), _runs(128, seeds=(4,))),
        ),
        Mistake(
            "two factors varied",
            "If the two arms then differ in their results, nobody can say which of the differences did it. For every run there "
            "should be one in the other arm that is the same in everything but the size.",
            "Go through the fields one by one: which are not the same in both groups?",
            _runs() + _runs(64, forget_bias=3.0),
            variants=(
                _runs(model="rnn") + _runs(64),
                _runs(length=20) + _runs(64, length=50),
                _runs(length=50) + _runs(64, length=20),
                _runs(seeds=(0,)) + _runs(64, forget_bias=3.0, seeds=(1,)),
            ),
        ),
        Mistake(
            "other seeds in the arms",
            "A seed decides the random numbers that training begins with, and some are luckier than others. With the same seeds in "
            "both arms, each run has a partner that began alike, and luck falls on both.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(64, seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs(64, seeds=(1,)), _runs(seeds=(0, 1)) + _runs(64)),
        ),
        Mistake(
            "another thing studied",
            "The question is about LSTMs. What the size does to another model would be worth knowing too, but it does not answer "
            "this one.",
            "Of which model was it claimed?",
            _runs(model="rnn") + _runs(64, model="rnn"),
            variants=(_runs(model="attention") + _runs(128, model="attention"),),
        ),
        Mistake(
            "too few seeds",
            "Training sometimes finds the way by luck, and sometimes misses it. So few runs cannot tell luck from the size; take at "
            "least three seeds.",
            "Repeat both groups with further seeds, the same in both.",
            _runs(seeds=(0,)) + _runs(64, seeds=(0,)),
            variants=(
                _runs(seeds=(0, 1)) + _runs(64, seeds=(0, 1)),
                _runs(length=5) + _runs(64, length=5) + _runs(length=50, seeds=(0,)) + _runs(64, length=50, seeds=(0,)),
            ),
        ),
        Mistake(
            "at the ceiling",
            "Here the small LSTM remembers already, or mostly does. Where the control arm gets nearly everything right, a larger one can "
            "hardly do better, and you would learn little either way.",
            "With which forget bias, and at which lengths, does an LSTM with hidden 32 only guess?",
            _runs(length=10) + _runs(64, length=10),
            variants=(
                _runs(length=5) + _runs(64, length=5),
                _runs(length=5) + _runs(128, length=5) + _runs(length=10) + _runs(128, length=10),
                _runs(forget_bias=3.0) + _runs(64, forget_bias=3.0),
            ),
        ),
    ),
)
