"""The ways in which learners join two pieces, besides the right one."""

from itertools import pairwise

from transformer_course.byte_pairs import merge


def overlapping(pieces, left, right):
    """Also join occurrences that share a piece: a, a, a becomes aa, aa."""
    joined, after = [], None
    for piece, following in pairwise([*pieces, None]):
        if (piece, following) == (left, right):
            joined.append(piece + following)
        elif after != (left, right):
            joined.append(piece)
        after = (piece, following)
    return joined


def by_letters(pieces, left, right):
    """Join neighbours that spell the same as the pair, whatever the two pieces are."""
    joined, place = [], 0
    while place < len(pieces):
        two = "".join(pieces[place : place + 2])
        found = place + 1 < len(pieces) and two == left + right
        joined.append(two if found else pieces[place])
        place += 2 if found else 1
    return joined


def first_only(pieces, left, right):
    place = next((i for i, each in enumerate(pairwise(pieces)) if each == (left, right)), None)
    return list(pieces) if place is None else [*pieces[:place], left + right, *pieces[place + 2 :]]


def from_the_right(pieces, left, right):
    """Join from right to left: a, a, a becomes a, aa."""
    joined = []
    for piece in reversed(pieces):
        if joined and (piece, joined[0]) == (left, right):
            joined[0] = piece + joined[0]
        else:
            joined.insert(0, piece)
    return joined


def in_either_order(pieces, left, right):
    joined, place = [], 0
    while place < len(pieces):
        found = sorted(pieces[place : place + 2]) == sorted((left, right))
        joined.append("".join(pieces[place : place + 2]) if found else pieces[place])
        place += 2 if found else 1
    return joined


def second_kept(pieces, left, right):
    """Join a pair, and keep its second piece as well."""
    return [piece + right if (piece, following) == (left, right) else piece for piece, following in pairwise([*pieces, None])]


def second_kept_last_lost(pieces, left, right):
    """The same with a loop that ends before the last piece."""
    return [piece + right if (piece, following) == (left, right) else piece for piece, following in pairwise(pieces)]


def in_a_string(pieces, left, right):
    """Replace in a string of pieces with spaces between them: "xa b" contains "a b"."""
    return " ".join(pieces).replace(f"{left} {right}", left + right).split()


def last_lost(pieces, left, right):
    """Stop before the last piece, unless it is in a pair."""
    joined = merge(pieces, left, right)
    return joined[:-1] if pieces and joined[-1] == pieces[-1] else joined
