"""What learners guess in lesson 15, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "15.largest",
        right="c",
        replies={
            "a": "There are more attentions, 18 against 12 feed-forward networks. But one feed-forward network is twice as large: 2 · 4 d² "
            "against 4 d². So it is 25 million against 19.",
            "b": "It is a large table, 19 million, as much as all attentions together. But it is there only once, since three places share "
            "it; the feed-forward networks have 25 million.",
            "c": "12 times 2.1 million: 25 million, two fifths of the whole. The attentions and the table have 19 million each.",
        },
    ),
    Prediction(
        "15.tokens",
        right="b",
        replies={
            "a": "A number is right only if all of its tokens are, and nine of ten leaves about one error in a number of ten tokens. Some "
            "numbers have two errors, so others have none: a third to a half are right.",
            "b": "All ten tokens must be right. If errors fell independently, that would be 0.9 to the power 10, or 35 %. They come "
            "together a little, in few numbers, and so it is often more.",
            "c": "It is not lost: until its first error it has the right beginning, its own. What counts is how many numbers have no error "
            "at all, a third to a half.",
        },
    ),
    Prediction(
        "15.short",
        right="c",
        replies={
            "a": "New and long, and yet most of training was like them: four of ten of its numbers have seven or eight digits, and all parts "
            "of them are common. The short numbers are the rare ones.",
            "b": "It has no word, but a rule: hundreds, then no tens, and training shows that hundreds of times, inside longer numbers too. "
            "Numbers from 1 to 20 alone are what is rare.",
            "c": "It may have seen them, once. But a number that ends after one word is rare: training holds 24 of them, of 30,000.",
        },
    ),
    Prediction(
        "15.alike",
        right="a",
        replies={
            "a": "The same 六 has to be written for *six*, *sixteen* and *sixty*: a gradient that serves one of them often serves the "
            "others as well. Words of the same kind are closer than chance, too, but less.",
            "b": "They are closer than chance: they stand in the same places. But pairs with the same digit are closer still, and for "
            "them the same numeral has to be written.",
            "c": "Each row is looked up alone. But all rows are read by the same matrices behind them: rows for which the same is to be "
            "written get like gradients.",
        },
    ),
    Prediction(
        "15.least",
        right="a",
        replies={
            "a": "Of 19.. and 20.. the second digit is known from the first, which the model has written itself. In the mean of all "
            "dates it looks there least.",
            "b": "That digit looks at the letters with more than half of its weight. To turn letters into a digit, it has to look at them.",
            "c": "Order and distance cost attention nothing: this digit is looked up with most of the weight.",
        },
    ),
]
