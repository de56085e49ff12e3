"""What goes wrong when a pair of pieces is joined in a word. A piece of the family is ``merge(pieces, left, right)``."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from transformer_course.byte_pairs import merge


def _where(fits: Callable, into: Callable = lambda neighbours, pair: "".join(neighbours)) -> Callable:
    """Join two neighbours, from left to right, ``into`` one piece where ``fits(neighbours, pair)``."""

    def join(pieces, left, right):
        joined, place = [], 0
        while place < len(pieces):
            neighbours = tuple(pieces[place : place + 2])
            found = len(neighbours) == 2 and fits(neighbours, (left, right))
            joined.append(into(neighbours, (left, right)) if found else pieces[place])
            place += 2 if found else 1
        return joined

    return join


def _overlapping(pieces, left, right):
    """Also join occurrences that share a piece: a, a, a becomes aa, aa."""
    joined, before = [], None
    for neighbours in pairwise([*pieces, None]):
        if neighbours == (left, right):
            joined.append(left + right)
        elif before != (left, right):
            joined.append(neighbours[0])
        before = neighbours
    return joined


def first_only(pieces, left, right):
    place = next((i for i, each in enumerate(pairwise(pieces)) if each == (left, right)), None)
    return list(pieces) if place is None else [*pieces[:place], left + right, *pieces[place + 2 :]]


def _from_the_right(pieces, left, right):
    """Join from right to left: a, a, a becomes a, aa."""
    joined = []
    for piece in reversed(pieces):
        if joined and (piece, joined[0]) == (left, right):
            joined[0] = piece + joined[0]
        else:
            joined.insert(0, piece)
    return joined


def _second_kept(pieces, left, right):
    return [piece + right if (piece, after) == (left, right) else piece for piece, after in pairwise([*pieces, None])]


def _last_lost(pieces, left, right):
    """Stop before the last piece, unless it is in a pair."""
    joined = merge(pieces, left, right)
    return joined[:-1] if pieces and joined[-1] == pieces[-1] else joined


def _in_a_string(separator, of_nothing):
    """Replace text in all pieces, joined by a separator and split there again; of no pieces, some return one that is empty."""

    def join(pieces, left, right):
        joined = separator.join(pieces).replace(separator.join([left, right]), left + right)
        return joined.split(separator) if pieces else of_nothing

    return join


def _between_spaces(pieces, left, right, shared, split):
    """Replace a pair between spaces in a string; ``shared`` spaces may be those of two pairs."""
    pair, ends = re.escape(f"{left} {right}"), (r"(?<!\S)", r"(?!\S)") if shared else ("(?:^| )", "(?: |$)")
    text = re.sub(pair.join(ends), left + right if shared else f" {left}{right} ", " ".join(pieces))
    return split(text.strip())


PIECES_ONLY = ("one string split again", "split into letters")  # of longer pieces, or of spaces: rarely in a whole word
MERGE = {
    "overlapping": (
        "In a, a, a you joined the pair (a, a) twice, and the piece in the middle went into both. Now the word has more "
        "letters than before.",
        "After joining a pair, continue after its second piece.",
        _overlapping,
    ),
    "the first occurrence only": (
        "You joined only the first occurrence. In a word such as “banana”, the pair (a, n) occurs twice.",
        "Don't stop after the first: go on to the end of the list.",
        first_only,
    ),
    "from the right": (
        "You joined from right to left: a, a, a became a, aa. Training and encoding have to join in the same direction, here "
        "from left to right.",
        "Begin at the first piece.",
        _from_the_right,
    ),
    "in either order": (
        "You also joined the two pieces when they came in the opposite order. The pair (a, n) stands for “an”, never for "
        "“na”.",
        "Compare the first with the first, and the second with the second.",
        *(
            _where(lambda neighbours, pair: sorted(neighbours) == sorted(pair), lambda *both, kept=kept: "".join(both[kept]))
            for kept in (0, 1)
        ),
    ),
    "joined letters compared": (
        "You compared what two pieces spell together. t + he spells “the” as well, but it is not the pair (th, e).",
        "Compare each piece by itself: the first with `left`, and the second with `right`.",
        _where(lambda neighbours, pair: "".join(neighbours) == "".join(pair)),
    ),
    "second piece kept": (
        "You joined the pair, but its second piece is still there as well, so the word has become longer.",
        "A pair takes up two places of the list: move on by two.",
        _second_kept,
        lambda pieces, left, right: _second_kept(pieces, left, right)[:-1],  # a loop that ends before the last piece
    ),
    "replaced in a string": (
        "You replaced text in one long string. There, the pair (a, b) is also found in the pieces xa, b, where no piece is a.",
        "Compare whole pieces, one place after another.",
        lambda pieces, left, right: " ".join(pieces).replace(f"{left} {right}", left + right).split(),
        *(_in_a_string(separator, of_nothing) for separator in " |" for of_nothing in ([""], [])),
    ),
    "split into letters": (
        "You take the pieces apart into letters again, so what earlier merges have joined is lost.",
        "Compare whole pieces, one place after another.",
        lambda pieces, left, right: merge(list("".join(pieces)), left, right),
        lambda pieces, left, right: re.findall(f"{re.escape(left + right)}|.", "".join(pieces), re.DOTALL),
    ),
    "one string split again": (
        "You write the pieces into one string with spaces, and split it again. But a piece may be a space itself, and is then "
        "lost. And where a pair needs a space on both sides, two pairs side by side share one, so the second is not found.",
        "Compare whole pieces, one place after another.",
        *(
            partial(_between_spaces, shared=shared, split=split)
            for shared in (True, False)
            for split in (str.split, lambda text: text.split(" "))
        ),
    ),
    "last piece lost": (
        "The last piece is missing, unless it belongs to a pair.",
        "Your loop ends one place too early. The last piece has no right neighbour, but it has to be in the result.",
        _last_lost,
    ),
    "other pieces dropped": (
        "Only the joined pieces are left. The pieces around them belong to the word as well.",
        "Append a piece that is not part of a pair as it is.",
        lambda pieces, left, right: [left + right] * merge(pieces, left, right).count(left + right),
    ),
}
