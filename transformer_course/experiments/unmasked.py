"""The accuracy of trained models without their causal mask, when all earlier tokens are correct."""

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from transformer_course import models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.masks import causal_mask

DRAWS, SIZE = 3, 100  # three samples of a hundred sequences that the model was not trained on


@torch.no_grad()
def name_accuracy(lengths: Sequence[int], masked: bool, name: str = "gpt-pre") -> Tensor:
    """Return a GPT's accuracy for the next character of Unicode names after each of these lengths, one row per sample."""
    gpt, vocabularies = models.load(name)
    vocabulary, longest = vocabularies["text"], max(lengths)
    long_enough = [text for text, _ in character_names().test if len(text) >= longest][: DRAWS * SIZE]
    ids = torch.tensor([[vocabulary.begin, *vocabulary.encode(text[:longest])] for text in long_enough])
    return _accuracies(lambda n: gpt.output(gpt.stack(gpt.input(ids[:, :n]), _mask(n, masked))), ids, lengths)


@torch.no_grad()
def numeral_accuracy(lengths: Sequence[int], masked: bool) -> Tensor:
    """Return the same for the translator: its accuracy for the next Chinese numeral, given the English number."""
    translator, vocabularies = models.load("translator")
    source, target = vocabularies["source"], vocabularies["target"]
    pairs = [pair for pair in _numbers() if len(pair[1]) >= max(lengths)][: DRAWS * SIZE]
    memory, real = translator.encode(pad_right([source.encode(words) for words, _ in pairs]))
    ids = pad_right([[target.begin, *target.encode(numerals)] for _, numerals in pairs])[:, : max(lengths) + 1]

    def logits(n):
        return translator.output(translator.decoder(translator.target(ids[:, :n]), memory, _mask(n, masked), real))

    return _accuracies(logits, ids, lengths)


@cache
def _numbers() -> list:
    return number_pairs(1, 1000).test  # which numbers are held out does not depend on the sizes


def _mask(n: int, masked: bool) -> Tensor:
    return causal_mask(n) if masked else torch.ones(n, n, dtype=torch.bool)


def _accuracies(logits, ids: Tensor, lengths: Sequence[int]) -> Tensor:
    correct = [logits(n)[:, -1].argmax(-1) == ids[:, n] for n in lengths]
    return torch.stack(correct, dim=-1).float().unflatten(0, (DRAWS, SIZE)).mean(1)
