"""Sheet 10: four stacks, and which of their plus signs it was."""

from ..kinds import TwoTier

which_one = TwoTier(
    id="residual.which_one",
    prompt="What a table of four stacks shows about residual connections.",
    right={"claim": "b", "reason": "a", "value": 2.1},
    atol=0.04,
    why="B and C have one residual connection each, and only C learns, so the one around attention decides.",
    hints=(
        "Take each claim in turn, and look for rows that contradict it.",
        "Rows B and C differ only in where their one plus sign is.",
        "For the value, look at the rows that do not learn, A and B, and take the largest of their six gradients.",
    ),
    mistakes={
        "the gradient": (
            "The gradient arrives in all four rows, but two of them hardly learn anything.",
            "In which column do A and B differ clearly from C and D?",
            {"claim": "a"},
        ),
        "both are needed": (
            "Row C has one of the two, and learns as well as D, which has both.",
            "What does C have that B does not?",
            {"claim": "c"},
        ),
        "the number of plus signs": (
            "B and C have one each. If only the number mattered, both would learn equally well.",
            "What does C have that B does not?",
            {"claim": "d"},
        ),
        "two things differ": (
            "But A and D differ in two plus signs, so this pair cannot show which of the two matters.",
            "Which pair of rows has the same number of plus signs, in different places?",
            "b",
        ),
        "a reason that is false": (
            "But look at the numbers again: seed by seed, C's gradient is smaller than B's.",
            "Which reason compares two rows that differ in one thing only?",
            "c",
        ),
        "one step only": (
            "But accuracy does not rise from row to row: it is the same in C and D.",
            "Which reason compares two rows that differ in one thing only?",
            "d",
        ),
        "an accuracy": (
            "But this is an accuracy. The exercise asks for a gradient.",
            "Look for the largest gradient in rows A and B.",
            0.18,
        ),
        "a smaller gradient": (
            "But a row that hardly learns anything has a gradient larger than this.",
            "Look through all six gradients of rows A and B.",
            *(value for value in (1.7, 1.2, 1.1, 1.0, 0.9, 0.7)),
        ),
    },
)
