"""Train the translator of lesson 15, and a model for dates like the one that the lesson loads, with three seeds."""

import numpy as np

from transformer_course.data import date_pairs, number_pairs
from transformer_course.experiments.translation import (
    BATCH_SIZE,
    DIGITS,
    KINDS,
    STEPS,
    TEST_EVERY,
    TEST_SIZE,
    alignment_scores,
    follow_rate,
    mean_cosine,
    teacher_forced,
    uniform_baseline,
    untrained,
)
from transformer_course.models.recipes import columns
from transformer_course.training import batches, exact_match, train, translation_loss

NUMBERS, DATES = {"steps": STEPS, "batch_size": BATCH_SIZE}, {"steps": 500, "batch_size": 32}


def run(seeds: int = 3) -> None:
    numbers, dates = number_pairs(), date_pairs()
    for seed in range(seeds):
        translator(numbers, seed)
        alignment(dates, seed)


def learn(model, vocabularies, pairs, seed: int, steps: int, batch_size: int, after_step=None) -> None:
    data = batches(*columns(pairs.train, *vocabularies.values()), batch_size=batch_size, seed=seed)
    train(model, data, translation_loss, steps, lr=2e-3, after_step=after_step)


def translator(pairs, seed: int) -> None:
    model, vocabularies = untrained(pairs, seed)
    words, unseen = list(DIGITS), columns(pairs.test, *vocabularies.values())
    sample, seen = [column[:TEST_SIZE] for column in unseen], []

    def look(step: int, loss: float) -> None:
        if step % TEST_EVERY == 0:
            seen.append((teacher_forced(model, *sample)[0], exact_match(model, *sample)))

    def close(model) -> list[float]:
        rows = model.source.embedding.table[vocabularies["source"].encode(words)]
        return [mean_cosine(rows, [labels[word] for word in words]) for labels in (DIGITS, KINDS)]

    before = close(model)
    learn(model, vocabularies, pairs, seed, **NUMBERS, after_step=look)
    (_, rows), written = teacher_forced(model, *unseen), exact_match(model, *unseen)
    print(f"numbers, seed {seed}: exact match {written:.4f} (with teacher forcing {np.mean(rows):.4f})")
    for length in (1, 2):
        of_length = [i for i, (english, _) in enumerate(pairs.test) if len(english) == length]
        right = exact_match(model, *([column[i] for i in of_length] for column in unseen))
        print(f"    exact match on the {len(of_length)} numbers of {length} words: {right:.2f}")
    for name, cosines in (("trained", close(model)), ("untrained", before)):
        print(f"    mean cosine {name}, same digit {cosines[0]:.3f}, same kind {cosines[1]:.3f}")
    rates = (f"{tokens:.2f}/{numbers:.2f}" for tokens, numbers in seen)
    print("    tokens right with teacher forcing / numbers right free-running:", *rates, flush=True)


def alignment(pairs, seed: int) -> None:
    model, vocabularies = untrained(pairs, seed)
    before = alignment_scores(model, vocabularies, pairs.test[:200])
    learn(model, vocabularies, pairs, seed, **DATES)
    exact = exact_match(model, *columns(pairs.test, *vocabularies.values()))
    print(f"dates, seed {seed}: exact match {exact:.4f}; weight on what determines a digit:")
    looked = alignment_scores(model, vocabularies, pairs.test[:200])
    for name, row in (("trained", looked), ("untrained", before), ("even", uniform_baseline(pairs.test[:200]))):
        print(f"    {name:9}", *(f"{weight:.2f}" for weight in row))
    for century in ("19", "20"):
        some = [pair for pair in pairs.test[:200] if pair[1].startswith(century)]
        looked = alignment_scores(model, vocabularies, some)[1:4]
        changed = [follow_rate(model, vocabularies, some, place) for place in (1, 2, 3)]
        print(f"    {century}.., digits 2 to 4: weight", *(f"{weight:.2f}" for weight in looked), end=", ")
        print("follows a change in the text", *(f"{rate:.2f}" for rate in changed), flush=True)
