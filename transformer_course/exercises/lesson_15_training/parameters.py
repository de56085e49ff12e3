"""Sheet 15, by hand: the parameters of a decoder without an encoder."""

import numpy as np

from ..exercise import Mistake
from ..kinds import Number

D, D_FF, LAYERS, TOKENS, PLACES = 256, 1024, 4, 10_000, 128
MATRICES = 4 * (D * D + D)
FEED_FORWARD = 2 * D * D_FF + D_FF + D
NORM = 2 * D
LAYER = MATRICES + FEED_FORWARD + 2 * NORM
TABLES = (TOKENS + PLACES) * D
RIGHT = [MATRICES, LAYER, LAYERS * LAYER + NORM + TABLES]


def _from(attention: int, feed_forward: int, norms: int, rest: int = NORM + TABLES) -> list[int]:
    layer = attention + feed_forward + norms
    return [attention, layer, LAYERS * layer + rest]


def _whole(rest: int) -> list[int]:
    return [MATRICES, LAYER, LAYERS * LAYER + rest]


def _are(*places_and_values):
    """Return a test whether the answer has these values at these positions."""
    return lambda seen: all(np.isclose(seen[place], value, rtol=0, atol=0.5) for place, value in places_and_values)


parameters = Number(
    id="transformer.parameters",
    answer_name="counts",
    prompt="The parameters of one attention, one layer, and a whole GPT.",
    value=RIGHT,
    atol=0.5,
    labels=("one attention", "one layer", "the whole model"),
    why=(
        "Nearly all parameters are in matrices, so you can count them by multiplying widths, and in a small model the tables are "
        "a large part of the total."
    ),
    hints=(
        "Attention has four matrices of 256 × 256, and each of their 256 columns has a bias. The heads divide these columns among them, and "
        "add no parameters.",
        "A layer of a GPT has one attention, one feed-forward network, and a LayerNorm before each. It has no cross-attention.",
        "To the four layers, add the final LayerNorm, the table of tokens (once, because the output shares it), and 128 "
        "rows of positions.",
    ),
    mistakes=(
        Mistake(
            "no biases",
            "You counted the matrices without their biases.",
            "Add one number for each column of each matrix. The feed-forward network has two biases, of 1024 and 256 numbers.",
            _from(4 * D * D, 2 * D * D_FF, 2 * NORM),
            variants=(_from(4 * D * D, FEED_FORWARD, 2 * NORM), _from(4 * D * D, 2 * D * D_FF, 2 * D)),
            recognise=_are((0, 4 * D * D)),
        ),
        Mistake(
            "no table of tokens",
            "Your whole model lacks the table of 10,000 tokens. The output shares it, but that does not make it disappear.",
            "Count the table once, with a row of 256 numbers for each token.",
            [*RIGHT[:2], RIGHT[2] - 10_000 * D],
            recognise=_are((2, RIGHT[2] - 10_000 * D)),
        ),
        Mistake(
            "times the heads",
            "You counted the matrices once for each head, as if each head were 256 wide.",
            "How wide are the queries of one of the four heads?",
            _from(4 * MATRICES, FEED_FORWARD, 2 * NORM),
            variants=(
                _from(4 * 4 * D * D, FEED_FORWARD, 2 * NORM),
                _from(3 * 4 * (D * D + D) + D * D + D, FEED_FORWARD, 2 * NORM),
            ),
            recognise=lambda seen: seen[0] > 2.9 * MATRICES,
        ),
        Mistake(
            "three matrices",
            "You counted only three of the matrices of attention.",
            "Which matrix comes after the heads' outputs have been concatenated?",
            _from(3 * (D * D + D), FEED_FORWARD, 2 * NORM),
            recognise=_are((0, 3 * (D * D + D))),
        ),
        Mistake(
            "one matrix, or one head",
            "65,792 is one of the four matrices of attention with its bias, or the columns of one head in all four.",
            "How many matrices of 256 × 256 does one attention have for all its heads together?",
            _from(D * D + D, FEED_FORWARD, 2 * NORM),
            variants=([D * D + D, *RIGHT[1:]],),
            recognise=_are((0, D * D + D)),
        ),
        Mistake(
            "a cross-attention counted",
            "Your layer has two attentions. A GPT has no encoder, so cross-attention would have nothing to attend to.",
            "Count one attention and one feed-forward network per layer.",
            _from(MATRICES, FEED_FORWARD + MATRICES, 3 * NORM),
            variants=(_from(MATRICES, FEED_FORWARD + MATRICES, 2 * NORM),),
            recognise=lambda seen: seen[1] - LAYER in (MATRICES, MATRICES + NORM),
        ),
        Mistake(
            "a third norm",
            "Your layer has three LayerNorms, one too many for a GPT.",
            "Which sublayer is missing here, compared with the decoder of lesson 13? Its LayerNorm is missing too.",
            _from(MATRICES, FEED_FORWARD, 3 * NORM),
            recognise=_are((0, MATRICES), (1, LAYER + NORM)),
        ),
        Mistake(
            "norms left out",
            "Your layer lacks all the parameters of its LayerNorms, or half of them.",
            "There are two LayerNorms per layer, each with a γ and a β of 256 numbers.",
            _from(MATRICES, FEED_FORWARD, 0),
            variants=(_from(MATRICES, FEED_FORWARD, NORM), _from(MATRICES, FEED_FORWARD, 0, TABLES)),
            recognise=lambda seen: LAYER - seen[1] in (NORM, 2 * NORM),
        ),
        Mistake(
            "the feed-forward network without biases",
            "In the feed-forward network, you left out one bias or both.",
            "Add one number for each column: 1024 for the first matrix, 256 for the second.",
            _from(MATRICES, 2 * D * D_FF, 2 * NORM),
            variants=(_from(MATRICES, 2 * D * D_FF + D_FF, 2 * NORM),),
            recognise=lambda seen: LAYER - seen[1] in (D_FF + D, D),
        ),
        Mistake(
            "the output counted",
            "In the whole model, you counted the table of tokens twice, the second time for the output.",
            "What does *tied* mean in the description of the model?",
            _whole(NORM + TABLES + TOKENS * D),
            variants=(_whole(TABLES + TOKENS * D), _whole(NORM + 2 * TOKENS * D)),
            recognise=lambda seen: seen[2] > RIGHT[2] + 0.9 * TOKENS * D,
        ),
        Mistake(
            "no positions",
            "Your whole model lacks the positions. They are learned, so they are parameters.",
            "Add 128 rows of 256 numbers.",
            _whole(NORM + TOKENS * D),
            variants=(_whole(TOKENS * D),),
            recognise=lambda seen: RIGHT[2] - seen[2] in (PLACES * D, PLACES * D + NORM),
        ),
        Mistake(
            "no final norm",
            "Your whole model lacks 512 numbers, which are in none of the layers.",
            "With pre-norm, what comes after the last layer?",
            _whole(TABLES),
            recognise=_are((2, RIGHT[2] - NORM)),
        ),
        Mistake(
            "the layers alone",
            "You counted only the four layers. The model also has something before the first layer.",
            "What turns ids and positions into vectors? And what comes after the last layer?",
            _whole(0),
            variants=(_whole(NORM),),
            recognise=lambda seen: seen[2] in (LAYERS * LAYER, LAYERS * LAYER + NORM),
        ),
        Mistake(
            "one layer in the whole",
            "In the whole model, you counted the parameters of one layer only.",
            "How many layers does the model have? Each has its own parameters.",
            [*RIGHT[:2], LAYER + NORM + TABLES],
            recognise=_are((2, LAYER + NORM + TABLES)),
        ),
        Mistake(
            "a bias of the output",
            "Your whole model has 10,000 numbers too many: a bias for the output.",
            "Look at the description: does the output matrix have a bias?",
            [*RIGHT[:2], RIGHT[2] + TOKENS],
            recognise=_are((2, RIGHT[2] + TOKENS)),
        ),
    ),
)
