"""Sheet 18: plan the runs that show whether pre-training is what helps."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(body: str = "fresh", seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each seed."""
    run = {"body": body, "question": "order", "labels": 64, "steps": 100, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _cannot_tell(run) -> str | None:
    """Where both bodies only guess, and where neither body is the pre-trained BERT."""
    if run["body"] not in ("pre-trained", "fresh"):
        return "no pre-trained BERT"
    return "too few labels" if run["labels"] == 8 else None


plan = Experiment(
    id="family.plan",
    answer_name="plan",
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
        "You need two groups of runs that differ in one field only. Which field is it? And which of its values is the same model, but "
        "without pre-training?",
        "Use the same question, labels, steps and seeds in both groups. Choose a number of labels at which a difference can "
        "show.",
        "Use at least three seeds, the same ones in both groups: six runs in all.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "Your plan has the same run twice. With the same seed, it gives the same number again, so you learn nothing new.",
            "Which field has to change, so that you can see how much is luck?",
            _runs(seeds=(0, 0, 0)) + _runs("pre-trained", seeds=(0, 0, 0)),
            variants=(_runs() + _runs() + _runs("pre-trained"),),
        ),
        Mistake(
            "another factor varied",
            "These runs can tell you what that field does, but nothing about pre-training.",
            "Which field should be the only one that differs between your two groups?",
            _runs("pre-trained", labels=64) + _runs("pre-trained", labels=256),
            variants=(_runs() + _runs(question="category"), _runs("pre-trained") + _runs("pre-trained", steps=300)),
        ),
        Mistake(
            "nothing varied",
            "These runs show what a fresh body learns, but there is nothing to compare it with.",
            "Which other runs would show what pre-training does?",
            _runs(),
            variants=(_runs(seeds=(7,)),),
        ),
        Mistake(
            "no control",
            "Your plan has no control. Perhaps a BERT without pre-training does just as well. A bag of words or a table is a useful "
            "comparison, but it differs from a pre-trained BERT in more than pre-training.",
            "Which body is the same model, but without pre-training?",
            _runs("pre-trained"),
            variants=(_runs("pre-trained") + _runs("bag of words"), _runs("bag of words", seeds=(4,))),
        ),
        Mistake(
            "no pre-trained BERT",
            "The pre-trained BERT of the claim is not in your plan. A bag of words and a table of pairs are different "
            "models, so their scores say nothing about pre-training a BERT.",
            "Which body is the claim about?",
            _runs() + _runs("bag of words"),
            variants=(_runs() + _runs("table of pairs"),),
        ),
        Mistake(
            "two factors varied",
            "Your two groups differ in more than one field. If their results differ, you cannot tell which field caused it.",
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
            "different seeds in the two groups",
            "A seed decides which names are labelled and how the head is initialised, and some seeds are luckier than "
            "others. In your plan, luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs("pre-trained", seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs("pre-trained", seeds=(1,)), _runs(seeds=(0, 1)) + _runs("pre-trained")),
        ),
        Mistake(
            "a different thing varied",
            "Your runs study the category, but the claim is about the *order* of the words. The two can have different "
            "answers.",
            "Which question is the claim about?",
            _runs(question="category") + _runs("pre-trained", question="category"),
        ),
        Mistake(
            "too few seeds",
            "With few labels, much depends on which names are labelled. With so few runs, you cannot tell luck from the "
            "effect of pre-training.",
            "Use at least three seeds, the same ones in both groups.",
            _runs(seeds=(0,)) + _runs("pre-trained", seeds=(0,)),
            variants=(_runs(seeds=(0, 1)) + _runs("pre-trained", seeds=(0, 1)),),
        ),
        Mistake(
            "too few labels",
            "With 8 labels of each kind, both bodies do little better than guessing, so a difference is hard to see. You would learn little, "
            "whatever comes out.",
            "The text of the exercise says how accurate a BERT is with 16 labels of each kind. Use more than that.",
            _runs(labels=8) + _runs("pre-trained", labels=8),
            variants=(_runs(labels=8, steps=300) + _runs("pre-trained", labels=8, steps=300),),
        ),
    ),
)
