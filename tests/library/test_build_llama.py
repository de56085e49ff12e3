"""Stage B9's Llama, compared with what tools/llama_reference.py stored of the `transformers` package's own."""

import torch

from transformer_course import build_parts
from transformer_course.experiments import small_llama


def test_the_stages_llama_computes_what_the_package_does():
    model = build_parts.Llama(**small_llama.SIZES).eval()
    model.load_state_dict(small_llama.by_stage_names(small_llama.PUBLISHED.tensors))
    torch.testing.assert_close(model(small_llama.PUBLISHED.tokens), small_llama.PUBLISHED.logits, atol=1e-5, rtol=0)
