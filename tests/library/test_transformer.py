"""Encoder, decoder and Transformer: equal to torch's, no leak from the future, step by step as at once."""

import pytest
import torch
import twins
from hypothesis import given, settings
from hypothesis import strategies as st
from small_transformer import SOURCE, TARGET, small
from torch import nn

from transformer_course.attention import causal_mask
from transformer_course.inspection import count_parameters
from transformer_course.transformer import Decoder, Encoder, StackConfig, Transformer, TransformerConfig

SMALL = st.integers(1, 4)


@settings(deadline=None)
@given(SMALL, SMALL, SMALL, SMALL, st.integers(1, 3), st.sampled_from(["pre", "post"]), st.booleans())
def test_encoder_equals_torch_in_values_and_gradients(b, n, heads, width, layers, norm, final_norm):
    sizes = {
        "d_model": heads * width,
        "num_heads": heads,
        "d_ff": 7,
        "num_layers": layers,
        "dropout": 0.0,
        "positions": "none",
    }
    ours = twins.scatter_parameters(Encoder(StackConfig(**sizes, norm=norm, final_norm=final_norm)))
    layer = nn.TransformerEncoderLayer(
        heads * width, heads, 7, 0.0, batch_first=True, norm_first=norm == "pre", dtype=torch.float64
    )
    closing = nn.LayerNorm(heads * width, dtype=torch.float64) if final_norm else None
    theirs = nn.TransformerEncoder(layer, layers, closing, enable_nested_tensor=False)
    twins.share(pairs := twins.stack(ours, theirs), theirs)
    x, same = twins.leaves((b, n, heads * width))
    mask = twins.random_mask(b, 1, n)
    twins.assert_equal(ours(*x, mask), theirs(*same, src_key_padding_mask=~mask[:, 0]), x, same, pairs)


@settings(deadline=None)
@given(SMALL, SMALL, SMALL, SMALL, SMALL, st.integers(1, 2), st.sampled_from(["pre", "post"]))
def test_both_stacks_equal_torch_s_transformer_in_values_and_gradients(b, n, m, heads, width, layers, norm):
    sizes = {
        "d_model": heads * width,
        "num_heads": heads,
        "d_ff": 7,
        "num_layers": layers,
        "dropout": 0.0,
        "positions": "none",
    }
    config = StackConfig(**sizes, norm=norm, final_norm=True)
    ours = twins.scatter_parameters(nn.ModuleList([Encoder(config), Decoder(config)]))
    theirs = twins.torch_transformer(
        d_model=heads * width,
        nhead=heads,
        num_encoder_layers=layers,
        num_decoder_layers=layers,
        dim_feedforward=7,
        norm_first=norm == "pre",
    )
    twins.share(pairs := twins.stack(ours[0], theirs.encoder) + twins.stack(ours[1], theirs.decoder), theirs)
    inputs, same = twins.leaves((b, m, heads * width), (b, n, heads * width))
    mask, of_memory = causal_mask(n), twins.random_mask(b, 1, m)
    output = ours[1](inputs[1], ours[0](inputs[0], of_memory), mask, of_memory)
    hidden = {"src_key_padding_mask": ~of_memory[:, 0], "memory_key_padding_mask": ~of_memory[:, 0]}
    twins.assert_equal(output, theirs(*same, tgt_mask=~mask, **hidden), inputs, same, pairs)


def test_the_paper_s_base_model_part_by_part():
    with torch.device("meta"):  # sizes alone
        model = Transformer(TransformerConfig())
    counts = count_parameters(model)
    attention, feed_forward, norm = 4 * (512 * 512 + 512), 512 * 2048 + 2048 + 2048 * 512 + 512, 2 * 512
    assert counts["source"] == 37_000 * 512
    assert counts["target"] == counts["output"] == 0  # they share the source's table
    assert counts["encoder"] == 6 * (attention + feed_forward + 2 * norm)
    assert counts["decoder"] == 6 * (2 * attention + feed_forward + 3 * norm)
    assert counts["encoder"] + counts["decoder"] == 44_138_496
    assert sum(counts.values()) == sum(p.numel() for p in model.parameters())


