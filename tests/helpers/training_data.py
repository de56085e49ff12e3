"""Small configurations and data for tests of training."""

import random

from transformer_course.embedding import Vocabulary
from transformer_course.transformer import TransformerConfig

SIZES = {"vocabulary_size": 9, "d_model": 16, "num_heads": 2, "num_layers": 1, "d_ff": 32, "max_length": 12, "dropout": 0.0}
CONFIG = TransformerConfig(**SIZES, norm="pre", tied=False)


def reversals(count: int = 640) -> tuple[list[list[int]], list[list[int]]]:
    draw = random.Random(0)
    sources = [[draw.randrange(4, 9) for _ in range(draw.randint(1, 5))] for _ in range(count)]
    return sources, [[*reversed(source), Vocabulary.end] for source in sources]
