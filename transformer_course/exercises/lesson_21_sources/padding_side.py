"""Sheet 21: whether padding may stand on either side, read off a table that a test measures again."""

from ..exercise import Mistake
from ..kinds import TwoTier

padding_side = TwoTier(
    id="reading.padding_side",
    answer_name="verdict",
    prompt="Whether padding may stand on either side, with a mask, and with rotary positions.",
    right={"claim": "b", "reason": "d", "value": 1.37},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why="A general claim falls with a single counterexample, and the row with the mask shows outputs that still change.",
    hints=(
        "For each claim, look for the rows that it speaks about. One row against it is enough.",
        "Claim 9 speaks about A, B and C, claim 10 about C alone. D has no mask.",
        "Why can B differ from C, with the same mask? What does a token's position change in each?",
    ),
    mistakes=(
        Mistake(
            "both",
            "Claim 9 speaks about every model with a padding mask. In one row there is a mask, and the outputs move.",
            "Which rows have a mask?",
            {"claim": "a"},
        ),
        Mistake(
            "the general one alone",
            "Where claim 9 holds, claim 10 does too: it is the same for fewer models. And there is a row against claim 9.",
            "Which rows have a mask, and which of these are rotary?",
            {"claim": "c"},
        ),
        Mistake(
            "neither",
            "Claim 9 falls. But which row speaks against claim 10? Row D has no mask, so neither claim says anything about it.",
            "Look at row C.",
            {"claim": "d"},
        ),
        Mistake(
            "the mask as a reason",
            "The claim fits. But by this reason row B would not move: its mask hides the padding just as well.",
            "Which reason tells B from C?",
            {"reason": "a"},
        ),
        Mistake(
            "every model notices",
            "The claim fits. But by this reason row C would move: its tokens stand three places further on too.",
            "Which reason tells B from C?",
            {"reason": "b"},
        ),
        Mistake(
            "the row without a mask as a reason",
            "The claim fits. D against C does show what the mask is for. But A, B and C all have it, and one of them moves.",
            "Which reason tells B from C?",
            {"reason": "c"},
        ),
        Mistake(
            "a number of row D",
            "Claim and reason are right. This number comes from a row without a mask, about which claim 9 says nothing.",
            "Which row has a mask, and moves?",
            {"value": 0.02},
        ),
        Mistake(
            "zero",
            "Claim and reason are right. 0.00 is what claim 9 foretells: it speaks for it.",
            "Which row has a mask, and moves?",
            {"value": 0.0},
        ),
        Mistake(
            "the largest",
            "Your claim and reason are both right. But this is the largest number of the right row, not the smallest.",
            "Three seeds: which one speaks against it most softly?",
            {"value": 3.08},
        ),
        Mistake(
            "the first",
            "Your claim and reason are both right. But this is the first number of the right row, not the smallest.",
            "Three seeds: which one speaks against it most softly?",
            {"value": 1.71},
        ),
    ),
)
