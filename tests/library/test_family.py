"""family.py: one stack, three models, and what each of them must and must not see."""

import pytest
import torch
import twins
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from transformer_course.attention import causal_mask
from transformer_course.data import digit_images
from transformer_course.family import BERT, GPT, IGNORE_INDEX, SequenceClassifier, ViT, ViTConfig, mask_tokens, patches
from transformer_course.training import batches, classification_loss, train
from transformer_course.transformer import TransformerConfig

SMALL = TransformerConfig(
    vocabulary_size=11, d_model=6, num_heads=3, num_layers=2, d_ff=10, max_length=9, dropout=0.0, norm="pre"
)
TOKENS = torch.tensor([[5, 6, 7, 8, 9]])


def moved_by(model: nn.Module, j: int) -> list[bool]:
    changed = TOKENS.clone()
    changed[0, j] = 4
    return ((model(changed) - model(TOKENS)).abs().amax(-1)[0] > 1e-9).tolist()


def test_gpt_sees_what_came_before_and_bert_sees_all():
    gpt, bert = (twins.scatter_parameters(kind(SMALL)) for kind in (GPT, BERT))
    for j in range(5):
        assert moved_by(gpt, j) == [i >= j for i in range(5)]
        assert moved_by(bert, j) == [True] * 5


def test_gpt_and_bert_differ_by_the_mask_alone():
    gpt, bert = GPT(SMALL), BERT(SMALL)
    bert.load_state_dict(gpt.state_dict())
    x = bert.input(TOKENS)
    torch.testing.assert_close(bert.output(bert.stack(x, causal_mask(5))), gpt(TOKENS))


def test_gpt_equals_torch_s_encoder_under_a_causal_mask():
    gpt = twins.scatter_parameters(GPT(SMALL))
    layer = nn.TransformerEncoderLayer(6, 3, 10, 0.0, batch_first=True, norm_first=True, dtype=torch.float64)
    stack = nn.TransformerEncoder(layer, 2, nn.LayerNorm(6, dtype=torch.float64), enable_nested_tensor=False)
    twins.share(twins.stack(gpt.stack, stack), stack)
    torch.testing.assert_close(gpt(TOKENS), gpt.output(stack(gpt.input(TOKENS), ~causal_mask(5))), rtol=0, atol=1e-6)


@given(st.lists(st.integers(1, 8), unique=True, max_size=3).map(sorted))
def test_gpt_in_pieces_with_caches_equals_the_whole_at_once(cuts):
    gpt, tokens = (
        twins.scatter_parameters(GPT(SMALL)),
        torch.tensor([[1, 5, 9, 4, 4, 7, 3, 10, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9]]),
    )
    caches = gpt.caches(9)
    pieces = [gpt(tokens[:, i:j], caches) for i, j in zip([0, *cuts], [*cuts, 9], strict=True)]
    torch.testing.assert_close(torch.cat(pieces, 1), gpt(tokens))


def test_padding_beside_a_cache_is_told():
    gpt = GPT(SMALL)
    with pytest.raises(ValueError, match="with caches, all rows of new tokens must have the same length, got padding"):
        gpt(torch.tensor([[1, 5, 6], [1, 5, 0]]), gpt.caches(9))


def test_bert_and_its_classifier_leave_padding_out():
    bert = twins.scatter_parameters(BERT(SMALL))
    padded = torch.tensor([[5, 6, 7, 8, 9], [3, 4, 0, 0, 0]])
    torch.testing.assert_close(bert(padded)[1:, :2], bert(padded[1:, :2]))
    classifier = twins.scatter_parameters(SequenceClassifier(bert, 4))
    torch.testing.assert_close(classifier(padded)[1:], classifier(padded[1:, :2]))
    assert classifier(padded).shape == (2, 4)


