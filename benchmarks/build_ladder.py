"""Measure the ladder of the Build: the models of stages B1 to B4, B8 and B9, each with three seeds."""

import time
from collections.abc import Callable
from functools import partial

import torch
from torch import nn

from transformer_course.build_parts import GPT, Bigram, Block, CausalHead, Llama, MultiHeadAttention, train_step
from transformer_course.byte_pairs import BytePairs, count_words, train_merges
from transformer_course.data import Split, python_docs
from transformer_course.data.python_docs import CHARACTERS, encode
from transformer_course.data.windows import random_windows
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import build_prose as prose
from transformer_course.experiments.first_model import train_first_model


class CausalSelfAttention(nn.Module):
    def __init__(self, num_heads: int):
        super().__init__()
        self.attention = MultiHeadAttention(ladder.D_MODEL, num_heads)

    def forward(self, x):
        return self.attention(x, x, x, torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril())


class BlockWithoutResiduals(Block):
    def forward(self, x):
        y = self.norm_1(x)
        mask = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        return self.feed_forward(self.norm_2(self.attention(y, y, y, mask)))


def gpt(num_layers: int, residuals: bool = True) -> GPT:
    sizes = {"d_model": ladder.D_MODEL, "num_heads": 4, "d_ff": 4 * ladder.D_MODEL}
    model = GPT(len(CHARACTERS), ladder.LENGTH, num_layers=num_layers, **sizes)
    if not residuals:
        model.blocks = nn.ModuleList(BlockWithoutResiduals(**sizes) for _ in range(num_layers))
    return model


class Scaled(nn.Embedding):
    """A table whose rows are multiplied by a factor whenever they are read."""

    def __init__(self, table: nn.Embedding, std: float, factor: float):
        super().__init__(table.num_embeddings, table.embedding_dim)
        self.factor = factor
        nn.init.normal_(self.weight, std=std)

    def forward(self, ids):
        return self.factor * super().forward(ids)


def with_tables(tokens: float, positions: float, factor: float = 1.0) -> GPT:
    """One block, whose two tables start with these standard deviations and are multiplied by ``factor`` when they are read."""
    model = gpt(1)
    model.tokens, model.positions = Scaled(model.tokens, tokens, factor), Scaled(model.positions, positions, factor)
    return model


# Stage B4 asks what a table's size at the start does: that of the sum, or that of the numbers which Adam changes.
TABLES: dict[str, Callable[[], nn.Module]] = {
    "small": partial(with_tables, 0.02, 0.02),
    "large": partial(with_tables, 1.0, 1.0),
    "large, read as small": partial(with_tables, 1.0, 1.0, 0.02),
    "small, read as large": partial(with_tables, 0.02, 0.02, 50.0),
    "large tokens, small positions": partial(with_tables, 1.0, 0.02),
}


def llama() -> Llama:
    return Llama(len(CHARACTERS), ladder.D_MODEL, num_heads=4, num_groups=2, num_layers=3, d_ff=256)


def head(**options: bool) -> nn.Module:
    return ladder.TextModel(CausalHead(ladder.D_MODEL, ladder.D_MODEL), **options)


MODELS: dict[str, Callable[[], nn.Module]] = {
    "bigram table": lambda: Bigram(len(CHARACTERS)),
    "one head, output alone": lambda: head(add_input=False),
    "one head, no positions": lambda: head(positions=False),
    "one head": head,
    "four heads": lambda: ladder.TextModel(CausalSelfAttention(4)),
    "one block": lambda: gpt(1),
    **{f"one block, tables {name}": make for name, make in TABLES.items()},
    "three blocks": lambda: gpt(3),
    "three blocks, no residuals": lambda: gpt(3, residuals=False),
    "three Llama blocks": llama,
}


def train(model: nn.Module, text: str, seed: int) -> None:
    """Train a model as its stage does: the table with a constant learning rate of 0.03, the others by ``ladder.train``."""
    if not isinstance(model, Bigram):
        ladder.train(model, train_step, text, seed=seed)
        return
    ids, optimizer, generator = (
        encode(text),
        torch.optim.AdamW(model.parameters(), lr=0.03),
        torch.Generator().manual_seed(seed),
    )
    for _ in range(ladder.STEPS):
        train_step(model, optimizer, *random_windows(ids, ladder.BATCH, ladder.LENGTH, generator))


def of_characters(make: Callable[[], nn.Module], text: Split, seed: int) -> tuple[nn.Module, float]:
    """Train a model of characters; return it with its bits per character."""
    model = make()
    train(model, text.train, seed)
    return model, ladder.bits_per_character(model, text.test)


def of_lesson_00(text: Split, seed: int) -> tuple[nn.Module, float]:
    """Train the model of lesson 00, which reads the same text."""
    model = train_first_model(seed=seed)
    return model.gpt, model.bits


def tokenizer_of(text: Split) -> BytePairs:
    return BytePairs(train_merges(count_words(text.train), 1024))


def of_byte_pairs(tables: float, text: Split, seed: int) -> tuple[nn.Module, float]:
    """Train a GPT on byte pairs, as stage B8 does; ``tables`` is the first standard deviation of its tokens' vectors."""
    tokenizer = tokenizer_of(text)
    model = GPT(len(tokenizer), **prose.SIZES)
    nn.init.normal_(model.tokens.weight, std=tables)
    prose.train(model, train_step, torch.tensor(tokenizer.encode(text.train)), seed=seed)
    return model, prose.bits_per_character(model, tokenizer, text.test)


def run(seeds: int = 3) -> None:
    """Print a row per model: its parameters, the bits per character of each seed, and the seconds of processor time."""
    text: Split = python_docs()
    print(f"{'model':40}{'parameters':>11}{'bits per character':>24}{'seconds':>9}")
    measured: dict = {"version 0": of_lesson_00}
    measured |= {name: partial(of_characters, make) for name, make in MODELS.items()}
    measured |= {"byte pairs": partial(of_byte_pairs, 1.0), "byte pairs, small tables": partial(of_byte_pairs, 0.02)}
    for name, measure in measured.items():
        bits, start = [], time.process_time()
        for seed in range(seeds):
            torch.manual_seed(seed)
            model, value = measure(text, seed)
            bits.append(value)
        seconds = (time.process_time() - start) / seeds
        parameters = sum(parameter.numel() for parameter in model.parameters())
        print(f"{name:40}{parameters:11,}{'  '.join(f'{value:.3f}' for value in bits):>24}{seconds:9.0f}", flush=True)
