"""Sheet 18: what a table of three methods and three sizes supports. It was measured with `experiments.vit_digits`; a test measures
again."""

from ..kinds import TwoTier

verdict = TwoTier(
    id="family.verdict",
    prompt="What a table of three methods and three training set sizes supports.",
    right={"claim": "b", "reason": "a", "value": 0.98},
    why="A table supports claims about the training set sizes that it contains, and says nothing about larger ones.",
    hints=(
        "Which of the claims are about something that the table does not contain?",
        "To see which method gains most, compare two rows of each column. To see which is best, compare the columns of one "
        "row.",
        "For the value: which number in row C would the ViT have to beat to be the best?",
    ),
    mistakes={
        "ahead of one is ahead of all": (
            "The ViT is ahead of logistic regression, but that is not all of row C.",
            "Which number of row C is the highest?",
            {"claim": "a"},
        ),
        "beyond the table": (
            "This may be true. But no row has ten thousand images, so the table cannot tell.",
            "Choose a claim about the numbers of images that were measured.",
            {"claim": "c"},
        ),
        "pictures are no texts": (
            "The ViT is right in 97% of cases in row C, so it is certainly of some use here.",
            "Compare the ViT's column in rows A and C.",
            {"claim": "d"},
        ),
        "one comparison of two": (
            "But this reason compares only two columns of one row. It says nothing about gaining from more images, or about "
            "the third column.",
            "The claim has two halves. Which reason supports both?",
            "b",
        ),
        "a law of columns": (
            "But this reason leads to a different claim, and it is not a general rule: a column may rise most because it "
            "began lowest.",
            "Which reason stays within the table?",
            "c",
        ),
        "row A alone": (
            "But one row alone cannot show what a method gains from more images.",
            "Which reason looks at two rows?",
            "d",
        ),
        "a gain": (
            "0.18 is what the ViT gains from row A to row C. The exercise asks for a number that the ViT would have to beat.",
            "That number is in row C of the table.",
            0.18,
        ),
        "a percentage": (
            "But your number is a percentage, and the table gives fractions.",
            "Copy the number as the table prints it.",
            98.0,
        ),
        "row A in place of row C": (
            "Your number is in the right column, but in row A.",
            "Stay in the column, and go to row C.",
            0.90,
        ),
        "the ViT's own number": (
            "0.97 is the ViT's own number, and claim a says that it is the largest.",
            "Which number of row C is larger?",
            0.97,
        ),
        "the smallest number": (
            "0.96 is below the ViT's 0.97, so it is no evidence against claim a.",
            "Which number of row C is larger than the ViT's?",
            0.96,
        ),
    },
)
