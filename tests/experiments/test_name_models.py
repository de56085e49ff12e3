"""Names as words: counting, the GPT and the BERT of lesson 18, and what they generate."""

from itertools import islice

import pytest
import torch

from transformer_course.embedding import Vocabulary
from transformer_course.experiments.name_models import (
    LONGEST,
    MASK,
    RARE,
    SPECIALS,
    Bigram,
    Names,
    TwoSidedBigram,
    common_names,
    gap_accuracy,
    generate,
    known_pair_rate,
    masked_batches,
    random_words,
    word_table,
)
from transformer_course.family import BERT, GPT, IGNORE_INDEX

NAMES = common_names()


def tiny(*texts: str) -> Names:
    train = [(text.split(), "Lu") for text in texts]
    return Names(train, train, Vocabulary.from_sequences((words for words, _ in train), SPECIALS))


def test_names_are_made_of_known_words_and_none_is_learned_and_asked():
    assert 9000 < len(NAMES.train) < 12_000
    train, test = ({tuple(words) for words, _ in part} for part in (NAMES.train, NAMES.test))
    assert not train & test
    ids = [NAMES.ids(words) for words in train | test]
    assert not any(Vocabulary.unknown in row or MASK in row for row in ids)
    assert max(map(len, ids)) <= LONGEST
    uses = {word: sum(word in words for words in train) for word in ("MARCHEN", "LETTER")}
    assert uses["LETTER"] > RARE
    assert NAMES.vocabulary.tokens[MASK] == "<mask>"


def test_a_table_of_pairs_fills_a_gap_from_one_side_and_from_both():
    names = tiny("A B C", "A B C", "A D E")  # A is followed by B in two of three cases; E is preceded by D
    left, both = Bigram(names), TwoSidedBigram(names)
    gap = torch.tensor([names.ids(["A", "B", "E"])])
    gap[0, 2] = MASK
    b, d = names.vocabulary.encode(["B", "D"])
    assert left(gap)[0, 1].argmax() == b
    assert both(gap)[0, 2].argmax() == d
    torch.testing.assert_close(left(gap)[0, 1, b].exp().item(), word_table(names, 2).probabilities(("A",), "B")[-1])
    assert gap_accuracy(NAMES, Bigram(NAMES)) + 0.1 < gap_accuracy(NAMES, TwoSidedBigram(NAMES))
    assert known_pair_rate(NAMES, generate(NAMES, Bigram(NAMES), size=100)) > 0.75


def test_special_tokens_are_never_hidden_and_gpt_never_sees_what_it_is_to_fill():
    for inputs, labels in islice(masked_batches(NAMES, seed=0), 5):
        asked = labels != IGNORE_INDEX
        assert asked.any()
        assert (labels[asked] > Vocabulary.unknown).all()
        assert (inputs[:, 0] == Vocabulary.begin).all()
    few = Names(NAMES.train, NAMES.test[:40], NAMES.vocabulary)

    class Copies(torch.nn.Module):
        """Predicts the token at each position."""

        def forward(self, tokens):
            return torch.nn.functional.one_hot(tokens, len(few.vocabulary)).float()

    class Bert(Copies, BERT):
        def __init__(self):
            torch.nn.Module.__init__(self)

    class Gpt(Copies, GPT):
        def __init__(self):
            torch.nn.Module.__init__(self)

    assert gap_accuracy(few, Bert()) == 0  # the token to predict is masked
    assert gap_accuracy(few, Gpt()) < 0.1  # the word before the gap: correct only where a word repeats


@pytest.mark.parametrize("kind", [GPT, BERT])
def test_what_is_written_has_the_lengths_of_unseen_names_and_no_special_token(kind):
    torch.manual_seed(0)
    written = generate(NAMES, kind(NAMES.config()).eval(), size=50)
    assert [len(words) for words in written] == [len(words) for words in random_words(NAMES, size=50)]
    assert not {word for words in written for word in words} & set(SPECIALS)
    assert known_pair_rate(NAMES, written) < 0.2


def test_pairs_are_known_from_the_training_names():
    names = tiny("A B", "A C")
    assert known_pair_rate(names, [["A", "B"], ["A", "C"]]) == 1
    assert known_pair_rate(names, [["B", "A"]]) == 0  # begin B, B A, A end
    assert known_pair_rate(names, [["A", "A"]]) == pytest.approx(1 / 3)
