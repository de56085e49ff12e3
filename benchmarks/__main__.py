"""python -m benchmarks [NAME …]: all of them, or some."""

import sys
import warnings

import torch

from benchmarks import decoding, training

BENCHMARKS = {"gpt": training.gpt, "encoder_decoder": training.encoder_decoder, "decoding": decoding.run}

if __name__ == "__main__":
    warnings.simplefilter("ignore")  # the peers' own
    torch.set_num_threads(2)
    torch.manual_seed(0)
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()
