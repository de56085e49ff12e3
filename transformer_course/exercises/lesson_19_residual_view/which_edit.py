"""Sheet 19: the size of each edit of gpt-pre, and what is lost without it.

Measured with `experiments.stream` on the lesson's three draws of 40 names, medians. A test measures again.
"""

from ..kinds import TwoTier

which_edit = TwoTier(
    id="residual.which_edit",
    prompt="What a table of twelve edits says about their sizes, and about what is lost without them.",
    right={"claim": "b", "reason": "c", "value": 0.03},
    atol=0.004,
    why="How long an edit is and how much is lost without it are two different measurements, and here they disagree.",
    hints=(
        "Find the longest edit of all. What would claim a predict for it?",
        "One number can refute a claim about all edits. Which one does, and which reason names it?",
        "The value is next to the longest edit, in the column “lost”.",
    ),
    mistakes={
        "the longer, the more important": (
            "For attention, this is nearly true. But the longest edit of all is that of the last feed-forward network, and "
            "no other loss is smaller.",
            "What is lost without the feed-forward network of block 6?",
            {"claim": "a"},
        ),
        "little edits": (
            "Even the shortest edit in the table is a third of the stream's length. That is more than a little.",
            "Read the two columns of sizes again.",
            {"claim": "c"},
        ),
        "one by one, then all": (
            "The table does not show this: each sublayer was left out while the others stayed, and one can make up for "
            "another. The lesson measured all four *together*: a model without blocks 5 and 6 is the lens after block 4, and "
            "its accuracy is 0.56 instead of 0.79.",
            "How many sublayers were left out at a time for this table?",
            {"claim": "d"},
        ),
        "a reason for the other claim": (
            "But attention 1 has a long edit *and* a large loss, so it fits claim a as well.",
            "Which edit contradicts claim a?",
            "a",
        ),
        "a reason against little edits": (
            "Your reason is true, but it is about sizes only. It says nothing about losses.",
            "Which reason compares a size with a loss?",
            "b",
        ),
        "from block to block": (
            "Losses do fall from block to block, but that says nothing about sizes.",
            "Which reason compares a size with a loss?",
            "d",
        ),
        "the size as the number": (
            "Your number is the size of that edit. The exercise asks for what is lost without it.",
            "Take the number in the next column.",
            1.06,
        ),
        "in percentage points": (
            "Your number is in percentage points. The table gives fractions, such as 0.50 for 50 percentage points.",
            "Write the number as it is in the table.",
            3.0,
        ),
        "another sublayer's loss": (
            "Your number is a loss, but that of a sublayer whose edit is not the longest.",
            "Which edit is the longest of all? The largest of the twelve sizes shows it.",
            0.04,
            *(lost for lost in (0.07, 0.08, 0.09, 0.11, 0.16, 0.20, 0.33, 0.50)),
        ),
    },
)
