"""Record what the models of the Build write: train each as its stage does, and let all of them continue the same words.

In the clone, run ``python -m tools.written``. It takes about five minutes, and replaces the file that the site's first page
shows. Nothing is chosen: every model has seed 0, for its weights, its batches and what it draws.
"""

import json

import torch
from torch import nn

from benchmarks import build_ladder as measured
from transformer_course.build_parts import GPT
from transformer_course.data import python_docs
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments.first_model import train_first_model
from transformer_course.site.first_page import WRITTEN, Sample

START, TEMPERATURE, CHARACTERS = "\nThe function", 0.8, 150
OF_CHARACTERS = {"B1": "bigram table", "B2": "one head", "B3": "four heads", "B4": "three blocks"}


def main() -> None:
    text = python_docs()
    samples = []

    def keep(source: str, model: str, bits: float, written: str) -> None:
        samples.append(Sample(source, model, round(bits, 2), START.strip(), written[:CHARACTERS]))
        print(samples[-1], flush=True)

    def keep_of_characters(source: str, name: str, model: nn.Module, bits: float) -> None:
        keep(source, name, bits, ladder.sample(model, CHARACTERS, START, temperature=TEMPERATURE, p=1))

    def keep_of_tokens(source: str, name: str, model: nn.Module, tokenizer) -> None:
        written = tokenizer.decode(prose.write(model, tokenizer, START, CHARACTERS // 2, temperature=TEMPERATURE, p=1))
        keep(source, name, prose.bits_per_character(model, tokenizer, text.test), written)

    torch.manual_seed(0)
    untrained = measured.gpt(3)
    keep_of_characters("", "Before training", untrained, ladder.bits_per_character(untrained, text.test))
    for stage, name in OF_CHARACTERS.items():
        torch.manual_seed(0)
        keep_of_characters(stage, name, *measured.of_characters(measured.MODELS[name], text, seed=0))
    first = train_first_model()
    keep("00", "version 0", first.bits, first.write(START, CHARACTERS, TEMPERATURE).removeprefix(START))
    torch.manual_seed(0)
    tokenizer = measured.tokenizer_of(text)
    model, _ = measured.of_byte_pairs(1.0, text, seed=0)
    keep_of_tokens("B8", "byte pairs", model, tokenizer)
    weights, tokenizer = prose.trained_longer()
    model = GPT(len(tokenizer), **prose.SIZES)
    model.load_state_dict(weights)
    keep_of_tokens("B8", "byte pairs, trained longer", model, tokenizer)
    samples.sort(key=lambda sample: -sample.bits)
    WRITTEN.write_text(json.dumps([vars(sample) for sample in samples], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
