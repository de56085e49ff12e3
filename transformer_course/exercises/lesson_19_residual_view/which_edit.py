"""Sheet 19: the size of each edit of gpt-pre beside what is lost without it.

Measured with `experiments.stream` on the lesson's three draws of 40 names, medians. A test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

which_edit = TwoTier(
    id="residual.which_edit",
    answer_name="verdict",
    prompt="What a table of twelve edits says of their sizes, and of what is lost without them.",
    right={"claim": "b", "reason": "c", "value": 0.03},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.004,
    why="How long an edit is and how much is lost without it are two different measurements, and here they disagree.",
    hints=(
        "Look for the longest edit of all. What would claim a expect of it?",
        "One row can refute a claim about all; which row does it, and which reason names it?",
        "The value stands beside the longest edit, in the column of what is lost.",
    ),
    mistakes=(
        Mistake(
            "the longer, the more important",
            "For the attentions it nearly fits. But the longest edit of all is the last network's, and nothing here is missed less.",
            "What is lost without the network of block 6?",
            {"claim": "a"},
        ),
        Mistake(
            "little edits",
            "That is note 5's picture. Which edit here is little? The shortest one is a third of the stream.",
            "Read the two columns of sizes again.",
            {"claim": "c"},
        ),
        Mistake(
            "one by one, then all",
            "Each was left out while the others stayed; the one may do what the other no longer does. All four *together* you can look "
            "up in the lesson: a model without blocks 5 and 6 is the lens after block 4, right for about 0.57 and not 0.79.",
            "How many sublayers were left out at a time?",
            {"claim": "d"},
        ),
        Mistake(
            "a reason for the other claim",
            "The claim fits. But attention 1, which is long and missed, fits claim a as well.",
            "Which row could claim a not explain?",
            {"claim": "b", "reason": "a"},
        ),
        Mistake(
            "a reason against little edits",
            "The claim fits. That no edit is below a third speaks against “little”; whether size decides, it does not say.",
            "Which reason sets a size beside a loss?",
            {"claim": "b", "reason": "b"},
        ),
        Mistake(
            "from block to block",
            "The claim fits. That losses fall from block to block is so, but of sizes it says nothing.",
            "Which reason sets a size beside a loss?",
            {"claim": "b", "reason": "d"},
        ),
        Mistake(
            "the size as the number",
            "Claim and reason are right. This is the size of that edit. The exercise asks for what is lost without it.",
            "The column beside it.",
            {"claim": "b", "reason": "c", "value": 1.06},
        ),
        Mistake(
            "the most missed as the number",
            "Claim and reason are right. This is lost without attention 1, whose edit is not the longest.",
            "Look for the largest size.",
            {"claim": "b", "reason": "c", "value": 0.5},
        ),
    ),
)
