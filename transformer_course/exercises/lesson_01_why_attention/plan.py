"""Sheet 01: plan the runs that show whether it is the size of its state that lets an LSTM remember."""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

_runs = runs_of(model="lstm", hidden=32, forget_bias=0.0, length=20)


def _both(**setting):
    return _runs(**setting) + _runs(**setting, hidden=64)


def _cannot_tell(run) -> str | None:
    """Where the lesson's small LSTM remembers already, so that a larger one cannot do better, or where the claim is silent."""
    if run["length"] in (5, 10) or run["forget_bias"] > 0:
        return "at the ceiling"
    return None if run["length"] == 20 else "at another length"


recall_plan = Experiment(
    id="recall.plan",
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
        "Your plan contains two groups that differ in one factor only and share their seeds, so a difference between them "
        "can come only from that factor."
    ),
    hints=(
        "Compare two groups of runs that differ in one field only. Which field should differ, and which group is the control?",
        "Everything else is the same in both groups: the model, its forget bias, the length and the list of seeds. Take the "
        "length that the claim is about, and a forget bias for which the small LSTM only guesses there. Otherwise a larger "
        "one has nothing to gain.",
        "A single run of each may be luck. Use at least three seeds, and the same three in both groups: six runs in all.",
        "For each of the seeds 0, 1 and 2, plan two runs: an LSTM with forget_bias 0.0 at length 20, once with hidden 32 and "
        "once with hidden 64.",
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"hidden": 64},
            others=({"forget_bias": 3.0}, {"model": "rnn"}, {"model": "attention"}, {"length": 50}),
            off_topic=({"model": "rnn"}, {"model": "attention"}),
            other_treatments=({"hidden": 128},),
            factor="the size",
            seed="A seed sets the random numbers at the start of training and the training sequences",
            without_control=(
                "Without runs of the size that failed, nobody knows whether that size would have remembered anyway.",
                "Which size did not remember, in the table above?",
            ),
            on_another_topic=(
                "Your runs train a different model. What the size does to it would be worth knowing, but the question is "
                "about LSTMs.",
                "Which model is the claim about?",
            ),
        ),
        "at the ceiling": (
            "With these settings the small LSTM already remembers, or mostly does. Then a larger one cannot do much better, "
            "and you learn little either way.",
            "With which forget bias, and at which lengths, does an LSTM with hidden 32 only guess?",
            _both(length=10),
            _both(length=5),
            _both(forget_bias=3.0),
            _both(length=5) + _both(length=10),
        ),
        "at another length": (
            "Your sequences are longer than those of the report. If both sizes only guess here, a larger state may still "
            "help at the length that the claim is about.",
            "Past how many other tokens does the claim say that an LSTM remembers?",
            _both(length=50),
        ),
    },
)
