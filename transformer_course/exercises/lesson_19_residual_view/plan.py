"""Sheet 19: plan the runs that show how much of what a tuned lens reads is due to the training of the blocks."""

from ..families.plans import plan_mistakes, runs_of
from ..kinds import Experiment

_runs = runs_of(blocks="untrained", lens="tuned", names="others", after=4)


def _both(**setting):
    return _runs(**setting) + _runs(**setting, blocks="trained")


residual_plan = Experiment(
    id="residual.plan",
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
        "Everything else is the same in both groups: the tuned lens, names to which it was not fitted, the same value of "
        "`after`, the same seeds. Which value of `after` is of no use, because no block has worked yet?",
        "Use at least three seeds, the same ones in both groups. That makes six runs, for example with `after` 4.",
    ),
    mistakes={
        **plan_mistakes(
            _runs,
            {"blocks": "trained"},
            others=({"lens": "plain"}, {"after": 0}, {"after": 2}, {"names": "fitted"}),
            off_topic=({"lens": "plain"}, {"names": "fitted"}, {"lens": "plain", "names": "fitted"}),
            factor="the training of the blocks",
            seed="A seed decides which forty names are drawn",
            without_control=(
                "It does not show how much the map would have learned without any training of the blocks.",
                "Which value of `blocks` would show that?",
            ),
            on_another_topic=(
                "Your runs answer a different question. This one is about a *tuned* lens, and about names to which its map "
                "was not fitted.",
                "Check `lens` and `names` in each of your runs.",
            ),
        ),
        "before any block": (
            "You read the stream after 0 blocks. It holds only embeddings there, so the training of the blocks cannot show "
            "yet.",
            "Choose a larger `after` in both groups.",
            _both(after=0),
            _both(after=0, seeds=(0, 1, 2, 3)),
        ),
    },
)
