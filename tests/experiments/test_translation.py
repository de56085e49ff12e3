"""Translation: accuracy, word vectors, what determines a date, and where the shipped model attends."""

import math
from datetime import date

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from transformer_course import models
from transformer_course._util.paths import ROOT
from transformer_course.data import date_pairs, number_pairs
from transformer_course.data.dates import FORMATS, MONTHS, format_date
from transformer_course.data.numbers import english
from transformer_course.experiments import translation
from transformer_course.experiments.translation import BATCH_SIZE, STEPS, TEST_EVERY, TEST_SIZE
from transformer_course.inspection import count_parameters
from transformer_course.models.recipes import small_translator


class Fixed(torch.nn.Module):
    """Always predicts the same ids."""

    def __init__(self, ids):
        super().__init__()
        self.logits = F.one_hot(torch.tensor(ids), 9).float()

    def forward(self, source, inputs):
        return self.logits[:, : inputs.shape[1]]


def test_what_is_right_when_the_beginning_is_shown_leaves_padding_out():
    targets = [[5, 6, 7, 2], [5, 2]]
    model = Fixed([[5, 6, 8, 2], [5, 2, 4, 4]])
    assert translation.teacher_forced(model, [[4], [4]], targets) == (pytest.approx(5 / 6), [False, True])


def test_the_mean_cosine_is_of_pairs_in_one_group_and_of_directions_alone():
    vectors = torch.tensor([[1.0, 0.0], [0.0, 2.0], [3.0, 3.0], [-5.0, 0.0]])
    assert translation.mean_cosine(vectors, list("abab")) == pytest.approx((math.sqrt(0.5) + 0) / 2)
    assert translation.mean_cosine(vectors, [1, 2, 3, 1]) == pytest.approx(-1)


def test_words_by_digit_and_kind_are_what_the_numbers_say():
    for word, digit in translation.DIGITS.items():
        value = next(n for n in range(1, 100) if english(n) == [word])
        kind = "ones" if value < 10 else "teens" if value < 20 else "tens"
        assert (digit, translation.KINDS[word]) == (value // 10 if kind == "tens" else value % 10, kind)
    assert len(translation.DIGITS) == 26


@pytest.mark.parametrize("template", FORMATS)
def test_what_decides_a_date_is_found_in_every_format(template):
    for day in (date(2019, 3, 25), date(1905, 5, 7), date(2031, 12, 31)):
        text = format_date(day, template)
        decided = ["".join(text[k] for k in places) for places in translation.decided_by(text)]
        month = MONTHS[day.month - 1]
        assert decided[:4] == list(str(day.year))
        assert decided[4] == decided[5] == (month if month in text else month[:3])
        assert decided[6:] == [str(day.day)[0], str(day.day)[-1]]


def test_a_text_that_is_no_date_is_refused():
    with pytest.raises(ValueError, match="such as 'Mar 25, 2019', got 'March'"):
        translation.decided_by("March")


def test_an_exchanged_digit_is_one_that_may_stand_there():
    assert [translation.replace_year_digit("5 May 2019", place) for place in range(4)] == [
        ("5 May 1019", "1"), ("5 May 2919", "9"), ("5 May 2069", "6"), ("5 May 2014", "4"),
    ]  # fmt: skip


def test_the_shipped_dates_look_where_they_should_and_an_untrained_model_evenly():
    pairs = date_pairs(100, 30).test
    model, vocabularies = models.load("dates")
    looked, even = translation.alignment_scores(model, vocabularies, pairs), translation.uniform_baseline(pairs)
    assert (looked > even).all()
    assert looked.argmin() == 1
    torch.manual_seed(0)
    untrained = small_translator(*vocabularies.values())
    np.testing.assert_allclose(translation.alignment_scores(untrained, vocabularies, pairs), even, atol=0.05)
    assert translation.follow_rate(model, vocabularies, pairs, 3) > 0.9
    assert translation.follow_rate(model, vocabularies, pairs, 1) < 0.6


def test_a_fresh_model_is_decided_by_its_seed():
    pairs = date_pairs(100, 30)
    (one, known), (two, _), (other, _) = (translation.untrained(pairs, seed) for seed in (0, 0, 1))
    tables = [model.source.embedding.table for model in (one, two, other)]
    assert torch.equal(tables[0], tables[1])
    assert not torch.equal(tables[0], tables[2])
    assert known["target"].encode("2019-03-25") != known["target"].encode("2019-03-26")


def test_lesson_15_trains_and_says_what_is_defined_here():
    numbers = number_pairs()
    train, test = (f"{len(part):,}" for part in numbers)
    parameters = sum(count_parameters(translation.untrained(numbers)[0]).values())
    says = {
        "notebooks/source/15_the_whole_transformer_trained/lesson.py": [
            "torch.set_num_threads(min(2, torch.get_num_threads()))",
            "translator, vocabularies = untrained(numbers",
            f"STEPS, sample = effort.steps({STEPS}), [column[:{TEST_SIZE}] for column in unseen]",
            f"if step % {TEST_EVERY} == 0:",
            f"data = batches(*known, batch_size={BATCH_SIZE})",
            f"We have {train} numbers of up to eight digits to train on, and {test} others to test",
            f"all {parameters:,} numbers taken as one vector",
            f"a batch of {BATCH_SIZE} numbers",
            f"every {TEST_EVERY} steps on {TEST_SIZE} of the test numbers",
            f"at the end: {{score:.1%}} of {test} unseen numbers",
            f"has seen {STEPS * BATCH_SIZE:,} numbers, once each",
        ],
        "notebooks/source/00_start_here/lesson.py": [f"from {train} examples"],
        "exercises/source/15_sheet_the_whole_transformer_trained.py": [f"in the lesson, {STEPS} |"],
        "notebooks/source/15_the_whole_transformer_trained/notes.md": [f"repeated {STEPS} times", f"{parameters:,} numbers"],
        "benchmarks/README.md": [f"for {STEPS} steps with batches of {BATCH_SIZE}"],
    }
    texts = {file: " ".join((ROOT / file).read_text(encoding="utf-8").replace("\n# ", "\n").split()) for file in says}
    assert [f"{file} should say {words!r}" for file in says for words in says[file] if words not in texts[file]] == []
