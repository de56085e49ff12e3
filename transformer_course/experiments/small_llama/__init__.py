"""A Llama in miniature: a small model of random numbers, in a file with the names and the layout of `transformers`.

``tools/llama_reference.py`` writes it.
"""

import json
from pathlib import Path

import torch
from torch import Tensor

from transformer_course import weights
from transformer_course.experiments.published_weights import Published, same_numbers

FILE, REFERENCE = (Path(__file__).parent / f"{name}.safetensors" for name in ("model", "reference"))
IN_A_BLOCK = {  # the published names, and those of stage B9
    "input_layernorm.weight": "norm_1.gamma",
    "post_attention_layernorm.weight": "norm_2.gamma",
    **{f"self_attn.{letter}_proj.weight": f"attention.w_{letter}.weight" for letter in "qkvo"},
    **{f"mlp.{name}_proj.weight": f"feed_forward.w_{name}.weight" for name in ("gate", "up", "down")},
}
OUTSIDE = {
    "model.embed_tokens.weight": "tokens.weight",
    "model.norm.weight": "final_norm.gamma",
    "lm_head.weight": "output.weight",
}
SIZES = json.loads(weights.read(REFERENCE)[0]["sizes"])  # as `Llama` of stage B9 takes them
WIDTH = SIZES["d_model"] // SIZES["num_heads"]  # of a head


def by_stage_names(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return a Llama's weights under the names of stage B9, whose heads pair neighbours."""
    renamed = {}
    for name, weight in tensors.items():
        if name in OUTSIDE:
            renamed[OUTSIDE[name]] = weight
            continue
        layer, inside = name.removeprefix("model.layers.").split(".", 1)
        if inside.startswith(("self_attn.q", "self_attn.k")):
            weight = _reordered(weight, (2, WIDTH // 2))
        renamed[f"blocks.{layer}.{IN_A_BLOCK[inside]}"] = weight
    return renamed


def _reordered(weight: Tensor, shape: tuple[int, int]) -> Tensor:
    """Write the rows of each head into this shape, and read them column by column."""
    return weight.unflatten(0, (-1, *shape)).transpose(1, 2).flatten(0, 2)


def _misplaced(name: str, weight: Tensor, right: Tensor) -> str:
    if weight.ndim == 2 and torch.equal(weight.T, right):
        return "is transposed. Llama has outputs by inputs, as nn.Linear does, and here both numbers are the same."
    if "w_q" in name or "w_k" in name:
        if torch.equal(weight, _reordered(right, (WIDTH // 2, 2))):
            return (
                "has its rows in Llama's order: in each head, number i and number i + width/2 are a pair. "
                "Your `rotate` turns 2i with 2i + 1."
            )
        if same_numbers(weight, right):
            return f"has the right rows in a wrong order. Reorder each head by itself: its width is {WIDTH} here."
    elif same_numbers(weight, right):
        return "has the right numbers in the wrong places. Only queries and keys are rotated: leave all others as they are."
    return "holds other numbers. Is it another tensor?"


_TENSORS = weights.read(FILE)[1]
PUBLISHED = Published(
    owner="Llama",
    tensors=_TENSORS,
    right=by_stage_names(_TENSORS),
    **weights.read(REFERENCE)[1],
    close=1e-5,  # of logits up to 3, whose rounding errors are near 2e-6
    matrices="Llama has outputs by inputs, as nn.Linear does: no matrix is transposed.",
    extra={},
    misplaced=_misplaced,
    taken={"output.weight": "In this file, the output layer is a matrix of its own."},
)
fits, differences = PUBLISHED.fits, PUBLISHED.differences
