"""Sheet 17: which of three programs for attention saves what.

The table was measured with `experiments.costs` on one head of 64 numbers; the third program lets each block of 256 queries
attend to its own 256 keys. A test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

three_programs = TwoTier(
    id="cost.three_programs",
    answer_name="verdict",
    prompt="Three programs for attention: which of them saves memory, which saves work, and which is attention.",
    right={"claim": "c", "reason": "b", "value": 1.40},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why=(
        "Computing in blocks saves memory but not multiplications, and only a program with the same output is still attention."
    ),
    hints=(
        "From 1,024 tokens to 4,096 is four times as much. Which of the numbers grow to four times, which to sixteen times, and which not at "
        "all?",
        "Work is measured in multiplications here. Does B make fewer of them than A, or C?",
        "For the value: which column says whether two programs compute the same?",
    ),
    mistakes=(
        Mistake(
            "flat memory taken for linear work",
            "B's multiplications have grown to sixteen times, just like A's. Only its memory is flat.",
            "Look at the two columns in the middle.",
            {"claim": "a"},
        ),
        Mistake(
            "blocks taken for an approximation",
            "B's output differs from A's by less than a millionth: rounding. It has met each score of a row once, and its sum is the whole "
            "sum.",
            "What does the last column say of B?",
            {"claim": "b"},
        ),
        Mistake(
            "the quickest taken for the best",
            "C does the least, and takes the least. But its output is another one: it is not attention over the whole text.",
            "What does the last column say of C?",
            {"claim": "d"},
        ),
        Mistake(
            "less at a time, less in all",
            "The claim fits. But B holds less at a time and makes as many multiplications as A: the one does not follow from the other.",
            "Which reason keeps memory, work and output apart?",
            {"reason": "a"},
        ),
        Mistake(
            "whoever never sees a row guesses",
            "The claim fits. But by this reason B could not be exact, and it is. It keeps of each row all that its softmax needs.",
            "Which reason explains how B can be exact, flat in memory, and no cheaper?",
            {"reason": "c"},
        ),
        Mistake(
            "fewer multiplications, less exact",
            "The claim fits. But what C lacks is not exactness: it does not look at most of the keys at all. There are other ways to save "
            "multiplications that change nothing, as the cache has shown.",
            "Which reason keeps memory, work and output apart?",
            {"reason": "d"},
        ),
        Mistake(
            "a cost as the value",
            "Claim and reason are right. This number says what C costs. The exercise asks for the one that shows that it computes something else.",
            "Look at the last column.",
            {"value": 134.0},
            variants=({"value": 34.0},),
        ),
        Mistake(
            "the memory as the value",
            "Claim and reason are right. Little memory alone does not make another function: B has it too.",
            "Look at the last column.",
            {"value": 0.8},
        ),
    ),
)
