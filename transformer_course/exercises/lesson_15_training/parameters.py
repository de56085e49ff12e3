"""Sheet 15, by hand: the parameters of a decoder without an encoder."""

from ..kinds import Number

D, D_FF, LAYERS, TOKENS, PLACES = 256, 1024, 4, 10_000, 128
MATRICES = 4 * (D * D + D)
FEED_FORWARD = 2 * D * D_FF + D_FF + D
NORM = 2 * D
LAYER = MATRICES + FEED_FORWARD + 2 * NORM
TABLES = (TOKENS + PLACES) * D
RIGHT = [MATRICES, LAYER, LAYERS * LAYER + NORM + TABLES]


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
    mistakes={
        "no biases": (
            "You counted the matrices without their biases, or without some of them.",
            "Add one number for each column of each matrix. The feed-forward network has two biases, of 1024 and 256 numbers.",
            {0: [4 * D * D + biases * D for biases in range(4)]},
        ),
        "no table of tokens": (
            "Your whole model lacks the table of 10,000 tokens. The output shares it, but that does not make it disappear.",
            "Count the table once, with a row of 256 numbers for each token.",
            {2: RIGHT[2] - TOKENS * D},
        ),
        "times the heads": (
            "You counted the matrices once for each head, as if each head were 256 wide.",
            "How wide are the queries of one of the four heads?",
            {0: (4 * MATRICES, 4 * 4 * D * D, 3 * MATRICES, 3 * 4 * (D * D + D) + D * D + D, 3 * 4 * D * D + D * D)},
        ),
        "three matrices": (
            "You counted only three of the matrices of attention.",
            "Which matrix comes after the heads' outputs have been concatenated?",
            {0: (3 * (D * D + D), 3 * D * D)},
        ),
        "one matrix, or one head": (
            "65,792 is one of the four matrices of attention with its bias, or the columns of one head in all four.",
            "How many matrices of 256 × 256 does one attention have for all its heads together?",
            {0: D * D + D},
        ),
        "a cross-attention counted": (
            "Your layer has two attentions. A GPT has no encoder, so cross-attention would have nothing to attend to.",
            "Count one attention and one feed-forward network per layer.",
            {1: (LAYER + MATRICES, LAYER + MATRICES + NORM)},
        ),
        "a third norm": (
            "Your layer has three LayerNorms, one too many for a GPT.",
            "Which sublayer is missing here, compared with the decoder of lesson 13? Its LayerNorm is missing too.",
            {1: LAYER + NORM},
        ),
        "norms left out": (
            "Your layer lacks all the parameters of its LayerNorms, or half of them.",
            "There are two LayerNorms per layer, each with a γ and a β of 256 numbers.",
            {1: (LAYER - 2 * NORM, LAYER - NORM)},
        ),
        "the feed-forward network without biases": (
            "In the feed-forward network, you left out one bias or both.",
            "Add one number for each column: 1024 for the first matrix, 256 for the second.",
            {1: (LAYER - D_FF - D, LAYER - D)},
        ),
        "the output counted": (
            "In the whole model, you counted the table of tokens twice, the second time for the output.",
            "What does *tied* mean in the description of the model?",
            {2: [RIGHT[2] + TOKENS * D - less for less in (0, NORM, PLACES * D, NORM + PLACES * D, -TOKENS)]},
        ),
        "no positions": (
            "Your whole model lacks the positions. They are learned, so they are parameters.",
            "Add 128 rows of 256 numbers.",
            {2: (RIGHT[2] - PLACES * D, RIGHT[2] - PLACES * D - NORM)},
        ),
        "no final norm": (
            "Your whole model lacks 512 numbers, which are in none of the layers.",
            "With pre-norm, what comes after the last layer?",
            {2: RIGHT[2] - NORM},
        ),
        "the layers alone": (
            "You counted only the four layers. The model also has something before the first layer.",
            "What turns ids and positions into vectors? And what comes after the last layer?",
            {2: (LAYERS * LAYER, LAYERS * LAYER + NORM)},
        ),
        "one layer in the whole": (
            "In the whole model, you counted the parameters of one layer only.",
            "How many layers does the model have? Each has its own parameters.",
            {2: LAYER + NORM + TABLES},
        ),
        "a bias of the output": (
            "Your whole model has 10,000 numbers too many: a bias for the output.",
            "Look at the description: does the output matrix have a bias?",
            {2: RIGHT[2] + TOKENS},
        ),
    },
)
