"""What learners guess in lesson 05, and what each guess is told."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "05.w_o",
        right="b",
        replies={
            "a": "That would fit if the heads together were 3 wide. But two heads of 2 numbers are 4, and W_O has to take all four.",
            "b": "Two heads of 2 numbers side by side make 4, and the tokens have 3.",
            "c": "W_O does not serve the heads one by one. It gets them side by side, 4 numbers, and so can mix what they brought.",
        },
    ),
    Prediction(
        "05.reshape",
        right="b",
        replies={
            "a": "The right shape and the right numbers, in the wrong places. What should be one head's part of every token is every "
            "number of some tokens.",
            "b": "It cuts the numbers where they lie, row by row, and so cuts up the tokens instead of the columns.",
            "c": "Twelve numbers fit into 2 × 3 × 2, so nothing is raised. That is what makes this mistake so lasting.",
        },
    ),
    Prediction(
        "05.neighbours",
        right="c",
        replies={
            "a": "It does attend to both, half and half. But half of A plus half of B is the same as half of B plus half of A: which "
            "of them stood on the left is lost in the sum.",
            "b": "It could, and would have one answer of two right. But it does better by attending to both: it then knows the two, "
            "though not which is which.",
            "c": "Half of A plus half of B is the same as half of B plus half of A. It names the two, and guesses the order.",
        },
    ),
    Prediction(
        "05.cost",
        right="b",
        replies={
            "a": "Eight heads of the full width would be eight times as many. Here they share the width: 8 × 64 = 512 columns, as "
            "before.",
            "b": "8 heads × 64 columns are the same 512 columns. The matrices are the same; only who owns which columns is new.",
            "c": "Each head is narrower, and there are as many more of them: 8 × 64 = 512 columns, as before.",
        },
    ),
    Prediction(
        "05.mask",
        right="c",
        replies={
            "a": "Here the sizes agree, two and two, so nothing is raised. It would be better if something were.",
            "b": "The shapes fit, but they fit wrongly: torch lines them up from the right, and the mask's first axis, the texts, "
            "comes to lie on the heads.",
            "c": "Lined up from the right, the mask's first axis lies on the heads. So head 1 of text 2 has text 1's mask, "
            "and sees the padding.",
        },
    ),
]
