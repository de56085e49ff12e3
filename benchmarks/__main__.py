"""Run all benchmarks, or some of them: python -m benchmarks [NAME …]."""

import sys
import warnings

import torch

from benchmarks import (
    browser,
    build_ladder,
    build_translation,
    claims,
    decoding,
    grading,
    lesson_15,
    precision,
    small_and_fast,
    training,
)

BENCHMARKS = {
    "gpt": training.gpt,
    "encoder-decoder": training.encoder_decoder,
    "build-loop": training.loop_of_the_build,
    "decoding": decoding.run,
    "browser": browser.run,
    "precision": precision.run,
    "grading": grading.run,
    "lesson-15": lesson_15.run,
    "build-ladder": build_ladder.run,
    "build-translation": build_translation.run,
    "claims": claims.run,
    "small-and-fast": small_and_fast.run,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # from the libraries that we compare with
    torch.set_num_threads(2)
    torch.manual_seed(0)
    if unknown := set(sys.argv[1:]) - set(BENCHMARKS):
        sys.exit(f"There is no benchmark {sorted(unknown)[0]!r}. Choose from: {', '.join(BENCHMARKS)}.")
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()
