"""How probable a translator thinks the text that a search finds, and the right one.

Shapes: ``b`` texts, ``n`` tokens, ``v`` vocabulary.
"""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.training import shift
from transformer_course.transformer import Transformer


def log_probability(logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"]) -> Float[Tensor, "b"]:
    """Return the log-probability of each text of labels: the sum over its tokens, padding left out."""
    of_labels = logits.log_softmax(-1).gather(-1, labels[..., None])[..., 0]
    return (of_labels * (labels != Vocabulary.pad)).sum(-1)


@torch.no_grad()
def searched(
    model: Transformer,
    vocabularies: dict[str, Vocabulary],
    pairs: Sequence[tuple[str, str]],
    search: Callable[[Transformer, Int[Tensor, "b m"]], list[list[int]]],
) -> tuple[Bool[Tensor, "b"], Float[Tensor, "b"], Float[Tensor, "b"]]:
    """Let ``search(model, source)`` write these numbers; return which are wrong, and the log-probabilities of what was written
    and of the right texts."""
    source, target = vocabularies["source"], vocabularies["target"]
    words = pad_right([source.encode(text) for text, _ in pairs])
    right = [[*target.encode(text), target.end] for _, text in pairs]
    written = search(model, words)
    wrong = torch.tensor([a != b for a, b in zip(written, right, strict=True)])
    shifted = [shift(pad_right(texts)) for texts in (written, right)]
    own, of_right = (log_probability(model(words, inputs), labels) for inputs, labels in shifted)
    return wrong, own, of_right
