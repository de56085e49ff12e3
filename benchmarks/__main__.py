"""python -m benchmarks [NAME …]: all of them, or some."""

import sys
import warnings

import torch

from benchmarks import decoding, grading, lesson_15, precision, training

BENCHMARKS = {
    "gpt": training.gpt,
    "encoder-decoder": training.encoder_decoder,
    "decoding": decoding.run,
    "precision": precision.run,
    "grading": grading.run,
    "lesson-15": lesson_15.run,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the peers' own
    torch.set_num_threads(2)
    torch.manual_seed(0)
    if unknown := set(sys.argv[1:]) - set(BENCHMARKS):
        sys.exit(f"There is no benchmark {sorted(unknown)[0]!r}; there are {', '.join(BENCHMARKS)}.")
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()
