"""Sheet 13: what a table says about a decoder that was trained without its mask.

The table was measured with `experiments.sorting`, seed 1: rows A and B are those of the lesson, in C the model of row B is
measured with the mask, and D are `majority_baseline`. A test measures again.
"""

from ..kinds import TwoTier

leak = TwoTier(
    id="decoder.leak",
    prompt="What a decoder without a mask has learned, judged by how accurate it is when later tokens are hidden.",
    right={"claim": "b", "reason": "c", "value": 0.35},
    why="The same model loses most of its accuracy once later tokens are hidden, so it had been copying them.",
    hints=(
        "Which two rows differ in only one respect?",
        "In B and C, the weights, the source and the tokens up to each position are the same. What is taken away in C?",
    ),
    mistakes={
        "the highest accuracy": (
            "Row B has the best teacher-forced accuracy. But there, the model could see the answers in its input. So a high accuracy does not show "
            "that it learned the task better.",
            "What is the accuracy of the same model in row C, where later tokens are hidden?",
            {"claim": "a"},
        ),
        "too little training": (
            "With teacher forcing, the model of row B is always right. It has learned all that training asked of it, so more steps "
            "would change little.",
            "With an accuracy of 1.00 in training, what is left to learn?",
            {"claim": "c"},
        ),
        "nothing can be said": (
            "One seed is too few to say how *large* the harm is (the lesson uses three). But rows B and C are the same "
            "model on the same digits, so chance in training cannot explain their difference.",
            "What is the only difference between rows B and C?",
            {"claim": "d"},
        ),
        "a higher accuracy is no reason": (
            "It is also true that 1.00 is more than 0.98, but a model that sorts well could reach such an accuracy too. The "
            "number does not show *how* the model reached it.",
            "Which rows show what happens when later tokens are hidden?",
            "a",
        ),
        "no better than ignoring the source": (
            "The free-running accuracy in row B is lower than in row D, so the model does badly when it runs freely. But "
            "there can be many reasons for that, such as its own earlier mistakes. It does not show what the model relied on.",
            "Which rows differ in only one respect, with the correct digits as input in both?",
            "b",
        ),
        "another model": (
            "But A and B are two models, trained differently, and both are accurate with teacher forcing. That does not show "
            "what the accuracy of B depends on.",
            "Which two rows have the same weights?",
            "d",
        ),
        "the free-running accuracy": (
            "But 0.24 is measured while the model reads its own mistakes, so two things differ from row B.",
            "You need the accuracy with correct digits as input and later ones hidden. Which column is teacher-forced?",
            0.24,
        ),
        "what is lost": (
            "But 0.65 is what is lost, 1.00 − 0.35. The question is how much is left.",
            "The number that you subtracted is in the table.",
            0.65,
        ),
        "a percentage": (
            "But the accuracies in the table are fractions of 1, and yours is a percentage.",
            "Write the number as the table does.",
            35,
        ),
        "the other model": (
            "But this number belongs to row A, a different model.",
            "Find the row with the model of row B, measured with the mask.",
            0.95,
            0.98,
        ),
        "the accuracy with later tokens visible": (
            "But 1.00 is the accuracy before later tokens are hidden.",
            "Look at the same model in the next row.",
            1.0,
        ),
        "the wrong row": (
            "But 0.32 belongs to row D, which has no model at all.",
            "Find the row with the model of row B, measured with the mask.",
            0.32,
        ),
    },
)
