"""Stage B9's Llama, compared with what tools/llama_reference.py stored of the `transformers` package's own."""

import pytest
import torch

from transformer_course import build_parts
from transformer_course.experiments import small_llama


def test_the_stages_llama_computes_what_the_package_does():
    model = build_parts.Llama(**small_llama.SIZES).eval()
    model.load_state_dict(small_llama.by_stage_names(small_llama.PUBLISHED.tensors))
    torch.testing.assert_close(model(small_llama.PUBLISHED.tokens), small_llama.PUBLISHED.logits, atol=1e-5, rtol=0)


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
