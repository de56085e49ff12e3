"""Sheet 21, by hand: how long a vector is behind LayerNorm, and how long a claim has it."""

from ..exercise import Mistake
from ..kinds import Number

lengths = Number(
    id="reading.lengths",
    answer_name="lengths",
    prompt="The length of a vector behind LayerNorm, as a claim foretells it and as it is.",
    value=[1, 2, 10, 2],
    atol=0.006,
    labels=(
        "the length that the claim predicts",
        "the length that it really has",
        "a token of 100 numbers",
        "three times the first token",
    ),
    why="After LayerNorm the mean of the squares is 1, so their sum is d and the length is √d.",
    hints=(
        "The first number is what the claim says, true or not.",
        "The mean of [3, −1, −3, 1] is 0, and its variance is (9 + 1 + 9 + 1) / 4 = 5. Divide by √5, square, and add up.",
        "Behind LayerNorm the mean of the squares is 1, whatever went in. What is then the sum of d squares?",
    ),
    mistakes=(
        Mistake(
            "the claim believed",
            "That is what the claim foretells, four times. It is asked for once, in the first place; the other three are what comes out.",
            "Make [3, −1, −3, 1] go through LayerNorm by hand, and add up the squares.",
            [1, 1, 1, 1],
        ),
        Mistake(
            "the root forgotten",
            "These are sums of squares, not lengths yet.",
            "Take the square root.",
            [1, 4, 100, 4],
        ),
        Mistake(
            "divided by d − 1",
            "You divided the sum of squares by d − 1 for the variance.",
            "LayerNorm divides by d. The variance of [3, −1, −3, 1] is 20/4.",
            [1, 3**0.5, 99**0.5, 3**0.5],
        ),
        Mistake(
            "three times as long",
            "The last token is three times as large when it goes in. So is its standard deviation, by which it is divided.",
            "What is the standard deviation of [9, −3, −9, 3]?",
            [1, 2, 10, 6],
            variants=([1, 2, 10, 18],),
        ),
        Mistake(
            "before LayerNorm",
            "That is how long the token is when it goes in. The exercise asks for what comes out.",
            "Divide by the standard deviation first.",
            [1, 20**0.5, 10, 180**0.5],
            recognise=lambda seen: abs(seen[1] - 20**0.5) < 0.006,
        ),
        Mistake(
            "no claim",
            "The first number is the length that really comes out. Asked for there is what the *claim* foretells.",
            "Read the claim once more.",
            [2, 2, 10, 2],
        ),
        Mistake(
            "the same for every width",
            "For 100 numbers you gave the length for four. Behind LayerNorm the *mean* of the squares is 1; their sum grows with their number.",
            "What is the sum of 100 squares that are 1 on average?",
            [1, 2, 2, 2],
        ),
    ),
)
