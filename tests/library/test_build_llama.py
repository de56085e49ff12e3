"""Stage B9's Llama, compared with what tools/llama_reference.py stored of the `transformers` package's own."""

import json
from pathlib import Path

import pytest
import torch

from transformer_course import build_parts, weights

REFERENCE = Path(__file__).parent / "llama.safetensors"
PARTS = {  # the package's names within a block, and the stage's
    "input_layernorm.weight": "norm_1.gamma",
    "post_attention_layernorm.weight": "norm_2.gamma",
    **{f"self_attn.{letter}_proj.weight": f"attention.w_{letter}.weight" for letter in "qkvo"},
    **{f"mlp.{name}_proj.weight": f"feed_forward.w_{name}.weight" for name in ("gate", "up", "down")},
}
WHOLE = {"embed_tokens.weight": "tokens.weight", "norm.weight": "final_norm.gamma", "lm_head.weight": "output.weight"}


def neighbours_paired(weight: torch.Tensor, width: int) -> torch.Tensor:
    """Reorder the outputs of each head: the package pairs number i with i + width / 2, the course 2i with 2i + 1."""
    return weight.unflatten(0, (-1, 2, width // 2)).transpose(1, 2).flatten(0, 2)


def stored() -> tuple[dict[str, int], dict[str, torch.Tensor], torch.Tensor, torch.Tensor]:
    """The sizes, the weights by the stage's names, ids, and the package's logits for them."""
    notes, tensors = weights.read(REFERENCE)
    sizes, tokens, logits = json.loads(notes["sizes"]), tensors.pop("tokens"), tensors.pop("logits")
    renamed = {}
    for name, weight in tensors.items():
        *layer, part = name.removeprefix("model.").partition("layers.")[::2]
        if layer[0]:
            renamed[WHOLE[layer[0]]] = weight
            continue
        number, _, inside = part.partition(".")
        if inside.startswith(("self_attn.q", "self_attn.k")):
            weight = neighbours_paired(weight, sizes["d_model"] // sizes["num_heads"])
        renamed[f"blocks.{number}.{PARTS[inside]}"] = weight
    return sizes, renamed, tokens, logits


def test_the_stages_llama_computes_what_the_package_does():
    sizes, tensors, tokens, logits = stored()
    model = build_parts.Llama(**sizes).eval()
    model.load_state_dict(tensors)
    torch.testing.assert_close(model(tokens), logits, atol=1e-4, rtol=1e-4)


def test_a_score_depends_on_the_distance_of_two_tokens_and_not_on_their_positions():
    torch.manual_seed(0)
    query, key = torch.randn(2, 1, 1, 1, 4)
    q, k = (build_parts.rotate(x.expand(1, 1, 9, 4))[0, 0] for x in (query, key))
    scores = q @ k.T
    for distance in range(-8, 9):
        diagonal = scores.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal))
    assert scores[0].std() > 0.1


@pytest.mark.parametrize("sizes", [(6, 3), (4, 1), (4, 4)])
def test_shared_keys_and_values_are_those_of_separate_heads_with_equal_weights(sizes):
    """With the weights of each group repeated for its heads, one group per head gives the same."""
    torch.manual_seed(0)
    heads, groups = sizes
    shared = build_parts.GroupedAttention(24, heads, groups)
    separate = build_parts.GroupedAttention(24, heads, heads)
    weights = shared.state_dict()
    for name in ("w_k.weight", "w_v.weight"):
        by_group = weights[name].unflatten(0, (groups, -1))
        weights[name] = by_group.repeat_interleave(heads // groups, dim=0).flatten(0, 1)
    separate.load_state_dict(weights)
    x = torch.randn(2, 5, 24)
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    torch.testing.assert_close(separate(x, x, x, causal), shared(x, x, x, causal))
