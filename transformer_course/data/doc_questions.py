"""Questions that docstrings answer: what a function returns, where a sentence such as "Return a list of nodes." says so.

The answer is the noun after the article, so a program finds it. A model that answers them may read that noun off, or only know
some nouns by sight: the two differ where the answer never occurred in training.
"""

import random
import re
from collections.abc import Sequence

from transformer_course.data.questions import Question, Questions
from transformer_course.data.split import Split

WORDINGS = (
    "What does this return? {sentence}",
    "What is returned here? {sentence}",
    "Name what this returns. {sentence}",
    "What do I get? {sentence}",
)
LONGEST = 60  # characters of a sentence
_SENTENCE = re.compile(
    r"Returns? (?:an?|the) ([a-z]+) (?:of|with|for|that|which|containing|from|to|representing|in|as|where) [^.:;()`]*(?:\.|$)"
)


def questions_from_docs(text: Split, seed: int = 0) -> Questions:
    """Return a question about each sentence of a text, one paragraph per line, that begins with what a function returns.

    Training has the sentences of ``text.train``, and both tests have those of ``text.test`` that training has not.
    ``reworded`` asks about them in a wording that never occurs in training.

    Raises ValueError if the text has no such sentence for training, or none for the tests.
    """
    train = _sentences(text.train)
    test = {sentence: noun for sentence, noun in _sentences(text.test).items() if sentence not in train}
    if not train or not test:
        raise ValueError(
            f'the text must have sentences such as "Return a list of nodes." for training and for the test, got {len(train)} '
            f"and {len(test)}"
        )
    chance = random.Random(seed)
    return Questions(
        *(_asked(*each, chance) for each in ((train, WORDINGS[:-1]), (test, WORDINGS[:-1]), (test, WORDINGS[-1:])))
    )


def _sentences(text: str) -> dict[str, str]:
    """Return each sentence with its noun."""
    found = filter(None, map(_SENTENCE.match, text.split("\n")))
    return {each[0]: each[1] for each in found if len(each[0]) <= LONGEST}


def _asked(sentences: dict[str, str], wordings: Sequence[str], chance: random.Random) -> list[Question]:
    return [
        Question(chance.choice(wordings).format(sentence=each), noun, "returns") for each, noun in sorted(sentences.items())
    ]
