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
    """Whether the numbers in these places are these."""
    return lambda seen: all(np.isclose(seen[place], value, rtol=0, atol=0.5) for place, value in places_and_values)


parameters = Number(
    id="transformer.parameters",
    answer_name="counts",
    prompt="The parameters of one attention, one layer, and a whole GPT.",
    value=RIGHT,
    atol=0.5,
    labels=("one attention", "one layer", "the whole model"),
    why=(
        "Each part is a matrix with its bias, so the total is a sum of products of widths, and the embeddings are a large "
        "share of it."
    ),
    hints=(
        "An attention has four matrices of 256 × 256, and each of their 256 columns has a bias. The heads share them out and add none.",
        "A layer of a GPT has one attention, one feed-forward network and a norm around each: no cross-attention (lesson 13).",
        "To four layers come one final norm, the table of tokens, which the output shares, and a row for each of 128 positions.",
    ),
    mistakes=(
        Mistake(
            "no biases",
            "You counted the matrices without their biases.",
            "Each matrix has one more number for each of its columns: 4 · (256 · 256 + 256). The feed-forward network"
            " has two biases, of 1024 and 256 numbers.",
            _from(4 * D * D, 2 * D * D_FF, 2 * NORM),
            variants=(_from(4 * D * D, FEED_FORWARD, 2 * NORM), _from(4 * D * D, 2 * D * D_FF, 2 * D)),
            recognise=_are((0, 4 * D * D)),
        ),
        Mistake(
            "no table of tokens",
            "Your whole model lacks the table of 10,000 tokens. The output shares it, but it is there once.",
            "The table has a row of 256 numbers for each token.",
            [*RIGHT[:2], RIGHT[2] - 10_000 * D],
            recognise=_are((2, RIGHT[2] - 10_000 * D)),
        ),
        Mistake(
            "times the heads",
            "You counted the four matrices once for each head. The heads share them: each has 64 of the 256 columns.",
            "How wide are the queries of one head?",
            _from(4 * MATRICES, FEED_FORWARD, 2 * NORM),
            variants=(
                _from(4 * 4 * D * D, FEED_FORWARD, 2 * NORM),
                _from(3 * 4 * (D * D + D) + D * D + D, FEED_FORWARD, 2 * NORM),
            ),
            recognise=lambda seen: seen[0] > 2.9 * MATRICES,
        ),
        Mistake(
            "three matrices",
            "These are three matrices. The fourth is W_O, which mixes what the heads bring.",
            "What happens to the heads' outputs?",
            _from(3 * (D * D + D), FEED_FORWARD, 2 * NORM),
            recognise=_are((0, 3 * (D * D + D))),
        ),
        Mistake(
            "a cross-attention counted",
            "Your layer has two attentions. A GPT has no encoder, so there is nothing to look at across.",
            "How many sublayers has a layer of a GPT (lesson 13)?",
            _from(MATRICES, FEED_FORWARD + MATRICES, 3 * NORM),
            variants=(_from(MATRICES, FEED_FORWARD + MATRICES, 2 * NORM),),
            recognise=lambda seen: seen[1] - LAYER in (MATRICES, MATRICES + NORM),
        ),
        Mistake(
            "a third norm",
            "Your layer has three norms, one too many for a GPT.",
            "Which sublayer of the lesson's decoder is missing here, and its norm with it?",
            _from(MATRICES, FEED_FORWARD, 3 * NORM),
            recognise=_are((0, MATRICES), (1, LAYER + NORM)),
        ),
        Mistake(
            "norms left out",
            "Your layer lacks its norms, or half of them.",
            "There are two, with a γ and a β of 256 numbers each.",
            _from(MATRICES, FEED_FORWARD, 0),
            variants=(_from(MATRICES, FEED_FORWARD, NORM), _from(MATRICES, FEED_FORWARD, 0, TABLES)),
            recognise=lambda seen: LAYER - seen[1] in (NORM, 2 * NORM),
        ),
        Mistake(
            "the feed-forward network without biases",
            "In the feed-forward network, you left out the biases.",
            "There is one for each column of a matrix: 1024 for the first, 256 for the second.",
            _from(MATRICES, 2 * D * D_FF, 2 * NORM),
            variants=(_from(MATRICES, 2 * D * D_FF + D_FF, 2 * NORM),),
            recognise=lambda seen: LAYER - seen[1] in (D_FF + D, D),
        ),
        Mistake(
            "the output counted",
            "The whole has the table of tokens twice: the output shares it.",
            "What does `tied` mean?",
            _whole(NORM + TABLES + TOKENS * D),
            variants=(_whole(TABLES + TOKENS * D), _whole(NORM + 2 * TOKENS * D)),
            recognise=lambda seen: seen[2] > RIGHT[2] + 0.9 * TOKENS * D,
        ),
        Mistake(
            "no positions",
            "The whole lacks the positions: these are learned, so their table has parameters.",
            "128 rows of 256 numbers.",
            _whole(NORM + TOKENS * D),
            variants=(_whole(TOKENS * D),),
            recognise=lambda seen: RIGHT[2] - seen[2] in (PLACES * D, PLACES * D + NORM),
        ),
        Mistake(
            "no final norm",
            "The whole lacks one thing of 512 numbers: the norm at the end of the stack.",
            "What stands behind the last layer in pre-norm?",
            _whole(TABLES),
            recognise=_are((2, RIGHT[2] - NORM)),
        ),
        Mistake(
            "the layers alone",
            "Four layers alone are not the model: at both ends there is something more.",
            "What makes vectors of tokens, and what ends the stack?",
            _whole(0),
            variants=(_whole(NORM),),
            recognise=lambda seen: seen[2] in (LAYERS * LAYER, LAYERS * LAYER + NORM),
        ),
    ),
)
