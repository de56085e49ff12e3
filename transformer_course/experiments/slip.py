"""One wrong token while the shipped translator writes: how much of what follows is still right?

Asked of numbers of five digits without a zero, so that all targets have the same form, of ten tokens: a digit, 万, a digit,
千, a digit, 百, a digit, 十, a digit, <end>. Place 2 (counted from 0) holds a digit, place 3 a unit.

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

DIGIT, UNIT = 2, 3  # the places of the digit and of the unit that are exchanged


def five_digits(
    source: Vocabulary, target: Vocabulary, count: int, seed: int
) -> tuple[Int[Tensor, "b m"], Int[Tensor, "b n"]]:
    """Draw different numbers of five digits without a zero, none of which the translator was trained on."""
    draw, numbers = random.Random(seed), {}
    while len(numbers) < count:
        number = int("".join(draw.choices("123456789", k=5)))
        if held_back(number, 0):
            numbers[number] = None
    words = pad_right([source.encode(english(number)) for number in numbers])
    return words, torch.tensor([[*target.encode(chinese(number)), target.end] for number in numbers])


def exchanged(target: Vocabulary, texts: Int[Tensor, "b n"], place: int, seed: int) -> Int[Tensor, "b n"]:
    """Return the texts with another token at one place: a digit for a digit, a unit for a unit."""
    alike = torch.tensor(target.encode("一二三四五六七八九" if place % 2 == 0 else "十百千万"))
    was = (texts[:, place, None] == alike).int().argmax(-1)
    step = torch.randint(1, len(alike), was.shape, generator=torch.Generator().manual_seed(seed))
    texts = texts.clone()
    texts[:, place] = alike[(was + step) % len(alike)]
    return texts


@torch.no_grad()
def reading(model: Transformer, source: Int[Tensor, "b m"], texts: Int[Tensor, "b n"]) -> Int[Tensor, "b n"]:
    """Return what the model holds for the next token at each place, while the texts themselves stand at its input."""
    return model(source, shift(texts)[0]).argmax(-1)


@torch.no_grad()
def writing(model: Transformer, source: Int[Tensor, "b m"], start: Int[Tensor, "b k"], length: int) -> Int[Tensor, "b n"]:
    """Return the texts to which the model itself continues these beginnings, the most probable token at each step; what would
    come after <end> is padding."""
    texts, memory = start, model.encode(source)
    while texts.shape[1] < length:
        begin = torch.full_like(texts[:, :1], Vocabulary.begin)
        logits = model.decode(torch.cat([begin, texts], dim=1), *memory)[:, -1]
        texts = torch.cat([texts, logits.argmax(-1, keepdim=True)], dim=1)
    ended = (texts == Vocabulary.end).cumsum(1) - (texts == Vocabulary.end).int() > 0
    return texts.masked_fill(ended, Vocabulary.pad)


def right_after(place: int, written: Int[Tensor, "b n"], texts: Int[Tensor, "b n"]) -> Float[Tensor, "k"]:
    """Return the share that is right at each place after this one."""
    return (written == texts)[:, place + 1 :].float().mean(0)
