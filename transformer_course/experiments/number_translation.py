"""Typing a number and seeing what a translator writes, with the digits beside it, and where it looks while it writes."""

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from transformer_course import models
from transformer_course.data.numbers import english
from transformer_course.decoding import greedy
from transformer_course.embedding import SPECIALS, Vocabulary, pad_right
from transformer_course.experiments.translation import cross_attention_map
from transformer_course.figures.attention_table import attention_table
from transformer_course.transformer import Transformer
from transformer_course.weights import copy_weights

LARGEST = 10**8 - 1  # the translators were trained on numbers of up to eight digits
MOST_WORDS = 14  # of such a number, as in 99,999,999
GLOSSES = {character: f"{value:,}" for value, character in enumerate("零一二三四五六七八九十")}
GLOSSES |= {"百": "100", "千": "1,000", "万": "10,000", "亿": "10⁸"}
ADVICE = 'Try "twelve thousand three hundred", or digits, such as "12300".'


@dataclass(frozen=True, repr=False)
class Translation:
    """What a translator wrote for a number: shown in a notebook with its digits and a map of its cross-attention."""

    words: list[str]
    characters: list[str]
    number: int | None  # the number that the characters stand for; None if they are not a number
    weights: np.ndarray | None  # of the last cross-attention, averaged over its heads: (characters, words); None if unknown
    right: bool

    def comment(self) -> str:
        """Return one sentence that says whether the translation is right."""
        if self.right:
            return "That is right."
        if self.number is None:
            return "That is not a number."
        return f"This is wrong: in English, that number is “{' '.join(english(self.number))}”."

    def _result(self) -> str:
        return f"{''.join(self.characters) or '(nothing)'}{'' if self.number is None else f' = {self.number:,}'}"

    def __repr__(self) -> str:
        return f"{' '.join(self.words)} → {self._result()}\n{self.comment()}"

    def _repr_html_(self) -> str:
        mark = "✓" if self.right else "✗"
        table = "" if self.weights is None else self._table()
        return (
            f'<div><span style="font-size:1.5em">{html.escape(self._result())}</span> {mark}'
            f"<div>{html.escape(self.comment())}</div>{table}</div>"
        )

    def _table(self) -> str:
        caption = "Where it looked as it wrote each character, in percent:"
        glosses = [GLOSSES.get(character, "") for character in self.characters]
        return attention_table(self.weights, self.characters, self.words, glosses, caption)


class NotTranslated(str):
    """Why a text was not given to the translator, in one sentence, which a notebook shows without quotes."""

    __repr__ = str.__str__


def translate(
    number: str | int, translator: tuple[nn.Module, Mapping[str, Vocabulary]] | None = None
) -> Translation | NotTranslated:
    """Let a translator write a number in Chinese numerals.

    ``number`` is in English words or in digits. ``translator`` is a model with its vocabularies, as `models.load` returns
    them; the default is the shipped "translator". A model shows where it looks if it is the library's, or has the same
    parameters and writes the same with the library's code. A text that the model cannot read gives a sentence instead of an
    error, since this is the first thing that learners try.
    """
    model, vocabularies = translator or models.load("translator")
    source, target = vocabularies["source"], vocabularies["target"]
    words = _words(str(number), source)
    if isinstance(words, NotTranslated):
        return words
    tokens = pad_right([source.encode(words)])
    (ids,) = greedy(model, tokens, 20)
    characters = target.decode(ids)
    looking, weights = in_library(model), None  # attention that learners wrote in the Build does not return its weights
    if looking is model or (looking is not None and greedy(looking, tokens, 20) == [ids]):
        weights = cross_attention_map(looking, source.encode(words), ids)[: len(characters)]
    value = _value("".join(characters))
    right = value is not None and _without_and(english(value)) == _without_and(words)
    return Translation(words, characters, value, weights, right)


