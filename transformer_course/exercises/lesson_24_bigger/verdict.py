"""Sheet 24: what three published models show about size and text."""

from ..kinds import TwoTier

verdict = TwoTier(
    id="bigger.verdict",
    prompt="A table of three published models: what it shows about size and text.",
    right={"claim": "b", "reason": "c", "value": 5.88},
    why="Only B and C took about the same arithmetic, came from the same makers, and differ in how it was divided between size and text.",
    hints=(
        "Which two of the rows come from the same makers and took about the same arithmetic?",
        "What differs between these two rows? Which of the claims says no more than that?",
        "For the value: 6 · 70 billion · 1.4 trillion. 10⁹ · 10¹² is 10²¹.",
    ),
    mistakes={
        "the smaller wins": (
            "Row C is the smallest, but also the one that read most. And row A is smaller than row B, read as much, and is behind.",
            "Which claim takes the tokens into account?",
            {"claim": "a"},
        ),
        "20 is the best": (
            "The table has one model with 20 tokens per parameter, and none with more. It cannot show where the best number is.",
            "Which claim stays within what was tried here?",
            {"claim": "c"},
        ),
        "the larger wins": (
            "A and B fit that. But one pair, made by different people, cannot support a claim about all models.",
            "Which claim says no more than two rows of the same makers show?",
            {"claim": "d"},
        ),
        "A and B as a reason": (
            "Your claim is right. But A and B read the same number of tokens, so these two rows say nothing about dividing a budget.",
            "Which two rows took about the same arithmetic?",
            {"reason": "a"},
        ),
        "A and C as a reason": (
            "Your claim is right. But C took nearly twice the arithmetic of A, two years later and by other makers. That it is ahead "
            "can have many reasons.",
            "Which two rows took about the same arithmetic?",
            {"reason": "b"},
        ),
        "the quotient as a reason": (
            "Your claim is right. But that a quotient is larger does not say whether this helped: it says how the budget was divided.",
            "Which reason compares two results?",
            {"reason": "d"},
        ),
        "another row's arithmetic": (
            "Your claim and reason are both right. But this is the arithmetic of row A or B.",
            "Compute 6·N·D with the numbers of row C.",
            *({"value": value} for value in (3.15, 5.04)),
        ),
        "without the 6": (
            "Your claim and reason are both right. But this is the product of parameters and tokens.",
            "Each parameter takes 6 operations per token.",
            {"value": 0.98},
        ),
        "only forward": (
            "Your claim and reason are both right. But you counted only the forward pass, or only the backward one.",
            "Add 2 operations forward and 4 backward.",
            *({"value": value} for value in (1.96, 3.92)),
        ),
        "a power of ten": (
            "Your claim and reason are both right. But the value is off by a power of ten.",
            "6 · 7 · 10¹⁰ · 1.4 · 10¹² is 58.8 · 10²². How many times 10²³ is that?",
            *({"value": value} for value in (58.8, 0.588, 5.88e23)),
        ),
        "the score": (
            "Your claim and reason are both right. But this is a number that stands in the table. The last cell of row C is empty.",
            "Compute 6·N·D with the numbers of row C.",
            *({"value": value} for value in (67.5, 60.0, 43.9, 20.0)),
        ),
    },
)
