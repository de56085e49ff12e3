"""Sheet 17, by hand: the costs of a model with a narrow feed-forward network."""

from ..kinds import Number
from ..toolkit import known

LAYERS, WIDTH, HIDDEN, TOKENS, BYTES = 24, 1024, 2 * 1024, 4000, 2
TABLE = 2 * TOKENS**2 * WIDTH / 1e9  # 10⁹ multiplications, one layer
CROSSING = HIDDEN  # 2 n² d = 2 n d · hidden
CACHE = 2 * LAYERS * TOKENS * WIDTH * BYTES / 1e6  # MB
RIGHT = [TABLE, CROSSING, CACHE]


def _wrong_at(place):
    """A mistake in this number, with all numbers before it right, as the diagnosis says: its sentences and values."""

    def wrong(diagnosis, hint, *values):
        def recognise(seen):
            near = [abs(seen - value) < max(0.006 * value, 0.06) for seen, value in zip(seen[:place], RIGHT, strict=False)]
            return all(near) and any(abs(seen[place] - value) < max(0.006 * abs(value), 0.06) for value in values)

        answers = ([*RIGHT[:place], value, *RIGHT[place + 1 :]] for value in values)
        return known(diagnosis, hint, *answers, recognise=recognise)

    return wrong


_table, _crossing, _cache = map(_wrong_at, range(3))


by_hand = Number(
    id="cost.by_hand",
    answer_name="costs",
    prompt="The multiplications for a score matrix, the length at which they overtake a narrow network, and the size of a cache.",
    value=RIGHT,
    atol=0.06,
    labels=("the multiplications", "the length", "the size of the cache"),
    why=(
        "The cost of the score matrix grows with n² and that of the network with n, and the width decides where "
        "the first overtakes the second."
    ),
    hints=(
        "The scores are n × d times d × n, the weighted sums n × n times n × d. How many multiplications does each product take?",
        "This network goes from d to 2d and back: n × d times d × 2d, and n × 2d times 2d × d. Set the sum equal to your formula for "
        "the score matrix.",
        "For each layer and token there is a key and a value of d_model numbers each, all heads together. A number takes 2 bytes.",
    ),
    mistakes={
        "one product of the score matrix": _table(
            "Your first number is half of what it should be. Perhaps you counted only one of the two products, or only half "
            "of the matrix, as with a causal mask.",
            "Which two products contain an n × n matrix? Count all n² scores.",
            TABLE / 2,
        ),
        "additions counted": _table(
            "Your first number counts additions as well. This course counts only multiplications.",
            "A dot product of d numbers takes d multiplications.",
            2 * TABLE,
        ),
        "length and width swapped": _table(
            "You squared the width. That is right for the projections. In the score matrix, every token meets every token.",
            "The scores are an n × n matrix, and each of them takes d multiplications.",
            2 * TOKENS * WIDTH**2 / 1e9,
            TOKENS * WIDTH**2 / 1e9,
        ),
        "projections counted too": _table(
            "Your first number counts the four projections as well. The exercise asks only for scores and weighted sums.",
            "Leave out the products with W_Q, W_K, W_V and W_O.",
            TABLE + 4 * TOKENS * WIDTH**2 / 1e9,
        ),
        "all layers": _table(
            "Your first number is for all 24 layers.",
            "The exercise asks for one layer.",
            TABLE * LAYERS,
        ),
        "the number of heads as a factor": _table(
            "In your first number, you multiplied or divided by the number of heads. But the 16 heads share the width: each takes n²·64 "
            "for the scores and as many for the weighted sums.",
            "What is 16 times 64?",
            16 * TABLE,
            TABLE / 16,
        ),
        "four times the width": _crossing(
            "Your first number is right. The second is twice what it should be. It would be right for 4d hidden units, but this network "
            "has 2d, and the projections are not part of it.",
            "How many multiplications does n × d times d × 2d take? And the way back?",
            4 * WIDTH,
        ),
        "one matrix of the network": _crossing(
            "Your first number is right. But the network has two matrices, and you counted one.",
            "Each of the two takes 2nd² multiplications.",
            WIDTH,
        ),
        "the projections as well": _crossing(
            "Your first number is right. 6d would be right for 4d hidden units with the projections included. You get 8d for 4d hidden "
            "units without the projections, if you count only one of the score matrix's two products.",
            "Set 2n²d equal to the multiplications of the network alone.",
            8 * WIDTH,
            6 * WIDTH,
        ),
        "only keys, or one byte": _cache(
            "Your first two numbers are right. The third is too small: the cache has keys *and* values, and each number takes 2 bytes.",
            "You need two factors of 2.",
            CACHE / 2,
            CACHE / 4,
        ),
        "one layer": _cache(
            "Your first two numbers are right. The third is for one layer, but each layer has its own keys and values.",
            "Multiply by 24.",
            CACHE / LAYERS,
            CACHE / LAYERS / 2,
        ),
        "four bytes": _cache(
            "Your first two numbers are right. The third is twice what it should be: here a number takes 2 bytes, not 4.",
            "Multiply by 2 bytes, not by 4.",
            2 * CACHE,
        ),
        "once for each head": _cache(
            "Your first two numbers are right. In the third, you multiplied or divided by the number of heads. But the 16 "
            "heads share the 1,024 numbers: each has 64 of them.",
            "Leave out the number of heads.",
            16 * CACHE,
            CACHE / 16,
        ),
        "another unit": _cache(
            "Your first two numbers are right, and the third is in a different unit. Here 1 MB is a million bytes.",
            "Divide the number of bytes by 1,000,000.",
            CACHE * 1e6 / 2**20,
        ),
        "the text squared": _cache(
            "Your first two numbers are right. A cache has a key and a value for each token, not for each pair of tokens, so it grows with n.",
            "A cache has 2 · layers · n · d_model numbers.",
            2 * LAYERS * TOKENS**2 * BYTES / 1e6,
            2 * LAYERS * TOKENS**2 * WIDTH * BYTES / 1e6,
        ),
    },
)
