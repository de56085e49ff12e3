"""Sheet 18: plan the runs that show whether pre-training is what helps."""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

_runs = runs_of(body="fresh", question="order", labels=64, steps=100)


def _cannot_tell(run) -> str | None:
    """Where both bodies only guess, and where neither body is the pre-trained BERT."""
    if run["body"] not in ("pre-trained", "fresh"):
        return "no pre-trained BERT"
    return "too few labels" if run["labels"] == 8 else None


plan = Experiment(
    id="family.plan",
    prompt="The runs that can tell whether pre-training helps to recognise the right order.",
    fields={
        "body": ("pre-trained", "fresh", "bag of words", "table of pairs"),
        "question": ("category", "order"),
        "labels": (8, 64, 256),
        "steps": (100, 300),
        "seed": range(10),
    },
    factor="body",
    control="fresh",
    fixed={"question": "order"},
    uninformative=_cannot_tell,
    max_runs=20,
    why="The two groups differ only in whether the body was pre-trained, and they share question, labels, steps and seeds.",
    hints=(
        "You need two groups of runs that differ in one field only. Which field is it? And which of its values is the same "
        "model, but without pre-training?",
        "Use the same question, labels, steps and seeds in both groups. Choose a number of labels at which a difference can "
        "show.",
        "Use at least three seeds, the same ones in both groups: six runs in all.",
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"body": "pre-trained"},
            others=({"steps": 300}, {"labels": 256}, {"question": "category"}),
            off_topic=({"question": "category"},),
            other_treatments=({"body": "bag of words"}, {"body": "table of pairs"}),
            factor="pre-training",
            seed="A seed decides which names are labelled and how the head is initialised",
            without_control=(
                "Perhaps a BERT without pre-training does just as well. A bag of words or a table is a useful comparison, "
                "but it differs from a pre-trained BERT in more than pre-training.",
                "Which body is the same model, but without pre-training?",
            ),
            on_another_topic=(
                "Your runs study the category, but the claim is about the *order* of the words. The two can have different "
                "answers.",
                "Which question is the claim about?",
            ),
        ),
        "no pre-trained BERT": (
            "The pre-trained BERT of the claim is not in your plan. A bag of words and a table of pairs are different "
            "models, so their scores say nothing about pre-training a BERT.",
            "Which body is the claim about?",
            _runs() + _runs(body="bag of words"),
            _runs() + _runs(body="table of pairs"),
        ),
        "too few labels": (
            "With 8 labels of each kind, both bodies do little better than guessing, so a difference is hard to see. You "
            "would learn little, whatever comes out.",
            "The text of the exercise says how accurate a BERT is with 16 labels of each kind. Use more than that.",
            *(_runs(labels=8, steps=steps) + _runs(body="pre-trained", labels=8, steps=steps) for steps in (100, 300)),
        ),
    },
)
