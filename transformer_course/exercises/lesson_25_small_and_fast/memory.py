"""Sheet 25, by hand: the weights and the cache of a model with 7 billion weights, and the tokens of a pass."""

from ..kinds import Number
from ..lesson_23_what_has_changed_since_2017.memory import BINARY

BILLION, ATOL = 1e9, 0.006
WEIGHTS, LAYERS, HEADS, WIDTH, TOKENS, BYTES = 7e9, 32, 32, 128, 4000, 2


def _weights(bits):
    return WEIGHTS * bits / 8 / BILLION


CACHE = 2 * LAYERS * HEADS * WIDTH * TOKENS * BYTES / BILLION
RIGHT = [_weights(4 + 16 / 32), CACHE, CACHE / 8, 1 + 0.6 + 0.6**2 + 0.6**3]

memory = Number(
    id="fast.memory",
    answer_name="numbers",
    prompt="The memory of 7 billion weights in groups of 32, of a cache with and without sharing, and the tokens of a pass.",
    value=RIGHT,
    atol=ATOL,
    labels=("the weights", "the cache", "the cache with shared heads", "the tokens per pass"),
    why="At 4.5 bits, the weights need less room than the caches of two texts; sharing keys and values changes that, not fewer bits per weight.",
    hints=(
        "A group has 32 weights of 4 bits and one scale of 16 bits. How many bits is that per weight? 8 bits are a byte.",
        "Each token has, in each layer and for each head, a key and a value of 128 numbers, with 2 bytes each. For the third "
        "number, count keys and values in place of heads.",
        "A pass always gives one token. It gives a second if the first guess is kept, and a third if the first two are kept.",
    ),
    mistakes={
        "the scales forgotten": (
            "Your weights have 4 bits each, but nothing is left for the scales.",
            "16 bits for 32 weights: how many are that for each?",
            {0: _weights(4)},
        ),
        "a scale for each weight": (
            "You gave 16 more bits to each weight. A scale is shared by a group of 32.",
            "Divide the 16 bits among the 32 weights.",
            {0: _weights(20)},
        ),
        "a scale of 32 bits": (
            "Your weights have 5 bits each, as if a scale had 32 bits.",
            "A scale has 16 bits here.",
            {0: _weights(5)},
        ),
        "bits taken for bytes": (
            "Your first number is eight times too large: those are billions of bits.",
            "A byte has 8 bits.",
            {0: (_weights(36), _weights(32))},
        ),
        "only keys, or one byte": (
            "A cache of yours has half of the right size, as if it held only keys, or had one byte for each number.",
            "Count a key and a value, with 2 bytes for each of their numbers.",
            {1: CACHE / 2, 2: CACHE / 16},
        ),
        "numbers taken for bytes of another size": (
            "Your cache is as large as if its numbers had 4 bytes or half a byte.",
            "A number of the cache has 16 bits. Quantizing the weights does not change it.",
            {1: (CACHE * 2, CACHE / 4)},
        ),
        "one layer, or one head": (
            "Your cache is that of a single layer or of a single head.",
            "Each of the 32 layers has keys and values of its own, and so has each of its 32 heads.",
            {1: (CACHE / 32,)},
        ),
        "divided by the wrong number of heads": (
            "You divided the cache by the number of keys that remain.",
            "Before, there were 32 keys per token and layer; now there are 4. How many times fewer is that?",
            {2: CACHE / 4},
        ),
        "sharing makes it larger": (
            "Your third number is larger than the second. Sharing leaves fewer keys and values to keep.",
            "How many keys does a layer keep for each token?",
            {2: (CACHE * 8, CACHE * 4)},
        ),
        "each guess by itself": (
            "You added 0.6 for each of the three guesses, as if each of them counted whatever happens to the others.",
            "The second guess is lost if the first is rejected. With which probability are both kept?",
            {3: 1 + 3 * 0.6},
        ),
        "the model's own token forgotten": (
            "You counted the guesses, but not the token that every pass gives: the replacement, or one more at the end.",
            "How many tokens does a pass give if its first guess is rejected?",
            {3: 0.6 + 0.6**2 + 0.6**3},
        ),
        "a draft without an end": (
            "Your last number is the limit for very long drafts.",
            "Here a draft has three tokens, so the sum ends with the third power.",
            {3: 2.5},
        ),
        "only the case in which all are kept": (
            "Your last number counts only the case in which all three guesses are kept. Sometimes only one or two are.",
            "Add up what a pass gives on average: 1, and the probabilities that the first, the second and the third guess are kept.",
            {3: (0.6**3, 1 + 0.6**3, 1 + 3 * 0.6**3)},
        ),
        "a draft of another length": (
            "Your last number is that of a draft with two tokens, or with four.",
            "A draft of three tokens gives 4 tokens if all are kept: the sum has four terms.",
            {3: (RIGHT[3] - 0.6**3, RIGHT[3] + 0.6**4)},
        ),
        "binary GB": (*BINARY, {place: RIGHT[place] * BILLION / 2**30 for place in range(3)}),
    },
)
