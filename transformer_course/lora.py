"""LoRA: leave a trained matrix as it is, and learn a small correction, the product of two thin matrices.

A linear layer computes W x. With LoRA it computes W x + (alpha / r) B A x, where A (r, d_in) and B (d_out, r) are trained, and
W is not. B is zero at the start, so that the model begins as it was.

Source: Hu et al. 2021, "LoRA: Low-Rank Adaptation of Large Language Models", section 4.1.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LoRALinear(nn.Linear):
    """A linear layer, (…, d_in) -> (…, d_out), whose own weights are frozen, with a trained correction of rank ``rank``.

    ``alpha`` / ``rank`` scales the correction, so that its size stays comparable when you change the rank. ``base`` keeps its
    weights; the new layer shares them.

    Raises ValueError unless 1 <= rank <= min(d_in, d_out) and alpha is above 0.
    Source: Hu et al. 2021, section 4.1. A starts as `nn.Linear`'s own weights do, as in the authors' code.
    """

    def __init__(self, base: nn.Linear, rank: int, alpha: float):
        d_out, d_in = base.weight.shape
        if not 1 <= rank <= min(d_in, d_out) or not alpha > 0:
            raise ValueError(
                f"the rank must be from 1 to min(d_in, d_out) = {min(d_in, d_out)} and alpha above 0, got {rank} and {alpha}"
            )
        nn.Module.__init__(self)
        self.in_features, self.out_features, self.scale = d_in, d_out, alpha / rank
        self.weight, self.bias = base.weight, base.bias
        for frozen in base.parameters():
            frozen.requires_grad_(False)
        self.lora_a = nn.Parameter(torch.empty(rank, d_in).uniform_(-(d_in**-0.5), d_in**-0.5))
        self.lora_b = nn.Parameter(torch.zeros(d_out, rank))

    def forward(self, x: Float[Tensor, "... d_in"]) -> Float[Tensor, "... d_out"]:
        return super().forward(x) + self.scale * (x @ self.lora_a.T @ self.lora_b.T)

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Return an ordinary layer that computes the same: W + (alpha / r) B A. After training, LoRA costs nothing."""
        layer = nn.Linear(self.in_features, self.out_features, self.bias is not None, self.weight.device, self.weight.dtype)
        layer.weight.copy_(self.weight + self.scale * self.lora_b @ self.lora_a)
        if self.bias is not None:
            layer.bias.copy_(self.bias)
        return layer


def add_lora(model: nn.Module, rank: int, alpha: float) -> list[nn.Parameter]:
    """Freeze a model, and replace each of its linear layers by a `LoRALinear`, in place; return what is left to train.

    Raises ValueError if the model has no linear layer, has LoRA already, or the rank does not fit; then it has not changed.
    """
    layers = _linear_layers(model)
    if not layers or any(isinstance(layer, LoRALinear) for *_, layer in layers):
        got = "one that has LoRA already; call merge_lora first" if layers else "none"
        raise ValueError(f"the model must have ordinary linear layers, got {got}")
    flags = [(weight, weight.requires_grad) for weight in model.parameters()]
    try:
        replaced = [(owner, name, LoRALinear(layer, rank, alpha)) for owner, name, layer in layers]
    except ValueError:
        for weight, flag in flags:
            weight.requires_grad_(flag)
        raise
    model.requires_grad_(False)
    for owner, name, layer in replaced:
        setattr(owner, name, layer)
    return [weight for weight in model.parameters() if weight.requires_grad]


def merge_lora(model: nn.Module) -> None:
    """Replace each `LoRALinear` of a model by an ordinary layer that computes the same, in place."""
    for owner, name, layer in _linear_layers(model):
        if isinstance(layer, LoRALinear):
            setattr(owner, name, layer.merged())


def _linear_layers(model: nn.Module) -> list[tuple[nn.Module, str, nn.Linear]]:
    """Return each linear layer with the module that holds it, and its name there."""
    found: list[tuple[nn.Module, str, nn.Linear]] = []
    for owner in model.modules():
        found += [(owner, name, child) for name, child in owner.named_children() if isinstance(child, nn.Linear)]
    return found
