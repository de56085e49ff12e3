"""Measure what lesson 18 and stage B8 say about the shipped models of prose, beside tables of counts of the same tokens."""

import torch
from rich.table import Table

from benchmarks.side_by_side import console
from transformer_course import models
from transformer_course.byte_pairs import BytePairs, count_words, train_merges
from transformer_course.data import Split, package_docs, python_docs
from transformer_course.experiments import build_ladder as ladder
from transformer_course.experiments import own_evaluation as own
from transformer_course.experiments.counting import CountTable

ORDER = 5  # tables with 0 to 4 tokens in view
WRITTEN, PASSAGE = 700, 2000  # tokens that the model writes, and characters of the control, which is about the same


def measure(text: Split, name: str) -> None:
    """Print bits per character, facts and copies: of tables of counts and, if it is shipped, of the model ``name``."""
    model, first = None, 0
    if name in models.names():
        model, vocabularies = models.load(name)
        first = len(vocabularies["text"].specials)
        tokenizer = BytePairs.from_tokens(vocabularies["text"].tokens[first:])
    else:
        tokenizer = BytePairs(train_merges(count_words(text.train), 1024))

    def encode(part: str) -> list[int]:
        return [first + i for i in tokenizer.encode(part)]

    counts = CountTable(encode(text.train), first + len(tokenizer), ORDER)
    readers = {f"{k} tokens in view": counts.reader(k) for k in range(ORDER)}
    if model is not None:
        readers[name] = own.model_reader(model, model.config.max_length)
    parts = own.paragraphs(text.test)
    bits = {each: own.paragraph_bits(reader, encode, parts) for each, reader in readers.items()}
    best = min(list(bits)[:ORDER], key=lambda each: bits[each].sum())
    sizes = f"{len(text.train):,} characters in training, {len(text.test):,} held out"
    table = Table(title=sizes, title_justify="left")
    for column in ("", "bits per character", f"more than {best}", "facts", "other beginnings"):
        table.add_column(column)
    for each, reader in readers.items():
        facts = (str(own.known_facts(reader, encode, shuffled).right) for shuffled in (False, True))
        estimates = (str(own.per_character(found, parts)) for found in (bits[each], bits[each] - bits[best]))
        table.add_row(each, *estimates, *facts)
    console.print(table)
    if model is not None:
        ids = ladder.continuation(model, torch.tensor(encode("\n")), WRITTEN, model.config.max_length)
        written = tokenizer.decode(i - first for i in ids if i >= first)
        print(f"{name} wrote {len(written):,} characters; longest copy: {own.longest_copy(written, text.train)!r}")
    usual = own.usual_copies(text.test, text.train, PASSAGE, 9)
    print(f"longest copies in held-out passages of {PASSAGE:,} characters: {usual}")


def run() -> None:
    measure(python_docs(), "prose")
    measure(package_docs(), "prose-large")
