"""Lesson 00, start here: one prediction and one exercise, to learn how both work."""

from .exercise import Mistake
from .kinds import Number
from .question import Choice, Question

QUESTIONS = [
    Question(
        "00.average",
        "The weighted average of 2 and 10, where 2 has three quarters of the weight and 10 has one quarter, is",
        (
            Choice(
                "4",
                "Three quarters of the weight is on 2, so the result is close to 2. That is all attention does: it "
                "computes weighted averages, of vectors instead of numbers.",
            ),
            Choice(
                "6", "6 is halfway, which is the result if both have the same weight. Here 2 has three times the weight of 10."
            ),
            Choice("8", "The result is closer to the number with the larger weight. That is 2, with three quarters."),
        ),
        right="a",
    ),
    Question(
        "00.ready.dot_product",
        "The dot product of [2, 1] and [3, −1] is",
        (
            Choice("5", "Yes: 2 × 3 + 1 × (−1) = 6 − 1. Lesson 02 starts with dot products."),
            Choice(
                "[6, −1]",
                "These are the products, coordinate by coordinate. The dot product adds them up: 5. To catch up, "
                "work out [1, 0]·[1, 1] and [1, 1]·[1, 1] in the same way (1 and 2). See also MML, section 3.2.",
            ),
            Choice("7", "Check the sign: 1 × (−1) = −1, so the result is 6 − 1 = 5. If only the sign was wrong, go on."),
        ),
        right="a",
    ),
    Question(
        "00.ready.matrix_shape",
        "A matrix of 3 rows and 2 columns times a matrix of 2 rows and 5 columns has the shape",
        (
            Choice("3 × 5", "Yes: the inner sizes, 2 and 2, must be equal, and they disappear. The outer ones stay."),
            Choice(
                "2 × 2",
                "The inner sizes, 2 and 2, must be equal, and they are the ones that disappear. The outer ones stay: "
                "3 × 5. To catch up: entry (i, j) of a product is the dot product of row i with column j, and there "
                "are 3 rows and 5 columns. See also MML, section 2.2.",
            ),
            Choice(
                "They cannot be multiplied",
                "They can: the first has 2 columns, and the second has 2 rows. Entry (i, j) is the dot product of "
                "row i with column j, so the result is 3 × 5. See also MML, section 2.2.",
            ),
        ),
        right="a",
    ),
    Question(
        "00.ready.exp",
        "exp(0) and exp(1) are",
        (
            Choice(
                "0 and 1",
                "exp(0) = 1, like any positive number to the power 0, and exp(1) = e = 2.718…. To catch up: exp turns "
                "sums into products, exp(a + b) = exp(a) · exp(b), so adding 0 must be the same as multiplying by 1. A "
                "school textbook explains this under *powers*.",
            ),
            Choice("1 and 2.718…", "Yes. Each further 1 multiplies the result by e again, and exp is never 0 or negative."),
            Choice("1 and 10", "Those are 10 to the power 0 and 1. exp uses e = 2.718… in place of 10."),
        ),
        right="b",
    ),
    Question(
        "00.ready.axis",
        "In NumPy, `A` has shape (3, 4). Then `A.sum(axis=1)` has shape",
        (
            Choice(
                "(4,)",
                "That would be axis 0, which adds up the three rows, column by column. Axis 1 adds along each row, which "
                "leaves one number for each of the 3 rows: (3,). To catch up: the axis that you name is the one that "
                "disappears. See also NumPy's basics for beginners.",
            ),
            Choice("(3,)", "Yes: the axis that you name disappears. With `keepdims=True` it would stay, with length 1."),
            Choice(
                "()",
                "Without an axis, `A.sum()` adds everything up to one number. With axis=1, one sum is left for each of the 3 "
                "rows: (3,). See also NumPy's basics for beginners.",
            ),
        ),
        right="b",
    ),
    Question(
        "00.ready.slope",
        "f(x) = x². By about how much does f change when x goes from 3 to 3.01?",
        (
            Choice(
                "0.01",
                "That is the step in x. The slope of x² at 3 is 2 · 3 = 6, so f changes six times as much, by about "
                "0.06. To catch up: a derivative says by what factor a small step is multiplied. See also MML, "
                "section 5.1.",
            ),
            Choice(
                "0.06",
                "Yes: the slope at 3 is 6, and 6 × 0.01 = 0.06. Training uses such slopes, for a great many numbers at once.",
            ),
            Choice(
                "9.06",
                "That is about the new value of f. The change is the new value minus the old one, 9.0601 − 9, about 0.06.",
            ),
        ),
        right="b",
    ),
    Question(
        "00.ready.variance",
        "Which numbers are spread out more: 4, 5, 6 or 0, 5, 10?",
        (
            Choice(
                "4, 5, 6",
                "These are at most 1 away from their mean. The others deviate by up to 5, so their variance (the "
                "mean of the squared distances from the mean) is 25 times as large. To catch up, work out both; they "
                "are 2/3 and 50/3. See also MML, section 6.4.",
            ),
            Choice(
                "0, 5, 10",
                "Yes: the distances from the mean are five times as large, so the variance is 25 times as large. The "
                "variance comes back in lesson 03.",
            ),
            Choice(
                "The same: both have mean 5",
                "The mean says where the numbers are, and the variance how far they deviate from it: 2/3 for the "
                "first three, 50/3 for the others. See also MML, section 6.4.",
            ),
        ),
        right="b",
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
        "Multiply each number by its own weight, and add up the three results.",
        "0.5 × 1 + 0.25 × 4 + 0.25 × 10. What is the sum?",
    ),
    mistakes=(
        Mistake(
            "the plain average",
            "5 is the plain average, with a third of the weight for each. Here the 1 has half of all the weight.",
            "Which numbers should be multiplied by which weights?",
            5.0,
        ),
        Mistake(
            "divided once more",
            "You divided by three after weighting. The weights already sum to 1, so the weighted sum is the average.",
            "Leave out the last division.",
            4 / 3,
        ),
        Mistake(
            "the sum of the numbers",
            "15 is the sum of the three numbers. An average lies between the smallest and the largest.",
            "Where do the weights come in?",
            15.0,
        ),
    ),
)
