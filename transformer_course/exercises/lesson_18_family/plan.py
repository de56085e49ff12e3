"""Sheet 18: plan the runs that show whether pre-training is what helps."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(body: str = "fresh", seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each seed."""
    run = {"body": body, "question": "order", "labels": 64, "steps": 100, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    """Where both bodies only guess, and where neither was pre-trained as a BERT."""
    if run["body"] not in ("pre-trained", "fresh"):
        return "no pre-trained BERT"
    return "too few labels" if run["labels"] == 8 else None


plan = Experiment(
    id="family.plan",
    answer_name="plan",
    prompt="The runs that can tell whether pre-training helps with the question of order.",
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
        "Two groups of runs that are alike in everything but one. Which field should differ, and which of its values is the same model "
        "without what is asked about?",
        "The question, the labels, the steps and the list of seeds are the same in both groups. Take a number of labels at which a "
        "difference can show.",
        "At least three seeds, and the same in both groups: six runs in all.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same run with the same seed gives the same number again. That looks like a repetition and tells nothing new.",
            "What has to change from run to run, so that luck can show?",
            _runs(seeds=(0, 0, 0)) + _runs("pre-trained", seeds=(0, 0, 0)),
            variants=(_runs() + _runs() + _runs("pre-trained"),),
        ),
        Mistake(
            "another factor varied",
            "Such runs can tell what that field does, and nothing of pre-training: the body never changes.",
            "Which field should be the only one that differs between your two groups?",
            _runs("pre-trained", labels=64) + _runs("pre-trained", labels=256),
            variants=(_runs() + _runs(question="category"), _runs("pre-trained") + _runs("pre-trained", steps=300)),
        ),
        Mistake(
            "nothing varied",
            "These runs show what a fresh body learns. Nothing stands beside them to compare with.",
            "Which runs, set beside these, would show what pre-training does?",
            _runs(),
            variants=(_runs(seeds=(7,)),),
        ),
        Mistake(
            "no control",
            "A control is missing: the same model with a fresh body. Whatever the pre-trained one reaches, a fresh one might reach as well. A "
            "bag of words is a good neighbour too, but as another model it differs in more than pre-training.",
            "With what do you want to compare?",
            _runs("pre-trained"),
            variants=(_runs("pre-trained") + _runs("bag of words"), _runs("bag of words", seeds=(4,))),
        ),
        Mistake(
            "no pre-trained BERT",
            "Nothing in this plan was pre-trained as the BERT of the claim was. A bag of words and a table of pairs are other models: what "
            "they reach says nothing about pre-training a BERT.",
            "Of which body was it claimed that pre-training helps it?",
            _runs() + _runs("bag of words"),
            variants=(_runs() + _runs("table of pairs"),),
        ),
        Mistake(
            "two factors varied",
            "If your two groups differ in their results, nobody can say which of the differences caused it.",
            "Go through the fields one by one. Every run needs a partner in the other group that is the same in "
            "everything except the body.",
            _runs(steps=100) + _runs("pre-trained", steps=300),
            variants=(
                _runs(labels=64) + _runs("pre-trained", labels=256),
                _runs(question="category") + _runs("pre-trained"),
                _runs(seeds=(0,)) + _runs("pre-trained", labels=256, seeds=(1,)),
            ),
        ),
        Mistake(
            "other seeds in the arms",
            "A seed decides which names are labelled and how the head starts, and some are luckier than others. In "
            "your plan, luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs("pre-trained", seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs("pre-trained", seeds=(1,)), _runs(seeds=(0, 1)) + _runs("pre-trained")),
        ),
        Mistake(
            "another thing studied",
            "The question is whether pre-training helps with the *order*. For the category the lesson has an answer, and it is another one.",
            "Of which question was it claimed?",
            _runs(question="category") + _runs("pre-trained", question="category"),
        ),
        Mistake(
            "too few seeds",
            "With few labels, much depends on which names they are. With so few runs, you cannot tell luck from the "
            "effect of pre-training.",
            "Use at least three seeds, the same ones in both groups.",
            _runs(seeds=(0,)) + _runs("pre-trained", seeds=(0,)),
            variants=(_runs(seeds=(0, 1)) + _runs("pre-trained", seeds=(0, 1)),),
        ),
        Mistake(
            "too few labels",
            "From 16 names both only guess, or nearly so. Where neither arm learns anything, no difference can show, and you would learn "
            "little either way.",
            "From how many labels a class on does the pre-trained body learn anything, in the lesson's figure?",
            _runs(labels=8) + _runs("pre-trained", labels=8),
            variants=(_runs(labels=8, steps=300) + _runs("pre-trained", labels=8, steps=300),),
        ),
    ),
)
