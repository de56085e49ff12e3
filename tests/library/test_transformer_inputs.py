"""What encoder, decoder and Transformer refuse, and how padding masks reach their layers."""

import pytest
import torch
import twins
from small_transformer import SOURCE, TARGET, small
from twins import random

from transformer_course.inspection import perturbation_map
from transformer_course.transformer import Encoder, StackConfig


def test_configurations_that_cannot_be_are_told():
    for changes, told in [
        ({"d_model": 0}, "d_model must be an integer of 1 or more, got 0"),
        ({"vocabulary_size": 0}, "vocabulary_size must be an integer of 1 or more, got 0"),
        ({"target_vocabulary_size": -1}, "target_vocabulary_size must be an integer of 1 or more, got -1"),
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1, got 1.0"),
        ({"positions": "relative"}, "positions must be one of sinusoidal, learned, rotary, alibi, none, got 'relative'"),
        ({"d_model": 6.0}, "d_model must be an integer of 1 or more, got 6.0"),
        ({"d_model": 9}, r"sinusoidal positions need an even width .*, got 9; try 10"),
        ({"d_model": 9, "positions": "rotary"}, r"rotary positions need an even width .*, got 3; try 4"),
        ({"activation": "tanh"}, "activation must be one of relu, gelu, gelu_tanh, got 'tanh'"),
        ({"num_heads": 4}, "num_heads must divide d_model, got 4 heads for d_model 6"),
        ({"norm": "none"}, "norm must be one of pre, post, got 'none'"),
    ]:
        with pytest.raises(ValueError, match=told):
            small(**changes)


def test_sequences_that_do_not_fit_are_told():
    model = small()
    for source, target, told in [
        (torch.zeros(1, 5, dtype=torch.int64), TARGET, r"padded on the right and not be empty, got row 0 = \[0, 0, 0, 0, 0\]"),
        (torch.tensor([[5, 0, 6]]), TARGET, r"got row 0 = \[5, 0, 6\]; try pad_right"),
        (SOURCE, torch.tensor([[0, 0, 1, 5]]), r"got row 0 = \[0, 0, 1, 5\]; try pad_right"),
        (torch.full((1, 10), 5), TARGET, "this model has 9 positions, got a sequence of 10 tokens; shorten it"),
        (SOURCE, torch.full((1, 10), 5), "this model has 9 positions, got a sequence of 10 tokens; shorten it"),
        (SOURCE + 10, TARGET, "ids 0 … 10, got 15; was a different vocabulary used"),
        (SOURCE, TARGET + 10, "ids 0 … 12, got 14"),
        (SOURCE, TARGET[:, :0], "at least one token"),
        (SOURCE.expand(2, 5), TARGET, "must have the same batch size"),
    ]:
        with pytest.raises(ValueError, match=told):
            model(source, target)


@pytest.mark.parametrize("positions", ["rotary", "alibi", "none"])
def test_max_length_holds_without_a_table_too(positions):
    with pytest.raises(ValueError, match="this model has 9 positions, got a sequence of 10 tokens"):
        small(positions=positions)(SOURCE, torch.full((1, 10), 5))


def test_each_layer_needs_its_caches():
    model = small()
    memory, mask = model.encode(SOURCE)
    with pytest.raises(ValueError, match=r"each of the 2 layers needs a cache, got 1; use model.caches\(max_length\)"):
        model.decode(TARGET, memory, mask, model.caches(9)[:1])


def test_encoder_without_mask_sees_everything():
    encoder = twins.scatter_parameters(Encoder(StackConfig(d_model=6, num_heads=2, num_layers=2, d_ff=8, dropout=0.0)))
    assert (perturbation_map(lambda x: encoder(x[None])[0], random(5, 6)) > 1e-9).all()
