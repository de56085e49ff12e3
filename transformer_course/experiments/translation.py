"""Translating numbers and dates: a model's accuracy, the geometry of its word vectors, and where it attends.

Shapes: ``k`` words, ``m`` source tokens, ``n`` target tokens, ``d`` width.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from transformer_course.data import Split
from transformer_course.data.dates import MONTHS
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.inspection import attention_maps
from transformer_course.models.recipes import small_translator
from transformer_course.training import shift
from transformer_course.transformer import Transformer

# How lesson 15 trains on numbers. Its cells and its text say the same, which tests/experiments/test_translation.py checks.
STEPS, BATCH_SIZE = 450, 64
TEST_EVERY, TEST_SIZE = 25, 200  # steps from one test to the next, and the numbers in each test

# The English words for 1 to 9, 11 to 19 and the tens, each with the digit that it stands for.
DIGITS = {
    word: digit
    for words, first in (
        ("one two three four five six seven eight nine", 1),
        ("eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 1),
        ("twenty thirty forty fifty sixty seventy eighty ninety", 2),
    )
    for digit, word in enumerate(words.split(), first)
}
KINDS = {word: "teens" if "teen" in word or word in ("eleven", "twelve") else "tens" if word.endswith("ty") else "ones"
         for word in DIGITS}  # fmt: skip


def untrained(pairs: Split, seed: int = 0, make: type = Transformer) -> tuple[Transformer, dict[str, Vocabulary]]:
    """Return an untrained small translator for these pairs and its vocabularies, as `models.load` does.

    ``make`` is the class of the model: the library's, or your own from the Build.
    """
    vocabularies = {
        side: Vocabulary.from_sequences(pair[k] for pair in pairs.train) for k, side in enumerate(("source", "target"))
    }
    torch.manual_seed(seed)
    return small_translator(*vocabularies.values(), make), vocabularies


@torch.no_grad()
def teacher_forced(
    model: Transformer, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]
) -> tuple[float, list[bool]]:
    """Return the token accuracy with teacher forcing, and for each sequence whether all its tokens are correct.

    Padding does not count.
    """
    labels = pad_right(targets)
    correct = model(pad_right(sources), shift(labels)[0]).argmax(-1) == labels
    real = labels != Vocabulary.pad
    return correct[real].float().mean().item(), (correct | ~real).all(-1).tolist()


def mean_cosine(vectors: Float[Tensor, "k d"], groups: Sequence) -> float:
    """Return the mean cosine over all pairs of vectors in the same group. ``groups`` gives the group of each vector."""
    groups = np.asarray(groups)
    unit = vectors.detach() / vectors.detach().norm(dim=1, keepdim=True)
    return (unit @ unit.T).numpy()[np.triu(groups[:, None] == groups, 1)].mean().item()


def decided_by(text: str) -> list[list[int]]:
    """Return, for each of the eight digits of an ISO date, the positions in ``text`` that determine it.

    Each digit of the year or the day is determined by the same digit in the text, and the digits of the month by all letters
    of its name. A day below ten has a single digit, which determines both.

    Raises ValueError if the text lacks one of them.
    """
    year = re.search(r"\d{4}", text)
    name = re.search("|".join(f"{month}|{month[:3]}" for month in MONTHS), text)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    if not (year and name and day):
        raise ValueError(f"a date needs a year, the name of a month and a day, such as 'Mar 25, 2019', got {text!r}")
    letters = list(range(*name.span()))
    return [*([year.start() + k] for k in range(4)), letters, letters, [day.start()], [day.end() - 1]]


DIGIT_POSITIONS = [0, 1, 2, 3, 5, 6, 8, 9]  # of an ISO date; the other positions are hyphens


@torch.no_grad()
def cross_attention_map(model: Transformer, source: Sequence[int], target: Sequence[int]) -> np.ndarray:
    """Return the weights of the last cross-attention, averaged over its heads: (n, m), a row per target token to predict."""
    with attention_maps(model) as maps:
        model(pad_right([source]), shift(pad_right([target]))[0])
    return maps[f"decoder.layers.{len(model.decoder.layers) - 1}.cross_attention"][0].mean(0).numpy()


def date_map(model: Transformer, vocabularies: Mapping[str, Vocabulary], text: str, iso: str) -> np.ndarray:
    """Return the `cross_attention_map` of a date, (11, m): a row for each of its ten characters, and one for <end>."""
    source, target = vocabularies["source"], vocabularies["target"]
    return cross_attention_map(model, source.encode(text), [*target.encode(iso), target.end])


def alignment_scores(
    model: Transformer, vocabularies: Mapping[str, Vocabulary], pairs: Sequence[tuple[str, str]]
) -> np.ndarray:
    """Return the weight that each of the eight digits puts on the positions that determine it, averaged over dates: (8,)."""
    rows = []
    for text, iso in pairs:
        weights = date_map(model, vocabularies, text, iso)
        rows.append([weights[row, columns].sum() for row, columns in zip(DIGIT_POSITIONS, decided_by(text), strict=True)])
    return np.mean(rows, axis=0)


def uniform_baseline(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the same for uniform attention."""
    return np.mean([[len(columns) / len(text) for columns in decided_by(text)] for text, _ in pairs], axis=0)


def replace_year_digit(text: str, digit: int) -> tuple[str, str]:
    """Replace one ``digit`` (0 to 3) of the year in the text of a date. Return the new text and the new digit.

    In the century, 19 or 20, the new digit is the other one that can occur there; elsewhere it is 5 larger, modulo 10.
    """
    at = decided_by(text)[digit][0]
    new = {"1": "2", "2": "1", "0": "9", "9": "0"}[text[at]] if digit < 2 else str((int(text[at]) + 5) % 10)
    return text[:at] + new + text[at + 1 :], new


@torch.no_grad()
def follow_rate(
    model: Transformer, vocabularies: Mapping[str, Vocabulary], pairs: Sequence[tuple[str, str]], digit: int
) -> float:
    """Return how often the model predicts the new digit after `replace_year_digit`, given the original date before it."""
    source, target = vocabularies["source"], vocabularies["target"]
    changed, new_digits = zip(*(replace_year_digit(text, digit) for text, _ in pairs), strict=True)
    dates = torch.tensor([target.encode(iso) for _, iso in pairs])
    logits = model(pad_right([source.encode(text) for text in changed]), shift(dates)[0])
    predicted = target.decode(logits[:, digit].argmax(-1).tolist())
    return float(np.mean([ours == new for ours, new in zip(predicted, new_digits, strict=True)]))
