"""Activation patching: a vector from one run is put into another, to see which vectors carry what differs between the two.

The translator reads two numbers that differ in one word. It runs on the first, except that a single vector of the residual
stream comes from its run on the second. The model is already trained. Shapes: ``l`` places in a stack (its input, then the
output of each layer), ``k`` positions (words or numerals).

Source: Meng et al. 2022, "Locating and Editing Factual Associations in GPT", section 2.1.
"""

import random
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from transformer_course.data.numbers import chinese, english
from transformer_course.data.split import held_back
from transformer_course.embedding import Vocabulary
from transformer_course.inspection import hooked
from transformer_course.training import shift
from transformer_course.transformer import Transformer


@dataclass(frozen=True)
class Swap:
    """Two numbers that differ in one word, and their translations in one numeral."""

    words: list[str]
    others: list[str]
    word: int  # where the words differ
    numerals: str
    other_numerals: str
    numeral: int  # where the numerals differ


def swap(number: int, other: int) -> Swap:
    """Return both numbers in words and numerals. Raises ValueError unless they differ in one word and in one numeral."""
    words, numerals = (english(number), english(other)), (chinese(number), chinese(other))
    word, numeral = _difference(*words), _difference(*numerals)
    if word is None or numeral is None:
        raise ValueError(
            f"expected two numbers that differ in one word, got {' '.join(words[0])!r} and {' '.join(words[1])!r}"
        )
    return Swap(words[0], words[1], word, numerals[0], numerals[1], numeral)


def swaps(count: int, seed: int) -> list[Swap]:
    """Draw numbers of five to eight digits that the translator was not trained on, and replace one digit of each."""
    draw, found = random.Random(seed), []
    while len(found) < count:
        number, digit = draw.randrange(10_000, 10**8), draw.choice("23456789")
        figures, place = str(number), draw.randrange(5)
        other = int(figures[:place] + digit + figures[place + 1 :])
        if figures[place] in "23456789" and digit != figures[place] and held_back(number, 0):
            try:
                found.append(swap(number, other))
            except ValueError:  # one digit may change several words: 14 and 24 are "fourteen" and "twenty four"
                continue
    return found


def _difference(one, other) -> int | None:
    """Return where two sequences differ; None if they do so in several places, or in length."""
    places = [k for k, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]]
    return places[0] if len(one) == len(other) and len(places) == 1 else None


def stacks(model: Transformer) -> dict[str, list[nn.Module]]:
    """Return the modules whose outputs are the residual stream of the encoder and of the decoder, from the input upwards."""
    return {"encoder": [model.source, *model.encoder.layers], "decoder": [model.target, *model.decoder.layers]}


@torch.no_grad()
def patched(model: Transformer, source: Vocabulary, target: Vocabulary, pair: Swap, stack: str) -> Float[Tensor, "l k"]:
    """Return how much of the other digit each vector carries: one row per place in the stack, one column per word or numeral.

    A run is read by the logit of the other number's digit minus that of the first one's, where the numerals differ. A share
    of 0 is what the run on the first number gives, and 1 what the run on the other gives. In all runs, the decoder reads the
    first number's numerals.
    """
    inputs = shift(torch.tensor([[*target.encode(pair.numerals), target.end]]))[0]
    first, other = target.encode(pair.numerals[pair.numeral] + pair.other_numerals[pair.numeral])

    def read(words: list[str], copies: int = 1) -> Tensor:
        sources = torch.tensor([source.encode(words)]).expand(copies, -1)
        logits = model(sources, inputs.expand(copies, -1))[:, pair.numeral]
        return logits[:, other] - logits[:, first]

    places, vectors = stacks(model)[stack], []
    with hooked(places, after=lambda _, args, output: vectors.append(output)):
        highest = read(pair.others)
    lowest = read(pair.words)
    shares = []
    for place, donor in zip(places, vectors, strict=True):
        own = torch.eye(donor.shape[1], dtype=torch.bool)[..., None]  # in copy k, the vector at position k is replaced
        with hooked([place], after=lambda _, args, output, own=own, donor=donor: torch.where(own, donor, output)):
            shares.append((read(pair.words, len(own)) - lowest) / (highest - lowest))
    return torch.stack(shares)


def at_the_digit(
    model: Transformer, source: Vocabulary, target: Vocabulary, pairs: list[Swap]
) -> dict[str, Float[Tensor, "l"]]:
    """Return mean shares for each place of both stacks: at the word or numeral that differs, and the largest elsewhere."""
    found = {}
    for stack, position in (("encoder", "word"), ("decoder", "numeral")):
        shares = [(patched(model, source, target, pair, stack), getattr(pair, position)) for pair in pairs]
        found[stack] = torch.stack([share[:, k] for share, k in shares]).mean(0)
        others = [torch.cat([share[:, :k], share[:, k + 1 :]], dim=1).abs().amax(1) for share, k in shares]
        found[f"{stack}, elsewhere"] = torch.stack(others).mean(0)
    return found
