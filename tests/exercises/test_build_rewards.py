"""Stage B12 as learners write it in torch: right in each style, and wrong where only a gradient shows it."""

import torch
from examining import verdict
from torch.nn import functional as F

from transformer_course import build_parts
from transformer_course.exercises import catalogue

ADVANTAGES, LOSS, PASS = (catalogue()[f"build.{name}"] for name in ("advantages", "policy_loss", "pass_at_k"))


def one_group_at_a_time(rewards, group):
    """Right, with a question in place of a small number."""
    found = [(row - row.mean()) / row.std(correction=0) if row.std() > 0 else 0 * row for row in rewards.split(group)]
    return torch.cat(found)


def where_it_is_clipped(model, reference, ids, written, sampled, advantages, clip, kl_weight):
    """Right, with a maximum of losses, the cross-entropy of torch, and an index in place of a product."""
    now, start = (
        -F.cross_entropy(each(ids)[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none") for each in (model, reference)
    )
    ratio, start = torch.exp(now - sampled.detach()), start.detach()
    a = -advantages.unsqueeze(1).expand_as(ratio)
    cost = torch.maximum(a * ratio, a * torch.clamp(ratio, 1 - clip, 1 + clip))
    cost = cost + kl_weight * (torch.exp(start - now) - 1 - (start - now))
    return torch.stack([row[own].mean() for row, own in zip(cost, written[:, 1:], strict=True)]).mean()


def by_a_product(right, k):
    """Right, after Chen et al. 2021, listing 1."""
    n, found = right.shape[1], []
    for c in right.sum(1).tolist():
        wrong = torch.arange(n - c + 1, n + 1)
        found.append(1.0 if n - c < k else 1 - torch.prod(1 - k / wrong).item())
    return torch.tensor(found)


def test_right_answers_pass_in_every_style():
    right = {one_group_at_a_time: ADVANTAGES, where_it_is_clipped: LOSS, by_a_product: PASS}
    assert {answer for answer, exercise in right.items() if verdict(exercise, answer) != exercise.passed()} == set()


def loss(sampled=lambda sampled, now: sampled, held=torch.no_grad):
    """The stage's loss with other old log-probabilities, or with a gradient to the reference."""

    def policy_loss(model, reference, ids, written, old, advantages, clip, kl_weight):
        now = build_parts.log_probs(model, ids)
        with held():
            start = build_parts.log_probs(reference, ids)
        ratio, a, d = (now - sampled(old, now)).exp(), advantages[:, None], start - now
        cost = kl_weight * (d.exp() - d - 1) - torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
        return ((cost * written[:, 1:]).sum(1) / written[:, 1:].sum(1)).mean()

    return policy_loss


def test_what_only_a_gradient_shows_is_named():
    assert verdict(LOSS, loss()).passed
    assert verdict(LOSS, loss(lambda old, now: now)).mistake == "the ratio without detach"
    assert verdict(LOSS, loss(lambda old, now: now.detach())).mistake == "the probabilities of now as the old ones"
    assert verdict(LOSS, loss(held=torch.enable_grad)).mistake == "the reference trained"
    cut = verdict(LOSS, lambda *batch: build_parts.policy_loss(*batch).detach())
    assert (cut.mistake, cut.score) == ("the gradient cut off", 0.0)


def test_the_deviation_of_torch_and_its_nan_are_named():
    def advantages(rewards, group, correction=0, least=1e-6):
        rows = rewards.view(-1, group)
        deviation = rows.std(1, keepdim=True, correction=correction).clamp(min=least)
        return ((rows - rows.mean(1, keepdim=True)) / deviation).flatten()

    assert verdict(ADVANTAGES, advantages).passed
    assert verdict(ADVANTAGES, lambda *given: advantages(*given, correction=1)).mistake == "divided by g − 1"
    assert verdict(ADVANTAGES, lambda *given: advantages(*given, least=0.0)).mistake == "nan for equal rewards"
