"""Sequence probability: does a search find the sequence that a translator considers most likely?

Shapes: ``b`` sequences, ``m`` source tokens, ``n`` target tokens, ``v`` vocabulary.
"""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.models.recipes import columns
from transformer_course.training import shift
from transformer_course.transformer import Transformer


def log_probability(logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"]) -> Float[Tensor, "b"]:
    """Return the log-probability of each sequence of labels: the sum over its tokens, without padding."""
    log_p = logits.log_softmax(-1).gather(-1, labels[..., None])[..., 0]
    return (log_p * (labels != Vocabulary.pad)).sum(-1)


@torch.no_grad()
def evaluate_search(
    model: Transformer,
    vocabularies: dict[str, Vocabulary],
    pairs: Sequence[tuple[str, str]],
    search: Callable[[Transformer, Int[Tensor, "b m"]], list[list[int]]],
) -> tuple[Bool[Tensor, "b"], Float[Tensor, "b"], Float[Tensor, "b"]]:
    """Translate these pairs with ``search(model, source)``, and return which translations are wrong, the log-probabilities of
    the translations, and those of the correct targets."""
    source, target = vocabularies["source"], vocabularies["target"]
    texts, correct = columns(pairs, source, target)
    found = search(model, words := pad_right(texts))
    wrong = torch.tensor([a != b for a, b in zip(found, correct, strict=True)])
    shifted = [shift(pad_right(sequences)) for sequences in (found, correct)]
    log_p_found, log_p_correct = (log_probability(model(words, inputs), labels) for inputs, labels in shifted)
    return wrong, log_p_found, log_p_correct
