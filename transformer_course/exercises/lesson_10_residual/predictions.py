"""What learners guess in lesson 10, and the reply to each guess."""

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
            "a": "Then thirty further layers would take less than the first two did. But each takes its share of what is left: the "
            "factors multiply, and sixteen times as deep is about the power of sixteen.",
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
            "b": "That is the *other* stack, the one without: there it fades within two sublayers. The residual carries the stream past "
            "the gap, but a stream in which the addition of 3 is missing, for 8 as for 4: all read the same one.",
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
            "c": "Attention mixes, that is so. But four layers mix mixtures of mixtures, and of what was a token's own next to nothing is "
            "left: it stays below 0.25 with each seed.",
        },
    ),
]