def test_torch_s_transformer_has_two_norms_more_than_the_paper():
    with torch.device("meta"):
        theirs = sum(p.numel() for p in twins.torch_transformer().parameters())
        stacks = Encoder(StackConfig(final_norm=True)), Decoder(StackConfig(final_norm=True))
    assert theirs == 44_140_544
    assert sum(p.numel() for stack in stacks for p in stack.parameters()) == theirs


def test_logits_are_made_of_the_parts():
    model = small()
    memory = model.encoder(model.source.positions(model.source.embedding(SOURCE)))
    x = model.decoder(model.target.positions(model.target.embedding(TARGET)), memory, causal_mask(4))
    torch.testing.assert_close(model(SOURCE, TARGET), x @ model.target.embedding.table.T)
    assert model(SOURCE, TARGET).shape == (1, 4, 13)


def test_tied_tables_are_one_and_others_are_not():
    shared = Transformer(TransformerConfig(vocabulary_size=11, num_layers=1))
    assert shared.output.weight is shared.target.embedding.table is shared.source.embedding.table
    apart = Transformer(TransformerConfig(vocabulary_size=11, target_vocabulary_size=11, tied=False, num_layers=1))
    tables = apart.output.weight, apart.target.embedding.table, apart.source.embedding.table
    assert len({id(table) for table in tables}) == 3


@pytest.mark.parametrize("tied", [True, False])
def test_the_first_loss_is_that_of_a_fair_guess(tied):
    torch.manual_seed(0)
    model = Transformer(TransformerConfig(vocabulary_size=50, d_model=128, num_heads=4, num_layers=2, norm="pre", tied=tied))
    tokens = torch.randint(4, 50, (8, 20))
    loss = nn.functional.cross_entropy(model(tokens, tokens).flatten(0, 1), tokens.flatten())
    assert 0.8 < loss / torch.tensor(50.0).log() < 1.3


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "alibi", "none"])
def test_no_logit_depends_on_a_later_token_and_all_depend_on_each_earlier_one(norm, positions):
    model = small(norm=norm, positions=positions)
    plain = model(SOURCE, TARGET)
    for j in range(4):
        changed = TARGET.clone()
        changed[0, j] = 9
        moved = (model(SOURCE, changed) - plain).abs().amax(-1)[0] > 1e-9
        assert moved.tolist() == [i >= j for i in range(4)]


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_a_sentence_alone_equals_the_sentence_in_a_padded_batch(norm):
    model = small(norm=norm)
    sources = torch.tensor([[5, 6, 7, 8, 9], [10, 4, 0, 0, 0]])
    targets = torch.tensor([[1, 4, 6, 5], [1, 8, 0, 0]])
    torch.testing.assert_close(model(sources, targets)[1:, :2], model(sources[1:, :2], targets[1:, :2]))


def test_without_positions_the_encoder_is_blind_to_order_and_with_them_it_is_not():
    order = torch.tensor([3, 0, 4, 1, 2])
    for positions, blind in (("none", True), ("sinusoidal", False), ("learned", False), ("rotary", False), ("alibi", False)):
        model = small(positions=positions)
        memory, shuffled = model.encode(SOURCE)[0], model.encode(SOURCE[:, order])[0]
        assert torch.allclose(shuffled, memory[:, order]) == blind


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary", "alibi", "none"])
@given(cut=st.integers(1, 3))
def test_step_by_step_equals_teacher_forcing(positions, cut):
    model = small(positions=positions)
    memory, mask = model.encode(SOURCE)
    caches = model.caches(4)
    pieces = [model.decode(TARGET[:, :cut], memory, mask, caches)]
    pieces += [model.decode(TARGET[:, i : i + 1], memory, mask, caches) for i in range(cut, 4)]
    torch.testing.assert_close(torch.cat(pieces, 1), model(SOURCE, TARGET))
