"""Lesson 00, start here: one prediction and one exercise, to learn how both work."""

from .catalogue import Prediction
from .exercise import Mistake
from .kinds import Number

PREDICTIONS = [
    Prediction(
        "00.average",
        right="a",
        replies={
            "a": "Three quarters of the weight is on 2, so the result lies close to 2. Attention does nothing else: it "
            "computes weighted averages, of vectors instead of numbers.",
            "b": "6 is halfway, where the result lies when both weigh the same. Here 2 has three times the weight of 10.",
            "c": "The result lies closer to the number with the larger weight. That is 2, with three quarters.",
        },
    ),
]

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
        "Multiply each number by its own weight first.",
        "0.5 × 1 + 0.25 × 4 + 0.25 × 10. What is the sum?",
    ),
    mistakes=(
        Mistake(
            "the plain average",
            "5 is the plain average, with a third of the weight for each. Here the 1 has half of all the weight.",
            "Multiply each number by its own weight, and add the three.",
            5.0,
        ),
        Mistake(
            "divided once more",
            "You divided by three after weighting. The weights already sum to 1, so the sum is the average.",
            "Leave the last division out.",
            4 / 3,
        ),
        Mistake(
            "the sum of the numbers",
            "15 is the sum of the three numbers. An average lies between the smallest and the largest.",
            "Multiply each number by its weight before adding.",
            15.0,
        ),
    ),
)
