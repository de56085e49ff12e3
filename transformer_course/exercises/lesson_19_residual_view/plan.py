"""Sheet 19: plan the runs that show how much of what a tuned lens reads is due to the training of the blocks."""

from collections.abc import Sequence

from ..exercise import Mistake
from ..kinds import Experiment


def _runs(blocks: str = "trained", seeds: Sequence[int] = (0, 1, 2), **others) -> list[dict]:
    """One group: a run for each seed."""
    run = {"blocks": blocks, "lens": "tuned", "names": "others", "after": 4, **others}
    return [{**run, "seed": seed} for seed in seeds]


def _both(**others) -> list[dict]:
    return _runs(**others) + _runs("untrained", **others)


residual_plan = Experiment(
    id="residual.plan",
    answer_name="plan",
    prompt="The runs that show how much of what a tuned lens reads is due to the training of the blocks.",
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
        "Everything else is the same in both groups: the tuned lens, names to which it was not fitted, the same value of `after`, the "
        "same seeds. Which value of `after` is of no use, because no block has worked yet?",
        "Use at least three seeds, the same ones in both groups. That makes six runs, for example with `after` 4.",
    ),
    mistakes=(
        Mistake(
            "a run twice",
            "Some of your runs are identical. An identical run returns exactly the same number, so it tells you nothing new.",
            "What has to change from run to run to show the effect of chance?",
            _runs(seeds=(0, 0, 0)) + _runs("untrained", seeds=(0, 0, 0)),
            variants=(_both() + _runs(),),
        ),
        Mistake(
            "another factor varied",
            "These runs show what that field does, but nothing about the training of the blocks.",
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
            "Your runs show what a map learns by itself. The trained model is missing, and the question is about it.",
            "Which runs would you compare with these, to see what training adds?",
            _runs("untrained"),
            variants=(_runs("untrained", seeds=(5,)),),
        ),
        Mistake(
            "no control",
            "Your plan has no control. It does not show how much the map would have learned without any training of the blocks.",
            "Which value of `blocks` would show that?",
            _runs(),
            variants=(_runs(seeds=(3,)), _runs(after=2)),
        ),
        Mistake(
            "two factors varied",
            "Your two groups differ in more than one field. If their results differ, you cannot tell which field caused it.",
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
            "different seeds in the two groups",
            "Your groups have different seeds. A seed decides which names are drawn, and some are easier, so luck can favour one group.",
            "Use one list of seeds for both groups.",
            _runs() + _runs("untrained", seeds=(3, 4, 5)),
            variants=(_runs(seeds=(0,)) + _runs("untrained", seeds=(1,)), _runs(seeds=(0, 1)) + _runs("untrained")),
        ),
        Mistake(
            "a different thing varied",
            "Your runs answer a different question. This one is about a *tuned* lens, and about names to which its map was not fitted.",
            "Check `lens` and `names` in each of your runs.",
            _both(lens="plain"),
            variants=(_both(names="fitted"), _both(lens="plain", names="fitted")),
        ),
        Mistake(
            "too few seeds",
            "You have too few seeds. Forty names may happen to be easy ones, so you cannot tell luck from the effect of training.",
            "Use at least three seeds, the same ones in both groups.",
            _both(seeds=(0,)),
            variants=(_both(seeds=(0, 1)), _both(after=0) + _both(after=2, seeds=(0,))),
        ),
        Mistake(
            "before any block",
            "You read the stream after 0 blocks. It holds only embeddings there, so the training of the blocks cannot show yet.",
            "Choose a larger `after` in both groups.",
            _both(after=0),
            variants=(_both(after=0, seeds=(0, 1, 2, 3)),),
        ),
    ),
)
