"""Spellers with pre-norm and post-norm: their initialisation, what they learn, and what is measured."""

from types import SimpleNamespace

import pytest
import torch
from sizes import size
from torch.nn import functional as F

from transformer_course.experiments.norm_order import (
    LENGTH,
    edit_sizes,
    mean_cosine,
    name_batches,
    name_prefixes,
    new_speller,
    train_speller,
    unigram_baseline,
)


def test_the_starts_of_a_speller_differ_in_the_weights_of_its_layers_alone():
    plain, again, xavier = (new_speller("post", 2, init, seed=3) for init in ("torch", "torch", "xavier"))
    halved = new_speller("post", 2, scale=0.5, seed=3)
    for (name, a), b, c in zip(plain.named_parameters(), again.parameters(), halved.parameters(), strict=True):
        assert torch.equal(a, b)
        assert torch.equal(a * (0.5 if name.startswith("stack") and a.ndim == 2 else 1), c), name
    linear, drawn = (model.stack.layers[0].self_attention.w_q for model in (plain, xavier))
    assert (drawn.weight.std() / linear.weight.std()).item() == pytest.approx(3**0.5, rel=0.1)
    assert not drawn.bias.any()
    assert torch.equal(plain.input.embedding.table, xavier.input.embedding.table)
    assert size(new_speller("pre", 2)) == size(plain) + 64  # the final LayerNorm
    with pytest.raises(ValueError, match=r'"torch" or "xavier", got .he.'):
        new_speller("pre", 2, init="he")


def test_names_are_as_long_as_the_model_reads_and_the_same_for_one_seed():
    names = next(name_batches(0))
    assert names.shape == (8, LENGTH)
    assert torch.equal(names, next(name_batches(0)))
    assert not torch.equal(names, next(name_batches(1)))
    assert names.min() > 3  # no special token


def test_letters_alone_is_the_least_loss_of_a_model_that_sees_nothing():
    names, vocabulary = name_prefixes()
    logits = torch.zeros(len(vocabulary), requires_grad=True)
    optimizer = torch.optim.Adam([logits], lr=0.3)
    for _ in range(200):
        loss = F.cross_entropy(logits.expand(names[:2000].numel(), -1), names[:2000].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() == pytest.approx(unigram_baseline(), abs=0.05)


def test_letters_that_all_have_one_vector_are_alike_and_others_are_not():
    model, names = new_speller("post", 1), next(name_batches(0))
    assert mean_cosine(model, names) < 0.5
    torch.nn.init.zeros_(model.stack.layers[0].feed_forward_residual.norm.gamma)
    torch.nn.init.ones_(model.stack.layers[0].feed_forward_residual.norm.beta)
    assert mean_cosine(model, names) == pytest.approx(1, abs=1e-5)
    apart = SimpleNamespace(input=lambda tokens: tokens, stack=lambda x, mask: torch.eye(LENGTH).expand(8, -1, -1))
    assert mean_cosine(apart, names) == 0  # no letter is compared with itself


def test_a_run_is_repeatable_and_its_warm_up_slows_the_first_steps():
    runs = [train_speller("pre", 1, 0.01, warmup=warmup, seed=1, steps=20) for warmup in (1, 1, 20)]
    assert runs[0] == runs[1]
    assert runs[0].gradient == runs[2].gradient > 0
    assert runs[0].cosine_before == runs[2].cosine_before != runs[0].cosine_after
    assert runs[0].losses[0] == runs[2].losses[0]
    assert runs[0].final == pytest.approx(sum(runs[0].losses) / 20)
    short = train_speller("pre", 1, 0.01, seed=1, steps=3)
    assert short.final == pytest.approx(sum(short.losses) / 3)
    assert runs[0].losses[4] < runs[2].losses[4]


def test_deep_post_norm_is_stuck_at_large_first_steps_and_pre_norm_is_not():
    stuck, learns = (train_speller(norm, 12, 0.01) for norm in ("post", "pre"))
    assert stuck.final > unigram_baseline() - 0.2
    assert stuck.cosine_after > 0.99 > stuck.cosine_before
    assert learns.final < unigram_baseline() - 0.4


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_edits_are_measured_beside_the_stream_that_they_are_added_to(norm):
    model, names = new_speller(norm, 2, seed=1), next(name_batches(0))
    with torch.no_grad():
        model.stack.layers[1].feed_forward.w_2.weight.zero_()
        model.stack.layers[1].feed_forward.w_2.bias.fill_(3.0)
    edits = edit_sizes(model, names)
    assert edits.shape == (4,)
    streams = []
    hook = model.stack.layers[1].feed_forward_residual.register_forward_pre_hook(lambda _, args: streams.append(args[0]))
    model(names)
    hook.remove()
    assert edits[3] == pytest.approx(3 * 32**0.5 / streams[0].norm(dim=-1).mean().item(), rel=1e-4)
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in model.modules())
