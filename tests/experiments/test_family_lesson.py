"""The experiments and the sheet of lesson 18: names as words, few labels, handwritten digits."""

import re
from itertools import islice

import numpy as np
import pytest
import torch

from transformer_course._util import paths
from transformer_course.authoring import build
from transformer_course.data import Split, digit_images
from transformer_course.embedding import Vocabulary
from transformer_course.exercises.catalogue import catalogue
from transformer_course.experiments.few_labels import (
    bag_of_words_accuracy,
    category_task,
    fine_tuned_accuracy,
    ngram_accuracy,
    order_task,
)
from transformer_course.experiments.name_models import (
    LONGEST,
    MASK,
    RARE,
    SPECIALS,
    Bigram,
    Names,
    NGram,
    TwoSidedBigram,
    bits_per_word,
    common_names,
    gap_accuracy,
    generate,
    known_pair_rate,
    masked_batches,
    random_words,
    train_bert,
    train_gpt,
)
from transformer_course.experiments.vit_digits import (
    accuracy,
    logistic_regression_accuracy,
    nearest_neighbour_accuracy,
    train_vit,
)
from transformer_course.family import BERT, GPT, IGNORE_INDEX, patches

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


def test_counting_leans_on_shorter_beginnings_by_hand():
    names = tiny("A B", "A C")  # four tokens: A, B, C and <end>
    one, two = NGram(names, 1), NGram(names, 2)
    p_b = (1 + 4 / 4) / (6 + 4)  # one of six tokens; four distinct ones, each with 1/4 at first
    assert one.probability((), "B") == pytest.approx(p_b)
    assert two.probability(("A",), "B") == pytest.approx((1 + 2 * p_b) / (2 + 2))
    assert two.probability(("never",), "B") == pytest.approx(p_b)
    for before in ("A", "B", "<begin>"):
        assert sum(two.probability((before,), word) for word in ("A", "B", "C", "<end>")) == pytest.approx(1)
    costs = [two.probability(pair[:1], pair[1]) for pair in (("<begin>", "A"), ("A", "B"), ("B", "<end>"))]
    assert two.bits_per_word(tiny("A B")) == pytest.approx(-np.log2(costs).mean())


def test_a_table_of_pairs_fills_a_gap_from_one_side_and_from_both():
    names = tiny("A B C", "A B C", "A D E")  # A is followed by B in two of three cases; E is preceded by D
    left, both = Bigram(names), TwoSidedBigram(names)
    gap = torch.tensor([names.ids(["A", "B", "E"])])
    gap[0, 2] = MASK
    b, d = names.vocabulary.encode(["B", "D"])
    assert left(gap)[0, 1].argmax() == b
    assert both(gap)[0, 2].argmax() == d
    torch.testing.assert_close(left(gap)[0, 1, b].exp().item(), NGram(names, 2).probability(("A",), "B"))
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
    assert ngram_accuracy(NAMES, NGram(NAMES, 2), order, 16) > 0.95  # this one has seen the names
    assert abs(ngram_accuracy(NAMES, NGram(NAMES, 1), order, 16) - 0.5) < 0.1  # this one never sees two words together


def test_fine_tuning_leaves_the_body_as_it_was():
    torch.manual_seed(0)
    body = BERT(NAMES.config())
    before = [p.clone() for p in body.parameters()]
    fine_tuned_accuracy(NAMES, body, order_task(NAMES), labels_per_class=4, steps=2)
    assert all(torch.equal(a, b) for a, b in zip(before, body.parameters(), strict=True))


def test_the_nearest_neighbour_and_logistic_regression_know_what_they_have_seen():
    digits = digit_images()
    assert nearest_neighbour_accuracy(Split(digits.train, digits.train)) == 1
    assert nearest_neighbour_accuracy(digits) == pytest.approx(0.978, abs=0.0015)  # as the lesson says
    assert logistic_regression_accuracy(digits) == pytest.approx(0.957, abs=0.005)


@pytest.mark.slow
def test_the_runs_of_lesson_18():
    gpt, bert = train_gpt(NAMES), train_bert(NAMES)
    assert 2.9 < bits_per_word(gpt, NAMES) < NGram(NAMES, 3).bits_per_word(NAMES)
    assert gap_accuracy(NAMES, gpt) < gap_accuracy(NAMES, bert) < gap_accuracy(NAMES, TwoSidedBigram(NAMES))
    asked_as_often = train_gpt(NAMES, steps=100)
    assert known_pair_rate(NAMES, generate(NAMES, asked_as_often)) < known_pair_rate(NAMES, generate(NAMES, bert))
    assert known_pair_rate(NAMES, generate(NAMES, gpt)) > 0.72 > known_pair_rate(NAMES, generate(NAMES, bert)) > 0.5
    torch.manual_seed(0)
    untrained, order = BERT(NAMES.config()), order_task(NAMES)
    assert fine_tuned_accuracy(NAMES, bert, order, 256) > 0.7
    assert fine_tuned_accuracy(NAMES, untrained, order, 256) < 0.65


@pytest.mark.slow
def test_the_table_of_sheet_18_is_measured():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("18_"))
    text = "\n".join(cell.source for cell in build.notebook_of(source).cells)
    printed = re.findall(r"^\| \*\*[ABC]\*\* \| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", text, re.MULTILINE)
    digits, measured = digit_images(), []
    for size, *_ in printed:
        runs = []
        for seed in range(3):
            rows = torch.randperm(len(digits.train[1]), generator=torch.Generator().manual_seed(seed))[
                : int(size.replace(",", ""))
            ]
            part = Split((digits.train[0][rows], digits.train[1][rows]), digits.test)
            runs.append(
                (
                    accuracy(train_vit(part, seed), *digits.test),
                    logistic_regression_accuracy(part),
                    nearest_neighbour_accuracy(part),
                )
            )
        measured.append(np.median(runs, axis=0))
    np.testing.assert_allclose([list(map(float, row[1:])) for row in printed], measured, atol=0.02)
    assert catalogue()["family.verdict"].right["value"] == float(printed[-1][-1])


def test_sheet_18_shows_the_patches_that_it_says():
    (source,) = (source for source in paths.sources("exercises") if source.stem.startswith("18_"))
    text = "\n".join(cell.source for cell in build.notebook_of(source).cells)
    image = [list(map(int, re.findall(r"\d+", line))) for line in text.split("```")[1].splitlines() if line.strip()]
    shown = re.findall(r"`\[([\d, ]+)\]`", text)[:4]
    cut = patches(torch.tensor(image, dtype=torch.float)[None], 2)[0]
    assert [list(map(int, row.split(", "))) for row in shown] == cut[:4].int().tolist()
    for images, size in catalogue()["family.patches"].questions(0):
        ours = catalogue()["family.patches"].reference(images, size)
        np.testing.assert_array_equal(ours, patches(torch.from_numpy(images), size))
