"""The whole Transformer, trained: what a model gets right while it learns, what lies close in its table, and where it looks.

Shapes: ``b`` batch, ``m`` tokens of the source, ``n`` tokens of the target, ``d`` width.
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

# The English words for 1 to 9, and for what is made of them, by the digit that they say.
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


def fresh(pairs: Split, seed: int = 0) -> tuple[Transformer, dict[str, Vocabulary]]:
    """Return an untrained small translator for some pairs, and its vocabularies, as `models.load` does."""
    vocabularies = {
        side: Vocabulary.from_sequences(pair[k] for pair in pairs.train) for k, side in enumerate(("source", "target"))
    }
    torch.manual_seed(seed)
    return small_translator(*vocabularies.values()), vocabularies


@torch.no_grad()
def shown(model: Transformer, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> tuple[float, list[bool]]:
    """Return the share of tokens that are the likeliest next one when the right beginning is shown (teacher forcing), and for
    each text whether all of its tokens are. Padding is left out."""
    labels = pad_right(targets)
    right = model(pad_right(sources), shift(labels)[0]).argmax(-1) == labels
    real = labels != Vocabulary.pad
    return right[real].float().mean().item(), (right | ~real).all(-1).tolist()


def mean_cosine(vectors: Float[Tensor, "k d"], groups: Sequence) -> float:
    """Return the mean cosine of all pairs of vectors that are in the same group (``groups`` names that of each)."""
    groups = np.asarray(groups)
    unit = vectors.detach() / vectors.detach().norm(dim=1, keepdim=True)
    return (unit @ unit.T).numpy()[np.triu(groups[:, None] == groups, 1)].mean().item()


def decided_by(text: str) -> list[list[int]]:
    """Return, for each of the eight digits of an ISO date, the places of ``text`` that decide it.

    A digit of the year is decided by itself, as is one of the day; a month's digits by all letters of its name. A day below
    ten has one digit, which decides both.
    """
    year = re.search(r"\d{4}", text).start()
    name = re.search("|".join(f"{month}|{month[:3]}" for month in MONTHS), text)
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", text)
    letters = list(range(*name.span()))
    return [*([year + k] for k in range(4)), letters, letters, [day.start()], [day.end() - 1]]


WRITTEN = [0, 1, 2, 3, 5, 6, 8, 9]  # the places of an ISO date's digits; the others are hyphens


@torch.no_grad()
def date_map(model: Transformer, vocabularies: Mapping[str, Vocabulary], text: str, iso: str) -> np.ndarray:
    """Return where each character of the date looks, in the last cross-attention, as a mean over its heads: (11, m). The rows
    are those of the ten characters that come next, and of <end>."""
    source, target = vocabularies["source"], vocabularies["target"]
    ids, asked = pad_right([source.encode(text)]), pad_right([[*target.encode(iso), target.end]])
    with attention_maps(model) as maps:
        model(ids, shift(asked)[0])
    return maps[f"decoder.layers.{len(model.decoder.layers) - 1}.cross_attention"][0].mean(0).numpy()


def scores(model: Transformer, vocabularies: Mapping[str, Vocabulary], pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the mean weight that each of the eight digits puts on the places that decide it, over some dates: (8,)."""
    rows = []
    for text, iso in pairs:
        looks = date_map(model, vocabularies, text, iso)
        rows.append([looks[row, places].sum() for row, places in zip(WRITTEN, decided_by(text), strict=True)])
    return np.mean(rows, axis=0)


def evenly(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the same for somebody who looks everywhere alike."""
    return np.mean([[len(places) / len(text) for places in decided_by(text)] for text, _ in pairs], axis=0)


def exchanged(text: str, place: int) -> tuple[str, str]:
    """Return a text of a date with one digit of its year exchanged (``place`` 0 to 3), and the new digit: in the century,
    which is 19 or 20, for the other digit that may stand there; else for the one five further on."""
    at = decided_by(text)[place][0]
    other = {"1": "2", "2": "1", "0": "9", "9": "0"}[text[at]] if place < 2 else str((int(text[at]) + 5) % 10)
    return text[:at] + other + text[at + 1 :], other


@torch.no_grad()
def follows(model: Transformer, vocabularies: Mapping[str, Vocabulary], pairs: Sequence[tuple[str, str]], place: int) -> float:
    """Return how often the model writes the new digit, when one digit of the year is `exchanged` in the text and all that the
    date has before this digit is shown as it was."""
    source, target = vocabularies["source"], vocabularies["target"]
    changed, wanted = zip(*(exchanged(text, place) for text, _ in pairs), strict=True)
    dates = torch.tensor([target.encode(iso) for _, iso in pairs])
    logits = model(pad_right([source.encode(text) for text in changed]), shift(dates)[0])
    written = target.decode(logits[:, place].argmax(-1).tolist())
    return float(np.mean([ours == other for ours, other in zip(written, wanted, strict=True)]))
