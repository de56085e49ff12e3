"""A small Transformer and a batch for it."""

import torch
import twins

from transformer_course.transformer import Transformer, TransformerConfig


def small(**changes) -> Transformer:
    sizes = {"vocabulary_size": 11, "target_vocabulary_size": 13, "d_model": 6, "num_heads": 3, "d_ff": 10, "max_length": 9}
    return twins.scatter_parameters(Transformer(TransformerConfig(**{**sizes, "num_layers": 2, "dropout": 0.0, **changes})))


SOURCE, TARGET = torch.tensor([[5, 6, 7, 8, 9]]), torch.tensor([[1, 4, 6, 5]])
