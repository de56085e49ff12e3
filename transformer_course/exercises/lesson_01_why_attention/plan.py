"""Sheet 01: plan the runs that show whether it is the size of its state that lets an LSTM remember."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(hidden: int = 32, seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One group: a run for each seed."""
    run = {"model": "lstm", "hidden": hidden, "forget_bias": 0.0, "length": 20, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    """Where the lesson's small LSTM remembers already, so that a larger one cannot do better, or where the claim is silent."""
    if run["length"] in (5, 10) or run["forget_bias"] > 0:
        return "at the ceiling"
    return None if run["length"] == 20 else "at another length"


recall_plan = Experiment(
    id="recall.plan",
    answer_name="plan",
    prompt="The runs that can show whether a larger state lets an LSTM remember.",
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
        "Your plan contains two groups that differ in one factor only and share their seeds, so a difference between them can "
        "come only from that factor."
    ),
    hints=(
        "Compare two groups of runs that differ in one field only. Which field should differ, and which group is the control?",
        "Everything else is the same in both groups: the model, its forget bias, the length and the list of seeds. "
        "Take the length that the claim is about, and a forget bias for which the small LSTM only guesses there. Otherwise "
        "a larger one has nothing to gain.",
        "A single run of each may be luck. Use at least three seeds, and the same three in both groups: six runs in all.",
        "For each of the seeds 0, 1 and 2, plan two runs: an LSTM with forget_bias 0.0 at length 20, once with "
        "hidden 32 and once with hidden 64.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "With the same seed, a run gives exactly the same number again, so the second one tells you nothing new.",
            "What has to change from run to run, so that you can see the effect of luck?",
            _runs(seeds=(0, 0, 0)) + _runs(64, seeds=(0, 0, 0)),
            variants=(_runs() + _runs() + _runs(64),),
        ),
        Mistake(
            "another factor varied",
            "Your runs vary a different field. They can show what that field does, but not what the size does, "
            "because the size never changes.",
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
            "There is nothing to compare these runs with.",
            "Which further runs would show what the size does?",
            _runs(),
            variants=(_runs(seeds=(7,)),),
        ),
        Mistake(
            "no control",
            "Your plan has no control. Without runs of the size that failed, nobody knows whether that size would have "
            "remembered anyway.",
            "Which size did not remember, in the table above?",
            _runs(64),
            variants=(_runs(64) + _runs(128), _runs(128, seeds=(4,))),
        ),
        Mistake(
            "two factors varied",
            "Your two groups differ in more than the size. If their results differ, nobody can say which of the "
            "differences is the reason.",
            "Go through the fields one by one: which of them are not the same in both groups?",
            _runs() + _runs(64, forget_bias=3.0),
            variants=(
                _runs(model="rnn") + _runs(64),
                _runs(length=20) + _runs(64, length=50),
                _runs(length=50) + _runs(64, length=20),
                _runs(seeds=(0,)) + _runs(64, forget_bias=3.0, seeds=(1,)),
            ),
        ),
        Mistake(
            "different seeds in the two groups",
            "Your two groups have different seeds. A seed sets the random numbers at the start of training and the training "
            "sequences, and some seeds are luckier than others. With the same seeds in both groups, luck favours neither.",
            "Use one list of seeds for both groups.",
            _runs() + _runs(64, seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs(64, seeds=(1,)), _runs(seeds=(0, 1)) + _runs(64)),
        ),
        Mistake(
            "a different thing varied",
            "Your runs train a different model. What the size does to it would be worth knowing, but the question is "
            "about LSTMs.",
            "Which model is the claim about?",
            _runs(model="rnn") + _runs(64, model="rnn"),
            variants=(_runs(model="attention") + _runs(128, model="attention"),),
        ),
        Mistake(
            "too few seeds",
            "You planned too few seeds. Training sometimes succeeds by luck and sometimes fails by bad luck. With so few "
            "runs, you cannot separate luck from size.",
            "Use at least three seeds, and the same ones in both groups.",
            _runs(seeds=(0,)) + _runs(64, seeds=(0,)),
            variants=(
                _runs(seeds=(0, 1)) + _runs(64, seeds=(0, 1)),
                _runs(length=5) + _runs(64, length=5) + _runs(length=50, seeds=(0,)) + _runs(64, length=50, seeds=(0,)),
            ),
        ),
        Mistake(
            "at the ceiling",
            "With these settings the small LSTM already remembers, or mostly does. Then a larger one cannot do much "
            "better, and you learn little either way.",
            "With which forget bias, and at which lengths, does an LSTM with hidden 32 only guess?",
            _runs(length=10) + _runs(64, length=10),
            variants=(
                _runs(length=5) + _runs(64, length=5),
                _runs(length=5) + _runs(128, length=5) + _runs(length=10) + _runs(128, length=10),
                _runs(forget_bias=3.0) + _runs(64, forget_bias=3.0),
            ),
        ),
        Mistake(
            "at another length",
            "Your sequences are longer than those of the report. If both sizes only guess here, a larger state may still help "
            "at the length that the claim is about.",
            "Past how many other tokens does the claim say that an LSTM remembers?",
            _runs(length=50) + _runs(64, length=50),
            variants=(_runs(length=50) + _runs(128, length=50),),
        ),
    ),
)
