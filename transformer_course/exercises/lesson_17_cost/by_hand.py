"""Sheet 17, by hand: what a model costs whose feed-forward network is narrower than usual."""

from ..exercise import Mistake
from ..kinds import Number

LAYERS, WIDTH, HIDDEN, TOKENS, BYTES = 24, 1024, 2 * 1024, 4000, 2
TABLE = 2 * TOKENS**2 * WIDTH / 1e9  # thousand million multiplications, one layer
CROSSING = HIDDEN  # 2 n² d = 2 n d · hidden
CACHE = 2 * LAYERS * TOKENS * WIDTH * BYTES / 1e6  # MB
RIGHT = [TABLE, CROSSING, CACHE]


def _near(seen, value):
    return abs(seen - value) < max(0.006 * abs(value), 0.06)


def _holds(place, *values):
    """Whether this number is one of these, and all before it are right: the diagnosis says so."""

    def recognise(seen):
        return all(map(_near, seen[:place], RIGHT[:place])) and any(_near(seen[place], value) for value in values)

    return recognise


def _table(name, diagnosis, hint, *values):
    others = tuple([value, *RIGHT[1:]] for value in values)
    return Mistake(name, diagnosis, hint, others[0], variants=others[1:], recognise=_holds(0, *values))


def _crossing(name, diagnosis, hint, *values):
    others = tuple([TABLE, value, CACHE] for value in values)
    return Mistake(name, diagnosis, hint, others[0], variants=others[1:], recognise=_holds(1, *values))


def _cache(name, diagnosis, hint, *values):
    others = tuple([*RIGHT[:2], value] for value in values)
    return Mistake(name, diagnosis, hint, others[0], variants=others[1:], recognise=_holds(2, *values))


by_hand = Number(
    id="cost.by_hand",
    answer_name="costs",
    prompt="The multiplications of a table, the length at which it overtakes a narrow network, and the size of a cache.",
    value=RIGHT,
    atol=0.06,
    labels=("the multiplications", "the length", "the size of the cache"),
    why="The score matrix costs n² and the networks cost n, so attention overtakes at a length that is fixed by the width.",
    hints=(
        "Scores are n × d with d × n, mixtures n × n with n × d. How many multiplications does each make?",
        "This network goes from d to 2d and back: n × d with d × 2d, and n × 2d with 2d × d. Set their sum equal to that of the table.",
        "A key and a value, for each layer and each token, have d_model numbers each; all heads are in that. Then 2 bytes for each.",
    ),
    mistakes=(
        _table(
            "one product of the table",
            "The first number counts one of the two products. Scores are one, mixtures the other, and both cost n²d.",
            "Which two products have n on both sides?",
            TABLE / 2,
        ),
        _table(
            "additions counted",
            "The first number counts additions as well. In this course only multiplications are counted.",
            "A dot product of d numbers makes d multiplications.",
            2 * TABLE,
        ),
        _table(
            "length and width exchanged",
            "You have squared the width. That is what the matrices cost; in the table, every token meets every token.",
            "Of n and d, which stands twice in the scores' product?",
            2 * TOKENS * WIDTH**2 / 1e9,
            TOKENS * WIDTH**2 / 1e9,
        ),
        _table(
            "projections counted too",
            "The first number counts the four projections as well. The table is scores and mixtures alone.",
            "Leave out the products with W_Q, W_K, W_V and W_O.",
            TABLE + 4 * TOKENS * WIDTH**2 / 1e9,
        ),
        _table(
            "all layers",
            "That is the number for all 24 layers.",
            "The exercise asks for one layer.",
            TABLE * LAYERS,
        ),
        _table(
            "another power of ten",
            "Your digits are right, but the unit is not.",
            "The unit is thousand millions, 10⁹. 4,000² is 16 million. Times 2, times 1,024?",
            *(TABLE * 1000.0**k for k in (-1, 1, 2, 3)),
        ),
        _crossing(
            "four times the width",
            "The first is right. 4d is where the table overtakes a network that is 4d wide, as in the lesson; this one is 2d wide. 4d also "
            "comes out where the table is counted with one product, or the network with the projections.",
            "What does n × d with d × 2d cost, and the way back?",
            4 * WIDTH,
        ),
        _crossing(
            "one matrix of the network",
            "The first is right. The network has two matrices, and you have counted one.",
            "It costs 4nd².",
            WIDTH,
        ),
        _crossing(
            "the weights as well",
            "The first is right. You get 8d or 6d if you count the projections with the network, or only half of the table.",
            "Set the whole table, 2n²d, equal to the cost of the network alone.",
            8 * WIDTH,
            6 * WIDTH,
        ),
        _cache(
            "keys alone, or one byte",
            "The first two are right. The third is half of what it should be: keys *and* values are kept, and each number takes 2 bytes.",
            "Two factors of 2 belong there.",
            CACHE / 2,
        ),
        _cache(
            "both factors forgotten",
            "The first two are right. The third is a quarter of what it should be: keys and values, and 2 bytes for each number.",
            "Two factors of 2 belong there.",
            CACHE / 4,
        ),
        _cache(
            "one layer",
            "The first two are right. Your third number is that of one layer, but each layer has keys and values of its own.",
            "Times 24.",
            CACHE / LAYERS,
            CACHE / LAYERS / 2,
        ),
        _cache(
            "four bytes",
            "The first two are right. The third is twice what it should be: this model's numbers have 2 bytes, not 4.",
            "16 bits are 2 bytes.",
            2 * CACHE,
        ),
        _cache(
            "once for each head",
            "The first two are right. The 16 heads share the 1,024 numbers among them: each has 64. They do not have 1,024 each.",
            "Leave the number of heads out.",
            16 * CACHE,
            CACHE / 16,
        ),
        _cache(
            "another unit",
            "The first two are right, and so are the third number's digits. Here 1 MB is a million bytes.",
            "Divide the bytes by 1,000,000.",
            CACHE * 1e6 / 2**20,
            *(CACHE * 1000.0**k for k in (-1, 1, 2)),
        ),
        _cache(
            "the text squared",
            "The first two are right. A cache has a key and a value for each token, and not for each pair of them: it grows with n.",
            "2 · layers · n · d_model numbers.",
            2 * LAYERS * TOKENS**2 * BYTES / 1e6,
            2 * LAYERS * TOKENS**2 * WIDTH * BYTES / 1e6,
        ),
    ),
)
