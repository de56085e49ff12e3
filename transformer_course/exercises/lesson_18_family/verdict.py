"""Sheet 18: what a table of three methods and three sizes supports. It was measured with `experiments.vit_digits`; a test measures
again."""

from ..exercise import Mistake
from ..kinds import TwoTier

verdict = TwoTier(
    id="family.verdict",
    answer_name="verdict",
    prompt="Three methods, three sizes: what the table supports.",
    right={"claim": "b", "reason": "a", "value": 0.98},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why="A table supports claims about the sizes that it contains, and it says nothing about sizes beyond them.",
    hints=(
        "Which of the claims speak of things that stand in no row?",
        "A claim about gaining compares two rows of a column; a claim about being the best compares the columns of a row.",
        "For the value: what would a best one have to be higher than?",
    ),
    mistakes=(
        Mistake(
            "ahead of one is ahead of all",
            "It is ahead of logistic regression. There is a third column.",
            "Which number of row C is the highest?",
            {"claim": "a"},
        ),
        Mistake(
            "beyond the table",
            "That may be so. But no row has ten thousand images, and the columns rise more and more slowly.",
            "What is said of the sizes that were measured?",
            {"claim": "c"},
        ),
        Mistake(
            "pictures are no texts",
            "To the stack, patches are a text. And it is right in more than nine of ten cases.",
            "Look at row C.",
            {"claim": "d"},
        ),
        Mistake(
            "one comparison of two",
            "The claim fits. But this reason compares two columns of one row: it says nothing about gaining, and nothing about the third.",
            "Which reason has something on both halves of the claim?",
            {"reason": "b"},
        ),
        Mistake(
            "a law of columns",
            "The claim fits. But this reason would give another claim, and it is no law: a column may rise most because it began lowest.",
            "Which reason stays within the table?",
            {"reason": "c"},
        ),
        Mistake(
            "row A alone",
            "The claim fits. But one row cannot say what is gained from one to another.",
            "Which reason looks at two rows?",
            {"reason": "d"},
        ),
        Mistake(
            "the ViT's own number",
            "Your claim and reason are right. 0.97 is the ViT's own number, and claim a says that it is the largest.",
            "Which number of row C is larger?",
            {"value": 0.97},
        ),
        Mistake(
            "the smallest number",
            "Your claim and reason are right. 0.96 is below the ViT's 0.97, so it supports claim a.",
            "Which number of row C is larger than the ViT's?",
            {"value": 0.96},
        ),
    ),
)
