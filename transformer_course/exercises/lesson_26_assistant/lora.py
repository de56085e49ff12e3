"""Sheet 26: a linear layer with LoRA, and how many numbers it trains."""

import numpy as np

from ..families import adapted
from ..families.lora import LORA, lora
from ..kinds import Implement, Number
from ..toolkit import normal

D, D_FF, R = 64, 256, 4
SQUARE = R * (D + D)
BLOCK = 4 * SQUARE + 2 * R * (D + D_FF)
WHOLE = 4 * D * D + 2 * D * D_FF
RIGHT = [SQUARE, BLOCK, BLOCK / WHOLE]

count = Number(
    id="assistant.lora_count",
    answer_name="counts",
    prompt="How many numbers LoRA trains: in one matrix, in one block, and as a fraction of the block.",
    value=RIGHT,
    atol=0.0006,
    near=(0.1, 0.1, 0.0006),
    labels=("one square matrix", "the block", "the fraction"),
    why="A and B together have r numbers for each input and each output, so the count grows with the sides, not with the area.",
    hints=(
        "For a matrix of 64 × 64 and rank 4, A is 64 × 4. What is the shape of B?",
        "A and B have r · d_in and r · d_out numbers, together r · (d_in + d_out). A matrix of 64 × 256 has the sides 64 and 256.",
        "The block's own matrices have 4 · 64 · 64 + 2 · 64 · 256 = 49,152 numbers.",
    ),
    mistakes={
        "one of the two matrices": (
            "You counted A, or B, but not both.",
            "A has r columns for the d_in inputs, and B has r rows for the d_out outputs. Both are trained.",
            {0: R * D, 1: BLOCK / 2},
        ),
        "the size of the product": (
            "The product A B is as large as the matrix itself. But its numbers are not trained: those of A and B are.",
            "Count the numbers in A and in B.",
            {0: (D * D, D * D * R), 1: (WHOLE, WHOLE * R)},
        ),
        "r times r": (
            "You counted an r × r matrix. The inner sides of A and B are r; their outer sides are d_in and d_out.",
            "Which shape must A have so that x A is possible?",
            {0: (R * R, R * R * 2)},
        ),
        "the feed-forward matrices as squares": (
            "You treated all six matrices as 64 × 64. Two of them have a side of 256.",
            "For 64 × 256, it is r · (64 + 256).",
            {1: 6 * SQUARE},
        ),
        "a feed-forward matrix left out": (
            "Your second number leaves out one of the two matrices between 64 and 256, or both.",
            "A feed-forward network has one matrix up, and one down.",
            {1: (4 * SQUARE + R * (D + D_FF), 4 * SQUARE)},
        ),
        "one side of a feed-forward matrix": (
            "For the two matrices between 64 and 256, you counted only one of the sides. One of A and B has the other.",
            "For 64 × 256, A is 64 × 4. Which shape has B?",
            {1: (4 * SQUARE + 2 * R * D_FF, 4 * SQUARE + 2 * R * D)},
        ),
        "trained beside frozen and trained": (
            "You divided by all numbers of the block with LoRA. The exercise asks for a fraction of the block's own.",
            "Divide by 49,152.",
            {2: BLOCK / (BLOCK + WHOLE)},
        ),
        "the fraction of one matrix": (
            "Your last number is the fraction for one of the 64 × 64 matrices. The exercise asks for all six together.",
            "Divide the trained numbers of the block by 49,152.",
            {2: SQUARE / D**2},
        ),
        "a percentage": (
            "Your last number is a percentage. The exercise asks for a fraction.",
            "Divide it by 100.",
            {2: 100 * BLOCK / WHOLE},
        ),
        "turned over": (
            "Your last number says how many times as many numbers the block has. The exercise asks for the opposite.",
            "Divide the trained numbers by those of the block.",
            {2: WHOLE / BLOCK},
        ),
    },
)


def _lora(x, weight, a, b, alpha):
    return lora(x @ weight, x, a, b, alpha)


def _draw(rng):
    def drawn(n, d_in, d_out, rank, alpha):
        return [normal(rng, n, d_in), normal(rng, d_in, d_out), normal(rng, d_in, rank), normal(rng, rank, d_out), alpha]

    start = drawn(3, 5, 4, 2, 8.0)
    start[3] = 0 * start[3]  # B as at the start
    return [drawn(3, 5, 7, 2, 6.0), drawn(1, 8, 6, 3, 1.5), drawn(4, 6, 5, 4, 12.0), start]


layer = Implement(
    id="assistant.lora",
    answer_name="lora",
    prompt="The output of a linear layer with LoRA.",
    reference=_lora,
    draw=_draw,
    alternatives=(
        lambda x, weight, a, b, alpha: x @ (weight + a @ b * (alpha / len(b))),
        lambda x, weight, a, b, alpha: np.einsum("nd,do->no", x, weight) + (alpha * x @ a) @ b / b.shape[0],
    ),
    why="The frozen matrix and the correction see the same x, and α / r keeps the correction's size comparable for every rank.",
    hints=(
        "Follow the two arrows of the lesson's drawing: x goes through `weight`, and also through `a` and then `b`.",
        "The rank r is the number of columns of `a`, which is also the number of rows of `b`.",
        "Multiply only the lower way by α / r, then add the two.",
    ),
    mistakes=adapted(
        LORA,
        lambda lora: lambda x, weight, a, b, alpha: lora(x @ weight, x, a, b, alpha),
        rank="`a` has shape (d_in, r). Which axis has the rank?",
        frozen="matrix",
    ),
)
