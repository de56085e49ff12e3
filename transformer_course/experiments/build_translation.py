"""Stage B6 of the Build: the learner's Transformer learns to translate numbers, with the learner's own optimizer.

A checkpoint holds all that a training needs to go on as if it had never stopped: the model, the optimizer's state and the
state of torch's random numbers.

Shapes: ``b`` batch, ``m`` source tokens, ``n`` target tokens.
"""

import io
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor, nn

from transformer_course._util.files import write_whole
from transformer_course.config import TransformerConfig
from transformer_course.data import number_pairs
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.experiments import effort, kept_models
from transformer_course.experiments.build_ladder import SHORT
from transformer_course.experiments.number_translation import in_library, write_samples
from transformer_course.models.recipes import columns, small_translator

BATCH = 64
FULL, FEW = 500, 15
STEPS = effort.count(FULL, FEW)
TRAIN, TEST = (500, 20) if SHORT else (30_000, 2_000)


def steps() -> int:
    """Return ``STEPS``, and say so if they are fewer than the course's."""
    return effort.steps(FULL, FEW)


@dataclass(frozen=True)
class Numbers:
    """Numbers in English words and Chinese numerals, as ids: ``train`` and ``test`` are each (sources, targets)."""

    source: Vocabulary
    target: Vocabulary
    config: TransformerConfig  # of a model for them
    train: tuple[list[list[int]], list[list[int]]]
    test: tuple[list[list[int]], list[list[int]]]

    def random_batch(self) -> tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]:
        """Draw ``BATCH`` pairs with torch's random numbers, padded on the right; each target ends with ``<end>``."""
        rows = torch.randint(len(self.train[0]), (BATCH,)).tolist()
        sources, targets = (pad_right([column[row] for row in rows]) for column in self.train)
        return sources, targets

    def held_out(self) -> tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]:
        """Return up to 100 pairs of ``test``, padded as in `random_batch`, to measure the loss on."""
        sources, targets = (pad_right(column[:100]) for column in self.test)
        return sources, targets

    def samples(self, model: nn.Module, numbers: Sequence[int]) -> dict[str, str]:
        """Return what a model writes for each number, with its value: {"12,300": "一万二千三百 = 12,300 ✓"}."""
        return write_samples((model, {"source": self.source, "target": self.target}), numbers)


def load_numbers() -> Numbers:
    """Return ``TRAIN`` numbers to train on and ``TEST`` to test on; by default those of lesson 15."""
    pairs = number_pairs(TRAIN, TEST)
    source, target = (Vocabulary.from_sequences(pair[side] for pair in pairs.train) for side in range(2))
    train, test = (columns(part, source, target) for part in pairs)
    return Numbers(source, target, small_translator(source, target).config, train, test)


NAME, AGAIN = "B6-translator", "delete models/B6-translator.json, and run this cell again."


def opened(model: nn.Module) -> bool:
    """Copy what an earlier session of stage B6 learned into the model, and say so; return False if it has to be trained."""
    return kept_models.load(NAME, _settings(model), AGAIN, model) is not None


def keep(model: nn.Module, numbers: Numbers) -> None:
    """Save a trained model in the learner's folder, if possible as a model of the library with its vocabularies."""
    vocabularies = {"source": numbers.source, "target": numbers.target}
    kept_models.keep(NAME, _settings(model), kept_models.Kept(in_library(model) or model, vocabularies))


def _settings(model: nn.Module) -> dict[str, object]:
    return {"stage": "B6", "steps": STEPS, "numbers": TRAIN, "parameters": sum(each.numel() for each in model.parameters())}


def save_checkpoint(path: str | Path, model: nn.Module, state: Mapping) -> None:
    """Write a model, the state of its optimizer and torch's random state into a file, completely or not at all.

    ``state`` has the number of steps so far, ``step``, and the averages ``m`` and ``v``, one tensor per parameter.

    Raises OSError if the file cannot be written; what was there stays.
    """
    content = io.BytesIO()
    torch.save({"model": model.state_dict(), "state": dict(state), "random": torch.get_rng_state()}, content)
    write_whole(Path(path), content.getvalue())


def load_checkpoint(path: str | Path, model: nn.Module, state: dict) -> None:
    """Restore a model, the state of its optimizer and torch's random state, in place, as `save_checkpoint` saved them.

    Raises FileNotFoundError if there is no file, and ValueError if it is cut short, is no checkpoint, or belongs to a
    different model; then nothing has changed.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no checkpoint at {path}")
    try:
        saved = torch.load(path, weights_only=True)
        weights, averages, random = saved["model"], saved["state"], saved["random"]
        found = {name: tuple(weight.shape) for name, weight in weights.items()}
        shapes = [[tuple(each.shape) for each in averages[name]] for name in ("m", "v")]
        now = torch.get_rng_state()
        complete = isinstance(averages["step"], int) and (random.shape, random.dtype) == (now.shape, now.dtype)
    except (AttributeError, EOFError, KeyError, RuntimeError, TypeError, ValueError, pickle.UnpicklingError) as error:
        reason = str(error).partition("\n")[0][:100]
        raise ValueError(f"{path} is cut short or not a checkpoint ({reason}); save it again, or use an older one") from None
    expected = {name: tuple(weight.shape) for name, weight in model.state_dict().items()}
    if found != expected:
        name = next(name for name in {**expected, **found} if found.get(name) != expected.get(name))
        there, here = (each.get(name, "missing") for each in (found, expected))
        raise ValueError(f"{path} is the checkpoint of a different model: {name} is {there} in it, and {here} in yours")
    if not complete or shapes != [[tuple(each.shape) for each in model.parameters()]] * 2:
        raise ValueError(f"{path} is not a complete checkpoint: its optimizer state does not fit its model; save it again")
    model.load_state_dict(weights)
    state.update(averages)
    torch.set_rng_state(random)
