"""What preferences do to the two answers of a pair (lesson 26): their log-probabilities before and after, with three seeds.

``python -m transformer_course.experiments.records preferred_answers`` keeps what came out, after two minutes on one thread.
"""

import torch

from transformer_course._util.progress_bar import progress
from transformer_course.experiments import own_assistant as assistant

VERSIONS = "answers", "preference"
SEEDS = range(3)


def settings() -> dict[str, object]:
    """Return what decides the recorded numbers, as JSON has it."""
    return assistant.settings() | {"versions": [*VERSIONS], "seeds": [*SEEDS]}


def record() -> dict[str, object]:
    """Train the model ``prose`` in both versions with each seed, and return its `own_assistant.log_probs`, as nats."""
    torch.set_num_threads(1)
    begin, found = assistant.of_the_course(), {version: [] for version in VERSIONS}
    for seed in progress(SEEDS, "seeds"):
        for version, model, *_ in assistant.versions(begin, seed, VERSIONS):
            found[version].append(assistant.log_probs(begin, model))
    return {"settings": settings(), **found}
