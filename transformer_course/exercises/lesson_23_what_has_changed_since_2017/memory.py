"""Sheet 23, by hand: a cache with groups and windows, and how far windows reach."""

from ..kinds import Number

BILLION, ATOL = 1e9, 0.006
LAYERS, HEADS, GROUPS, WIDTH, TOKENS, BYTES = 48, 16, 4, 128, 32_000, 2
WIDE, WINDOW = 8, 1_000  # the layers that see everything, and the window of the others
STACK, REACH = 3, 32  # for the last number: layers and their window


def _cache(numbers, shared):
    """Return the GB of a cache that keeps so many tokens in all layers together."""
    return 2 * numbers * shared * WIDTH * BYTES / BILLION


KEPT = WIDE * TOKENS + (LAYERS - WIDE) * WINDOW
RIGHT = [_cache(LAYERS * TOKENS, HEADS), _cache(LAYERS * TOKENS, GROUPS), _cache(KEPT, GROUPS), STACK * (REACH - 1)]
BINARY = (
    "You divided the bytes by 2³⁰, which is 1.07 billion. That unit is called GiB, and is meant by many programs that say GB.",
    "Here, a GB is a billion bytes.",
)

memory = Number(
    id="today.memory",
    answer_name="numbers",
    prompt="The memory of a cache, with shared keys and values and with windows, and how far three windows reach.",
    value=RIGHT,
    atol=ATOL,
    labels=("each head its own", "shared", "shared, with windows", "how far back"),
    why="Sharing divides the whole cache by the same factor; a window stops its layers from growing, so the few others fill the memory.",
    hints=(
        "Each layer keeps, for each token and head, a key and a value of 128 numbers with 2 bytes each. For the second number, count "
        "groups in place of heads.",
        "For the third number, add up how many tokens all layers keep: 8 layers keep every token, and 40 layers keep 1,000 each.",
        "For the last number, begin with one layer: a token sees itself and 31 earlier ones. The earliest of these has itself seen "
        "31 earlier ones in the layer below.",
    ),
    mistakes={
        "only keys, or one byte": (
            "Your first number is half of the right one, as if the cache held only keys, or had one byte for each number.",
            "Count a key and a value, with 2 bytes for each of their numbers.",
            {0: RIGHT[0] / 2},
        ),
        "another number of bytes": (
            "Your first number would be right if a number took 4 bytes, or 16.",
            "A byte has 8 bits, so 16 bits are 2 bytes.",
            {0: (RIGHT[0] * 2, RIGHT[0] * 8)},
        ),
        "one layer, or one head": (
            "Your first number is the cache of a single layer, or of a single head.",
            "Each of the 48 layers has keys and values of its own, and here each of its 16 heads has, too.",
            {0: (RIGHT[0] / LAYERS, RIGHT[0] / HEADS)},
        ),
        "divided by the number of groups twice": (
            "Your second number is too small. You divided by 16 heads, or by 4 twice, but 4 keys and values remain.",
            "Before, there were 16 keys for each token and layer; now there are 4. How many times fewer is that?",
            {1: RIGHT[0] / HEADS},
        ),
        "groups of two": (
            "Your second number is that of 8 keys and values.",
            "How many keys does a layer keep for each token?",
            {1: RIGHT[0] / 2},
        ),
        "a window in every layer": (
            "In your third number, all layers have the window. But 8 of them still see the whole text.",
            "Add up what the two kinds of layer keep.",
            {2: _cache(LAYERS * WINDOW, GROUPS)},
        ),
        "the layers that see everything left out": (
            "Your third number counts only the layers with a window. Those that see everything keep most of the tokens.",
            "How many tokens does each of the 8 other layers keep?",
            {2: _cache((LAYERS - WIDE) * WINDOW, GROUPS)},
        ),
        "the layers with a window left out": (
            "Your third number counts only the layers that see everything.",
            "The 40 other layers keep 1,000 tokens each.",
            {2: _cache(WIDE * TOKENS, GROUPS)},
        ),
        "the two kinds of layer exchanged": (
            "In your third number, 40 layers see everything, and 8 have a window. It is the other way round.",
            "Which of the two kinds has 40 layers?",
            {2: _cache((LAYERS - WIDE) * TOKENS + WIDE * WINDOW, GROUPS)},
        ),
        "windows without sharing": (
            "Your third number has windows, but each head has its own keys and values again.",
            "The heads still share 4 keys and values.",
            {2: (_cache(KEPT, HEADS), _cache(WIDE * TOKENS, GROUPS) + _cache((LAYERS - WIDE) * WINDOW, HEADS))},
        ),
        "one layer's window": (
            "Your last number is what one layer sees. But the vectors of those earlier tokens have been computed from tokens that are "
            "earlier still.",
            "How far back does the earliest token in the window see, in the layer below?",
            {3: (REACH, REACH - 1)},
        ),
        "the token itself counted": (
            "Your last number counts a token as its own predecessor: a window of 32 holds the token itself and 31 earlier ones.",
            "How many *earlier* tokens does each layer add?",
            {3: (STACK * REACH, STACK * REACH - 1)},
        ),
        "the whole reach, the token included": (
            "Your last number includes the token itself.",
            "The question is about earlier tokens.",
            {3: STACK * (REACH - 1) + 1},
        ),
        "a power of the window": (
            "Your last number multiplies the windows. But each layer only adds its own: information moves 31 tokens at a time.",
            "Draw a window of 3, and follow the earliest token through two layers.",
            {3: (REACH**STACK, (REACH - 1) ** STACK)},
        ),
        "binary GB": (*BINARY, {place: RIGHT[place] * BILLION / 2**30 for place in range(3)}),
    },
)
