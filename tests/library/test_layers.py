"""layers.py against torch, and against its own laws."""

import pytest
import torch
import twins
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F
from twins import random, random_mask

from transformer_course.attention import causal_mask
from transformer_course.layers import DecoderLayer, EncoderLayer, FeedForward, LayerNorm, layer_norm

SMALL = st.integers(1, 4)
NORMS = st.sampled_from(["pre", "post"])
ACTIVATIONS = st.sampled_from(["relu", "gelu"])


# LayerNorm


@given(st.lists(SMALL, max_size=3), st.integers(1, 7), st.sampled_from([1e-5, 1e-2, 1.0]), st.sampled_from([1e-4, 1.0, 1e4]))
def test_layer_norm_equals_torch_in_values_and_gradients(shape, width, eps, size):
    ours, theirs = twins.scatter_parameters(LayerNorm(width, eps)), nn.LayerNorm(width, eps, dtype=torch.float64)
    twins.share(pairs := twins.norm(ours, theirs), theirs)
    x, same = twins.leaves((*shape, width))
    torch.testing.assert_close(layer_norm(x[0] * size, ours.gamma, ours.beta, eps), theirs(same[0] * size), rtol=0, atol=1e-6)
    twins.assert_equal(ours(x[0] * size), theirs(same[0] * size), x, same, pairs)


def test_the_formula_has_torch_s_gradients():
    (x, gamma, beta), (same, their_gamma, their_beta) = twins.leaves((3, 5), (5,), (5,))
    ours, theirs = layer_norm(x, gamma, beta), F.layer_norm(same, (5,), their_gamma, their_beta)
    twins.assert_equal(ours, theirs, [x, gamma, beta], [same, their_gamma, their_beta], [])


def test_layer_norm_tells_other_widths():
    with pytest.raises(ValueError, match=r"vectors of width 4, got \(2, 1\)"):
        LayerNorm(4)(torch.zeros(2, 1))
    with pytest.raises(ValueError, match=r"must have shape \(3,\), the width of x, got \(4,\) and \(3,\)"):
        layer_norm(torch.zeros(2, 3), torch.ones(4), torch.ones(3))


# Feed-forward


def test_feed_forward_tells_what_does_not_fit():
    with pytest.raises(ValueError, match=r"vectors of width 3, got \(2, 4\)"):
        FeedForward(3, 5)(torch.zeros(2, 4))
    with pytest.raises(ValueError, match="activation must be one of relu, gelu, gelu_tanh, got 'tanh'"):
        FeedForward(3, 5, activation="tanh")


# Residual


def test_an_unknown_order_is_told():
    with pytest.raises(ValueError, match='norm must be "pre" or "post", got \'sandwich\''):
        EncoderLayer(4, 2, 8, norm="sandwich")


# Layers


@settings(deadline=None)
@given(SMALL, SMALL, SMALL, SMALL, st.integers(1, 9), NORMS, ACTIVATIONS, st.booleans())
def test_encoder_layer_equals_torch_in_values_and_gradients(b, n, heads, width, d_ff, norm, activation, masked):
    d_model = heads * width
    ours = twins.scatter_parameters(EncoderLayer(d_model, heads, d_ff, norm=norm, activation=activation))
    theirs = nn.TransformerEncoderLayer(
        d_model, heads, d_ff, 0.0, activation, batch_first=True, norm_first=norm == "pre", dtype=torch.float64
    )
    twins.share(pairs := twins.encoder_layer(ours, theirs), theirs)
    x, same = twins.leaves((b, n, d_model))
    mask = random_mask(n, n) if masked else None
    twins.assert_equal(ours(*x, mask), theirs(*same, src_mask=None if mask is None else ~mask), x, same, pairs)


@settings(deadline=None)
@given(SMALL, SMALL, SMALL, SMALL, SMALL, st.integers(1, 9), NORMS, ACTIVATIONS)
def test_decoder_layer_equals_torch_in_values_and_gradients(b, n, m, heads, width, d_ff, norm, activation):
    d_model = heads * width
    ours = twins.scatter_parameters(DecoderLayer(d_model, heads, d_ff, norm=norm, activation=activation))
    theirs = nn.TransformerDecoderLayer(
        d_model, heads, d_ff, 0.0, activation, batch_first=True, norm_first=norm == "pre", dtype=torch.float64
    )
    twins.share(pairs := twins.decoder_layer(ours, theirs), theirs)
    inputs, same = twins.leaves((b, n, d_model), (b, m, d_model))
    mask, of_memory = causal_mask(n), random_mask(b, 1, m)
    expected = theirs(*same, tgt_mask=~mask, memory_key_padding_mask=~of_memory[:, 0])
    twins.assert_equal(ours(*inputs, mask, of_memory), expected, inputs, same, pairs)


def test_dropout_is_for_training_alone():
    torch.manual_seed(0)
    x = random(1, 3, 8)
    for layer in (EncoderLayer(8, 2, 16, dropout=0.5), DecoderLayer(8, 2, 16, dropout=0.5)):
        arguments = [x] if isinstance(layer, EncoderLayer) else [x, x]
        layer.double()
        assert {part.dropout for part in layer.modules() if hasattr(part, "dropout")} == {0.5}  # in each part of it
        assert not torch.equal(layer(*arguments), layer(*arguments))
        layer.eval()
        assert torch.equal(layer(*arguments), layer(*arguments))
