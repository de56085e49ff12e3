"""What learners guess in lesson 05, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "05.w_o",
        right="b",
        replies={
            "a": "That would fit if the heads together were 3 wide. But two heads of 2 numbers are 4, and W_O has to take all four.",
            "b": "Two heads of 2 numbers side by side make 4, and the tokens have 3.",
            "c": "Each head has rows of its own in W_O, as many as it brings numbers: 2 and 2 make 4.",
        },
    ),
    Prediction(
        "05.reshape",
        right="b",
        replies={
            "a": "The right shape and the right numbers, in the wrong places. What should be one head's part of every token is every "
            "number of some tokens.",
            "b": "It cuts the numbers where they lie, row by row. So each part gets one and a half tokens with all their columns, and not all "
            "tokens with half of their columns.",
            "c": "Only its first row is right. Its second row is the *second half of token 1*, which belongs to head 2, where the "
            "first half of token 2 should be.",
        },
    ),
    Prediction(
        "05.neighbours",
        right="c",
        replies={
            "a": "It does attend to both, nearly half and half. But both answers are read off one and the same mixture, and only one of "
            "them comes out right.",
            "b": "It does name only one of them. But it attends to both: which two they are can nearly always be read off. What it "
            "cannot do is name the one with the smaller share alone.",
            "c": "It finds both, and which two they are can be read off. Yet it names only one of them: both answers are read off one "
            "and the same mixture.",
        },
    ),
    Prediction(
        "05.cost",
        right="c",
        replies={
            "a": "Eight heads of the full width would have eight times as many. Here they share the width: 8 × 64 columns are the "
            "same 512.",
            "b": "There are eight times as many scores, and each is made of an eighth of the products. That comes out even.",
            "c": "Each head has a table of its own, n × n, however narrow it is. Parameters and these multiplications stay as they "
            "were, since the heads share the width.",
        },
    ),
    Prediction(
        "05.mask",
        right="c",
        replies={
            "a": "The shapes fit, but wrongly: lined up from the right, the mask's first axis, the texts, comes to lie on the heads.",
            "b": "It is not that text 1's mask goes everywhere: lined up from the right, the mask's first axis, the texts, lies on the "
            "heads. Head 1 gets text 1's mask in both texts, and head 2 that of text 2.",
            "c": "Lined up from the right, the mask's first axis, the texts, lies on the heads. So head 1 gets text 1's mask, and head 2 "
            "text 2's, in every text. Two of four are right by accident.",
        },
    ),
]
