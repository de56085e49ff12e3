"""The benchmarks, which no test runs: they begin, and find the code that learners write."""

import torch

from benchmarks.__main__ import BENCHMARKS
from benchmarks.training import step_of_the_build
from transformer_course._util import paths
from transformer_course.transformer import TransformerConfig


def test_every_benchmark_is_named_on_its_page():
    page = (paths.ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    for name in BENCHMARKS:
        assert f"`{name}`" in page


def test_the_learners_step_is_taken():
    config = TransformerConfig(vocabulary_size=7, d_model=8, num_heads=2, num_layers=1, d_ff=8, max_length=5, tied=False)
    step_of_the_build(config, torch.ones(2, 3, dtype=torch.long), torch.ones(2, 3, dtype=torch.long))()
