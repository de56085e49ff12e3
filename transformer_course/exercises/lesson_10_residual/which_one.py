"""Sheet 10: four stacks, and which of their plus signs it was."""

from ..exercise import Mistake
from ..kinds import TwoTier

which_one = TwoTier(
    id="residual.which_one",
    answer_name="verdict",
    prompt="What a table of four stacks shows about residual connections.",
    right={"claim": "b", "reason": "a", "value": 2.1},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.04,
    why="B and C have one residual connection each, and only C learns, so the one around attention decides.",
    hints=(
        "Take each claim in turn, and look for a pair of rows that it gets wrong.",
        "Rows B and C differ in nothing but where the one plus sign stands.",
        "The value: go through the rows that do not learn, A and B, and take the largest of their six gradients.",
    ),
    mistakes=(
        Mistake(
            "the gradient",
            "The gradient arrives in all four rows, and in two of them nothing is learned.",
            "In which column do A and B differ clearly from C and D?",
            {"claim": "a"},
        ),
        Mistake(
            "both are needed",
            "Row C has one of the two, and learns as well as D, which has both.",
            "What does C have that B has not?",
            {"claim": "c"},
        ),
        Mistake(
            "the number of plus signs",
            "B and C have one each. If their number were all, they would do alike.",
            "What does C have that B has not?",
            {"claim": "d"},
        ),
        Mistake(
            "two things differ",
            "The claim fits. But A and D differ in two plus signs, so this pair cannot say which of them it was.",
            "Which pair of rows has the same number, in different places?",
            {"claim": "b", "reason": "b"},
        ),
        Mistake(
            "a reason that is not so",
            "The claim fits. But look at the numbers once more: seed by seed, C's gradient is no larger than B's.",
            "Which reason is a comparison of rows that differ in one thing?",
            {"claim": "b", "reason": "c"},
        ),
        Mistake(
            "one step only",
            "The claim fits. But accuracy does not rise from row to row: from C to D it stays.",
            "Which reason is a comparison of rows that differ in one thing?",
            {"claim": "b", "reason": "d"},
        ),
        Mistake(
            "the largest of row A",
            "Claim and reason fit. That is the largest gradient in row A. But B learns hardly anything either.",
            "Look through B's three gradients as well.",
            {"claim": "b", "reason": "a", "value": 1.7},
        ),
        Mistake(
            "a row that learns",
            "Claim and reason fit. That value stands in a row that learns: it cannot show that a gradient is not enough.",
            "The largest gradient in rows A and B.",
            {"claim": "b", "reason": "a", "value": 1.2},
        ),
    ),
)
