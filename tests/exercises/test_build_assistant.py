"""Stage B11 as learners write it in torch: right in each style, and wrong where only a start or a gradient shows it."""

import torch
from examining import verdict
from torch import nn
from torch.nn import functional as F

from transformer_course import build_parts
from transformer_course.exercises import catalogue

LOSS, LORA, DPO = (catalogue()[f"build.{name}"] for name in ("answer_loss", "lora", "dpo_loss"))


def with_labels(model, ids, written):
    """Right, with −100 in the masked labels."""
    if written.sum() == 0:
        raise ValueError("no answer")
    labels = torch.where(written, ids, -100)[:, 1:]
    return F.cross_entropy(model(ids)[:, :-1].transpose(1, 2), labels)


def by_hand(model, ids, written):
    """Right, with a product in place of an index."""
    if not written.any():
        raise ValueError("no answer")
    costs = -model(ids).log_softmax(-1)[:, :-1].gather(-1, ids[:, 1:, None])[..., 0]
    return (costs * written[:, 1:]).sum() / written[:, 1:].sum()


class Detached(build_parts.LoRALinear):
    """Right: the layer could be trained, but no gradient gets to it."""

    def __init__(self, base, rank, alpha):
        super().__init__(base, rank, alpha)
        base.requires_grad_(True)

    def forward(self, x):
        bias = None if self.base.bias is None else self.base.bias.detach()
        return F.linear(x, self.base.weight.detach(), bias) + self.scale * F.linear(F.linear(x, self.a), self.b)


def dpo_by_rewards(model, reference, chosen, rejected, beta):
    """Right, with a reward for each answer, as the paper writes it."""
    rewards = [
        beta * (build_parts.log_prob(model, *answer) - build_parts.log_prob(reference, *answer).detach())
        for answer in (chosen, rejected)
    ]
    return -F.logsigmoid(rewards[0] - rewards[1]).mean()


def test_right_answers_pass_in_every_style():
    right = {with_labels: LOSS, by_hand: LOSS, Detached: LORA, dpo_by_rewards: DPO}
    assert {answer for answer, exercise in right.items() if verdict(exercise, answer) != exercise.passed()} == set()


def beginning(a=None, b=None, trained=False, tensors=False, forward=None) -> type:
    """A LoRALinear that begins in another way."""

    class LoRALinear(build_parts.LoRALinear):
        def __init__(self, base, rank, alpha):
            super().__init__(base, rank, alpha)
            with torch.no_grad():
                for parameter, start in ((self.a, a), (self.b, b)):
                    if start is not None:
                        parameter.copy_(start(parameter))
            self.base.requires_grad_(trained)
            if tensors:
                values = self.a.detach()
                del self.a
                self.a = values

    if forward:
        LoRALinear.forward = forward
    return LoRALinear


def test_a_wrong_start_and_a_trained_base_are_named():
    def without_gradient(self, x):
        with torch.no_grad():
            frozen = self.base(x)
        return frozen + self.scale * (x @ self.a.T @ self.b.T)

    named = {
        beginning(b=torch.randn_like): "another start",
        beginning(a=torch.zeros_like): "a start that never moves",
        beginning(a=torch.randn_like): "another spread at the start",
        beginning(a=lambda a: torch.nn.init.kaiming_uniform_(a.clone(), 5**0.5)): "another spread at the start",  # as in peft
        beginning(trained=True): "the frozen layer trained",
        beginning(tensors=True): "a plain tensor",
        beginning(forward=without_gradient): "gradient wrong",  # that of x
    }
    assert {answer: verdict(LORA, answer).mistake for answer in named} == named


def test_gradients_are_judged_too():
    def reference_trained(model, reference, chosen, rejected, beta):
        log_prob = build_parts.log_prob
        leads = [log_prob(each, *chosen) - log_prob(each, *rejected) for each in (model, reference)]
        return -F.logsigmoid(beta * (leads[0] - leads[1])).mean()

    assert verdict(DPO, reference_trained).mistake == "the reference model trained"
    assert verdict(LOSS, torch.no_grad()(build_parts.answer_loss)).mistake == "the gradient cut off"
    assert verdict(LOSS, lambda *batch: build_parts.answer_loss(*batch).item()).mistake == "the gradient cut off"
    half = verdict(LOSS, lambda *batch: build_parts.answer_loss(*batch) / 2 + build_parts.answer_loss(*batch).detach() / 2)
    assert (half.mistake, half.reason, half.score) == (None, "value", 0.5)
    assert "not its gradient" in half.message


def test_a_batch_without_answers_has_to_be_refused():
    def silent(model, ids, written):
        return build_parts.answer_loss(model, ids, written) if written.any() else torch.tensor(0.0)

    assert verdict(LOSS, silent).mistake == "everything masked"
    assert not verdict(LORA, nn.Linear).passed
