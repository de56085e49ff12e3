"""Sheet 01: plan the runs that show whether it is the forget bias that lets an LSTM remember."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(forget_bias: float = 0.0, seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each seed."""
    run = {"model": "lstm", "hidden": 32, "forget_bias": forget_bias, "length": 20, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    """What the lesson's figures say of a length at which both arms would give the same."""
    return "at the ceiling" if run["length"] in (5, 10) else None


recall_plan = Experiment(
    id="recall.plan",
    answer="plan",
    asks="The runs that can tell whether the forget bias alone lets an LSTM remember.",
    minutes=15,
    fields={
        "model": ("rnn", "lstm", "attention"),
        "hidden": (16, 32, 64),
        "forget_bias": (0.0, 3.0, 3.9),
        "length": (5, 10, 20, 50),
        "seed": range(10),
    },
    factor="forget_bias",
    control=0.0,
    held={"model": "lstm"},
    blind=_cannot_tell,
    most=20,
    hints=(
        "Compare two groups of runs that are alike in everything but one. Which field should differ, and which group has the "
        "usual value?",
        "Everything else is the same in both groups: the model, its size, the length, and the list of seeds. Choose a "
        "length at which the two rows of the table differ.",
        "One run of each may be luck. Take at least three seeds, and the same three in both groups: six runs in all.",
        "For each seed of 0, 1, 2, two runs: an LSTM with hidden 32 at length 20, once with forget_bias 0.0 and once with 3.0.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same run with the same seed gives the same number again, to the last digit. That looks like a repetition and "
            "tells nothing new.",
            "What has to change from run to run, so that luck can show?",
            _runs(seeds=(0, 0, 0)) + _runs(3.0, seeds=(0, 0, 0)),
            also=(_runs() + _runs() + _runs(3.0),),
        ),
        Mistake(
            "another factor varied",
            "Such runs can tell what that field does, and nothing of the forget bias: it is asked about and never changes.",
            "Which field should be the only one that differs between your two groups?",
            _runs(hidden=32) + _runs(hidden=64),
            also=(
                _runs() + _runs(model="rnn"),
                _runs(3.0, length=20) + _runs(3.0, length=50),
                _runs(model="attention") + _runs(),
            ),
        ),
        Mistake(
            "nothing varied",
            "These runs show what comes of a forget bias of 0. Nothing stands beside them to compare with.",
            "Which runs, set beside these, would show what the forget bias does?",
            _runs(),
            also=(_runs(seeds=(7,)),),
        ),
        Mistake(
            "no control",
            "A control is missing: the same runs with forget_bias 0.0. Without it nobody knows whether the model would have "
            "remembered in any case.",
            "With what do you want to compare?",
            _runs(3.0),
            also=(_runs(3.0) + _runs(3.9), _runs(3.9, seeds=(4,))),
        ),
        Mistake(
            "two factors varied",
            "If the two arms then differ in their results, nobody can say which of the differences did it. For every run there "
            "should be one in the other arm that is the same in everything but the forget bias.",
            "Go through the fields one by one: which are not the same in both groups?",
            _runs() + _runs(3.0, hidden=64),
            also=(
                _runs(model="rnn") + _runs(3.0),
                _runs(length=20) + _runs(3.0, length=50),
                _runs(length=50) + _runs(3.0, length=20),
                _runs(hidden=32, seeds=(0,)) + _runs(3.0, hidden=64, seeds=(1,)),
                _runs(hidden=16) + _runs(hidden=64) + _runs(3.0, hidden=64),
            ),
        ),
        Mistake(
            "other seeds in the arms",
            "A seed decides the random numbers that training begins with, and some are luckier than others. With the same seeds in "
            "both arms, each run has a partner that began alike, and luck falls on both.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(3.0, seeds=(3, 4, 5)),
            also=(
                _runs(seeds=(0,)) + _runs(3.0, seeds=(1,)),
                _runs() + _runs(3.0, seeds=(0, 1, 2, 3)),
                _runs(seeds=(0, 1)) + _runs(3.0),
            ),
        ),
        Mistake(
            "another thing studied",
            "The question is about LSTMs. An RNN and attention have no forget gate, so a forget bias changes nothing in them.",
            "Which model has a forget gate?",
            _runs(model="rnn") + _runs(3.0, model="rnn"),
            also=(_runs(model="attention") + _runs(3.9, model="attention"),),
        ),
        Mistake(
            "too few seeds",
            "Training sometimes finds the way by luck, and sometimes misses it. So few runs cannot tell luck from the forget "
            "bias; take at least three seeds.",
            "Repeat both groups with further seeds, the same in both.",
            _runs(seeds=(0,)) + _runs(3.0, seeds=(0,)),
            also=(
                _runs(seeds=(0, 1)) + _runs(3.0, seeds=(0, 1)),
                _runs(length=20) + _runs(3.0, length=20) + _runs(length=50, seeds=(0,)) + _runs(3.9, length=50, seeds=(0,)),
            ),
        ),
        Mistake(
            "at the ceiling",
            "At length 5 every LSTM remembers with forget bias 0 already, and at 10 most do. Where the control arm gets everything right, "
            "no forget bias can do better, and both arms will look alike whatever is true.",
            "At which lengths do the two rows of the table differ?",
            _runs(length=10) + _runs(3.0, length=10),
            also=(
                _runs(length=5) + _runs(3.0, length=5),
                _runs(length=5) + _runs(3.9, length=5) + _runs(length=10) + _runs(3.9, length=10),
            ),
        ),
    ),
)
