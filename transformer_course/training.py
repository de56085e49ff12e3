"""Learning: batches, the loss, and one plain loop. (Files of weights: `save` and `load`, below.)

Shapes: ``b`` batch, ``n`` tokens, ``v`` vocabulary.
"""

import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import safetensors.torch
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.decoding import greedy
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import BERT, GPT, ViT, ViTConfig
from transformer_course.files import write_whole
from transformer_course.progress import progress
from transformer_course.transformer import Transformer, TransformerConfig

NOTES = "transformer-course"  # the entry of the file's header that holds everything but the weights


def shift(targets: Int[Tensor, "b n"], begin: int = Vocabulary.begin) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Return ``(inputs, labels)`` for teacher forcing: at each position, the input is the token *before* the label.

    Source: Vaswani et al. 2017, section 3.1 (outputs shifted right); Williams and Zipser 1989 (teacher forcing).
    """
    first = torch.full_like(targets[:, :1], begin)
    return torch.cat([first, targets[:, :-1]], dim=1), targets


def sequence_loss(
    logits: Float[Tensor, "b n v"], labels: Int[Tensor, "b n"], pad: int = Vocabulary.pad, smoothing: float = 0.0
) -> Float[Tensor, ""]:
    """Return the mean cross-entropy of the labels that are not padding, in nats a token.

    With ``smoothing`` ε the label is aimed at with 1 - ε, and ε is spread evenly over the whole vocabulary.

    Source: Vaswani et al. 2017, section 5.4 (ε = 0.1); Szegedy et al. 2016, section 7.
    """
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=pad, label_smoothing=smoothing)


def translation_loss(model: Transformer, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"], smoothing=0.0) -> Tensor:
    """Return the loss of a batch of pairs; ``target`` ends with ``<end>`` and has no ``<begin>``."""
    inputs, labels = shift(target)
    return sequence_loss(model(source, inputs), labels, smoothing=smoothing)


def continuation_loss(model: GPT, text: Int[Tensor, "b n"], smoothing=0.0) -> Tensor:
    """Return the loss of a batch of texts; ``text`` ends with ``<end>`` and has no ``<begin>``."""
    inputs, labels = shift(text)
    return sequence_loss(model(inputs), labels, smoothing=smoothing)


def batches(
    *columns: Sequence[Sequence[int]], batch_size: int = 64, seed: int = 0
) -> Iterator[tuple[Int[Tensor, "b n"], ...]]:
    """Yield batches without end, each example once an epoch; of each column a tensor (b, n), padded on the right.

    Examples of like length come together (length buckets), so that little of a batch is padding: 50 batches' worth of
    shuffled examples are sorted by length and cut, and the batches shuffled again.

    Raises ValueError when the columns are of different length, or hold less than one batch.
    """
    count = len(columns[0])
    if any(len(column) != count for column in columns) or not 1 <= batch_size <= count:
        sizes = [len(column) for column in columns]
        raise ValueError(f"columns need one length, and at least batch_size = {batch_size} examples, saw {sizes}")
    draw = random.Random(seed)
    rows = list(range(count))
    while True:
        draw.shuffle(rows)
        for bucket in (rows[i : i + 50 * batch_size] for i in range(0, count, 50 * batch_size)):
            bucket.sort(key=lambda row: sum(len(column[row]) for column in columns))
            cuts = list(range(0, len(bucket) - batch_size + 1, batch_size))
            for cut in draw.sample(cuts, len(cuts)):
                yield tuple(pad_right([column[row] for row in bucket[cut : cut + batch_size]]) for column in columns)


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
    after each, to look at the model while it learns.

    Raises ValueError when there is no step to make, and RuntimeError as soon as the loss is not finite.
    Source: Loshchilov and Hutter 2019, "Decoupled Weight Decay Regularization", algorithm 2; β₂ = 0.98 and warm-up:
    Vaswani et al. 2017, section 5.3 (which then falls as 1/√step).
    """
    if steps < 1:
        raise ValueError(f"training needs at least one step, saw {steps}")
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, betas=(0.9, 0.98), weight_decay=weight_decay)
    warmup = min(warmup, steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / max(warmup, 1), (steps - step) / max(steps - warmup, 1))
    )
    model.train()
    losses = []
    for step in progress(range(1, steps + 1), "training"):
        loss = loss_of(model, *next(data))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if not math.isfinite(losses[-1]):
            raise RuntimeError(f"the loss is {losses[-1]} at step {step}; try a smaller lr (it was {lr}) or a longer warmup")
        if after_step is not None:
            after_step(step, losses[-1])
    return losses


