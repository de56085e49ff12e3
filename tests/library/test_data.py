"""data: every example is right by a second way of reading it, and nothing of the test was seen in training."""

import functools
import unicodedata
from datetime import date, datetime

import cn2an
import pytest
import torch

from transformer_course.data import character_names, date_pairs, digit_images, number_pairs
from transformer_course.data.dates import FORMATS, format_date
from transformer_course.data.numbers import chinese, english

UNITS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
VALUES = {word: value for value, word in enumerate(UNITS.split())}
VALUES |= {word: 10 * value for value, word in enumerate(TENS.split(), start=2)}


def read_english(words: list[str]) -> int:
    total = group = 0
    for word in words:
        if word == "hundred":
            group *= 100
        elif word in ("thousand", "million"):
            total, group = total + group * {"thousand": 1000, "million": 1_000_000}[word], 0
        elif word != "and":
            group += VALUES[word]
    return total + group


@functools.cache
def whole(task):
    return task()


@pytest.fixture
def numbers():
    return whole(number_pairs)


def test_both_sides_of_a_pair_are_one_number(numbers):
    for words, numerals in numbers.train[:3000] + numbers.test:
        assert read_english(words) == cn2an.cn2an(numerals)


def test_numbers_of_every_length_are_there_and_no_number_twice(numbers):
    assert (len(numbers.train), len(numbers.test)) == (30_000, 2_000)
    values = [read_english(words) for words, _ in numbers.train + numbers.test]
    assert len(set(values)) == 32_000
    assert {len(str(value)) for value in values[-2000:]} >= {2, 3, 4, 5, 6, 7, 8}
    assert max(values) < 10**8


def test_words_and_numerals_are_as_people_write_them():
    assert " ".join(english(12_345_678)) == (
        "twelve million three hundred and forty five thousand six hundred and seventy eight"
    )
    assert chinese(12_345_678) == "一千二百三十四万五千六百七十八"
    assert chinese(10_010) == "一万零一十"


def test_dates_are_right_in_every_format():
    day = date(2019, 3, 5)
    assert [format_date(day, template) for template in FORMATS] == [
        "March 5, 2019",
        "5 March 2019",
        "Mar 5, 2019",
        "5 Mar 2019",
        "March 5th, 2019",
        "the 5th of March 2019",
        "Tuesday, March 5, 2019",
        "Tuesday 5 March 2019",
        "2019, Mar 5",
    ]
    ends = [format_date(date(2020, 1, d), "{day}{th}") for d in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 30, 31)]
    assert ends == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "30th", "31st"]


def test_dates_are_split_by_day_and_all_formats_are_used():
    pairs = whole(date_pairs)
    days = [[iso for _, iso in part] for part in pairs]
    assert (len(days[0]), len(days[1])) == (30_000, 2_000)
    assert not set(days[0]) & set(days[1])
    shapes = {"".join("d" if c.isdigit() else "w" if c.isalpha() else c for c in text) for text, _ in pairs.test}
    assert len(shapes) > 9
    for text, iso in pairs.test:
        assert str(datetime.fromisoformat(iso).year) in text
        assert datetime.fromisoformat(iso).strftime("%b") in text


@pytest.mark.parametrize("task", [number_pairs, date_pairs])
def test_what_is_held_back_is_held_back_whatever_sizes_are_asked_for(task):
    """So that a model trained with one size may be tested with another, the shipped ones too."""
    answers = {answer for _, answer in whole(task).train}
    assert not answers & {answer for _, answer in task(10, 2500).test}
    assert not answers & {answer for _, answer in task(3000, 200).test}


def test_a_smaller_test_of_names_is_part_of_the_larger():
    assert set(character_names(test=200).test) <= set(character_names().test)


def test_names_are_unicode_s_and_their_categories_too():
    names = character_names()
    assert len(names.test) == 2_000
    assert 20_000 < len(names.train) < 40_000
    for name, category in names.test:
        assert unicodedata.category(unicodedata.lookup(name)) == category
    codes = [ord(unicodedata.lookup(name)) for name, _ in names.test]
    assert codes != sorted(codes)  # shuffled before they were split: old scripts and new ones
    assert min(codes) < 0x1000 < 0x10000 < max(codes)
    together = [name for part in names for name, _ in part]
    assert len(set(together)) == len(together)
    assert not any(name.startswith(("CJK UNIFIED", "HANGUL SYLLABLE", "EGYPTIAN")) for name in together)


def test_digits_are_scaled_and_shared_out():
    (images, labels), (test_images, test_labels) = digit_images()
    assert (images.shape, test_images.shape) == ((1297, 8, 8), (500, 8, 8))
    assert (images.min(), images.max()) == (0, 1)
    assert labels.unique().tolist() == test_labels.unique().tolist() == list(range(10))
    both = torch.cat([images, test_images]).flatten(1)
    assert len(both.unique(dim=0)) == 1797


@pytest.mark.parametrize("task", [number_pairs, date_pairs])
def test_the_seed_decides_all(task):
    assert task(200, 50, seed=1) == task(200, 50, seed=1) != task(200, 50, seed=2)


def test_more_than_there_is_is_told():
    for call, told in [
        (
            lambda: number_pairs(600, 10, max_digits=3),
            "numbers of up to 3 digits give at most 500 pairs for training and 50 for the test, got 600 and 10",
        ),
        (lambda: number_pairs(10, 0), "got 10 and 0"),
        (
            lambda: date_pairs(80_000, 1),
            "from 1900-01-01 to 2099-12-31 there are .* days for training and .* for the test, got 80000 and 1",
        ),
        (lambda: character_names(test=0), "can be held back for the test, got 0"),
        (lambda: digit_images(5000), "of 1797 examples, 1 to 1796 can be held back for the test, got 5000"),
    ]:
        with pytest.raises(ValueError, match=told):
            call()
