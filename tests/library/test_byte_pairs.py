"""Byte pairs: what is learned from words, and that every text comes back."""

import doctest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transformer_course import byte_pairs
from transformer_course.byte_pairs import BYTES, BytePairs, count_words, merge, split, train_merges, train_merges_simply

PAPER = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # the example of the paper
WORDS = st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 5), max_size=12)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))  # any characters, but no halves of surrogate pairs


@given(WORDS, st.integers(0, 20))
def test_the_fast_trainer_learns_what_the_simple_one_does(words, num_merges):
    before = dict(words)
    assert train_merges(words, num_merges) == train_merges_simply(words, num_merges)
    assert words == before


def test_the_same_on_real_words():
    words = count_words(Path(__file__).read_text(encoding="utf-8"))
    assert train_merges(words, 60) == train_merges_simply(words, 60)


def test_each_helper_shows_an_example_that_is_right():
    assert doctest.testmod(byte_pairs) == (0, 5)


def test_the_most_frequent_pair_comes_first_and_among_equals_the_largest():
    assert train_merges({"ab": 1, "cb": 1}, 2) == [("c", "b"), ("a", "b")]
    assert train_merges({"ab": 2}, 5) == [("a", "b")]


@pytest.mark.parametrize(("pieces", "joined"), [("aaaa", ["aa", "aa"]), ("baab", ["b", "aa", "b"]), ("", [])])
def test_occurrences_never_overlap(pieces, joined):
    assert merge(pieces, "a", "a") == joined


@given(TEXTS)
def test_words_are_the_whole_text_and_every_text_comes_back(text):
    assert "".join(split(text)).encode("latin-1").decode("utf-8") == text
    for tokenizer in (BytePairs([]), BytePairs(train_merges(count_words(text), 30)), BytePairs(train_merges(PAPER, 12))):
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == text
        assert [tokenizer.tokens[number] for number in ids] == tokenizer.tokenize(text)


@given(WORDS)
def test_a_word_of_the_training_text_is_cut_as_in_training(words):
    merges = train_merges(words, 15)
    tokenizer = BytePairs(merges)
    for word in words:
        pieces = list(word)
        for pair in merges:
            pieces = merge(pieces, *pair)
        assert tokenizer.tokenize(word) == pieces


@given(WORDS)
def test_the_tokens_alone_give_the_merges_again(words):
    tokenizer = BytePairs(train_merges(words, 15))
    assert BytePairs.from_tokens(tokenizer.tokens).merges == tokenizer.merges


def test_words_are_letters_with_the_space_before_them():
    assert split("Return the id_2,  now.\n") == ["Return", " the", " id", "_2,", " ", " now", ".", "\n"]
    assert split("é 日") == ["Ã©", " æ\x97¥"]
    assert count_words("a b b") == {" b": 2, "a": 1}


def test_a_tokenizer_has_the_bytes_and_one_token_per_merge():
    tokenizer = BytePairs([("t", "h"), ("th", "e")])
    assert tokenizer.tokens == [*BYTES, "th", "the"]
    assert len(tokenizer) == 258
    assert tokenizer.encode("the thé") == [257, 32, 256, 0xC3, 0xA9]


def test_bytes_that_form_no_character_are_marked():
    tokenizer = BytePairs([])
    assert tokenizer.decode([0xC3, 0xA9]) == "é"
    assert tokenizer.decode([ord("a"), 0xC3]) == "a\ufffd"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: split(b"bytes"), "text must be a string, got bytes; for a file, pass what its"),
        (lambda: split("a\ud800"), r"text must be valid Unicode, got half of a surrogate pair, '\\ud800'; leave it out"),
        (lambda: train_merges_simply(PAPER, -1), "num_merges must be an integer of 0 or more, got -1"),
        (lambda: train_merges(PAPER, -1), "num_merges must be an integer of 0 or more, got -1"),
        (lambda: train_merges(["low"], 1), r"words must map each word to its count, got list; try count_words\(text\)"),
        (lambda: train_merges({"low": 0}, 1), "words must map strings to counts of 1 or more, got 'low': 0"),
        (
            lambda: BytePairs([("th", "e")]),
            r"each merge must join two known pieces into a new one, got \('th', 'e'\) as merge 0",
        ),
        (lambda: BytePairs(["the"]), "each merge must join two known pieces into a new one"),
        (lambda: BytePairs([("a", "b"), ("a", "b")]), "into a new one, got .* as merge 1"),
        (lambda: BytePairs([]).decode([256]), "ids must be from 0 to 255, got 256; was a different tokenizer used"),
        (lambda: BytePairs.from_tokens(["<pad>", *BYTES]), "tokens must begin with the 256 bytes"),
        (
            lambda: BytePairs.from_tokens([*BYTES, "the"]),
            "each token must consist of two earlier ones, got 'the', which has 3",
        ),
    ],
)
def test_bad_input_is_told_in_one_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()
