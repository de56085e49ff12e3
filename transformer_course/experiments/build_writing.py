"""Stage B7 of the Build: the learner's own trained GPT, and how long it takes to generate with and without a cache.

The models whose time is measured have the sizes of stage B8's, with room for longer texts, and random weights, which make no
difference to the time.
"""

import json
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import torch
from torch import nn

from transformer_course import weights
from transformer_course._util import paths
from transformer_course.byte_pairs import BytePairs
from transformer_course.config import TransformerConfig
from transformer_course.data.python_docs import decode, encode
from transformer_course.embedding import Vocabulary
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments.build_ladder import SHORT
from transformer_course.family import GPT

LENGTHS = (4, 8) if SHORT else (128, 512)  # tokens
ROUNDS, ENOUGH = (1 if SHORT else 3), 5.0
OWN = "B4-three-blocks"  # what stage B4 keeps
SIZES = {**prose.SIZES, "vocabulary_size": 1280, "max_length": 513}


class Characters:
    """The tokenizer of stages B1 to B4: one character is one token."""

    def encode(self, text: str) -> list[int]:
        return encode(text).tolist()

    def decode(self, ids: Sequence[int]) -> str:
        return decode(ids)


def own_model(gpt: Callable[..., nn.Module]) -> tuple[nn.Module, Characters | BytePairs]:
    """Return the GPT that stage B4 kept in the learner's folder, as a ``gpt``, and its tokenizer.

    Without one, or if it is of other sizes, it is the shipped model of prose. Which one it is, is said.
    """
    folder = paths.course_folder(Path.cwd())
    path = (folder or Path()) / "models" / f"{OWN}.safetensors"
    try:
        notes = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        model = gpt(**{"num_layers": 3, **notes["settings"]["sizes"]})
        weights.copy_weights(model, weights.read(path)[1])
    except (OSError, KeyError, TypeError, ValueError):
        print(f"There is no models/{OWN}.safetensors that fits, so the course's model writes. Stage B4 keeps yours.")
        parameters, tokenizer = prose.trained_longer()
        model = gpt(len(tokenizer), **prose.SIZES)
        model.load_state_dict(parameters)
        return model.eval(), tokenizer
    print(f"Your own model, from models/{OWN}.safetensors, trained on {notes.get('trained', 'an unknown day')}.")
    return model.eval(), Characters()


def library_model() -> GPT:
    """Return the library's `GPT` of these sizes, with random weights. It never generates ``<end>``."""
    model = GPT(TransformerConfig(**SIZES, dropout=0.0, norm="pre", positions="learned"))
    with torch.no_grad():
        model.output.weight[Vocabulary.end] = 0.0  # its logit is then 0, and never the highest of 1,280
    return model


def seconds(programs: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median time of each program in seconds. They take turns, up to ``ROUNDS`` times.

    A program that has used up ``ENOUGH`` seconds is not run again.
    """
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            if sum(times[name]) < ENOUGH:
                started = time.perf_counter()
                program()
                times[name].append(time.perf_counter() - started)
    return {name: statistics.median(each) for name, each in times.items()}
