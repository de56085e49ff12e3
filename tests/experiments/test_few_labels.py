"""Few labels: the tasks of lesson 18, and what a pre-trained BERT makes of them."""

import pytest
import torch
import train_once

from transformer_course.experiments import name_models
from transformer_course.experiments.few_labels import (
    bag_of_words_accuracy,
    category_task,
    fine_tuned_accuracy,
    ngram_accuracy,
    order_task,
)
from transformer_course.experiments.name_models import (
    TwoSidedBigram,
    bits_per_word,
    common_names,
    gap_accuracy,
    generate,
    known_pair_rate,
    train_bert,
    train_gpt,
    with_end,
    word_table,
)
from transformer_course.family import BERT

NAMES = common_names()


def test_questions_are_balanced_where_they_should_be_and_the_bag_cannot_see_order():
    category, order = category_task(NAMES), order_task(NAMES)
    assert category.classes == 10
    for question in (category, order):
        chosen = question.sample(8, seed=1)
        assert [label for _, label in chosen] == [label for label in range(question.classes) for _ in range(8)]
        assert chosen == question.sample(8, seed=1) != question.sample(8, seed=2)
    assert sum(label for _, label in order.test) == len(order.test) // 2
    real = {tuple(words) for words, _ in NAMES.train}
    assert all(tuple(words) in real for words, label in order.train if label == 1)
    shuffled = [words for words, label in order.train if label == 0]
    assert sum(tuple(words) in real for words in shuffled) < 0.02 * len(
        shuffled
    )  # rarely, a shuffled name is a different real name
    assert bag_of_words_accuracy(NAMES, category, 16) > 0.7
    assert abs(bag_of_words_accuracy(NAMES, order, 64) - 0.5) < 0.1
    assert ngram_accuracy(NAMES, word_table(NAMES, 2), order, 16) > 0.95  # this one has seen the names
    assert abs(ngram_accuracy(NAMES, word_table(NAMES, 1), order, 16) - 0.5) < 0.1  # this one never sees two words together


def test_fine_tuning_leaves_the_body_as_it_was():
    torch.manual_seed(0)
    body = BERT(NAMES.config())
    before = [p.clone() for p in body.parameters()]
    fine_tuned_accuracy(NAMES, body, order_task(NAMES), labels_per_class=4, steps=2)
    assert all(torch.equal(a, b) for a, b in zip(before, body.parameters(), strict=True))


@pytest.fixture(scope="module")
def tables() -> tuple[float, float]:
    """The fewest bits per word of a table that sees two words, and the accuracy of a table of pairs at filling gaps."""
    return word_table(NAMES, 3).bits_per_token(with_end(NAMES.test)).min(), gap_accuracy(NAMES, TwoSidedBigram(NAMES))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_runs_of_lesson_18(monkeypatch, tables, seed):
    monkeypatch.setattr(name_models, "train", train_once.replaying(name_models.train))  # the lesson trains seed 0 too
    gpt, bert, same_labels = train_gpt(NAMES, seed), train_bert(NAMES, seed), train_gpt(NAMES, seed, steps=100)
    fewest_bits, gaps_of_pairs = tables
    assert 2.9 < bits_per_word(gpt, NAMES) < fewest_bits
    assert gap_accuracy(NAMES, gpt) < gap_accuracy(NAMES, bert) < gaps_of_pairs
    of_gpt, of_bert, of_same_labels = (known_pair_rate(NAMES, generate(NAMES, each)) for each in (gpt, bert, same_labels))
    assert of_same_labels < of_bert
    assert of_gpt > 0.72 > of_bert > 0.5
    if seed == 0:
        torch.manual_seed(seed)
        fresh, order = BERT(NAMES.config()), order_task(NAMES)
        assert fine_tuned_accuracy(NAMES, bert, order, 256) > 0.7
        assert fine_tuned_accuracy(NAMES, fresh, order, 256) < 0.65
