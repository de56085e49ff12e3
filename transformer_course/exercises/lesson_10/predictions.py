"""What learners guess in lesson 10, and what each guess is told."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "10.note_2",
        right="b",
        replies={
            "a": "It adds what it *read*, and by then the three tokens were the same mixture. The addition keeps what is still there; "
            "it comes one sublayer too late.",
            "b": "Attention handed on the mean of all tokens, three times. The network does the same to each, and adds the same to each: "
            "from there on nothing can tell the tokens apart.",
            "c": "Token 3 was the sum of the others when it came in. Behind attention with equal weights, it is the mean of all three, "
            "like the others.",
        },
    ),
    Prediction(
        "10.gradient",
        right="c",
        replies={
            "a": "So it would be if each layer took the same amount away. Each takes away the same *share*: the factors multiply, and "
            "sixteen times as deep is the power of sixteen.",
            "b": "For some networks there are such starts. torch's takes a factor of 10 to 40 at each layer here, and the factors "
            "multiply. (The larger start below loses less at each layer, and falls as well.)",
            "c": "About 10⁻³⁷. Every layer multiplies by its factor once more, as every step of the RNN did in lesson 01.",
        },
    ),
    Prediction(
        "10.silenced",
        right="a",
        replies={
            "a": "What 3 would have added is missing in the stream from there on, for all who read it. Below, nothing has changed.",
            "b": "The residual carries the stream past the gap, but a stream in which the addition of 3 is missing. It is missing for 5 as "
            "it is for 4: all read the same stream.",
            "c": "All that come *after*. 1, 2 and 3 read the stream before anything was left out; nothing flows downwards but gradients.",
        },
    ),
    Prediction(
        "10.mended",
        right="b",
        replies={
            "a": "The gradient arrives, and the stack learns hardly anything: below 0.25 with each seed. So a second thing is missing; "
            "see below.",
            "b": "Below 0.25 with each seed, although the gradient arrives. Something else is missing; see below.",
            "c": "After one layer of mixing about half of a token might still be read off. Here four layers mix mixtures of mixtures, and "
            "it stays below 0.25 with each seed.",
        },
    ),
    Prediction(
        "10.widths",
        right="c",
        replies={
            "a": 'An error would be a kindness. NumPy and torch take an axis of length 1 for "the same for all", and stretch it. With a '
            "width of 2 or 3, there would be an error.",
            "b": "Nothing is filled up with zeros. An axis of length 1 is stretched: the number is used for all four.",
            "c": "Without a word, which is what makes it dangerous: the shape of the sum is right, and a wrong sublayer goes unnoticed.",
        },
    ),
]
