"""Learning: batches, the loss, and one plain loop.

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import BERT, GPT, IGNORE_INDEX, SequenceClassifier, ViT
from transformer_course.progress import progress
from transformer_course.transformer import Transformer
from transformer_course.weights import load, save

__all__ = [
    "batches",
    "classification_loss",
    "continuation_loss",
    "exact_match",
    "load",
    "masked_loss",
    "save",
    "sequence_loss",
    "shift",
    "train",
    "translation_loss",
]


def shift(targets: Int[Tensor, "b n"], begin: int = Vocabulary.begin) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Return ``(inputs, labels)`` for teacher forcing: at each position, the input is the token *before* the label.

    The model is fed the right beginning, whatever it would have written itself: that is teacher forcing.

    Raises ValueError unless ``targets`` has two axes.
    Source: Vaswani et al. 2017, section 3.1 (outputs shifted right); Williams and Zipser 1989, "A Learning Algorithm for
    Continually Running Fully Recurrent Neural Networks" (teacher forcing).
    """
    if targets.ndim != 2:
        raise ValueError(f"targets are (b, n), one row a sequence, saw {tuple(targets.shape)}; try targets[None]")
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1), targets


def sequence_loss(
    logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"], pad: int = Vocabulary.pad, smoothing: float = 0.0
) -> Float[Tensor, ""]:
    """Return the mean cross-entropy of the labels that are not padding, in nats a token.

    With ``smoothing`` ε the label is aimed at with 1 - ε, and ε is spread evenly over the whole vocabulary. ``pad`` is the
    label that asks for nothing: for `mask_tokens`, that is ``family.IGNORE_INDEX``.

    Raises ValueError unless there is one label for each row of logits, within the vocabulary, and one at least that asks
    for something; and for a smoothing outside 0 … 1.
    Source: Vaswani et al. 2017, section 5.4 (ε = 0.1); Szegedy et al. 2016, "Rethinking the Inception Architecture for
    Computer Vision", section 7.
    """
    if logits.ndim != 3 or logits.shape[:2] != labels.shape or not 0 <= smoothing <= 1:
        raise ValueError(
            f"the loss needs logits (b, n, v), labels (b, n) and a smoothing from 0 to 1, "
            f"saw {tuple(logits.shape)}, {tuple(labels.shape)} and {smoothing}"
        )
    asked = labels[labels != pad]
    if not len(asked) or asked.min() < 0 or asked.max() >= logits.shape[-1]:
        seen = f"{int(asked.min())} … {int(asked.max())}" if len(asked) else f"nothing but {pad}"
        ids = f"ids 0 … {logits.shape[-1] - 1}"
        raise ValueError(f"labels other than pad = {pad} are {ids}, and one at least is needed, saw {seen}; is pad another?")
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten().long(), ignore_index=pad, label_smoothing=smoothing)


def translation_loss(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"], smoothing=0.0) -> Tensor:
    """Return the loss of a batch of pairs; ``target`` ends with ``<end>`` and has no ``<begin>``."""
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels, smoothing=smoothing)


def continuation_loss(model: GPT, text: Int[Tensor, "b n"], smoothing=0.0) -> Tensor:
    """Return the loss of a batch of texts; ``text`` ends with ``<end>`` and has no ``<begin>``."""
    inputs, labels = shift(text)
    return sequence_loss(model(inputs), labels, smoothing=smoothing)


def masked_loss(model: BERT, inputs: Int[Tensor, "b n"], labels: Int[Tensor, "b n"]) -> Tensor:
    """Return the loss of guessing what `mask_tokens` has hidden."""
    return sequence_loss(model(inputs), labels, IGNORE_INDEX)


def classification_loss(model: SequenceClassifier | ViT, x: Tensor, labels: Int[Tensor, "b"]) -> Tensor:
    """Return the mean cross-entropy of one label for each text or image, in nats."""
    return F.cross_entropy(model(x), labels)


