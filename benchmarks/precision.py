"""Compare bf16 autocast with fp32: is it faster on this CPU, and does the translator learn as well?"""

import statistics

import torch
from torch import nn

from benchmarks.side_by_side import compare, console
from transformer_course.data import number_pairs
from transformer_course.embedding import Vocabulary
from transformer_course.models.recipes import columns, small_translator
from transformer_course.training import batches, exact_match, train, translation_loss


def in_bf16(model: nn.Module, *batch: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        return translation_loss(model, *batch)


LOSSES = {"fp32": translation_loss, "bf16 autocast": in_bf16}


def run(steps: int = 700, seeds: int = 3) -> None:
    pairs = number_pairs()
    source, target = (Vocabulary.from_sequences(pair[side] for pair in pairs.train) for side in range(2))
    known, unseen = columns(pairs.train, source, target), columns(pairs.test, source, target)

    def twenty_steps(loss_of):
        model = small_translator(source, target)

        def run() -> None:
            train(model, batches(*known), loss_of, 20)  # the same 20 batches each time

        return run

    programs = {name: twenty_steps(loss_of) for name, loss_of in LOSSES.items()}
    compare("Training the translator, 20 steps of 64 examples", programs, "examples", 20 * 64, rounds=15)
    for name, loss_of in LOSSES.items():
        results = []
        for seed in range(seeds):
            torch.manual_seed(seed)
            model = small_translator(source, target)
            losses = train(model, batches(*known, seed=seed), loss_of, steps)
            results.append((statistics.mean(losses[-50:]), exact_match(model, *unseen)))
        scores = ", ".join(f"{loss:.4f} and {score:.2%}" for loss, score in results)
        console.print(f"{name}: loss of the last 50 steps and exact match of {seeds} seeds: {scores}")
