"""Stage B8's functions as learners write them: right in other styles, and wrong in ways that are not in the catalogue."""

from collections import Counter
from itertools import pairwise

import pytest
from examining import SEEDS, verdict

from transformer_course.byte_pairs import merge
from transformer_course.exercises import catalogue

MERGE, TRAIN, ENCODE, DECODE = (catalogue()[f"build.{name}"] for name in ("merge", "byte_pairs", "encode_word", "decode_ids"))


def by_ranks(word, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}  # pairs must be tuples here, as in the notebook
    pieces = list(word)
    while len(pieces) > 1:
        best = min(pairwise(pieces), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        pieces = merge(pieces, *best)
    return tuple(pieces)


def trained_on_occurrences(words, num_merges):
    """Keep a list of pieces per occurrence; return lists in place of tuples."""
    texts, merges = [list(word) for word, count in words.items() for _ in range(count)], []
    while len(merges) < num_merges:
        counts = Counter(pair for pieces in texts for pair in pairwise(pieces))
        if not counts:
            break
        best = sorted(counts.items(), key=lambda item: (item[1], item[0]))[-1][0]
        merges.append(list(best))
        texts = [merge(pieces, *best) for pieces in texts]
    return merges


def as_bytes(ids, tokens):
    return b"".join(bytes(map(ord, tokens[number])) for number in ids).decode(errors="replace")


@pytest.mark.parametrize(("exercise", "answer"), [(ENCODE, by_ranks), (TRAIN, trained_on_occurrences), (DECODE, as_bytes)])
def test_right_answers_in_other_styles_pass(exercise, answer):
    for seed in SEEDS:
        assert verdict(exercise, answer, seed).passed


def in_place(pieces, left, right):
    i = 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) == (left, right):
            pieces[i : i + 2] = [left + right]
        i += 1
    return pieces


def test_a_list_that_is_changed_in_place_is_named():
    seen = verdict(MERGE, in_place)
    assert (seen.reason, seen.score) == ("mutated", 0.5)
    used_up = verdict(ENCODE, lambda word, merges: _emptied(word, merges))
    assert used_up.reason == "mutated"


def _emptied(word, merges):
    pieces = list(word)
    while merges:
        pieces = merge(pieces, *merges.pop(0))
    return pieces


def rarest(words, num_merges):
    counts = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            counts[pair] += count
    return [min(counts, key=lambda pair: (counts[pair], pair))] if num_merges else []


def endless(words, num_merges):
    return trained_on_occurrences(words, num_merges) if num_merges != 3 else [max([])]


@pytest.mark.parametrize(
    ("exercise", "answer", "words"),
    [
        (TRAIN, rarest, "At that point ('s', 't') occurs 9 times, and ('e', 'r') twice."),
        (TRAIN, lambda words, num_merges: None, "returned None. Is a `return` missing at its end?"),
        (TRAIN, lambda words, num_merges: {("a", "b")}, "it should return a list of merges, but returned a set"),
        (TRAIN, lambda words, num_merges: [("x", "y")] * num_merges, "('x', 'y') is not a pair of neighbouring pieces"),
        (TRAIN, endless, "there was no pair left to choose from"),
        (ENCODE, lambda word, merges: word, "it should return a list of pieces, but returned a string"),
        (ENCODE, lambda word, merges: [3, None], "the first of the pieces should be 'low', but is 3"),
        (ENCODE, lambda word, merges: [word.encode()], "but returned bytes, where strings were expected"),
        (MERGE, lambda pieces, left, right: [*merge(pieces, left, right), "end"], "it should return 4 pieces, but returned 5"),
        (DECODE, lambda ids, tokens: _as_latin(ids, tokens).encode(), "it should return a string, but returned bytes"),
        (DECODE, lambda ids, tokens: _as_latin(ids, tokens).upper(), "the result should be 'the tokens', but is 'THE TOKENS'"),
    ],
)
def test_other_wrong_answers_are_told_what_is_wrong(exercise, answer, words):
    seen = verdict(exercise, answer)
    assert not seen.passed
    assert words in f"{seen.message} {seen.hint}"


def _as_latin(ids, tokens):
    return "".join(tokens[number] for number in ids)
