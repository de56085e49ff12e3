"""Mixtures of experts: equal to a plain loop over tokens, and balanced as the papers say."""

import pytest
import torch
from torch import nn

from transformer_course.experts import MixtureOfExperts, balancing_loss, route
from transformer_course.modern import SwiGLU

pytestmark = pytest.mark.usefixtures("doubles")


def one_by_one(mixture: MixtureOfExperts, x: torch.Tensor) -> torch.Tensor:
    """Compute a mixture token by token: the highest scores, a softmax over them, and only these experts."""
    rows = []
    for token in x.flatten(0, -2):
        scores = mixture.router.weight @ token
        best = sorted(range(len(scores)), key=lambda j: -scores[j])[: mixture.k]
        weights = torch.stack([scores[j] for j in best]).softmax(0)
        rows.append(sum(weight * mixture.experts[j](token) for weight, j in zip(weights, best, strict=True)))
    return torch.stack(rows).view_as(x)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_a_mixture_is_a_loop_over_tokens_in_values_and_gradients(k):
    mixture = MixtureOfExperts(6, [SwiGLU(6, 4) for _ in range(5)], k)
    x = torch.randn(2, 7, 6, requires_grad=True)
    ours, slow = mixture(x), one_by_one(mixture, x)
    torch.testing.assert_close(ours, slow)
    wanted = [x, *mixture.parameters()]
    gradients = [torch.autograd.grad(y.square().sum(), wanted, allow_unused=True) for y in (ours, slow)]
    for left, right in zip(*gradients, strict=True):
        if left is not None or right is not None:  # an expert that no token uses has none, or zeros
            zero = torch.zeros_like(left if right is None else right)
            torch.testing.assert_close(zero if left is None else left, zero if right is None else right)


def test_only_chosen_experts_are_computed():
    class Counted(nn.Module):
        seen = 0

        def forward(self, x):
            self.seen += len(x)
            return x

    mixture = MixtureOfExperts(6, [Counted() for _ in range(4)], 2)
    mixture(torch.randn(3, 5, 6))
    assert [expert.seen for expert in mixture.experts] == (mixture.routing.shares * 30).round().int().tolist()
    assert sum(expert.seen for expert in mixture.experts) == 30


def test_weights_are_a_softmax_over_the_chosen_scores():
    scores = torch.tensor([[1.0, 3.0, 2.0, -1.0], [1001.0, 0.0, 1000.0, 5.0]])
    routing = route(scores, 2)
    assert routing.chosen.tolist() == [[1, 2], [0, 2]]
    torch.testing.assert_close(routing.weights, torch.tensor([[1.0, 0.0], [1.0, 0.0]]).softmax(1))
    assert routing.shares.tolist() == [0.25, 0.25, 0.5, 0.0]


def test_balancing_is_1_if_even_and_e_over_k_if_all_want_the_same():
    even = route(torch.eye(4).repeat(3, 1) * 9, 1)
    assert balancing_loss(even).item() == pytest.approx(1)
    same = route(torch.tensor([[50.0, 50.0, 0, 0, 0, 0]]).repeat(8, 1), 2)
    assert balancing_loss(same).item() == pytest.approx(6 / 2)


def test_a_step_on_the_balancing_loss_moves_tokens_away_from_the_expert_that_is_used_most():
    scores = torch.tensor([[1.0, 0.0, 0.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.0]], requires_grad=True)
    routing = route(scores, 1)
    (gradient,) = torch.autograd.grad(balancing_loss(routing), scores)
    assert (gradient[:, 0] > 0).all()  # of two thirds of the tokens
    assert (gradient[:, 2] < 0).all()  # of none
    torch.testing.assert_close(gradient.sum(1), torch.zeros(3))


@pytest.mark.parametrize("k", [0, 5, -1])
def test_no_more_experts_can_be_chosen_than_there_are(k):
    message = f"1 … 4 of the 4 experts, got k = {k}"
    with pytest.raises(ValueError, match=message):
        route(torch.zeros(2, 4), k)
    with pytest.raises(ValueError, match=message):
        MixtureOfExperts(6, [nn.Identity() for _ in range(4)], k)


def test_another_width_is_refused():
    with pytest.raises(ValueError, match=r"expects vectors of width 6, got \(2, 5\)"):
        MixtureOfExperts(6, [nn.Identity()], 1)(torch.ones(2, 5))
