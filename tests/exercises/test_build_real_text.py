"""Stage B8's functions as learners write them: right in other styles, and wrong in ways that are not in the catalogue."""

from collections import Counter
from itertools import pairwise

from examining import told, verdict

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


def test_right_answers_in_other_styles_pass():
    right = {by_ranks: ENCODE, trained_on_occurrences: TRAIN, as_bytes: DECODE}
    assert {answer.__name__ for answer, exercise in right.items() if not verdict(exercise, answer).passed} == set()


def in_place(pieces, left, right):
    i = 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) == (left, right):
            pieces[i : i + 2] = [left + right]
        i += 1
    return pieces


def emptied(word, merges):
    pieces = list(word)
    while merges:
        pieces = merge(pieces, *merges.pop(0))
    return pieces


def test_a_list_that_is_changed_is_named():
    used_up = verdict(ENCODE, emptied)
    changed = verdict(MERGE, in_place)
    assert (changed.reason, changed.score, used_up.reason) == ("mutated", 0.5, "mutated")


def rarest(words, num_merges):
    counts = Counter()
    for word, count in words.items():
        for pair in pairwise(word):
            counts[pair] += count
    return [min(counts, key=lambda pair: (counts[pair], pair))] if num_merges else []


def endless(words, num_merges):
    return trained_on_occurrences(words, num_merges) if num_merges != 3 else [max([])]


def as_latin(ids, tokens):
    return "".join(tokens[number] for number in ids)


def test_other_wrong_answers_are_told_what_is_wrong(snapshot):
    assert {
        "the rarest pair": told(TRAIN.id, rarest),
        "no merges": told(TRAIN.id, lambda words, num_merges: None),
        "a set of merges": told(TRAIN.id, lambda words, num_merges: {("a", "b")}),
        "a pair that is not there": told(TRAIN.id, lambda words, num_merges: [("x", "y")] * num_merges),
        "an error without pairs": told(TRAIN.id, endless),
        "a string of pieces": told(ENCODE.id, lambda word, merges: word),
        "a number as a piece": told(ENCODE.id, lambda word, merges: [3, None]),
        "bytes as pieces": told(ENCODE.id, lambda word, merges: [word.encode()]),
        "a piece too many": told(MERGE.id, lambda pieces, left, right: [*merge(pieces, left, right), "end"]),
        "bytes as a text": told(DECODE.id, lambda ids, tokens: as_latin(ids, tokens).encode()),
        "capitals": told(DECODE.id, lambda ids, tokens: as_latin(ids, tokens).upper()),
    } == snapshot
