"""Sheet 06, on paper: a table that starts too large."""

from ..kinds import TwoTier

drowned = TwoTier(
    id="embedding.drowned",
    prompt="How positions compare with a table that starts with standard deviation 1 and is multiplied by √64.",
    right={"claim": "c", "reason": "a", "value": 0.125},
    atol=2e-3,
    why=(
        "The factor √64 = 8 makes words with standard deviation 1 much larger than the positions, and only the ratio of the "
        "two matters."
    ),
    hints=(
        "What is the standard deviation of the words after the factor? And how large are the positions?",
        "A table with standard deviation 1, times 8, has standard deviation 8. The sinusoids stay between −1 and 1.",
        "For the value: which number gives 1 when you multiply it by 8?",
    ),
    mistakes={
        "the factor brings any table to ±1": (
            "You assumed that the factor brings any table to a standard deviation of about 1. But it multiplies whatever is "
            "there, so the result depends on the table's initial standard deviation.",
            "What is 1 times 8?",
            {"claim": "a", "reason": "b"},
        ),
        "the words drown": (
            "The words would be drowned out if the table started with small numbers and there were no factor. This one "
            "starts with a standard deviation of 1, and is then multiplied by 8.",
            "Compare 8 with the size of the sinusoids.",
            {"claim": "b"},
        ),
        "both of one size": (
            "They are of about the same size *before* the factor: words have standard deviation 1, and positions are at most "
            "1. But only the words are then multiplied by 8.",
            "Compare 8 with the size of the sinusoids.",
            {"claim": "a"},
        ),
        "both grow": (
            "The factor multiplies only the rows of the table. The positions are added afterwards, and stay between −1 and 1.",
            "Put the three steps in order: look up, multiply, add.",
            {"claim": "d"},
        ),
        "as if the root were a cure": (
            "Your reason holds only for a table that starts with a standard deviation of 1/√64, and this one does not.",
            "What is the standard deviation of numbers with standard deviation 1 after you multiply them by 8?",
            {"reason": "b"},
        ),
        "added before the factor": (
            "Your reason would be right if positions were added before the factor. Then both would be multiplied. But they "
            "are added after it.",
            "Put the three steps in order: look up, multiply, add.",
            {"reason": "c"},
        ),
        "a new table lies near 0": (
            "Some tables start near 0, but this one does not: `nn.Embedding` draws its numbers with a standard deviation of "
            "1.",
            "What is 1 times the factor?",
            {"reason": "d"},
        ),
        "without the root": (
            "But 1/64 would need a factor of 64, and the factor is √64.",
            "Which number, times √64, is 1?",
            1 / 64,
        ),
        "a start that models use": (
            "Well-known models start their tables with a standard deviation of 0.02, but times √64 that gives 0.16, not 1.",
            "Which number, times √64, is 1?",
            0.02,
        ),
        "the spread after the factor": (
            "8 is the standard deviation of this table after the factor. The question is what standard deviation a table "
            "should start with, so that it has 1 after the factor.",
            "Which number, times 8, is 1?",
            8.0,
        ),
        "the start that is the trouble": (
            "But this table already starts with a standard deviation of 1, and after the factor it has 8.",
            "Which number, times 8, is 1?",
            1.0,
        ),
    },
)
