"""Sheet 19: plan the runs that show how much of a tuned lens's reading is the doing of the trained blocks."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(blocks: str = "trained", seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One arm: a run for each seed."""
    run = {"blocks": blocks, "lens": "tuned", "names": "others", "after": 4, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _both(**others) -> list[dict]:
    return _runs(**others) + _runs("untrained", **others)


residual_plan = Experiment(
    id="residual.plan",
    answer_name="plan",
    prompt="The runs that show how much of what a tuned lens reads is the doing of the trained blocks.",
    fields={
        "blocks": ("trained", "untrained"),
        "lens": ("plain", "tuned"),
        "names": ("fitted", "others"),
        "after": range(7),
        "seed": range(6),
    },
    factor="blocks",
    control="untrained",
    fixed={"lens": "tuned", "names": "others"},
    uninformative=lambda run: "before any block" if run["after"] == 0 else None,
    max_runs=24,
    why="Only the blocks differ between the groups, so the untrained group shows how much the lens finds by itself.",
    hints=(
        "The question is about the training of the blocks. Which field says whether they were trained?",
        "All else is the same in both groups: the tuned lens, names to which it was not fitted, the same height, the same seeds. At "
        "which height has no block worked yet?",
        "At least three seeds, the same in both groups: six runs, for example with `after` 4.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "The same run gives the same number again, to the last digit. That looks like a repetition and tells nothing new.",
            "What has to change from run to run, so that chance can show?",
            _runs(seeds=(0, 0, 0)) + _runs("untrained", seeds=(0, 0, 0)),
            variants=(_both() + _runs(),),
        ),
        Mistake(
            "another factor varied",
            "Such runs can tell what that field does, and nothing of the training of the blocks, which is the same throughout.",
            "Which field should be the only one that differs between your two groups?",
            _runs() + _runs(lens="plain"),
            variants=(
                _runs() + _runs(after=0),
                _runs() + _runs(names="fitted"),
                _runs("untrained") + _runs("untrained", after=2),
            ),
        ),
        Mistake(
            "nothing varied",
            "These runs show what a map learns by itself. The trained model, about which is asked, does not occur.",
            "Which runs, set beside these, would show what training adds?",
            _runs("untrained"),
            variants=(_runs("untrained", seeds=(5,)),),
        ),
        Mistake(
            "no control",
            "A control is missing: the same reading from blocks that know nothing. Without it nobody knows how much of the number the map "
            "would have learned in any case.",
            "What would the map have read without the trained blocks?",
            _runs(),
            variants=(_runs(seeds=(3,)), _runs(after=2)),
        ),
        Mistake(
            "two factors varied",
            "If your two groups differ in their results, nobody can say which of the differences caused it.",
            "Go through the fields one by one. Every run needs a partner in the other group that is the same in "
            "everything except the training.",
            _runs() + _runs("untrained", lens="plain"),
            variants=(
                _runs(after=6) + _runs("untrained", after=0),
                _runs(names="fitted") + _runs("untrained"),
                _runs(seeds=(0,)) + _runs("untrained", after=2, seeds=(1,)),
            ),
        ),
        Mistake(
            "other seeds in the arms",
            "A seed decides which names are drawn, and some are easier than others. In your plan, luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs("untrained", seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs("untrained", seeds=(1,)), _runs(seeds=(0, 1)) + _runs("untrained")),
        ),
        Mistake(
            "another thing studied",
            "The question is what a *tuned* lens reads, from names that its map has not met: what it was fitted to, it may know by heart.",
            "Look at `lens` and at `names`.",
            _both(lens="plain"),
            variants=(_both(names="fitted"), _both(lens="plain", names="fitted")),
        ),
        Mistake(
            "too few seeds",
            "Forty names may happen to be easy ones. With so few draws, you cannot tell luck from the effect of training.",
            "Use at least three seeds, the same ones in both groups.",
            _both(seeds=(0,)),
            variants=(_both(seeds=(0, 1)), _both(after=0) + _both(after=2, seeds=(0,))),
        ),
        Mistake(
            "before any block",
            "After block 0 no block has worked: there stand embeddings, and whether the blocks above are trained cannot show yet.",
            "Read further up.",
            _both(after=0),
            variants=(_both(after=0, seeds=(0, 1, 2, 3)),),
        ),
    ),
)
