"""Sheet 12, with pencil and paper: how many parameters an encoder has, and how many numbers it computes and passes on."""

from ..exercise import Mistake
from ..kinds import Number
from ..toolkit import number_at

# 3 layers, d_model = 20, 4 heads, d_ff = 50; a batch of 2 texts of 7 tokens
RIGHT = [392, 3750, 11250, 280]


def _with(**counts):
    places = {"weights": 0, "layer": 1, "encoder": 2, "memory": 3}
    answer = list(RIGHT)
    for name, count in counts.items():
        answer[places[name]] = count
    return answer


def _layer(name, count, diagnosis, hint, *more):
    """A wrong count for one layer, with the encoder's three times as large, or nevertheless right."""
    return Mistake(
        name,
        diagnosis,
        hint,
        _with(layer=count, encoder=3 * count),
        variants=(_with(layer=count), *(_with(layer=other, encoder=3 * other) for other in more)),
        recognise=number_at(1, count, *more),
    )


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
    mistakes=(
        Mistake(
            "one head's tables",
            "98 is 2 × 7 × 7, one matrix per sequence. Each of the four heads has its own matrices.",
            "Multiply by the number of heads.",
            _with(weights=98),
            recognise=number_at(0, 98),
        ),
        Mistake(
            "one text's tables",
            "196 is 4 × 7 × 7, the matrices of one sequence. There are two in the batch.",
            "Multiply by the number of sequences.",
            _with(weights=196),
            variants=(_with(weights=196, memory=140),),
            recognise=number_at(0, 196),
        ),
        Mistake(
            "the batch as one text",
            "784 is 4 × 14 × 14, as if the batch were one sequence of 14 tokens. But no token attends to tokens of the other sequence.",
            "Each sequence has matrices of 7 × 7. How many matrices are there?",
            _with(weights=784),
            recognise=number_at(0, 784),
        ),
        Mistake(
            "a weight for each token",
            "You did not count a weight for each *pair* of query and key in each head and each sequence.",
            "One matrix has 7 × 7 weights. How many matrices are there?",
            _with(weights=56),
            variants=(_with(weights=14), _with(weights=49), _with(weights=28)),
            recognise=number_at(0, 56, 14, 49, 28),
        ),
        Mistake(
            "all layers' tables",
            "1176 is the number of weights in all three layers. The exercise asks for one layer.",
            "Divide by the number of layers.",
            _with(weights=1176),
            recognise=number_at(0, 1176),
        ),
        _layer(
            "the biases forgotten",
            3680,
            "The biases of the feed-forward network are missing.",
            "b1 has one number per hidden unit, and b2 has d_model numbers.",
        ),
        _layer(
            "one norm",
            3710,
            "You counted the parameters of only one norm, or only γ or only β of both. 40 numbers are missing.",
            "A layer has two norms, each with γ and β of 20 numbers: 4 × 20.",
        ),
        _layer(
            "no norms",
            3670,
            "The γ and β of the norms are missing.",
            "A layer has two norms, each with γ and β of 20 numbers: 4 × 20.",
        ),
        _layer(
            "W_O forgotten",
            3350,
            "400 numbers are missing, as many as in one 20 × 20 matrix. W_O, which mixes the outputs of the heads, is easy to forget.",
            "Attention has four matrices: W_Q, W_K, W_V and W_O.",
        ),
        _layer(
            "each head with all columns",
            8550,
            "You gave each of the four heads matrices of 20 × 20. But the heads divide the columns among them.",
            "The W_Q of one head is 20 × 5, and there are four of them.",
            7350,
        ),
        _layer(
            "attention with biases",
            3830,
            "You gave attention's four matrices biases, 4 × 20. That would be right in torch, but this encoder has none there.",
            "Count 4 × 400 for attention.",
        ),
        Mistake(
            "one set for all layers",
            "You counted the parameters of one layer. The stack does not use one layer three times: each layer has its own parameters.",
            "Multiply the parameters of one layer by 3.",
            _with(encoder=3750),
            recognise=number_at(2, 3750),
        ),
        Mistake(
            "another norm at the end",
            "You counted one more norm, at the end of the stack. torch's nn.Transformer has one there; this encoder, like "
            "the paper's, has none.",
            "Multiply the parameters of one layer by 3.",
            _with(encoder=11290),
            recognise=number_at(2, 11290),
        ),
        Mistake(
            "every layer's output",
            "840 is the size of the outputs of all three layers. Only the last layer's output leaves the encoder.",
            "Divide by the number of layers.",
            _with(memory=840),
            recognise=number_at(3, 840),
        ),
        Mistake(
            "one context vector",
            "You counted one vector per sequence. The encoder returns one vector per token.",
            "There are seven vectors per sequence.",
            _with(memory=40),
            variants=(_with(memory=20),),
            recognise=number_at(3, 40, 20),
        ),
        Mistake(
            "keys and values",
            "560 is 2 × 280, the size of the keys and values of a decoder layer. Each decoder layer computes them itself, from what the "
            "encoder passes on.",
            "How many numbers does the output of the last layer have?",
            _with(memory=560),
            recognise=number_at(3, 560),
        ),
        Mistake(
            "one text's vectors",
            "140 is 7 × 20, the memory of one sequence. There are two in the batch.",
            "Multiply by 2.",
            _with(memory=140),
            recognise=number_at(3, 140),
        ),
        Mistake(
            "vectors counted, not numbers",
            "14 is the number of vectors. The exercise asks for the numbers in them.",
            "How many numbers does each vector have?",
            _with(memory=14),
            recognise=number_at(3, 14),
        ),
    ),
)
