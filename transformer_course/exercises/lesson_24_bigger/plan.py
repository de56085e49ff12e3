"""Sheet 24: plan the runs that show whether, for the same arithmetic, the larger of two models wins."""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

_runs = runs_of(width=24, given="the same arithmetic", rate="best of three", measured_on="unseen text")


def _cannot_tell(run) -> str | None:
    # at one rate for both, the model that the rate suits wins
    return "one rate for both" if run["rate"] != "best of three" else None


plan = Experiment(
    id="bigger.plan",
    prompt="The runs that show whether the larger of two models wins with the same arithmetic.",
    fields={
        "width": (24, 48),
        "given": ("the same steps", "the same arithmetic"),
        "rate": ("0.003", "0.03", "best of three"),
        "measured_on": ("training text", "unseen text"),
        "seed": range(10),
    },
    factor="width",
    control=24,
    fixed={"given": "the same arithmetic", "measured_on": "unseen text"},
    instead={
        "given": "Then the larger model gets several times as much arithmetic.",
        "measured_on": "There, a model can also win by learning the text by heart.",
    },
    uninformative=_cannot_tell,
    max_runs=20,
    why="The two groups differ only in the width; each model has had the same number of tries at a rate that suits it.",
    hints=(
        "You need two groups of runs that are the same in everything but one field. Which field is the claim about?",
        "What does the claim say that both models get? And on which text does a model show that it has learned more than the text "
        "by heart?",
        "A rate that suits one width can be too high for another. Use the same three seeds in both groups: six runs in all.",
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"width": 48},
            others=({"given": "the same steps"}, {"rate": "0.03"}, {"measured_on": "training text"}),
            off_topic=({"given": "the same steps"}, {"measured_on": "training text"}),
            factor="the width",
            seed="A seed decides the random weights at the start and which windows of the text are drawn",
            without_control=(
                "There is no run of the smaller model, so nothing to compare the larger one with.",
                "Which width is the smaller one? Repeat each run with it.",
            ),
            on_another_topic=(
                "So your runs answer another question.",
                "The claim says what both models get, and what kind of text they should predict.",
            ),
        ),
        "one rate for both": (
            "Both models are trained at one and the same rate. In the lesson, the rate alone decided whether the fifth model was "
            "better than the fourth. You would not know whether the width or the rate has won.",
            "How can each model get a rate that suits it, with the same effort for both?",
            *(_runs(rate=rate) + _runs(rate=rate, width=48) for rate in ("0.03", "0.003")),
        ),
    },
)
