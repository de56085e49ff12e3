"""Training: batches, losses and a plain training loop.

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course._util.progress_bar import progress
from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import BERT, GPT, IGNORE_INDEX, SequenceClassifier, ViT
from transformer_course.transformer import Transformer
from transformer_course.weights import load as load
from transformer_course.weights import save as save


def shift(targets: Int[Tensor, "b n"], begin: int = Vocabulary.begin) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Return ``(inputs, labels)`` for teacher forcing: at each position, the input is the token *before* the label.

    Teacher forcing means that the model is given the correct prefix, whatever it would have generated itself.

    Raises ValueError unless ``targets`` has two axes.
    Source: Vaswani et al. 2017, section 3.1 (outputs shifted right); Williams and Zipser 1989, "A Learning Algorithm for
    Continually Running Fully Recurrent Neural Networks" (teacher forcing).
    """
    if targets.ndim != 2:
        raise ValueError(
            f"targets must have shape (b, n), one row per sequence, got {tuple(targets.shape)}; try targets[None]"
        )
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1), targets


def sequence_loss(
    logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"], pad: int = Vocabulary.pad, smoothing: float = 0.0
) -> Float[Tensor, ""]:
    """Return the mean cross-entropy of the labels that are not padding, in nats per token.

    With ``smoothing`` ε, the target distribution gives the label 1 - ε and spreads ε evenly over the whole vocabulary.
    Labels equal to ``pad`` are ignored; for `mask_tokens`, pass ``family.IGNORE_INDEX``.

    Raises ValueError unless there is one label per row of logits, all labels other than ``pad`` are in the vocabulary, at
    least one is not ``pad``, and ``smoothing`` is in [0, 1].
    Source: Vaswani et al. 2017, section 5.4 (ε = 0.1); Szegedy et al. 2016, "Rethinking the Inception Architecture for
    Computer Vision", section 7.
    """
    if logits.ndim != 3 or logits.shape[:2] != labels.shape or not 0 <= smoothing <= 1:
        raise ValueError(
            f"the loss needs logits (b, n, v), labels (b, n) and a smoothing from 0 to 1, "
            f"got {tuple(logits.shape)}, {tuple(labels.shape)} and {smoothing}"
        )
    real = labels[labels != pad]
    if not len(real) or real.min() < 0 or real.max() >= logits.shape[-1]:
        got = f"{int(real.min())} … {int(real.max())}" if len(real) else f"nothing but {pad}"
        ids = f"ids 0 … {logits.shape[-1] - 1}"
        raise ValueError(f"labels other than pad = {pad} must be {ids}, and at least one is needed, got {got}; check pad")
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten().long(), ignore_index=pad, label_smoothing=smoothing)


def translation_loss(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"], smoothing=0.0) -> Tensor:
    """Return the loss on a batch of pairs; ``target`` ends with ``<end>`` and has no ``<begin>``."""
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels, smoothing=smoothing)


def continuation_loss(model: GPT, text: Int[Tensor, "b n"], smoothing=0.0) -> Tensor:
    """Return the loss on a batch of sequences; ``text`` ends with ``<end>`` and has no ``<begin>``."""
    inputs, labels = shift(text)
    return sequence_loss(model(inputs), labels, smoothing=smoothing)


def masked_loss(model: BERT, inputs: Int[Tensor, "b n"], labels: Int[Tensor, "b n"]) -> Tensor:
    """Return the loss of predicting the tokens that `mask_tokens` selected."""
    return sequence_loss(model(inputs), labels, IGNORE_INDEX)


def classification_loss(model: SequenceClassifier | ViT, x: Tensor, labels: Int[Tensor, "b"]) -> Tensor:
    """Return the mean cross-entropy of one label per sequence or image, in nats."""
    return F.cross_entropy(model(x), labels)


def batches(*columns: Sequence[Sequence[int]] | Tensor, batch_size: int = 64, seed: int = 0) -> Iterator[tuple[Tensor, ...]]:
    """Yield batches without end, with each example once per epoch.

    A column of sequences gives a tensor of ids (b, n), padded on the right. A column that is a tensor (images, or one label
    per example) gives some of its rows. Examples of similar length share a batch (length bucketing), so that little of it
    is padding: 50 batches' worth of shuffled examples are sorted by length and cut into batches, which are shuffled again.
    One batch per epoch may be smaller.

    Raises ValueError unless the columns are sequences of ids or tensors, all of the same length, at least ``batch_size``.
    Source: Vaswani et al. 2017, section 5.1 (batches of similar length).
    """
    for column in columns:
        if len(column) and isinstance(column[0], int | float | str):
            raise ValueError(
                f"a column must hold sequences of ids or be a tensor, got {column[0]!r} in it; encode it, or use torch.tensor"
            )
    sizes = {len(column) for column in columns}
    if len(sizes) != 1 or not 1 <= batch_size <= min(sizes):
        got = [len(column) for column in columns]
        raise ValueError(f"columns must have the same length, at least batch_size = {batch_size}, got {got}")
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
    """Train a model in place for ``steps`` steps; return the loss of each step.

    Each step computes ``loss_of(model, *next(data))`` and its gradient, clips the gradient to norm ``clip``, and takes
    one AdamW step. The learning rate rises to ``lr`` over ``warmup`` steps, then falls linearly to 0.
    ``after_step(step, loss)`` is called after each step, so that you can watch the model learn. The model is left in
    training mode; decoding handles that itself, but call ``model.eval()`` before other uses.

    Raises ValueError if ``steps`` is below 1 or the data run out, and RuntimeError as soon as the loss is not finite.
    Source: Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2; β₂ = 0.98 and warm-up:
    Vaswani et al. 2017, section 5.3 (which then falls as 1/√step).
    """
    if steps < 1:
        raise ValueError(f"training needs at least one step, got {steps}")
    warmup = min(warmup, steps)

    def lr_factor(step: int) -> float:
        return (step + 1) / warmup if step < warmup else (steps - step) / max(steps - warmup, 1)

    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), weight_decay=weight_decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_factor)
    model.train()
    losses = []
    data = iter(data)
    for step in progress(range(1, steps + 1), "training"):
        batch = next(data, None)
        if batch is None:
            raise ValueError(f"the data ran out before step {step} of {steps}; try `batches`, which never ends")
        loss = loss_of(model, *batch)
        losses.append(loss.item())
        if not math.isfinite(losses[-1]):
            raise RuntimeError(
                f"the loss must be finite, got {losses[-1]} at step {step}; try a smaller lr (it was {lr}) or a longer "
                "warmup, or inspect the batch; this step has not changed the model"
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
    """Return the fraction of sources, from 0 to 1, whose greedy translation equals the target in every token.

    Raises ValueError unless there is one target per source, ending with ``<end>``.
    """
    if len(sources) != len(targets) or not sources:
        raise ValueError(f"each source needs one target, got {len(sources)} sources and {len(targets)} targets")
    if not all(len(target) and target[-1] == Vocabulary.end for target in targets):
        raise ValueError(f"targets must end with <end>, id {Vocabulary.end}, as generated sequences do, got one without")
    limit = max(map(len, targets))
    matches = 0
    for i in range(0, len(sources), 500):  # 500 at a time, to limit memory
        generated = greedy(model, pad_right(sources[i : i + 500]), limit)
        matches += sum(ours == list(theirs) for ours, theirs in zip(generated, targets[i : i + 500], strict=True))
    return matches / len(sources)
