"""Sheet 11: what a table of training runs says about post-norm, and what it does not.

The table was measured with `experiments.norm_order.train_speller`, 100 steps, seeds 0, 1, 2; row B has scale 1/√3, row F a
warm-up of 50. With three more seeds the rows stay as they are: A and E end at 2.88 to 2.94, F at 2.83 to 2.93, the others at
2.08 to 2.22.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

which_world = TwoTier(
    id="layers.which_world",
    answer_name="verdict",
    prompt="When deep post-norm models are stuck: read it from a table of six ways to train.",
    right={"claim": "c", "reason": "b", "value": 0.73},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why=(
        "B, C and D each change one thing in row A and learn with every seed, so no single cause explains A: order, depth "
        "and initial size act together."
    ),
    hints=(
        "Three rows are stuck. For each claim, look for a row that contradicts it.",
        "Compare B, C and D with A, one by one. In how many columns do they differ from it?",
        "The largest number of B, C and D, and the smallest of A, E and F: how far are they apart?",
    ),
    mistakes=(
        Mistake(
            "post-norm is to blame",
            "Rows B and C are post-norm too, and they learn. So the order alone does not decide.",
            "What else do the stuck rows have in common, that B or C lacks?",
            {"claim": "a"},
        ),
        Mistake(
            "Xavier's start is to blame",
            "Rows C and D begin with Xavier's start as well, and they learn; and row E is stuck without it.",
            "Compare A with D: what differs?",
            {"claim": "b"},
        ),
        Mistake(
            "nothing but chance",
            "Within a row the seeds differ by 0.16 at the most; between the stuck rows and the others lies far more. Chance hardly sorts eighteen "
            "runs like that.",
            "The smallest number of A, E and F, and the largest of the others.",
            {"claim": "d"},
        ),
        Mistake(
            "the stuck row alone",
            "The claim fits. That A is stuck with every seed is so, but by itself that speaks for claims a and b just as well.",
            "Which reason rules these out?",
            {"claim": "c", "reason": "a"},
        ),
        Mistake(
            "the other stuck row",
            "The claim fits. Row E does show that it takes no Xavier's start; but for the order and the depth it says nothing, since A has "
            "the same.",
            "Which reason speaks of the order, the depth and the start?",
            {"claim": "c", "reason": "c"},
        ),
        Mistake(
            "an explanation that was not measured",
            "The claim fits. But no gradient stands in this table; and in the lesson, the first layer's was as large with post-norm as with "
            "pre-norm.",
            "Which reason speaks of what stands in the table?",
            {"claim": "c", "reason": "d"},
        ),
        Mistake(
            "from end to end",
            "Claim and reason are right. This is from the largest number to the smallest. The exercise asks for the room between the two groups.",
            "The *smallest* of the stuck ones, and the *largest* of the others.",
            {"claim": "c", "reason": "b", "value": 0.94},
        ),
        Mistake(
            "row B alone",
            "Claim and reason are right. You took row B; the largest number of a run that learned stands in another row.",
            "Look at rows B, C and D.",
            {"claim": "c", "reason": "b", "value": 0.75},
        ),
    ),
)
