"""Sheet 24, by hand: the arithmetic of GPT-3's training, and how it could have been divided."""

from ..kinds import Number

PARAMETERS, TOKENS, ATOL = 175e9, 300e9, 0.006
FLOPS = 6 * PARAMETERS * TOKENS
RIGHT = [FLOPS / 1e23, TOKENS / PARAMETERS, (FLOPS / 6 / 20) ** 0.5 / 1e9, 100 ** (1 - 0.73)]

compute = Number(
    id="bigger.compute",
    answer_name="numbers",
    prompt="The arithmetic of GPT-3's training, its tokens per parameter, another division, and a hundred times as much.",
    value=RIGHT,
    atol=ATOL,
    near=0.05,
    labels=("the arithmetic", "the tokens per parameter", "the parameters at 20 tokens each", "the factor for the tokens"),
    why="A budget fixes only the product of parameters and tokens, so whoever wants more tokens has to take fewer parameters.",
    hints=(
        "The arithmetic is 6·N·D. Write the powers of ten apart: 175 billion is 1.75 · 10¹¹, and 300 billion is 3 · 10¹¹.",
        "For the third number, D = 20·N. So 6·N·D becomes 6 · 20 · N². Which N makes that the first number?",
        "C is proportional to N·D. If C grows by the factor 100, and N by the factor 100 to the power 0.73, what is left for D?",
    ),
    mistakes={
        "only forward": (
            "You counted a multiplication and an addition per parameter and token. That is the forward pass alone.",
            "The backward pass needs twice as much as the forward pass. What is the sum?",
            {0: (FLOPS / 3e23, FLOPS / 1.5e23)},
        ),
        "N times D": (
            "You multiplied parameters and tokens, but each parameter takes more than one operation per token.",
            "There are 2 in the forward pass, and twice as many in the backward pass.",
            {0: FLOPS / 6e23},
        ),
        "a power of ten": (
            "The digits of your first number are right, but its power of ten is not. It should be in units of 10²³.",
            "6 · 1.75 · 3 is 31.5, and the powers of ten make 10²².",
            {0: (FLOPS / 1e22, FLOPS / 1e24, FLOPS)},
        ),
        "parameters per token": (
            "You divided the parameters by the tokens. The question is how many tokens there are for each parameter.",
            "Which of the two numbers is larger? The quotient should be above 1.",
            {1: PARAMETERS / TOKENS},
        ),
        "Chinchilla's tokens": (
            "This is what 1.4 trillion tokens would be per parameter of GPT-3. But those are the tokens of Chinchilla.",
            "GPT-3 was trained on 300 billion tokens.",
            {1: 1.4e12 / PARAMETERS},
        ),
        "the same tokens": (
            "You kept the 300 billion tokens. A model with a twentieth of that in parameters needs far less arithmetic than GPT-3.",
            "Use up the whole budget: both numbers may change, and only 6·N·D has to stay.",
            {2: TOKENS / 20 / 1e9},
        ),
        "as many tokens as parameters": (
            "In your division there is one token for each parameter.",
            "Put D = 20·N into 6·N·D before you take the root.",
            {2: (FLOPS / 6) ** 0.5 / 1e9},
        ),
        "the 6 left out of the root": (
            "You divided by 20 before taking the root, but not by 6.",
            "6 · N · 20 · N is 120 · N².",
            {2: (FLOPS / 20) ** 0.5 / 1e9},
        ),
        "the tokens in place of the parameters": (
            "This is how many billion *tokens* such a model would read.",
            "Divide by the 20 tokens per parameter.",
            {2: (FLOPS / 6 * 20) ** 0.5 / 1e9},
        ),
        "Chinchilla itself": (
            "Chinchilla had a larger budget than GPT-3, nearly twice as much.",
            "Compute N from your first number.",
            {2: 70.0},
        ),
        "the root of an odd power of ten": (
            "You took the root of 2.625. But half of the exponent in 10²¹ is not a whole number, so there is a factor √10 left.",
            "Write 2.625 · 10²¹ as 26.25 · 10²⁰ before you take the root.",
            {2: tuple(2.625**0.5 * 10**power for power in range(3))},
        ),
        "the factor for the parameters": (
            "By this factor the *parameters* would grow.",
            "The product of both factors is 100.",
            {3: 100**0.73},
        ),
        "equal parts": (
            "Here parameters and tokens would grow by the same factor. That is what Hoffmann and others found.",
            "By Kaplan and others, the parameters grow faster: as C to the power 0.73.",
            {3: 10.0},
        ),
        "times in place of to the power": (
            "You multiplied 100 by the exponent.",
            "The exponent is a power: 100 ** 0.73 for the parameters.",
            {3: (27.0, 73.0)},
        ),
        "ten times as much": (
            "Your last number is the factor for ten times the arithmetic.",
            "The question is about a hundred times as much.",
            {3: 10**0.27},
        ),
    },
)
