"""What trained models say next when their causal mask is left out, with the right text before them."""

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from transformer_course import models
from transformer_course.data import character_names, number_pairs
from transformer_course.embedding import pad_right
from transformer_course.masks import causal_mask

DRAWS, SIZE = 3, 100  # three draws of a hundred texts that the model was not trained on


@torch.no_grad()
def names_right(lengths: Sequence[int], masked: bool, name: str = "gpt-pre") -> Tensor:
    """Return the share of Unicode names whose next character a GPT gets right after so many tokens, a row for each draw."""
    gpt, vocabularies = models.load(name)
    vocabulary, longest = vocabularies["text"], max(lengths)
    long_enough = [text for text, _ in character_names().test if len(text) >= longest][: DRAWS * SIZE]
    ids = torch.tensor([[vocabulary.begin, *vocabulary.encode(text[:longest])] for text in long_enough])
    return _shares(lambda n: gpt.output(gpt.stack(gpt.input(ids[:, :n]), _mask(n, masked))), ids, lengths)


@torch.no_grad()
def numerals_right(lengths: Sequence[int], masked: bool) -> Tensor:
    """Return the same for the translator and its Chinese numerals, with the English number before it."""
    translator, vocabularies = models.load("translator")
    source, target = vocabularies["source"], vocabularies["target"]
    pairs = [pair for pair in _numbers() if len(pair[1]) >= max(lengths)][: DRAWS * SIZE]
    memory, real = translator.encode(pad_right([source.encode(words) for words, _ in pairs]))
    ids = pad_right([[target.begin, *target.encode(numerals)] for _, numerals in pairs])[:, : max(lengths) + 1]

    def logits(n):
        return translator.output(translator.decoder(translator.target(ids[:, :n]), memory, _mask(n, masked), real))

    return _shares(logits, ids, lengths)


@cache
def _numbers() -> list:
    return number_pairs(1, 1000).test  # a number is held back or not, whatever the sizes


def _mask(n: int, masked: bool) -> Tensor:
    return causal_mask(n) if masked else torch.ones(n, n, dtype=torch.bool)


def _shares(logits, ids: Tensor, lengths: Sequence[int]) -> Tensor:
    right = [logits(n)[:, -1].argmax(-1) == ids[:, n] for n in lengths]
    return torch.stack(right, dim=-1).float().unflatten(0, (DRAWS, SIZE)).mean(1)
