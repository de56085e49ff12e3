"""How the shipped models were trained, on two threads: in about half an hour, and another hour for ``prose-large``.

A different processor gives slightly different weights, so each recipe ends with a score that its model must reach.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.optim.lr_scheduler import LambdaLR

from transformer_course._util.files import write_whole
from transformer_course._util.progress_bar import progress
from transformer_course.byte_pairs import BytePairs, count_words, train_merges
from transformer_course.data import Split, character_names, date_pairs, number_pairs, package_docs, python_docs
from transformer_course.data.windows import random_windows
from transformer_course.embedding import Vocabulary, pad_right
from transformer_course.family import GPT
from transformer_course.training import (
    batches,
    continuation_loss,
    exact_match,
    load,
    save,
    sequence_loss,
    train,
    translation_loss,
)
from transformer_course.transformer import Transformer, TransformerConfig

FOLDER = Path(__file__).parent


def prose(steps: int = 1500) -> str:
    """Train the GPT on byte pairs of Python's documentation.

    Dropout lets it train for this long: without it, held-out text got no better after 800 steps (1.66 bits per character).
    """
    sizes = {"d_model": 128, "num_heads": 4, "num_layers": 4, "d_ff": 512, "dropout": 0.1}

    def fit(model: GPT, windows: Iterator[tuple[Tensor, Tensor]]) -> None:
        train(model, windows, lambda model, x, y: sequence_loss(model(x), y), steps, lr=3e-3)

    return _continuation_of_text("prose", python_docs(), sizes, fit, at_most=1.75)


def prose_large(steps: int = 3600, last: int = 700) -> str:
    """Train a larger GPT on the documentation of the packages that the course needs, twelve times as much text.

    The learning rate rises over 200 steps, stays, and falls linearly to 0 over the ``last`` steps. Matrices decay, vectors do
    not. Matrix products are in bfloat16, which some processors compute several times as fast.
    """
    sizes = {"d_model": 192, "num_heads": 6, "num_layers": 6, "d_ff": 768, "dropout": 0.0}

    def fit(model: GPT, windows: Iterator[tuple[Tensor, Tensor]]) -> None:
        groups = [{"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1}]
        groups += [{"params": [p for p in model.parameters() if p.dim() == 1], "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=2e-3, betas=(0.9, 0.95))
        schedule = LambdaLR(optimizer, lambda step: min(1, (step + 1) / 200, (steps - step) / last))
        for _ in progress(range(steps), "training"):
            inputs, labels = next(windows)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(inputs)
            loss = sequence_loss(logits.float(), labels)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()

    return _continuation_of_text("prose-large", package_docs(), sizes, fit, at_most=1.45)


def _continuation_of_text(name: str, text: Split, sizes: dict, fit: Callable[[GPT, Iterator], None], at_most: float) -> str:
    """Train a GPT of these sizes on 1,024 byte pairs of a text, and save it."""
    tokenizer = BytePairs(train_merges(count_words(text.train), 1024))
    vocabulary = Vocabulary(tokenizer.tokens)
    ids = torch.tensor(vocabulary.encode(tokenizer.tokenize(text.train)))
    torch.manual_seed(0)
    config = {"vocabulary_size": len(vocabulary), "max_length": 128, "tied": False, "norm": "pre", "positions": "learned"}
    model = GPT(TransformerConfig(**sizes, **config))
    fit(model, iter(partial(random_windows, ids, 32, model.config.max_length, torch.Generator().manual_seed(0)), None))
    with _replacing_shipped_files() as folder:
        save(model, folder / f"{name}.safetensors", half=True, text=vocabulary)
        model, _ = load(folder / f"{name}.safetensors")
        bits = bits_of_a_text(model, vocabulary.encode(tokenizer.tokenize(text.test)), len(text.test), model.config.max_length)
        if bits > at_most:
            raise RuntimeError(f"{name} must reach at most {at_most} bits per character on held-out text, got {bits:.3f}")
    return f"{name}: {bits:.3f} bits per character on held-out paragraphs"


def small_translator(source: Vocabulary, target: Vocabulary, make: type = Transformer) -> Transformer:
    """Return the untrained model for both translations, with 0.9 million parameters; ``make`` may be a class of your own."""
    sizes = {"d_model": 128, "num_heads": 4, "num_layers": 2, "d_ff": 512, "max_length": 64, "dropout": 0.0}
    words = {"vocabulary_size": len(source), "target_vocabulary_size": len(target), "tied": False}
    return make(TransformerConfig(**sizes, **words, norm="pre"))


def columns(pairs: Sequence[tuple], source: Vocabulary, target: Vocabulary) -> tuple[list[list[int]], list[list[int]]]:
    """Return the ids of the sources and of the targets; targets end with ``<end>``."""
    return [source.encode(words) for words, _ in pairs], [[*target.encode(answer), target.end] for _, answer in pairs]


def _translation(name: str, make_pairs: Callable[[], Split], steps: int, early: int | None = None) -> str:
    """Train a translator, and save it; with ``early``, also as it was after that many steps, when it makes mistakes."""
    pairs = make_pairs()
    source, target = (Vocabulary.from_sequences(pair[side] for pair in pairs.train) for side in range(2))
    torch.manual_seed(0)
    model = small_translator(source, target)
    with _replacing_shipped_files() as folder:

        def keep_early(step: int, loss: float) -> None:
            if step == early:
                save(model, folder / f"{name}-early.safetensors", half=True, source=source, target=target)

        train(model, batches(*columns(pairs.train, source, target)), translation_loss, steps, after_step=keep_early)
        save(model, folder / f"{name}.safetensors", half=True, source=source, target=target)
        model, _ = load(folder / f"{name}.safetensors")  # as it will be shipped, with rounded weights
        score = exact_match(model, *columns(pairs.test, source, target))
        if score < 0.99:
            raise RuntimeError(f"{name} must translate at least 99% of unseen examples exactly, got {score:.2%}")
    return f"{name}: {score:.2%} of {len(pairs.test):,} unseen examples translated exactly"


def _continuation(name: str, norm: str) -> str:
    """Train a GPT on the names of Unicode characters. Nothing rescales its residual stream if ``norm`` is "pre"."""
    names = character_names()
    text = Vocabulary.from_sequences(name for name, _ in names.train)
    known, unseen = ([[*text.encode(name), text.end] for name, _ in part] for part in names)
    torch.manual_seed(0)
    sizes = {"d_model": 128, "num_heads": 4, "num_layers": 6, "d_ff": 512, "max_length": 96, "dropout": 0.0}
    model = GPT(TransformerConfig(**sizes, vocabulary_size=len(text), norm=norm, activation="gelu", positions="learned"))
    train(model, batches(known), continuation_loss, 2000, lr=1e-3, warmup=200)
    with _replacing_shipped_files() as folder:
        save(model, folder / f"{name}.safetensors", half=True, text=text)
        model, _ = load(folder / f"{name}.safetensors")
        bits = bits_per_character(model, unseen)
        if bits > 1.5:
            raise RuntimeError(f"{name} must reach at most 1.5 bits per character on unseen names, got {bits:.2f}")
    return f"{name}: {bits:.2f} bits per character on {len(unseen):,} unseen names"


RECIPES: dict[str, Callable[[], str]] = {
    "translator": partial(_translation, "translator", number_pairs, steps=700, early=200),
    "dates": partial(_translation, "dates", date_pairs, steps=1000),
    "gpt-pre": partial(_continuation, "gpt-pre", "pre"),
    "gpt-post": partial(_continuation, "gpt-post", "post"),
    "prose": prose,
    "prose-large": prose_large,
}


@contextmanager
def _replacing_shipped_files() -> Iterator[Path]:
    """Yield a folder for new weights files, which replace the shipped ones if the ``with`` block raises no error."""
    with TemporaryDirectory() as name:
        yield (folder := Path(name))
        for file in folder.iterdir():
            write_whole(FOLDER / file.name, file.read_bytes())


@torch.no_grad()
def bits_per_character(model: GPT, texts: Sequence[Sequence[int]]) -> float:
    """Return the mean of -log2 p(next character), ``<end>`` included: the bits that an ideal compressor would need."""
    total = count = 0
    for i in range(0, len(texts), 250):
        batch = pad_right(texts[i : i + 250])
        real = int((batch != Vocabulary.pad).sum())
        total += continuation_loss(model, batch).item() * real
        count += real
    return total / count / torch.log(torch.tensor(2.0)).item()


@torch.no_grad()
def bits_of_a_text(model: Callable[[Tensor], Tensor], ids: Sequence[int], characters: int, length: int) -> float:
    """Return the bits per character of one long text with these ids, read in windows of ``length`` that do not overlap.

    This is the mean of -log2 p per token, times the number of tokens per character, so that models with different tokens can
    be compared. (A text has other encodings too, and their probabilities, which are small, are left out, as usual.)

    Raises ValueError for fewer than ``length`` + 1 ids.
    """
    count = (len(ids) - 1) // length
    if count < 1:
        raise ValueError(f"the text must have at least {length + 1} tokens, got {len(ids)}")
    inputs, labels = (torch.tensor(ids[shift : shift + count * length]).reshape(count, length) for shift in (0, 1))
    batches = zip(inputs.split(64), labels.split(64), strict=True)
    total = sum(F.cross_entropy(model(x).flatten(0, 1), y.flatten(), reduction="sum").item() for x, y in batches)
    return total / labels.numel() / math.log(2) * len(ids) / characters
