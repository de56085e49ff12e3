"""Sheet 01: how many steps or layers it takes from the first of 1,025 tokens to the last."""

from ..kinds import Number

LENGTHS = [1024, 512, 11, 1]  # a test finds the same by letting the tokens spread


paths_lengths = Number(
    id="paths.lengths",
    answer_name="lengths",
    prompt="The smallest number of steps or layers between the first of 1,025 tokens and the last.",
    value=LENGTHS,
    atol=1e-3,
    near=0.06,
    labels=("the RNN", "the plain convolution", "the dilated convolution", "attention"),
    why=(
        "A recurrence needs one step per token, and a plain convolution gains a fixed number of positions per layer, "
        "but attention connects any two tokens in one layer."
    ),
    hints=(
        "Only the distance matters: the first token is 1,024 positions before the last. How many positions does one "
        "step of the RNN cover, and how many does one layer of each of the others?",
        "The plain convolution with kernel 5 gains two positions per layer: 2, 4, 6, … How many layers does it need to reach "
        "1,024?",
        "The dilated convolution with kernel 3 gains 1 position in the first layer, 2 in the second and 4 in the "
        "third. Altogether that is 1, 3, 7, 15, …: always one less than a power of 2.",
        "2¹⁰ = 1,024, so ten layers reach 1,023. And in attention, the last token looks at the first one directly.",
    ),
    mistakes={
        "the RNN: tokens counted, not steps": (
            "RNN: you counted 1,025 tokens. When you begin to count, the state has already read the first one, and "
            "each further token is a step.",
            "In the small example there are 7 tokens and 6 steps.",
            {0: 1025},
        ),
        "the RNN: one step too few": (
            "RNN: 1,023 is the number of tokens between the first and the last. Reading the last is a step as well.",
            "In the small example there are 7 tokens and 6 steps.",
            {0: 1023},
        ),
        "the RNN: one step": (
            "RNN: you let the first token reach the last in one step. But each state passes information only to the "
            "next state.",
            "In the small example there are 7 tokens and 6 steps.",
            {0: 1},
        ),
        "plain: two-sided reach forgotten": (
            "Plain convolution: you let each layer gain four positions. A kernel of 5 sees five positions, but two "
            "of them are on the left and two on the right, and only one of these sides helps.",
            "How far to the left is the farthest position that a layer sees?",
            {1: (256, 257, 256.25)},
        ),
        "plain: divided by the kernel": (
            "Plain convolution: you divided by 5. A layer sees five positions, but one of them is its own, and the "
            "others are on both sides.",
            "How far to the left is the farthest position that a layer sees?",
            {1: (205, 204.8, 204)},
        ),
        "plain: divided by 3": (
            "Plain convolution: you let each layer gain three positions. Of the five that it sees, the middle one is "
            "its own, so fewer are left for each side.",
            "Draw five positions in a row, and mark the middle one.",
            {1: (341, 342, 341.33)},
        ),
        "plain: tokens counted, not the distance": (
            "Plain convolution: you divided the number of tokens. The distance between the first and the last is one less.",
            "The first token is 1,024 positions before the last.",
            {1: (513, 512.5)},
        ),
        "plain: one layer too few": (
            "Plain convolution: 511 layers cover 1,022 positions, and the first token is 1,024 away.",
            "Each layer covers two more positions.",
            {1: 511},
        ),
        "plain: one position per layer": (
            "Plain convolution: you let each layer gain one position, as with a kernel of 3. A kernel of 5 sees further.",
            "How far to the left is the farthest position that a layer sees?",
            {1: (1024, 1025)},
        ),
        "plain: as if the gaps grew": (
            "Plain convolution: your number is about as small as a logarithm. That would be so if the gaps doubled, "
            "but here every layer gains the same two positions.",
            "2, 4, 6, …: when does this reach 1,024?",
            {1: (4, 4.31, 5, 6.31, 7, 9, 10, 11)},
        ),
        "dilated: one layer too few": (
            "Dilated convolution: ten layers cover 1 + 2 + 4 + … + 512 = 1,023 positions, and the first token is 1,024 away.",
            "What does one more layer add?",
            {2: (10, 10.0014)},
        ),
        "dilated: the last gap alone": (
            "Dilated convolution: nine layers have gaps of 1, 2, 4, …, 256, which add up to 511 positions. That is only half "
            "the way.",
            "Add up the gaps until they reach 1,024.",
            {2: 9},
        ),
        "dilated: more than it takes": (
            "Dilated convolution: twelve layers do reach the first token, but fewer are enough. The exercise asks "
            "for the smallest number.",
            "The first layer has gap 1, not 2.",
            {2: 12},
        ),
        "dilated: the logarithm to base 3": (
            "Dilated convolution: you took the logarithm to base 3, as if the gaps grew with the size of the kernel. "
            "They double from layer to layer, whatever the kernel.",
            "Write down the gaps, 1, 2, 4, …, and add them up.",
            {2: (6, 6.31, 7)},
        ),
        "dilated: as if the gaps stayed 1": (
            "Dilated convolution: your number grows in proportion to the distance. That is so for a plain "
            "convolution, whose gap is 1 in every layer. Here the gap doubles each time.",
            "The gaps are 1, then 2, then 4. How far do three layers reach together?",
            {2: (512, 1024, 1025, 341, 342, 341.33)},
        ),
        "attention: the work instead of the path": (
            "Attention: you counted the tokens that are compared, or the scores. All the scores are computed side by "
            "side in one layer, and the exercise asks how many layers must follow one another.",
            "Can the last token look at the first one directly?",
            {3: (1024, 1025, 1025**2, 1024**2)},
        ),
        "attention: no layer": (
            "Attention: without any layer, each token depends on itself only.",
            "How many layers does it take until the last token has looked at all the others?",
            {3: 0},
        ),
        "attention: a chain of layers": (
            "Attention: you let tokens pass something on from layer to layer. But the last token scores the first "
            "one in the same way as it scores its neighbour.",
            "Which tokens can the last one look at in the very first layer?",
            {3: (2, 10, 11, 512)},
        ),
    },
)
