"""Few labels: classify names with a pre-trained BERT, with an untrained one, and with two methods without a Transformer.

There are two tasks. *Category*: which of the ten most common general categories does the character have? *Order*: are the
words of a name in their original order, or shuffled?
"""

import copy
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from transformer_course.embedding import pad_right
from transformer_course.experiments.counting import NGram
from transformer_course.experiments.name_models import Names
from transformer_course.family import BERT, SequenceClassifier
from transformer_course.training import batches, classification_loss, train

CLASSES = 10


@dataclass(frozen=True)
class Task:
    """Labelled names. Each seed draws its own training examples; the test examples are always the same."""

    train: list[tuple[list[str], int]]
    test: list[tuple[list[str], int]]
    classes: int

    def sample(self, labels_per_class: int, seed: int) -> list[tuple[list[str], int]]:
        """Draw ``labels_per_class`` training examples of each class."""
        draw, chosen = random.Random(seed), []
        for label in range(self.classes):
            chosen += draw.sample([pair for pair in self.train if pair[1] == label], labels_per_class)
        return chosen


def category_task(names: Names) -> Task:
    """Return the task of predicting a name's category, with only the ten most common categories."""
    common = [category for category, _ in Counter(category for _, category in names.train).most_common(CLASSES)]
    parts = (
        [(words, common.index(category)) for words, category in part if category in common]
        for part in (names.train, names.test)
    )
    return Task(*parts, CLASSES)


def order_task(names: Names, seed: int = 0) -> Task:
    """Return the task of telling names in their original order (label 1) from shuffled ones (label 0).

    Names have three words or more, and each appears once, in order or shuffled.
    """
    draw = random.Random(seed)

    def shuffled(words: list[str]) -> list[str]:
        result = words
        while result == words:
            result = draw.sample(words, len(words))
        return result

    parts = []
    for part in (names.train, names.test):
        long = [words for words, _ in part if len(words) >= 3 and len(set(words)) > 1]
        parts.append([(words if i % 2 else shuffled(words), i % 2) for i, words in enumerate(long)])
    return Task(*parts, 2)


def fine_tuned_accuracy(names: Names, body: BERT, task: Task, labels_per_class: int, seed: int = 0, steps: int = 100) -> float:
    """Fine-tune a classifier on a copy of ``body``, and return its accuracy on unseen names.

    All parameters are trained, those of the body too, for ``steps`` steps on batches of up to 32 names.
    """
    torch.manual_seed(seed)
    model = SequenceClassifier(copy.deepcopy(body), task.classes)
    known, known_labels = zip(*task.sample(labels_per_class, seed), strict=True)
    unseen, labels = zip(*task.test, strict=True)
    data = batches([*map(names.ids, known)], torch.tensor(known_labels), batch_size=min(32, len(known)), seed=seed)
    train(model, data, classification_loss, steps, warmup=10)
    model.eval()
    with torch.no_grad():
        predicted = model(pad_right([*map(names.ids, unseen)])).argmax(-1)
    return (predicted == torch.tensor(labels)).float().mean().item()


def bag_of_words_accuracy(names: Names, task: Task, labels_per_class: int, seed: int = 0) -> float:
    """Return the accuracy of logistic regression on bags of words, which show the words of a name but not their order."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import MultiLabelBinarizer

    known, known_labels = zip(*task.sample(labels_per_class, seed), strict=True)
    unseen, labels = zip(*task.test, strict=True)
    bags = MultiLabelBinarizer(classes=names.vocabulary.tokens)  # a column of zeros and ones for each word
    model = LogisticRegression(C=10, max_iter=2000).fit(bags.fit_transform(known), known_labels)
    return float(model.score(bags.transform(unseen), labels))


def ngram_accuracy(names: Names, ngram: NGram, task: Task, labels_per_class: int, seed: int = 0) -> float:
    """Return the accuracy of an n-gram model on the order task. It needs the labels only to set one threshold.

    A name's score is the mean of log p over its words; the threshold is half-way between the two classes' mean scores.
    """

    def score(words: Sequence[str]) -> float:
        return -ngram.bits([*words, "<end>"])[:, -1].mean()

    chosen = task.sample(labels_per_class, seed)
    scores = np.array([score(words) for words, _ in chosen])
    labels = np.array([label for _, label in chosen])
    threshold = (scores[labels == 1].mean() + scores[labels == 0].mean()) / 2
    return float(np.mean([(score(words) > threshold) == label for words, label in task.test]))
