"""One call of each explorable, with little data."""

import numpy as np
import torch
from small_transformer import small

from transformer_course import explorables

X = np.array([[1, 0], [0, 1], [1, 1]], dtype=float)
LOGITS = np.random.default_rng(0).normal(0, [[1.0], [4.0]], (2, 50))
SCORES = {d_k: np.random.default_rng(d_k).normal(0, d_k**0.5, (12, 8)) for d_k in 2 ** np.arange(1, 10)}
ANSWERS = ["4", "5", "55555"]
PAYS = {"right": [1, 0, 0], "each character": [1, 1, 5]}
SOURCE, TARGET = torch.tensor([[4, 5, 6]]), torch.tensor([[1, 4]])


def heads(source_names, target_names):
    """The heads of a small untrained model, which is the same in every call."""
    torch.manual_seed(0)
    return explorables.heads(small().eval(), SOURCE, TARGET, source_names, target_names, [f"t{i}" for i in range(13)], "Try.")


SAMPLES = {
    "clock": explorables.clock,
    "drag_tokens": lambda: explorables.drag_tokens(X, ["red", "car", "orange"]),
    "heads": lambda: heads(["ab", "c", " "], ["d", "e"]),
    "next_token": lambda: explorables.next_token(["a b", "a"], [f" t{i}" for i in range(50)], LOGITS),
    "reward_weights": lambda: explorables.reward_weights("2+2=", ANSWERS, [-1.2, -0.4, -12.0], PAYS, [1, 0.5], beta=0.1),
    "scale": lambda: explorables.scale(SCORES),
}
