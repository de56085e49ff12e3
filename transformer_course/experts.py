"""Mixtures of experts: many feed-forward networks, of which each token uses a few.

A router, one linear map, scores the experts for each token. The token goes through the ``k`` experts with the highest scores
only, and their outputs are added, weighted by a softmax over these ``k`` scores. So the model can have many more parameters
than it uses for a token.

Shapes: ``t`` tokens (of all sequences of a batch), ``e`` experts, ``k`` chosen ones, ``d`` width.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


@dataclass(frozen=True)
class Routing:
    """Which experts each token uses."""

    probabilities: Float[Tensor, "t e"]  # the router's softmax over all experts
    chosen: Int[Tensor, "t k"]  # the experts with the highest scores, the highest first
    weights: Float[Tensor, "t k"]  # of the chosen ones; they sum to 1

    @property
    def shares(self) -> Float[Tensor, "e"]:
        """The fraction of all choices that fell on each expert; they sum to 1."""
        return self.chosen.flatten().bincount(minlength=self.probabilities.shape[-1]) / self.chosen.numel()


def route(scores: Float[Tensor, "t e"], k: int) -> Routing:
    """Choose the ``k`` experts with the highest scores for each token.

    The weights are the probabilities of the chosen experts, divided by their sum. That is the same as a softmax over the
    chosen scores.

    Raises ValueError if ``k`` is below 1 or there are fewer experts.
    Source: Shazeer et al. 2017, "Outrageously Large Neural Networks: The Sparsely-Gated Mixture-of-Experts Layer",
    section 2.1, without its noise; Jiang et al. 2024, "Mixtral of Experts", section 2.1.
    """
    check_chosen(k, scores.shape[-1])
    probabilities = scores.softmax(-1)
    weights, chosen = probabilities.topk(k, dim=-1)
    return Routing(probabilities, chosen, weights / weights.sum(-1, keepdim=True))


def check_chosen(k: int, num_experts: int) -> None:
    """Raise ValueError unless ``k`` experts can be chosen from ``num_experts``."""
    if not 1 <= k <= num_experts:
        raise ValueError(f"each token needs 1 … {num_experts} of the {num_experts} experts, got k = {k}")


def balancing_loss(routing: Routing) -> Float[Tensor, ""]:
    """Return how unevenly the experts are used: ``e * sum_i share_i * mean probability_i``. It is 1 if all are used equally.

    If every token prefers the same ``k`` experts with certainty, it is ``e / k``. The shares are counts and have no gradient;
    the mean probabilities have. So each step lowers the probabilities of those experts that are used most. Add it to the loss
    with a small factor, such as 0.01.

    Source: Fedus, Zoph and Shazeer 2021, "Switch Transformers", section 2.2, equations 4 to 6, for ``k`` = 1. For more,
    the fraction of tokens becomes the fraction of choices.
    """
    return routing.probabilities.shape[-1] * (routing.shares * routing.probabilities.mean(0)).sum()


class MixtureOfExperts(nn.Module):
    """Send each token through ``k`` of the ``experts``, modules from width d to width d, and add their weighted outputs.

    ``routing`` holds the choices of the last call, for `balancing_loss`. No expert has a limit of tokens, so none is dropped.

    Raises ValueError if ``k`` is below 1 or above the number of experts, or if the input's width is not ``d_model``.
    Source: as for `route`.
    """

    def __init__(self, d_model: int, experts: Sequence[nn.Module], k: int):
        super().__init__()
        check_chosen(k, len(experts))
        self.experts, self.k = nn.ModuleList(experts), k
        self.router = nn.Linear(d_model, len(experts), bias=False)
        self.routing: Routing | None = None

    def forward(self, x: Float[Tensor, "... d"]) -> Float[Tensor, "... d"]:
        """Return one vector of width ``d_model`` per token."""
        if x.shape[-1] != self.router.in_features:
            raise ValueError(
                f"this mixture of experts expects vectors of width {self.router.in_features}, got {tuple(x.shape)}"
            )
        tokens = x.flatten(0, -2)
        self.routing = route(self.router(tokens), self.k)
        output = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):  # each expert reads all of its tokens at once
            token, place = (self.routing.chosen == number).nonzero(as_tuple=True)
            weighted = self.routing.weights[token, place, None] * expert(tokens[token])
            output = output.index_add(0, token, weighted)
        return output.view_as(x)
