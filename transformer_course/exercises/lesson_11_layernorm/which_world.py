"""Sheet 11: what a table of training runs says about post-norm, and what it does not.

The table was measured with `experiments.norm_order.train_speller`, 100 steps, seeds 0, 1, 2; row B has scale 1/√3, row F a
warm-up of 50. With three more seeds the rows stay as they are: A and E end at 2.88 to 2.94, F at 2.83 to 2.93, the others at
2.08 to 2.22.
"""

from itertools import product

from ..kinds import TwoTier

STUCK, LEARNED = (2.90, 2.91, 2.93, 2.94), (2.00, 2.01, 2.02, 2.06, 2.15, 2.16)

which_world = TwoTier(
    id="layers.which_world",
    prompt="What a table of six ways to train says about deep post-norm models that are stuck.",
    right={"claim": "c", "reason": "b", "value": 0.73},
    why=(
        "B, C and D each change one thing in row A and learn with every seed, so no single cause explains A: order, depth "
        "and initial size act together (and a warm-up, as in F, cannot mend letters that are all the same before training)."
    ),
    hints=(
        "Three rows are stuck. For each claim, look for a row that contradicts it.",
        "Compare B, C and D with A, one by one. In how many columns do they differ from it?",
        "Subtract the largest number of B, C and D from the smallest of A, E and F.",
    ),
    mistakes={
        "post-norm is to blame": (
            "Rows B and C are post-norm too, and they learn. So the order alone isn't the cause.",
            "What do the stuck rows have in common that B or C does not have?",
            {"claim": "a"},
        ),
        "Xavier's start is to blame": (
            "Rows C and D have Xavier's weights too, and they learn. And row E is stuck without them.",
            "Compare A with D. What is different?",
            {"claim": "b"},
        ),
        "nothing but chance": (
            "Within a row, the seeds differ by at most 0.16. The stuck rows and the others are much further apart, and chance "
            "would rarely sort eighteen runs like that.",
            "Compare the smallest number of A, E and F with the largest of the others.",
            {"claim": "d"},
        ),
        "the stuck row alone": (
            "It is true that A is stuck with every seed, but that alone supports claims a and b just as well.",
            "Which reason rules these out?",
            "a",
        ),
        "the other stuck row": (
            "Row E shows that models can be stuck without Xavier's weights. But it says nothing about the order and the "
            "depth, because they are the same as in A.",
            "Which reason is about the order, the depth and the weights?",
            "c",
        ),
        "an explanation that was not measured": (
            'But this table contains no gradients. In the lesson, under "Deeper", the first layer\'s gradient was as large '
            "with post-norm as with pre-norm.",
            "Which reason is about numbers in the table?",
            "d",
        ),
        "two other runs": (
            "Your value is the distance between a stuck run and one that learned. But two others are nearer each other.",
            "Take the *smallest* of the stuck runs, and the *largest* of the others.",
            *(stuck - learned for stuck, learned in product(STUCK, LEARNED)),
        ),
        "a single loss": (
            "But your value is a single loss. The distance between two groups is a difference.",
            "Which number has to be subtracted from which?",
            *(value for value in (2.9, 2.17)),
        ),
        "subtracted the other way round": (
            "But your value is negative, and a distance is not.",
            "Subtract the smaller number from the larger.",
            -0.73,
        ),
    },
)
