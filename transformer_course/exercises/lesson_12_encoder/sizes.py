"""Sheet 12, with pencil and paper: what an encoder holds, computes and hands over."""

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
    """A wrong count for one layer, with the encoder's three times as large, or right all the same."""
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
    prompt="How many attention weights and parameters an encoder has, and how many numbers it hands to the decoder.",
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
        "Attention weights: one table for each text and each head. How large is one table, for seven tokens?",
        "Parameters of a layer: W_Q, W_K, W_V and W_O are 20 × 20 each. The feed-forward network has two matrices and two biases, of 50 "
        "and of 20 numbers. A norm has γ and β.",
        "The decoder is given the vectors of one layer, the last: how many vectors are these, for two texts, and how wide is each?",
    ),
    mistakes=(
        Mistake(
            "one head's tables",
            "98 is 2 × 7 × 7: one table for each text. Each of the four heads has tables of its own.",
            "Times the number of heads.",
            _with(weights=98),
            recognise=number_at(0, 98),
        ),
        Mistake(
            "one text's tables",
            "196 is 4 × 7 × 7: the tables of one text. There are two in the batch.",
            "Times the number of texts.",
            _with(weights=196),
            variants=(_with(weights=196, memory=140),),
            recognise=number_at(0, 196),
        ),
        Mistake(
            "a weight for each token",
            "That is one number for each token and head, or for each token. A weight belongs to a query *and* a key.",
            "One table has 7 × 7 weights.",
            _with(weights=56),
            variants=(_with(weights=14), _with(weights=49), _with(weights=28)),
            recognise=number_at(0, 56, 14, 49, 28),
        ),
        Mistake(
            "all layers' tables",
            "1176 are the weights of all three layers. The exercise asks for those of one.",
            "A third of it.",
            _with(weights=1176),
            recognise=number_at(0, 1176),
        ),
        _layer(
            "the biases forgotten",
            3680,
            "The feed-forward network's biases are missing, 50 + 20 = 70 numbers.",
            "b1 is as wide as the middle of the network, b2 as wide as a token.",
        ),
        _layer(
            "one norm",
            3710,
            "40 numbers are missing. There are two norms in a layer, each with a γ and a β of 20 numbers.",
            "4 × 20 for the norms.",
        ),
        _layer(
            "no norms",
            3670,
            "The norms' γ and β are missing: two of each, 20 numbers each.",
            "4 × 20 for the norms.",
        ),
        _layer(
            "W_O forgotten",
            3350,
            "400 numbers are missing, a matrix of 20 × 20. W_O mixes what the heads brought.",
            "W_Q, W_K, W_V and W_O.",
        ),
        _layer(
            "each head with all columns",
            8550,
            "You gave each of the four heads matrices of 20 × 20. The heads share the columns: all W_Q together are 20 × 20.",
            "A head's W_Q is 20 × 5, and there are four.",
            7350,
        ),
        _layer(
            "attention with biases",
            3830,
            "You gave attention's four matrices biases, 4 × 20. In torch they have some, and it would be right there; in this encoder they have none.",
            "4 × 400 for attention.",
        ),
        Mistake(
            "one set for all layers",
            "A stack is not one layer that is used three times: each has weights of its own.",
            "Three times a layer.",
            _with(encoder=3750),
            recognise=number_at(2, 3750),
        ),
        Mistake(
            "another norm at the end",
            "You counted one more norm, at the end of the stack. torch's nn.Transformer has one there; this encoder, like "
            "the paper's, has none.",
            "Three times a layer.",
            _with(encoder=11290),
            recognise=number_at(2, 11290),
        ),
        Mistake(
            "every layer's output",
            "840 are the outputs of all three layers, as note 1 has it. Only those of the last layer leave the encoder.",
            "A third of it.",
            _with(memory=840),
            recognise=number_at(3, 840),
        ),
        Mistake(
            "one context vector",
            "40 is one vector for each of the two texts, as note 2 has it. There is one for each token.",
            "Seven vectors a text.",
            _with(memory=40),
            variants=(_with(memory=20),),
            recognise=number_at(3, 40, 20),
        ),
        Mistake(
            "one text's vectors",
            "140 is 7 × 20, what one text hands over. There are two in the batch.",
            "Times two.",
            _with(memory=140),
            recognise=number_at(3, 140),
        ),
        Mistake(
            "vectors counted, not numbers",
            "14 vectors are handed over. The exercise asks for the numbers in them.",
            "How wide is each?",
            _with(memory=14),
            recognise=number_at(3, 14),
        ),
    ),
)
