"""Train the translator of stage B6 with the solved stage's own code, with three seeds. The stage uses one."""

import time

import torch

from benchmarks.stage import names_of
from transformer_course.experiments import build_translation as translation
from transformer_course.training import exact_match


def trained(numbers: translation.Numbers, names: dict, seed: int) -> tuple[torch.nn.Module, list[float]]:
    """Return a model trained as the stage trains it, and its losses; ``names`` are those that the solved stage defines."""
    torch.manual_seed(seed)
    model = names["Transformer"](numbers.config)
    return model, names["train"](model, names["new_state"](model.parameters()), numbers, translation.STEPS)


def run(seeds: int = 3) -> None:
    numbers, names = translation.load_numbers(), names_of("B6")
    for seed in range(seeds):
        start = time.process_time()
        model, losses = trained(numbers, names, seed)
        seconds = time.process_time() - start
        exact = exact_match(model, *numbers.test)
        last = sum(losses[-20:]) / 20
        print(f"seed {seed}: exact match {exact:.4f}, mean of the last 20 losses {last:.4f}, {seconds:.0f} s", flush=True)
        assert exact >= 0.99, f"only {exact:.2%} of the unseen numbers are right"
