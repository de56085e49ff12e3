"""Sheet 21: whether padding may be on either side, read from a table that a test measures again."""

from ..kinds import TwoTier

padding_side = TwoTier(
    id="reading.padding_side",
    prompt="Whether padding may be on either side, with a mask, and with rotary positions.",
    right={"claim": "b", "reason": "d", "value": 1.37},
    why="A single counterexample refutes a general claim: in row B there is a mask, and the outputs still change.",
    hints=(
        "For each claim, find the rows that it is about. A single row that contradicts it is enough.",
        "Claim 9 is about rows A, B and C, claim 10 only about C. Row D has no mask.",
        "B and C have the same mask. Why can they differ? What does the position of a token change in each of them?",
    ),
    mistakes={
        "both": (
            "Claim 9 is about every model with a padding mask. In one of the rows there is a mask, and the outputs change.",
            "Which rows have a mask?",
            {"claim": "a"},
        ),
        "the general one alone": (
            "If claim 9 holds, so does claim 10, which says the same about fewer models. And one of the rows contradicts "
            "claim 9.",
            "Which rows have a mask, and which of these have rotary positions?",
            {"claim": "c"},
        ),
        "neither": (
            "You are right that claim 9 fails. But no row contradicts claim 10: row D has no mask, so neither claim is about "
            "it.",
            "Claim 10 is about models with a mask and rotary positions. Look at row C.",
            {"claim": "d"},
        ),
        "the mask as a reason": (
            "But if this were the reason, row B would not change: its mask hides the padding just as well.",
            "Which reason explains the difference between B and C?",
            "a",
        ),
        "every model notices": (
            "But if this were the reason, row C would change: its tokens are three positions further on too.",
            "Which reason explains the difference between B and C?",
            "b",
        ),
        "the row without a mask as a reason": (
            "Comparing D with C does show what the mask is for. But A, B and C all have the mask, and one of them changes.",
            "Which reason explains the difference between B and C?",
            "c",
        ),
        "a number of row D": (
            "But this number is from a row without a mask, and claim 9 is not about such models.",
            "Which row has a mask, and yet its outputs change?",
            0.02,
            0.05,
            0.06,
        ),
        "zero": (
            "But 0.00 is what claim 9 predicts, so this number agrees with it.",
            "Which row has a mask, and yet its outputs change?",
            0.0,
        ),
        "another seed": (
            "But this is the first or the largest number of the right row, not the smallest.",
            "The row has three numbers, one for each seed. Compare them.",
            1.71,
            3.08,
        ),
    },
)
