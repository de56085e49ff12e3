"""The training loop: torch's AdamW, warm-up, clipping, and what stops it."""

import math
import re

import pytest
import torch
import twins
from torch import nn
from training_data import CONFIG, SIZES, reversals

from transformer_course.training import batches, exact_match, train, translation_loss
from transformer_course.transformer import Transformer, TransformerConfig


def test_the_loop_makes_the_steps_of_torch_s_adamw():
    def loss_of(model, x):
        return (model(x) ** 2).mean()

    data = [twins.random(3, 4, seed=i) for i in range(6)]
    ours, theirs = (twins.scatter_parameters(nn.Linear(4, 2)) for _ in range(2))
    losses = train(ours, iter([(x,) for x in data]), loss_of, 6, lr=0.1, warmup=2, clip=0.5, weight_decay=0.3)
    optimizer = torch.optim.AdamW(theirs.parameters(), lr=0.0, betas=(0.9, 0.98), weight_decay=0.3)
    for x, share in zip(data, [1 / 2, 1, 4 / 4, 3 / 4, 2 / 4, 1 / 4], strict=True):
        optimizer.param_groups[0]["lr"] = 0.1 * share
        loss = loss_of(theirs, x)
        assert loss.item() == pytest.approx(losses.pop(0))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(theirs.parameters(), 0.5)
        optimizer.step()
    torch.testing.assert_close(ours.state_dict(), theirs.state_dict())


def test_a_small_transformer_learns_to_reverse_what_it_never_saw():
    torch.manual_seed(0)
    sources, targets = reversals(1500)
    model, seen = Transformer(TransformerConfig(**{**SIZES, "d_model": 32, "d_ff": 64}, norm="pre", tied=False)), []
    losses = train(
        model,
        batches(sources[:1000], targets[:1000]),
        translation_loss,
        400,
        lr=5e-3,
        after_step=lambda step, loss: seen.append((step, loss)),
    )
    assert seen == list(enumerate(losses, start=1))
    unseen = [(s, t) for s, t in zip(sources[1000:], targets[1000:], strict=True) if s not in sources[:1000]]
    assert len(unseen) > 100
    assert exact_match(model, *zip(*unseen, strict=True)) >= 0.9


def test_a_model_learns_with_its_dropout_on():
    model = Transformer(CONFIG).eval()
    train(model, batches(*reversals()), translation_loss, 1)
    assert model.training


def test_a_run_is_repeatable_to_the_bit():
    def run() -> list[float]:
        torch.manual_seed(3)
        sources, targets = reversals()
        return train(Transformer(CONFIG), batches(sources, targets, seed=3), translation_loss, 5)

    assert run() == run()


def test_a_loss_that_is_lost_is_told_at_once():
    model = nn.Linear(1, 1)
    data = ((torch.ones(1, 1) * (math.nan if i == 2 else 1),) for i in range(9))
    with pytest.raises(
        RuntimeError, match=re.escape("the loss must be finite, got nan at step 3; try a smaller lr (it was 0.001)")
    ):
        train(model, data, lambda model, x: model(x).sum(), 9)
    assert all(p.isfinite().all() for p in model.parameters())  # what two good steps made of it is kept
    with pytest.raises(ValueError, match="the data ran out before step 3 of 9; try `batches`, which never ends"):
        train(model, iter([(torch.ones(1, 1),)] * 2), lambda model, x: model(x).sum(), 9)
    with pytest.raises(ValueError, match="at least one step, got 0"):
        train(model, data, lambda model, x: model(x).sum(), 0)
