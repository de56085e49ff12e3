"""Few labels: a classifier of names on a BERT that was pre-trained, on one that was not, and two without any Transformer.

Two questions about names. *Category*: which of the ten commonest general categories has the character? *Order*: are these the
words of a name in their order, or shuffled?
"""

import copy
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from transformer_course.embedding import pad_right
from transformer_course.experiments.naming import Counting, Names
from transformer_course.family import BERT, SequenceClassifier
from transformer_course.training import batches, classification_loss, train

CLASSES = 10


@dataclass(frozen=True)
class Question:
    """Names with labels: some to learn from, drawn anew by each seed, and always the same ones to be asked."""

    train: list[tuple[list[str], int]]
    test: list[tuple[list[str], int]]
    classes: int

    def few(self, labels_a_class: int, seed: int) -> list[tuple[list[str], int]]:
        """Return that many names of each class."""
        draw, chosen = random.Random(seed), []
        for label in range(self.classes):
            chosen += draw.sample([pair for pair in self.train if pair[1] == label], labels_a_class)
        return chosen


def category_question(names: Names) -> Question:
    """Ask for the category, among the ten commonest."""
    commonest = [category for category, _ in Counter(category for _, category in names.train).most_common(CLASSES)]
    parts = (
        [(words, commonest.index(category)) for words, category in part if category in commonest]
        for part in (names.train, names.test)
    )
    return Question(*parts, CLASSES)


def order_question(names: Names, seed: int = 0) -> Question:
    """Ask whether a name of three words or more is in order, label 1, or shuffled, 0: each name comes once, as one or the
    other."""
    draw = random.Random(seed)

    def shuffled(words: list[str]) -> list[str]:
        other = words
        while other == words:
            other = draw.sample(words, len(words))
        return other

    parts = []
    for part in (names.train, names.test):
        long = [words for words, _ in part if len(words) >= 3 and len(set(words)) > 1]
        parts.append([(words if i % 2 else shuffled(words), i % 2) for i, words in enumerate(long)])
    return Question(*parts, 2)


def tuned(names: Names, body: BERT, question: Question, labels_a_class: int, seed: int = 0, steps: int = 100) -> float:
    """Return the share of unseen names that a classifier on a copy of ``body`` gets right, after ``steps`` of up to 32 names.

    The whole of it is trained, body and head.
    """
    torch.manual_seed(seed)
    model = SequenceClassifier(copy.deepcopy(body), question.classes)
    chosen = question.few(labels_a_class, seed)
    ids, labels = [names.ids(words) for words, _ in chosen], torch.tensor([label for _, label in chosen])
    data = batches(ids, labels, batch_size=min(32, len(ids)), seed=seed)
    train(model, data, classification_loss, steps, warmup=10)
    model.eval()
    with torch.no_grad():
        given = model(pad_right([names.ids(words) for words, _ in question.test])).argmax(-1)
    return (given == torch.tensor([label for _, label in question.test])).float().mean().item()


def bagged(names: Names, question: Question, labels_a_class: int, seed: int = 0) -> float:
    """Return the same share for logistic regression on bags of words: which words there are, in whatever order."""
    from sklearn.linear_model import LogisticRegression

    def bags(pairs: Sequence[tuple[list[str], int]]) -> np.ndarray:
        bags = np.zeros((len(pairs), len(names.vocabulary)))
        for bag, (words, _) in zip(bags, pairs, strict=True):
            bag[names.vocabulary.encode(words)] = 1
        return bags

    chosen = question.few(labels_a_class, seed)
    model = LogisticRegression(C=10, max_iter=2000).fit(bags(chosen), [label for _, label in chosen])
    return float(model.score(bags(question.test), [label for _, label in question.test]))


def counted(names: Names, table: Counting, question: Question, labels_a_class: int, seed: int = 0) -> float:
    """Return the same share for a table of counts, which needs the labels for a single number: the question is that of order.

    A name's score is the mean of log p over its words; the threshold lies half-way between the two classes' mean scores.
    """
    chosen = question.few(labels_a_class, seed)
    scores = np.array([-table.cost(words) for words, _ in chosen])
    labels = np.array([label for _, label in chosen])
    threshold = (scores[labels == 1].mean() + scores[labels == 0].mean()) / 2
    right = [(-table.cost(words) > threshold) == label for words, label in question.test]
    return float(np.mean(right))
