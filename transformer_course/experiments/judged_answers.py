"""Seven answers to one sum of lesson 27, as probable as its model finds them before it learns from rewards.

``python -m transformer_course.experiments.records judged_answers`` keeps their log-probabilities: fifteen seconds.
"""

import torch

from transformer_course.embedding import Vocabulary
from transformer_course.experiments import rewards
from transformer_course.rewards import answer_log_probs

SUM = rewards.UNSEEN[1]
ANSWERS = "90", "100", "101", "110", "10", "1000", "10000000"  # the last one is cut off at the limit of eight characters


def log_probs(model: torch.nn.Module) -> list[float]:
    """Return the natural logarithm of the probability of each of `ANSWERS`, with its ``<end>``, to two digits."""
    prompt = rewards.prompt_ids([SUM])
    found = []
    for answer in ANSWERS:
        ids = torch.tensor([[*rewards.VOCABULARY.encode(answer), Vocabulary.end][: rewards.LONG]])
        found.append(round(answer_log_probs(model, torch.cat([prompt, ids], dim=1), rewards.PROMPT).sum().item(), 2))
    return found


def settings() -> dict[str, object]:
    """Return all that decides the recorded numbers, as JSON has it."""
    return {"sum": [*SUM], "answers": [*ANSWERS], "seed": 0, "until": rewards.ENOUGH}


@torch.no_grad()
def record() -> dict[str, object]:
    """Let the lesson's model imitate, on one thread, and return what it makes of the answers."""
    torch.set_num_threads(1)
    model = rewards.new_model(seed=0)
    with torch.enable_grad():
        rewards.imitate(model, until=rewards.ENOUGH)
    return {"settings": settings(), "log_probs": log_probs(model)}
