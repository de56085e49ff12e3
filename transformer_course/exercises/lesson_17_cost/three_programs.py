"""Sheet 17: which of three programs for attention saves memory, and which saves work.

The table was measured with `experiments.costs` on one head of 64 numbers; the third program lets each block of 256 queries
attend to its own 256 keys. A test measures again.
"""

from ..kinds import TwoTier

three_programs = TwoTier(
    id="cost.three_programs",
    prompt="Three programs: which of them saves memory, which saves work, and which computes attention.",
    right={"claim": "c", "reason": "b", "value": 1.40},
    why=(
        "Computing in blocks saves memory but not multiplications, and only a program with the same output is still attention."
    ),
    hints=(
        "From 1,024 tokens to 4,096 is a factor of 4. Which numbers grow by a factor of 4, which by 16, and which not at all?",
        "Here, work means multiplications. Does B take fewer of them than A? Does C?",
        "For the value: which column says whether two programs compute the same thing?",
    ),
    mistakes={
        "flat memory taken for linear work": (
            "The multiplications of B have grown by a factor of 16, like those of A. Only its memory is flat.",
            "Compare the columns for memory and multiplications.",
            {"claim": "a"},
        ),
        "blocks taken for an approximation": (
            "The output of B differs from that of A by less than a millionth, which is rounding. B has used every score of a "
            "row once, so its sum is the whole sum.",
            "What does the last column say about B?",
            {"claim": "b"},
        ),
        "the cheapest taken for the best": (
            "C costs the least. But its output is different, so it is not attention over the whole text.",
            "What does the last column say about C?",
            {"claim": "d"},
        ),
        "less at a time, less in total": (
            "But B holds less at a time, and still takes as many multiplications as A. So holding less at a time does not "
            "mean less work in total.",
            "Which reason keeps memory, work and output apart?",
            "a",
        ),
        "no row, only an estimate": (
            "But if this reason were true, B could not be exact. It is exact, because it keeps everything that softmax needs "
            "from a row.",
            "Which reason explains how B can be exact, flat in memory, and no cheaper?",
            "c",
        ),
        "fewer multiplications, less exact": (
            "But C is not merely inaccurate: it ignores most of the keys. And the cache saves multiplications without "
            "changing anything.",
            "Which reason keeps memory, work and output apart?",
            "d",
        ),
        "a cost as the value": (
            "But this number says what a program costs. The question is about the output of C.",
            "Look at the last column of row C.",
            *(cost for cost in (134.0, 34.0, 2147.0, 200.3, 12.3, 1.1)),
        ),
        "the memory as the value": (
            "But low memory does not show that the output is different: that of B is low too.",
            "Look at the last column.",
            0.8,
        ),
        "another row's difference": (
            "Your number is from the last column, but it belongs to A or B. The exercise asks for row C.",
            "Stay in the column, and change the row.",
            0.0,
        ),
    },
)
