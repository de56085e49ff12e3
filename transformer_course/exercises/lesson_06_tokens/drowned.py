"""Sheet 06, on paper: a table that starts too large."""

from ..exercise import Mistake
from ..kinds import TwoTier

drowned = TwoTier(
    id="embedding.drowned",
    answer_name="verdict",
    prompt="What becomes of positions beside a table that starts at 1 and is multiplied by √64.",
    right={"claim": "c", "reason": "a", "value": 0.125},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=2e-3,
    why=(
        "What matters is the ratio between the two parts of the sum: once multiplied by √64 = 8, word vectors with a spread "
        "of 1 are far larger than the position vectors."
    ),
    hints=(
        "How far do the numbers of the words spread after the factor? And how large are the positions?",
        "A table of standard deviation 1, times 8, spreads by 8. The waves stay between −1 and 1.",
        "For the value: which number, times 8, is 1?",
    ),
    mistakes=(
        Mistake(
            "the factor brings any table to ±1",
            "The factor multiplies whatever is there. It leads to 1 from a table that starts at 1/√64, and from no other.",
            "1 times 8 is how much?",
            {"claim": "a", "reason": "b"},
        ),
        Mistake(
            "the words drown",
            "That would be the table that starts small, without the factor. This one starts at 1, and is multiplied by 8.",
            "Compare 8 with the waves.",
            {"claim": "b"},
        ),
        Mistake(
            "both of one size",
            "They would be before the factor: 1 beside at most 1. But the factor is still to come.",
            "Compare 8 with the waves.",
            {"claim": "a"},
        ),
        Mistake(
            "both grow",
            "The factor multiplies the rows of the table alone. Positions are added after it, and stay between −1 and 1.",
            "In which order are the three steps done?",
            {"claim": "d"},
        ),
        Mistake(
            "as if the root were a cure",
            "The root brings a table to ±1 only if it started at 1/√64. This one did not.",
            "What does a product with 8 do to numbers that spread by 1?",
            {"reason": "b"},
        ),
        Mistake(
            "added before the factor",
            "Were positions added before, the factor would make both larger, and they would stay as they are beside each other. They "
            "are added after it.",
            "In which order are the three steps done?",
            {"reason": "c"},
        ),
        Mistake(
            "a new table lies near 0",
            "Some tables start near 0, this one does not: `nn.Embedding` draws its numbers with a standard deviation of 1.",
            "What does the factor make of 1?",
            {"reason": "d"},
        ),
        Mistake(
            "without the root",
            "Your claim and reason are right. But 1/64 would need a factor of 64.",
            "Which number, times √64, is 1?",
            {"value": 1 / 64},
        ),
        Mistake(
            "the spread after the factor",
            "Claim and reason are right. 8 is what comes out of this table. The exercise asks for what it should have started with, so that 1 comes "
            "out.",
            "Which number, times 8, is 1?",
            {"value": 8.0},
        ),
        Mistake(
            "the start that is the trouble",
            "Claim and reason are right. With a start of 1, the numbers spread by 8 after the factor.",
            "Which number, times 8, is 1?",
            {"value": 1.0},
        ),
    ),
)