def write_samples(translator: tuple[nn.Module, Mapping[str, Vocabulary]], numbers: Sequence[int]) -> dict[str, str]:
    """Return what a translator writes for each number, with a ✓ if it is right: {"12,300": "一万二千三百 = 12,300 ✓"}."""
    model, vocabularies = translator
    source, target = vocabularies["source"], vocabularies["target"]
    written = greedy(model, pad_right([source.encode(english(number)) for number in numbers]), 20)
    texts = ["".join(target.decode(ids)) for ids in written]
    marks = [" ✓" * (_value(text) == number) for number, text in zip(numbers, texts, strict=True)]
    return {f"{n:,}": f"{with_value(text)}{mark}" for n, text, mark in zip(numbers, texts, marks, strict=True)}


def with_value(numeral: str) -> str:
    """Return a Chinese numeral with its value: "二百二十二 = 222", or "二二 (not a number)"."""
    value = _value(numeral)
    return f"{numeral or '(nothing)'}{' (not a number)' if value is None else f' = {value:,}'}"


def in_library(model: nn.Module) -> Transformer | None:
    """Return the library's Transformer with the weights of this model, which may be a class from the Build.

    If it already is the library's, return it unchanged, and None if it has different parameters.
    """
    if isinstance(model, Transformer):
        return model
    try:
        with torch.random.fork_rng(devices=[]):  # the random initialisation is overwritten
            ours = Transformer(model.config).eval()
        copy_weights(ours, dict(model.named_parameters()))
    except (AttributeError, ValueError):
        return None
    return ours


def _words(text: str, source: Vocabulary) -> list[str] | NotTranslated:
    """Return the words of a number, given in words, in digits or in both: "12 million and five", "99 hundred"."""
    if (digits := re.sub(r"[\s,_']", "", text)).isdecimal():
        text = digits
    text = re.sub(r"(?<=\d)[,_'](?=\d)", "", text.lower()).strip(" .")
    words = re.sub(r"(?<=[a-z])-(?=[a-z])|,", " ", text).split()  # "forty-two", but not "-5"
    if not words or len(words) > MOST_WORDS:
        return NotTranslated(f"A number has 1 to {MOST_WORDS} words, got {len(words)}. {ADVICE}")
    words = ["one" if word == "a" else word for word in words]
    unknown = [word for word in words if not word.isdecimal() and (word not in source.ids or word in SPECIALS)]
    if unknown:
        return NotTranslated(f"The translator knows only number words, got {unknown[0][:40]!r}. {ADVICE}")
    number = _number(words)
    if number is None:
        return NotTranslated(f"The translator cannot tell which number {' '.join(words)[:40]!r} is. {ADVICE}")
    if number > LARGEST:
        return NotTranslated(f"This translator has learned numbers up to {LARGEST:,}, got {number:,}. {ADVICE}")
    spelled = english(number)  # as in its training
    return words if _without_and(words) == _without_and(spelled) else spelled


def _number(words: list[str]) -> int | None:
    """Return the number that English words and digits stand for; None if they are not one number, as "nineteen eighty"."""
    words = _without_and(words)
    if not words:
        return None
    values = {english(number)[0]: number for number in (*range(20), *range(20, 100, 10))}
    total, below = 0, int(words[0] in ("hundred", "thousand", "million"))  # "thousand" for "one thousand"
    for word in words:
        if word == "hundred":
            below = below * 100 if 0 < below < 100 else -1
        elif word in ("thousand", "million"):
            total, below = _add(total, below * (1_000 if word == "thousand" else 1_000_000)) if below else -1, 0
        else:
            below = _add(below, int(word[:20]) if word.isdecimal() else values[word])
        if min(total, below) < 0:
            return None
    number = _add(total, below)
    return None if number < 0 else number


def _add(larger: int, smaller: int) -> int:
    """Return the sum if the digits of the second number are where the first one has zeros at its end; otherwise -1."""
    fits = not larger or smaller == 0 or larger % 10 ** len(str(smaller)) == 0
    return larger + smaller if fits else -1


def _without_and(words: list[str]) -> list[str]:
    return [word for word in words if word != "and"]


def _value(characters: str) -> int | None:
    from cn2an import cn2an

    try:
        return int(cn2an(characters, "strict"))
    except ValueError:
        return None
