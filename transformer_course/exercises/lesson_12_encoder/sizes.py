"""Sheet 12, with pencil and paper: how many parameters an encoder has, and how many numbers it computes and passes on."""

from ..kinds import Number

# 3 layers, d_model = 20, 4 heads, d_ff = 50; a batch of 2 texts of 7 tokens
RIGHT = [392, 3750, 11250, 280]


sizes = Number(
    id="encoder.sizes",
    answer_name="counts",
    prompt="How many attention weights and parameters an encoder has, and how many numbers it passes to the decoder.",
    value=RIGHT,
    atol=0.01,
    labels=(
        "the attention weights",
        "the parameters of one layer",
        "the parameters of the whole encoder",
        "the numbers for the decoder",
    ),
    why=(
        "Attention weights grow with the square of the sequence length, while the number of parameters does not depend on "
        "the length at all."
    ),
    hints=(
        "Attention weights: there is one matrix for each sequence and each head. How large is it for seven tokens?",
        "Parameters of a layer: W_Q, W_K, W_V and W_O are 20 × 20 each. The feed-forward network has two matrices, and biases of "
        "50 and 20 numbers. Each norm has γ and β.",
        "The decoder gets the vectors of the last layer only. How many are there for two sequences, and how wide is each?",
    ),
    mistakes={
        "one head's tables": (
            "98 is 2 × 7 × 7, one matrix per sequence. Each of the four heads has its own matrices.",
            "Multiply by the number of heads.",
            {0: 98},
        ),
        "one text's tables": (
            "196 is 4 × 7 × 7, the matrices of one sequence. There are two in the batch.",
            "Multiply by the number of sequences.",
            {0: 196},
        ),
        "the batch as one text": (
            "784 is 4 × 14 × 14, as if the batch were one sequence of 14 tokens. But no token attends to tokens of the other sequence.",
            "Each sequence has matrices of 7 × 7. How many matrices are there?",
            {0: 784},
        ),
        "a weight for each token": (
            "You did not count a weight for each *pair* of query and key in each head and each sequence.",
            "One matrix has 7 × 7 weights. How many matrices are there?",
            {0: (56, 14, 49, 28)},
        ),
        "all layers' tables": (
            "1176 is the number of weights in all three layers. The exercise asks for one layer.",
            "Divide by the number of layers.",
            {0: 1176},
        ),
        "the biases forgotten": (
            "The biases of the feed-forward network are missing.",
            "b1 has one number per hidden unit, and b2 has d_model numbers.",
            {1: 3680},
        ),
        "one norm": (
            "You counted the parameters of only one norm, or only γ or only β of both. 40 numbers are missing.",
            "A layer has two norms, each with γ and β of 20 numbers: 4 × 20.",
            {1: 3710},
        ),
        "no norms": (
            "The γ and β of the norms are missing.",
            "A layer has two norms, each with γ and β of 20 numbers: 4 × 20.",
            {1: 3670},
        ),
        "W_O forgotten": (
            "400 numbers are missing, as many as in one 20 × 20 matrix. W_O, which mixes the outputs of the heads, is easy to forget.",
            "Attention has four matrices: W_Q, W_K, W_V and W_O.",
            {1: 3350},
        ),
        "each head with all columns": (
            "You gave each of the four heads matrices of 20 × 20. But the heads divide the columns among them.",
            "The W_Q of one head is 20 × 5, and there are four of them.",
            {1: (8550, 7350)},
        ),
        "attention with biases": (
            "You gave attention's four matrices biases, 4 × 20. That would be right in torch, but this encoder has none there.",
            "Count 4 × 400 for attention.",
            {1: 3830},
        ),
        "one set for all layers": (
            "You counted the parameters of one layer. The stack does not use one layer three times: each layer has its own parameters.",
            "Multiply the parameters of one layer by 3.",
            {2: 3750},
        ),
        "another norm at the end": (
            "You counted one more norm, at the end of the stack. torch's nn.Transformer has one there; this encoder, like "
            "the paper's, has none.",
            "Multiply the parameters of one layer by 3.",
            {2: 11290},
        ),
        "every layer's output": (
            "840 is the size of the outputs of all three layers. Only the last layer's output leaves the encoder.",
            "Divide by the number of layers.",
            {3: 840},
        ),
        "one context vector": (
            "You counted one vector per sequence. The encoder returns one vector per token.",
            "There are seven vectors per sequence.",
            {3: (40, 20)},
        ),
        "keys and values": (
            "560 is 2 × 280, the size of the keys and values of a decoder layer. Each decoder layer computes them itself, from what the "
            "encoder passes on.",
            "How many numbers does the output of the last layer have?",
            {3: 560},
        ),
        "one text's vectors": (
            "140 is 7 × 20, the memory of one sequence. There are two in the batch.",
            "Multiply by 2.",
            {3: 140},
        ),
        "vectors counted, not numbers": (
            "14 is the number of vectors. The exercise asks for the numbers in them.",
            "How many numbers does each vector have?",
            {3: 14},
        ),
    },
)
