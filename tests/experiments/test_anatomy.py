"""Calls of attention modules are recorded as they happen."""

import torch

from transformer_course.experiments.anatomy import attention_calls
from transformer_course.transformer import Transformer, TransformerConfig


def test_attentions_are_watched_as_they_are_called():
    sizes = {"vocabulary_size": 9, "d_model": 8, "num_heads": 2, "num_layers": 1, "d_ff": 8, "max_length": 12, "dropout": 0.0}
    model = Transformer(TransformerConfig(**sizes))
    seen = [
        (call.name.removesuffix("_attention"), call.queries, call.keys, call.self_attention, call.mask)
        for call in attention_calls(model, torch.tensor([[4, 5, 6, 7, 8]]), torch.tensor([[1, 5, 6]]))
    ]
    assert seen == [
        ("encoder.layers.0.self", 5, 5, True, "padding"),
        ("decoder.layers.0.self", 3, 3, True, "causal"),
        ("decoder.layers.0.cross", 3, 5, False, "padding"),
    ]
    layer = model.encoder.layers[0]
    for mask, kind in ((None, "none"), (torch.eye(4, dtype=torch.bool), "other")):
        assert [call.mask for call in attention_calls(layer, torch.randn(1, 4, 8), mask)] == [kind]
    assert not any(part._forward_pre_hooks for part in model.modules())