def test_masked_tokens_have_the_shares_of_the_paper():
    tokens = torch.randint(5, 1000, (400, 500), generator=torch.Generator().manual_seed(0))
    special = torch.zeros_like(tokens, dtype=torch.bool)
    special[:, 0] = True
    inputs, labels = mask_tokens(tokens, special, 4, 1000, torch.Generator().manual_seed(1))
    hidden = labels != IGNORE_INDEX
    assert not hidden[:, 0].any()
    assert hidden[:, 1:].double().mean().item() == pytest.approx(0.15, abs=0.005)
    assert torch.equal(labels[hidden], tokens[hidden])
    assert torch.equal(inputs[~hidden], tokens[~hidden])
    assert (inputs[hidden] == 4).double().mean().item() == pytest.approx(0.8, abs=0.01)
    assert (inputs[hidden] == tokens[hidden]).double().mean().item() == pytest.approx(0.1, abs=0.01)
    assert (inputs != 0).all()  # never padding
    others = inputs[hidden & (inputs != 4) & (inputs != tokens)]
    assert len(others.unique()) > 900  # from the whole vocabulary


def test_masking_is_repeatable_and_tells_what_does_not_fit():
    tokens, special = torch.full((3, 40), 7), torch.zeros(3, 40, dtype=torch.bool)
    one, two = (mask_tokens(tokens, special, 4, 9, torch.Generator().manual_seed(5)) for _ in range(2))
    torch.testing.assert_close(one, two)
    with pytest.raises(ValueError, match=r"boolean with the shape of tokens \(3, 40\), got torch.bool \(3, 39\)"):
        mask_tokens(tokens, special[:, 1:], 4, 9, torch.Generator())
    with pytest.raises(ValueError, match="0 … 8, got 9"):
        mask_tokens(tokens, special, 9, 9, torch.Generator())


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4), st.integers(1, 3))
def test_patches_equal_a_loop_over_squares(b, rows, columns, size):
    images = twins.random(b, rows * size, columns * size)
    cut = patches(images, size)
    assert cut.shape == (b, rows * columns, size * size)
    for r in range(rows):
        for c in range(columns):
            square = images[:, r * size : (r + 1) * size, c * size : (c + 1) * size]
            assert torch.equal(cut[:, r * columns + c], square.flatten(1))


def test_images_that_cannot_be_cut_are_told():
    for images, size in ((torch.zeros(2, 8, 9), 2), (torch.zeros(8, 8), 2), (torch.zeros(2, 8, 8), 0)):
        with pytest.raises(ValueError, match=r"images must have shape \(b, H, W\), with sides that"):
            patches(images, size)
    with pytest.raises(ValueError, match="patch_size must divide image_size, got 3 and 8"):
        ViTConfig(patch_size=3)
    with pytest.raises(
        ValueError, match=r"images of shape \(b, 8, 8\) with values from 0 to 1, got torch.float32 \(2, 16, 16\)"
    ):
        ViT(ViTConfig(d_model=8, num_heads=2, num_layers=1))(torch.zeros(2, 16, 16))


@settings(deadline=None)
@given(st.integers(0, 63))
def test_vit_sees_every_pixel_and_where_it_is(pixel):
    config = ViTConfig(d_model=8, num_heads=2, num_layers=1, d_ff=8, dropout=0.0)
    model, images = twins.scatter_parameters(ViT(config)), twins.random(2, 8, 8)
    changed = images.clone()
    changed[1].view(-1)[pixel] += 1
    moved = (model(changed) - model(images)).abs().amax(-1) > 1e-9
    assert moved.tolist() == [False, True]
    flipped = model(images.flip(2).unfold(2, 2, 2).flip(3).flatten(2))  # the same patches, in another order
    assert not torch.allclose(flipped, model(images))


@pytest.mark.slow
def test_vit_learns_digits():
    torch.manual_seed(0)
    known, unseen = digit_images()
    model = ViT(ViTConfig(dropout=0.0))
    train(model, batches(*known), classification_loss, 150, lr=3e-3, warmup=20)
    model.eval()
    assert (model(unseen[0]).argmax(-1) == unseen[1]).double().mean() > 0.9
    assert sum(p.numel() for p in model.parameters()) < 110_000
