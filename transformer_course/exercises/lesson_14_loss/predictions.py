"""What learners guess in lesson 14, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "14.occurs",
        right="c",
        replies={
            "a": "It does occur, but not yet: the row says what comes *next*, and that is 3. At position 3, where `3 100 0` has been "
            "written, 5 gets nearly 1.",
            "b": "A row does sum to 1, so five tokens could not all have more than 1/5. But they need not share: what comes "
            "first is 3, and it gets nearly all.",
            "c": "What comes first is 3, and it gets nearly all. The 5 has its turn at position 3, and there alone.",
        },
    ),
    Prediction(
        "14.no_shift",
        right="b",
        replies={
            "a": "Its loss is lower, but for another question: say what you have just been given. What comes *next* it was never asked, "
            "not even for these numbers.",
            "b": "It has learned to say what it has just been given. When it writes by itself, nothing is given but `begin`, and then its "
            "own last token.",
            "c": "For that it would have to know which token follows which. It was only ever asked for the token that it had in front of "
            "it, and never had to look at the English words.",
        },
    ),
    Prediction(
        "14.padding",
        right="a",
        replies={
            "a": "After `end` comes `pad`, and after `pad` comes `pad`: that is soon learned, and costs nearly 0. So 55 % of the mean are "
            "nearly 0.",
            "b": "It has no meaning, but as soon as it is asked for it has a loss like any token. `pad` after `pad` is soon learned, and "
            "then 55 % of the mean are nearly 0.",
            "c": "It asks for more, but for something easy: after `end` always comes `pad`. A mean over many easy tokens and some hard ones "
            "is *smaller*. (For a model that was never asked for padding it is larger, as in the table further up.)",
        },
    ),
    Prediction(
        "14.smoothing",
        right="c",
        replies={
            "a": "So it would without the share of the others. Each of them is asked for with 0.0056, and the surer the model, the "
            "more they cost: 17 · 0.0056 · 12 for 0.9999.",
            "b": "It does stay above 0. But it does not rest: beyond 0.906, the surer the model, the less is left for the others, and each "
            "of them is in the loss with its share.",
            "c": "Beyond 0.906 the model is surer than it is asked to be: what the label still saves is less than what the other 17 "
            "cost.",
        },
    ),
]
