"""What a model is, read from the names and shapes of its weights, and proved by computing the same as it does.

The names are those of the `GPT` of stage B4 and the `Llama` of stage B9. A class may have parts of both.
"""

import copy
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh")}
PAIRS = "adjacent", "half"  # which numbers of a head rotate together: 2i with 2i + 1, or i with i + width/2
NAMES = re.compile(
    r"(tokens|positions)\.weight|output\.(weight|bias)|(blocks\.\d+\.norm_[12]|final_norm)\.(gamma|beta)|"
    r"blocks\.\d+\.attention\.w_[qkvo]\.(weight|bias)|blocks\.\d+\.feed_forward\.w_(1|2|gate|up|down)\.(weight|bias)"
)
CLOSE = 1e-3  # of a logit, in float32


@dataclass(frozen=True)
class Sizes:
    """All that a forward pass needs besides the weights. ``pairs`` is None without rotation."""

    vocabulary: int
    context: int
    width: int
    layers: int
    heads: int
    groups: int
    eps: float
    activation: str
    pairs: str | None
    tied: bool


Weights = Mapping[str, Float[Tensor, "..."]]


def sizes_of(model: nn.Module, context: int) -> tuple[Sizes, Weights]:
    """Return a model's sizes and its weights, in float32. ``context`` is how many tokens it sees without a table of positions.

    Raises ValueError, in one sentence, for weights that are not finite, for other names, and for a model that computes
    something else from weights of these names.
    """
    if not isinstance(model, nn.Module):
        raise ValueError(f"model must be a GPT or a Llama of the Build, got {type(model).__name__}")
    model = copy.deepcopy(model).cpu().float().eval()
    weights = {name: weight.detach() for name, weight in model.named_parameters(remove_duplicate=False)}
    if broken := [name for name, weight in weights.items() if not weight.isfinite().all()]:
        raise ValueError(f"all weights must be finite, but {broken[0]} holds NaN or infinity; export an earlier state of it")
    sizes = _read(model, weights, context)
    if sizes.tied:
        del weights["output.weight"]
    tokens = torch.randint(sizes.vocabulary, (min(sizes.context, 12),), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        wanted = model(tokens[None])[0]
        rotations = PAIRS if "positions.weight" not in weights else ()
        activations = ("swiglu",) if sizes.activation == "swiglu" else tuple(ACTIVATIONS)
        errors = {}
        for activation, pairs in itertools.product(activations, (*rotations, None)):
            tried = replace(sizes, activation=activation, pairs=pairs)
            errors[tried] = float((logits(tried, weights, tokens) - wanted).abs().max())
    best = min(errors, key=errors.__getitem__)
    if not errors[best] < CLOSE * max(1, wanted.abs().max()):
        raise ValueError(
            f"this {type(model).__name__} has the parameters of a pre-norm GPT or Llama, but computes something else: a logit "
            f"differs by {errors[best]:.2g}; a page can run only the parts of stages B4 and B9"
        )
    return best, weights


def _read(model: nn.Module, weights: Weights, context: int) -> Sizes:
    if unknown := [name for name in weights if not NAMES.fullmatch(name)]:
        raise ValueError(
            f"the parameters should have the names of stage B4's GPT or B9's Llama, such as tokens.weight and "
            f"blocks.0.norm_1.gamma, but this {type(model).__name__} has {unknown[0]}; rename its parts"
        )
    layers = 1 + max((int(name.split(".")[1]) for name in weights if name.startswith("blocks.")), default=-1)
    gated = "blocks.0.feed_forward.w_gate.weight" in weights
    matrices = ("w_gate", "w_up", "w_down") if gated else ("w_1", "w_2")
    block = ("norm_1.gamma", "norm_2.gamma", *(f"attention.w_{part}.weight" for part in "qkvo"))
    block += tuple(f"feed_forward.{name}.weight" for name in matrices)
    needed = ["tokens.weight", "final_norm.gamma", "output.weight"]
    needed += [f"blocks.{layer}.{name}" for layer in range(max(layers, 1)) for name in block]
    if missing := [name for name in needed if name not in weights]:
        raise ValueError(
            f"the parameters should have the names of stage B4's GPT or B9's Llama, but this {type(model).__name__} has no "
            f"{missing[0]}; rename its parts"
        )
    vocabulary, width = weights["tokens.weight"].shape
    attention = model.get_submodule("blocks.0.attention")
    heads = getattr(attention, "num_heads", None)
    if not isinstance(heads, int) or heads < 1 or width % heads:
        raise ValueError(f"the attention of block 0 should have num_heads, which divides the width {width}, got {heads!r}")
    positions = weights.get("positions.weight")
    return Sizes(
        vocabulary,
        context if positions is None else len(positions),
        width,
        layers,
        heads,
        len(weights["blocks.0.attention.w_k.weight"]) * heads // width,
        float(getattr(model.get_submodule("final_norm"), "eps", 1e-5)),
        "swiglu" if gated else "relu",
        None,
        weights["output.weight"].data_ptr() == weights["tokens.weight"].data_ptr(),
    )


def logits(sizes: Sizes, weights: Weights, tokens: Int[Tensor, "n"]) -> Float[Tensor, "n v"]:
    """Compute what the page computes, for all tokens at once."""

    def linear(name: str, x: Tensor) -> Tensor:
        return F.linear(x, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name: str, x: Tensor) -> Tensor:
        beta = weights.get(f"{name}.beta")
        centred = x if beta is None else x - x.mean(-1, keepdim=True)
        normed = weights[f"{name}.gamma"] * centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + sizes.eps)
        return normed if beta is None else normed + beta

    def heads(name: str, x: Tensor, count: int) -> Tensor:
        return linear(name, x).unflatten(-1, (count, -1)).transpose(0, 1)

    def feed_forward(name: str, x: Tensor) -> Tensor:
        if sizes.activation == "swiglu":
            return linear(f"{name}.w_down", F.silu(linear(f"{name}.w_gate", x)) * linear(f"{name}.w_up", x))
        return linear(f"{name}.w_2", ACTIVATIONS[sizes.activation](linear(f"{name}.w_1", x)))

    x = weights["tokens.weight"][tokens]
    if "positions.weight" in weights:
        x = x + weights["positions.weight"][: len(tokens)]
    for layer in range(sizes.layers):
        block = f"blocks.{layer}"
        y = norm(f"{block}.norm_1", x)
        q = heads(f"{block}.attention.w_q", y, sizes.heads)
        k, v = (heads(f"{block}.attention.{name}", y, sizes.groups) for name in ("w_k", "w_v"))
        if sizes.pairs:
            q, k = _rotate(q, sizes.pairs), _rotate(k, sizes.pairs)
        k, v = (each.repeat_interleave(sizes.heads // sizes.groups, 0) for each in (k, v))
        found = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + linear(f"{block}.attention.w_o", found.transpose(0, 1).flatten(1))
        x = x + feed_forward(f"{block}.feed_forward", norm(f"{block}.norm_2", x))
    return F.linear(
        norm("final_norm", x), weights["tokens.weight" if sizes.tied else "output.weight"], weights.get("output.bias")
    )


def _rotate(x: Float[Tensor, "h n w"], pairs: str) -> Float[Tensor, "h n w"]:
    width = x.shape[-1]
    angles = torch.arange(x.shape[1])[:, None] / 10_000 ** (torch.arange(0, width, 2) / width)
    axis = -1 if pairs == "adjacent" else -2
    first, second = x.unflatten(-1, (-1, 2) if axis == -1 else (2, -1)).unbind(axis)
    turned = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
    return torch.stack(turned, axis).flatten(-2)
