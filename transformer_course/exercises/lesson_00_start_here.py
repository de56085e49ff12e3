"""Lesson 00, start here: its exercise, which shows how exercises work."""

from .kinds import Number

average = Number(
    id="start.average",
    answer_name="my_average",
    prompt="The weighted average of 1, 4 and 10 with weights 0.5, 0.25 and 0.25.",
    value=4.0,
    atol=1e-3,
    why=(
        "Each number is multiplied by its weight, and since the weights sum to 1, the result lies between the smallest and "
        "the largest number."
    ),
    hints=(
        "Multiply each number by its own weight, and add up the three results.",
        "0.5 × 1 + 0.25 × 4 + 0.25 × 10. What is the sum?",
    ),
    mistakes={
        "the plain average": (
            "5 is the plain average, with a third of the weight for each. Here the 1 has half of all the weight.",
            "Which numbers should be multiplied by which weights?",
            5.0,
        ),
        "divided once more": (
            "You divided by three after weighting. The weights already sum to 1, so the weighted sum is the average.",
            "Leave out the last division.",
            4 / 3,
        ),
        "the sum of the numbers": (
            "15 is the sum of the three numbers. An average lies between the smallest and the largest.",
            "Where do the weights come in?",
            15.0,
        ),
    },
)
