"""One wrong token while the shipped translator is decoding: how much of the rest is still correct?

The numbers have five digits and no zero, so all targets have the same form, of ten tokens: a digit, 万, a digit, 千, a digit,
百, a digit, 十, a digit, <end>. Counting from 0, position 2 holds a digit and position 3 a unit.

Shapes: ``b`` numbers, ``m`` English words, ``n`` = 10 Chinese tokens.
"""

import random

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_course.data.numbers import chinese, english
from transformer_course.data.split import held_back
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.training import shift
from transformer_course.transformer import Transformer

DIGIT, UNIT = 2, 3  # the positions of the digit and of the unit that are replaced


def five_digit_numbers(
    source: Vocabulary, target: Vocabulary, count: int, seed: int
) -> tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]:
    """Draw different five-digit numbers without a zero that the translator was not trained on."""
    draw, numbers = random.Random(seed), {}
    while len(numbers) < count:
        number = int("".join(draw.choices("123456789", k=5)))
        if held_back(number, 0):
            numbers[number] = None
    words = pad_right([source.encode(english(number)) for number in numbers])
    return words, torch.tensor([[*target.encode(chinese(number)), target.end] for number in numbers])


def replace_token(target: Vocabulary, targets: Int[Tensor, "b n"], position: int, seed: int) -> Int[Tensor, "b n"]:
    """Replace the token at one position by a different one: a digit by a digit, a unit by a unit."""
    choices = torch.tensor(target.encode("一二三四五六七八九" if position % 2 == 0 else "十百千万"))
    old = (targets[:, position, None] == choices).int().argmax(-1)
    step = torch.randint(1, len(choices), old.shape, generator=torch.Generator().manual_seed(seed))
    targets = targets.clone()
    targets[:, position] = choices[(old + step) % len(choices)]
    return targets


@torch.no_grad()
def teacher_forced_predictions(
    model: Transformer, source: Int[Tensor, "b m"], targets: Int[Tensor, "b n"]
) -> Int[Tensor, "b n"]:
    """Return the most likely next token at each position, with teacher forcing on these targets."""
    return model(source, shift(targets)[0]).argmax(-1)


@torch.no_grad()
def continue_greedily(
    model: Transformer, source: Int[Tensor, "b m"], prefix: Int[Tensor, "b k"], length: int
) -> Int[Tensor, "b n"]:
    """Continue these prefixes with the most likely token at each step, up to ``length`` tokens. Padding follows <end>."""
    tokens, memory = prefix, model.encode(source)
    while tokens.shape[1] < length:
        begin = torch.full_like(tokens[:, :1], Vocabulary.begin)
        logits = model.decode(torch.cat([begin, tokens], dim=1), *memory)[:, -1]
        tokens = torch.cat([tokens, logits.argmax(-1, keepdim=True)], dim=1)
    ended = (tokens == Vocabulary.end).cumsum(1) - (tokens == Vocabulary.end).int() > 0
    return tokens.masked_fill(ended, Vocabulary.pad)


def accuracy_after(position: int, predicted: Int[Tensor, "b n"], targets: Int[Tensor, "b n"]) -> Float[Tensor, "k"]:
    """Return the accuracy at each position after this one."""
    return (predicted == targets)[:, position + 1 :].float().mean(0)
