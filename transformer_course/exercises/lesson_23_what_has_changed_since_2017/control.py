"""Sheet 23: plan the runs that show whether experts help at equal work per token."""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

CONTROL, EXPERTS = "dense, 172 units", "experts"
_runs = runs_of(network=CONTROL, text="unseen", steps=400, rate=0.012)


def _cannot_tell(run) -> str | None:
    """Where no experts are compared, and where no model has learned anything."""
    if run["network"] not in (CONTROL, EXPERTS):
        return "no experts"
    return "too few steps" if run["steps"] == 5 else None


control = Experiment(
    id="today.control",
    prompt="The runs that can tell whether experts lower the loss at equal work per token.",
    fields={
        "network": (EXPERTS, "dense, 86 units", CONTROL, "dense, 688 units"),
        "text": ("training", "unseen"),
        "steps": (5, 400),
        "rate": (0.006, 0.012),
        "seed": range(10),
    },
    factor="network",
    control=CONTROL,
    fixed={"text": "unseen"},
    uninformative=_cannot_tell,
    max_runs=20,
    why="The two groups do the same work for each token and share all else, so the difference is due to the experts.",
    hints=(
        "The claim is about equal work per token. How many hidden units does a token use in the mixture?",
        "Two experts of 86 hidden units each are computed for a token. Which dense network does as many multiplications?",
        "Use at least three seeds, the same ones in both groups, and enough steps: six runs in all.",
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"network": EXPERTS},
            others=({"rate": 0.006}, {"text": "training"}),
            off_topic=({"text": "training"},),
            other_treatments=({"network": "dense, 86 units"}, {"network": "dense, 688 units"}),
            factor="the experts",
            seed="A seed decides how the model starts and which windows it reads",
            without_control=(
                "A dense network that does more work for each token, or less, may differ for that reason alone.",
                "Which dense network has as many hidden units as a token uses in the mixture?",
            ),
            on_another_topic=(
                "Your runs measure the loss on the training text, but the claim is about *unseen* text. A model with more "
                "parameters can learn more by heart.",
                "Which text is the claim about?",
            ),
        ),
        "no experts": (
            "There is no mixture of experts in your plan. Two dense networks of different width say nothing about experts.",
            "Which network is the claim about?",
            _runs() + _runs(network="dense, 688 units"),
            _runs() + _runs(network="dense, 86 units"),
        ),
        "too few steps": (
            "After 5 steps, no model has learned anything yet, so whatever the difference is, it says nothing.",
            "Let the models learn before you compare them.",
            *(_runs(steps=5, rate=rate) + _runs(network=EXPERTS, steps=5, rate=rate) for rate in (0.012, 0.006)),
        ),
    },
)