def batches(*columns: Sequence[Sequence[int]] | Tensor, batch_size: int = 64, seed: int = 0) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches without end, each example once an epoch.

    A column of sequences gives a tensor of ids (b, n), padded on the right; a column that is a tensor (images, or one label
    for each example) gives its rows.

    Examples of like length come together (length buckets), so that little of a batch is padding: 50 batches' worth of
    shuffled examples are sorted by length and cut, and the batches shuffled again. The last cut may be a smaller batch.

    Raises ValueError when there is no column, one is neither sequences nor a tensor, columns are of different length, or
    hold less than one batch.
    Source: Vaswani et al. 2017, section 5.1 (batches of like length).
    """
    for column in columns:
        if len(column) and isinstance(column[0], int | float | str):
            raise ValueError(
                f"a column holds sequences of ids, or is a tensor, saw {column[0]!r} in it; encode it, or torch.tensor it"
            )
    sizes = {len(column) for column in columns}
    if len(sizes) != 1 or not 1 <= batch_size <= min(sizes):
        seen = [len(column) for column in columns]
        raise ValueError(f"columns need one length, and at least batch_size = {batch_size} examples, saw {seen}")
    return _epochs(columns, batch_size, random.Random(seed))


def _epochs(columns: tuple, batch_size: int, draw: random.Random) -> Iterator[tuple[Tensor, ...]]:
    def length(row: int) -> int:
        return sum(len(column[row]) for column in columns if not isinstance(column, Tensor))

    rows = list(range(len(columns[0])))
    while True:
        draw.shuffle(rows)
        for start in range(0, len(rows), 50 * batch_size):
            bucket = sorted(rows[start : start + 50 * batch_size], key=length)
            cuts = [bucket[i : i + batch_size] for i in range(0, len(bucket), batch_size)]
            draw.shuffle(cuts)
            for cut in cuts:
                yield tuple(c[cut] if isinstance(c, Tensor) else pad_right([c[row] for row in cut]) for c in columns)


def train(
    model: nn.Module,
    data: Iterator[tuple[Tensor, ...]],
    loss_of: Callable[..., Tensor],
    steps: int,
    *,
    lr: float = 1e-3,
    warmup: int = 100,
    clip: float = 1.0,
    weight_decay: float = 0.01,
    after_step: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Train a model in place for some steps, and return the loss of each.

    At each step: ``loss_of(model, *next(data))``, its gradient (cut to the norm ``clip``), one step of AdamW. The
    learning rate climbs to ``lr`` in ``warmup`` steps, then falls linearly to 0. ``after_step(step, loss)`` is called
    after each, to look at the model while it learns. The model is left in training mode; decoding does not mind, for other
    uses call ``model.eval()``.

    Raises ValueError when there is no step to make or the data end, and RuntimeError as soon as the loss is not finite.
    Source: Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2; β₂ = 0.98 and warm-up:
    Vaswani et al. 2017, section 5.3 (which then falls as 1/√step).
    """
    if steps < 1:
        raise ValueError(f"training needs at least one step, saw {steps}")
    warmup = min(warmup, steps)

    def share_of_lr(step: int) -> float:
        return (step + 1) / warmup if step < warmup else (steps - step) / max(steps - warmup, 1)

    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), weight_decay=weight_decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, share_of_lr)
    model.train()
    losses = []
    data = iter(data)
    for step in progress(range(1, steps + 1), "training"):
        batch = next(data, None)
        if batch is None:
            raise ValueError(f"the data ended before step {step} of {steps}; see batches, which go on without end")
        loss = loss_of(model, *batch)
        losses.append(loss.item())
        if not math.isfinite(losses[-1]):
            raise RuntimeError(
                f"the loss is {losses[-1]} at step {step}; try a smaller lr (it was {lr}) or a longer warmup, or look at "
                "the batch; the model is as it was before this step"
            )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        if after_step is not None:
            after_step(step, losses[-1])
    return losses


def exact_match(model: Transformer, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> float:
    """Return the share of sources whose greedy translation is the target to the last token, from 0 to 1.

    ``targets`` end with ``<end>``. Raises ValueError unless there is one such target a source.
    """
    if len(sources) != len(targets) or not sources:
        raise ValueError(f"each source needs its target, saw {len(sources)} sources and {len(targets)} targets")
    if not all(len(target) and target[-1] == Vocabulary.end for target in targets):
        raise ValueError(f"targets end with <end>, id {Vocabulary.end}, as what the model writes does; saw one without")
    limit = max(map(len, targets))
    right = 0
    for i in range(0, len(sources), 500):  # so that memory does not grow with their number
        written = greedy(model, pad_right(sources[i : i + 500]), limit)
        right += sum(ours == list(theirs) for ours, theirs in zip(written, targets[i : i + 500], strict=True))
    return right / len(sources)