def exact_match(model: Transformer, sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> float:
    """Return the share of sources whose greedy translation is the target to the last token, from 0 to 1.

    ``targets`` end with ``<end>``. Raises ValueError unless there is one target a source.
    """
    if len(sources) != len(targets) or not sources:
        raise ValueError(f"each source needs its target, saw {len(sources)} sources and {len(targets)} targets")
    limit = max(map(len, targets))
    right = 0
    for i in range(0, len(sources), 500):  # so that memory does not grow with their number
        written = greedy(model, pad_right(sources[i : i + 500]), limit)
        right += sum(ours == list(theirs) for ours, theirs in zip(written, targets[i : i + 500], strict=True))
    return right / len(sources)


MODELS = {"Transformer": (Transformer, TransformerConfig), "GPT": (GPT, TransformerConfig)}
MODELS |= {"BERT": (BERT, TransformerConfig), "ViT": (ViT, ViTConfig)}


def save(model: Transformer | GPT | BERT | ViT, path: str | Path, *, half: bool = False, **vocabularies: Vocabulary) -> None:
    """Write a model's weights to a safetensors file, with its config and its vocabularies: all that `load` needs.

    ``half`` rounds the weights to 16 bits, which halves the file. The file is written whole or not at all.

    Raises ValueError for any other kind of model, and OSError when the file cannot be written.
    """
    kind = type(model).__name__
    if kind not in MODELS:
        raise ValueError(f"save knows {', '.join(MODELS)}, saw {kind}; for others, use torch.save(model.state_dict(), path)")
    tokens = {name: {"tokens": v.tokens, "specials": len(v.specials)} for name, v in vocabularies.items()}
    notes = {"model": kind, "config": asdict(model.config), "vocabularies": tokens}
    weights = {name: (p.detach().half() if half else p.detach()).contiguous() for name, p in model.named_parameters()}
    write_whole(Path(path), safetensors.torch.save(weights, {NOTES: json.dumps(notes)}))


def load(path: str | Path) -> tuple[Transformer | GPT | BERT | ViT, dict[str, Vocabulary]]:
    """Make the model that `save` wrote, in float32 and ready to be read, and its vocabularies by their names.

    Raises FileNotFoundError, and ValueError when the file is cut short, is not one of ours, or holds the weights of
    another configuration than it says.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file of weights at {path}")
    try:
        with safetensors.safe_open(path, framework="pt") as file:
            notes = json.loads((file.metadata() or {})[NOTES])
            weights = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 (not a mapping)
        make, config = MODELS[notes["model"]]
        model = make(config(**notes["config"]))
        vocabularies = {
            name: Vocabulary(v["tokens"][v["specials"] :], v["tokens"][: v["specials"]])
            for name, v in notes["vocabularies"].items()
        }
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path} is cut short or not a safetensors file ({error}); fetch or make it again") from None
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} was not written by this course's save: {error!r}") from None
    expected = {name: tuple(p.shape) for name, p in model.named_parameters()}
    seen = {name: tuple(w.shape) for name, w in weights.items()}
    if wrong := [name for name in {**expected, **seen} if expected.get(name) != seen.get(name)]:
        name = wrong[0]
        raise ValueError(f"{path} does not fit its own configuration: {name} is {seen.get(name)}, not {expected.get(name)}")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])
    return model.eval(), vocabularies
