"""Sheet 01: how many steps or layers lie between the first of 1,025 tokens and the last."""

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import number_at

LENGTHS = [1024, 512, 11, 1]  # a test finds the same by letting the tokens spread


def _mistake(name: str, diagnosis: str, hint: str, place: int, *values: float) -> Mistake:
    first, *others = ([*LENGTHS[:place], value, *LENGTHS[place + 1 :]] for value in values)
    return Mistake(name, diagnosis, hint, first, variants=others, recognise=number_at(place, *values, atol=0.06))


paths_lengths = Number(
    id="paths.lengths",
    answer_name="lengths",
    prompt="The least number of steps or layers between the first of 1,025 tokens and the last.",
    value=LENGTHS,
    atol=1e-3,
    labels=("the RNN", "the plain convolution", "the dilated convolution", "attention"),
    why=(
        "A recurrence needs one step per token and a convolution covers a fixed reach per layer, but attention connects "
        "any two tokens in one layer."
    ),
    hints=(
        "Only the distance counts: the first token is 1,024 places before the last. How far does the news of the first token "
        "travel in one step of the RNN, and in one layer of each of the others?",
        "Plain, kernel 5: two places to the right with each layer, so 2, 4, 6, … How many layers until 1,024?",
        "Dilated, kernel 3: 1 place in the first layer, 2 in the second, 4 in the third. Altogether 1, 3, 7, 15, … after each: "
        "one less than a power of 2.",
        "2¹⁰ = 1,024, so ten layers reach 1,023. And in attention, the last token looks at the first itself.",
    ),
    mistakes=(
        _mistake(
            "the RNN: tokens counted, not steps",
            "RNN: there are 1,025 tokens, but the state has read the first one already when the counting begins. From there each "
            "further token is a step.",
            "In the small example there are 7 tokens and 6 steps.",
            0,
            1025,
        ),
        _mistake(
            "the RNN: one step too few",
            "RNN: 1,023 is the number of tokens between the first and the last. Reading the last is a step as well.",
            "In the small example there are 7 tokens and 6 steps.",
            0,
            1023,
        ),
        _mistake(
            "the RNN: one step",
            "RNN: the state hands on what it has, but only to the next state. From the first token to the last it is handed on "
            "at every token.",
            "In the small example there are 7 tokens and 6 steps.",
            0,
            1,
        ),
        _mistake(
            "plain: two-sided reach forgotten",
            "Plain convolution: a kernel of 5 looks at five places, but two of them lie to the left and two to the right. From "
            "the last token the first lies to the left, and only that side helps.",
            "By how many places does the news of the first token move to the right with each layer?",
            1,
            256,
            257,
            256.25,
        ),
        _mistake(
            "plain: divided by the kernel",
            "Plain convolution: you divided by 5. A layer looks at five places, but its own is one of them, and the others lie "
            "on both sides.",
            "How far to the left is the farthest place that a layer sees?",
            1,
            205,
            204.8,
            204,
        ),
        _mistake(
            "plain: divided by 3",
            "Plain convolution: you let each layer reach three places to one side. Of the five, the middle one is its own "
            "place, so two are left for each side.",
            "Draw five places in a row, and mark the middle.",
            1,
            341,
            342,
            341.33,
        ),
        _mistake(
            "plain: tokens counted, not the distance",
            "Plain convolution: you divided the number of tokens. Their distance is what has to be bridged, and that is one less.",
            "The first token is 1,024 places before the last.",
            1,
            513,
            512.5,
        ),
        _mistake(
            "plain: one layer too few",
            "Plain convolution: 511 layers reach 1,022 places far, and the first token is 1,024 away.",
            "Each layer adds two places to the reach.",
            1,
            511,
        ),
        _mistake(
            "plain: one place a layer",
            "Plain convolution: you let each layer reach one place further, which a kernel of 3 does. With 5 there are two places "
            "on each side.",
            "How far to the left is the farthest place that a layer sees?",
            1,
            1024,
            1025,
        ),
        _mistake(
            "plain: as if the gaps grew",
            "Plain convolution: your number is of the size of a logarithm. That holds where the gaps double; here every layer "
            "adds the same two places.",
            "2, 4, 6, …: when does that arrive at 1,024?",
            1,
            4,
            4.31,
            5,
            6.31,
            7,
            9,
            10,
            11,
        ),
        _mistake(
            "dilated: one layer too few",
            "Dilated convolution: ten layers reach 1 + 2 + 4 + … + 512 = 1,023 places to the left, and the first token is 1,024 "
            "away.",
            "What does one more layer add?",
            2,
            10,
            10.0014,
        ),
        _mistake(
            "dilated: the last gap alone",
            "Dilated convolution: nine layers have gaps of 1, 2, 4, … 256, which add up to 511 places to the left. That is only "
            "half of the way.",
            "Add the gaps up until they arrive at 1,024.",
            2,
            9,
        ),
        _mistake(
            "dilated: more than it takes",
            "Dilated convolution: twelve layers do reach the first token, but eleven already reach 2,047 places far. The exercise asks for "
            "the least number.",
            "The first layer has gap 1, not 2.",
            2,
            12,
        ),
        _mistake(
            "dilated: the logarithm to base 3",
            "Dilated convolution: you took the logarithm to base 3, as if the kernel's size set the pace. The gaps double from "
            "layer to layer, whatever the kernel.",
            "Write the gaps down, 1, 2, 4, …, and add them up.",
            2,
            6,
            6.31,
            7,
        ),
        _mistake(
            "dilated: as if the gaps stayed 1",
            "Dilated convolution: your number grows with the distance itself, as a plain one's does, whose gap is 1 in every layer. "
            "Here the gap doubles each time.",
            "1, then 2, then 4: how far do three layers reach together?",
            2,
            512,
            1024,
            1025,
            341,
            342,
            341.33,
        ),
        _mistake(
            "attention: the work instead of the path",
            "Attention: that is how many tokens are compared, or how many scores there are. All are made side by side within one "
            "layer, and asked for is how many layers have to be passed one after another.",
            "Can the last token look at the first itself?",
            3,
            1024,
            1025,
            1025**2,
            1024**2,
        ),
        _mistake(
            "attention: no layer",
            "Attention: without any layer each token knows itself alone.",
            "How many layers until the last token has looked at all others?",
            3,
            0,
        ),
        _mistake(
            "attention: a chain of layers",
            "Attention: no token has to pass anything on for another. The last token scores the first as it scores its neighbour.",
            "Which tokens can the last one look at in the very first layer?",
            3,
            2,
            10,
            11,
            512,
        ),
    ),
)
