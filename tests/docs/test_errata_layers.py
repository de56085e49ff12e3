"""The sources' errors about layers (docs/sources.md): each test computes both versions."""

import numpy as np
import pytest
import torch
from by_hand import X

from transformer_course import models
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.experiments.norm_order import edit_sizes
from transformer_course.experiments.stream import capture_outputs, sublayers
from transformer_course.layers import EncoderLayer, Residual


def test_e13_both_sublayers_have_a_residual_connection_or_no_token_gets_through():
    rng = np.random.default_rng(0)
    w_1, w_2 = rng.standard_normal((2, 8)), rng.standard_normal((8, 2))

    def network(x):
        return np.maximum(x @ w_1, 0) @ w_2

    mixed = softmax(np.zeros((3, 3))) @ X  # an attention that cannot tell the keys apart
    as_printed = mixed + network(mixed)
    np.testing.assert_allclose(as_printed, as_printed[[0, 0, 0]])  # three tokens, one vector
    right = (X + mixed) + network(X + mixed)
    assert min(np.linalg.norm(right[i] - right[j]) for i, j in ((0, 1), (0, 2), (1, 2))) > 0.1
    for norm in ("pre", "post"):  # silenced, each sublayer of a layer lets through what it got; post-norm norms it twice
        layer, x = EncoderLayer(4, 1, 8, norm=norm), torch.randn(1, 3, 4)
        theirs = torch.nn.TransformerEncoderLayer(4, 1, 8, batch_first=True, norm_first=norm == "pre")
        for last in (layer.self_attention.w_o, layer.feed_forward.w_2, theirs.self_attn.out_proj, theirs.linear2):
            torch.nn.init.zeros_(last.weight)
            torch.nn.init.zeros_(last.bias)
        normed = torch.nn.functional.layer_norm
        expected = x if norm == "pre" else normed(normed(x, (4,)), (4,))
        torch.testing.assert_close(layer(x), expected)
        torch.testing.assert_close(theirs(x), expected)


def test_e21_one_epsilon_stands_inside_the_root_and_none_beside_it():
    eps, largest = 1e-5, 0.0
    for spread in (1.0, 1e-2, 1e-3, 1e-5):
        x = spread * torch.tensor([-1.4, -0.2, 0.2, 1.4], dtype=torch.float64)
        root = torch.sqrt(x.var(correction=0) + eps)
        torch.testing.assert_close(torch.nn.functional.layer_norm(x, (4,), eps=eps), x / root)
        largest = max(largest, float(1 - root / (root + eps)))  # what the second one takes off
    assert 0.003 < largest < eps**0.5  # a slip that hardly shows, and another function all the same


def test_e22_post_norm_rescales_the_stream_and_the_edits_are_not_small():
    x, nothing = torch.tensor([[[1.0, 7.0, 9.0, 15.0]]]), torch.zeros_like
    assert torch.equal(Residual(4, norm="pre")(x, nothing), x)  # an edit of 0 keeps the stream, as it says
    assert Residual(4, norm="post")(x, nothing)[0, 0].tolist() == pytest.approx([-1.4, -0.2, 0.2, 1.4], abs=1e-4)
    for name in ("gpt-pre", "gpt-post"):
        model, vocabulary = models.load(name)
        edits = edit_sizes(model, torch.tensor([vocabulary["text"].encode("GREEK CAPITAL LETTER OMEGA")]))
        assert edits.min() > 0.2
        assert edits.max() > 0.6


def test_e22_in_trained_models_the_stream_is_the_sum_of_its_edits_with_pre_norm_alone():
    missed = {}
    for name in ("gpt-pre", "gpt-post"):
        model, vocabulary = models.load(name)
        tokens = torch.tensor([vocabulary["text"].encode("GREEK CAPITAL LETTER OMEGA")])
        bottom, *edits, top = capture_outputs(model, [model.input, *sublayers(model), model.stack.layers[-1]], tokens)
        missed[name] = ((top - bottom - sum(edits)).norm() / top.norm()).item()
    assert missed["gpt-pre"] < 1e-5
    assert missed["gpt-post"] > 0.3


def test_e27_a_layer_norm_standardises_each_token_and_not_each_sample():
    text = torch.randn(5, 4, generator=torch.Generator().manual_seed(0)) * torch.arange(1.0, 6)[:, None]
    normed = torch.nn.LayerNorm(4)(text).detach()
    torch.testing.assert_close(normed.mean(1), torch.zeros(5), atol=1e-6, rtol=0)
    torch.testing.assert_close(normed.var(1, correction=0), torch.ones(5), atol=1e-3, rtol=0)
    as_it_says = (text - text.mean()) / text.std(correction=0)
    assert as_it_says.mean(1).abs().max() > 0.1
    longer = torch.cat([text, torch.zeros(3, 4)])  # padding, or the future
    assert torch.equal(torch.nn.LayerNorm(4)(longer)[:5], normed)
    assert not torch.allclose(((longer - longer.mean()) / longer.std(correction=0))[:5], as_it_says)
