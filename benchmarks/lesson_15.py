"""What lesson 15 shows with one seed, with three: the translator and the dates trained as there."""

import numpy as np

from transformer_course.data import date_pairs, number_pairs
from transformer_course.experiments.whole import DIGITS, evenly, follows, fresh, nearest, scores, shown
from transformer_course.models.recipes import columns
from transformer_course.training import batches, exact_match, train, translation_loss

NUMBERS, DATES = {"steps": 450, "batch_size": 64}, {"steps": 500, "batch_size": 32}  # as the lesson has them


def run(seeds: int = 3) -> None:
    numbers, dates = number_pairs(), date_pairs()
    for seed in range(seeds):
        translator(numbers, seed)
        alignment(dates, seed)


def learn(model, vocabularies, pairs, seed: int, steps: int, batch_size: int, after_step=None) -> None:
    data = batches(*columns(pairs.train, *vocabularies.values()), batch_size=batch_size, seed=seed)
    train(model, data, translation_loss, steps, lr=2e-3, after_step=after_step)


def translator(pairs, seed: int) -> None:
    model, vocabularies = fresh(pairs, seed)
    words, unseen = list(DIGITS), columns(pairs.test, *vocabularies.values())
    sample, seen = [column[:200] for column in unseen], []

    def look(step: int, loss: float) -> None:
        if step % 25 == 0:
            seen.append((shown(model, *sample)[0], exact_match(model, *sample)))

    def same_digit(model) -> float:
        near = nearest(model.source.embedding.table[vocabularies["source"].encode(words)])
        return np.mean([DIGITS[word] == DIGITS[words[other]] for word, other in zip(words, near, strict=True)])

    before = same_digit(model)
    learn(model, vocabularies, pairs, seed, **NUMBERS, after_step=look)
    (_, texts), written = shown(model, *unseen), exact_match(model, *unseen)
    short = [i for i, (english, _) in enumerate(pairs.test) if len(english) <= 2]
    of_short = exact_match(model, *([column[i] for i in short] for column in unseen))
    print(f"numbers, seed {seed}: exact {written:.4f} (right everywhere when shown {texts:.4f}), short ones {of_short:.2f}")
    print(f"    nearest word says the same digit: {same_digit(model):.2f}, untrained {before:.2f}")
    print("    tokens shown / numbers alone:", *(f"{tokens:.2f}/{alone:.2f}" for tokens, alone in seen), flush=True)


def alignment(pairs, seed: int) -> None:
    model, vocabularies = fresh(pairs, seed)
    before = scores(model, vocabularies, pairs.test[:200])
    learn(model, vocabularies, pairs, seed, **DATES)
    exact = exact_match(model, *columns(pairs.test, *vocabularies.values()))
    print(f"dates, seed {seed}: exact {exact:.4f}; weight on what decides a digit:")
    looked = scores(model, vocabularies, pairs.test[:200])
    for name, row in (("trained", looked), ("untrained", before), ("even", evenly(pairs.test[:200]))):
        print(f"    {name:9}", *(f"{weight:.2f}" for weight in row))
    changed = [follows(model, vocabularies, pairs.test[:200], place) for place in range(4)]
    print("    follows an exchanged digit of the year:", *(f"{share:.2f}" for share in changed), flush=True)
