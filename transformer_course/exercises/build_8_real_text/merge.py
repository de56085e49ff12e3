"""Stage B8: joining one pair of pieces."""

from transformer_course import byte_pairs

from ..kinds import ImplementStrings
from ..kinds.error_hints import ErrorHint
from ..toolkit import mistake
from . import joining


def _draw_pieces(rng):
    def sized(length, letters):
        return ["".join(rng.choice(list(letters), size)) for size in rng.integers(1, 3, length)]

    return [
        [["b", "a", "n", "a", "n", "a"], "a", "n"],
        [["a", "a", "a", "b", "a", "a"], "a", "a"],
        [["xa", "b", "a", "b", "b", "a"], "a", "b"],
        [["th", "e", "n", " ", "th", "e"], "th", "e"],
        [["t", "he", "th", "e"], "th", "e"],
        [["q"], "q", "u"],
        [[], "q", "u"],
        [sized(12, "ab"), "a", "b"],
        [sized(14, "ab"), "b", "b"],
        [sized(20, "abc"), "ab", "c"],
    ]


merge = ImplementStrings(
    id="build.merge",
    answer_name="merge",
    prompt="Join a pair of pieces wherever it occurs in a list of pieces, from left to right.",
    reference=byte_pairs.merge,
    items="pieces",
    draw=_draw_pieces,
    error_hints=(
        ErrorHint(
            r"list index out of range",
            "The last piece has no neighbour on its right. Check that there is one before you look at it.",
        ),
    ),
    why="Each occurrence is joined where it begins, so one piece never ends up in two of the joined ones.",
    hints=(
        "Go through `pieces` from left to right, and build a new list.",
        "At each place there are two cases. If this piece and the next one are the pair, append both as one string and go on "
        "after the second. If not, append this piece and go on to the next one.",
        "Since the steps differ in length, use a `while` loop with an index that you increase by 1 or by 2.",
    ),
    mistakes=(
        mistake(
            "overlapping",
            "In a, a, a you joined the pair (a, a) twice, and the piece in the middle went into both. Now the word has more "
            "letters than before.",
            "After joining a pair, continue after its second piece.",
            joining.overlapping,
        ),
        mistake(
            "the first occurrence only",
            "You joined only the first occurrence. In a word such as “banana”, the pair (a, n) occurs twice.",
            "Don't stop after the first: go on to the end of the list.",
            joining.first_only,
        ),
        mistake(
            "from the right",
            "You joined from right to left: a, a, a became a, aa. Training and encoding have to join in the same direction, "
            "here from left to right.",
            "Begin at the first piece.",
            joining.from_the_right,
        ),
        mistake(
            "in either order",
            "You also joined the two pieces when they came in the opposite order. The pair (a, n) stands for “an”, never for "
            "“na”.",
            "Compare the first with the first, and the second with the second.",
            joining.in_either_order,
        ),
        mistake(
            "joined letters compared",
            "You compared what two pieces spell together. t + he spells “the” as well, but it is not the pair (th, e).",
            "Compare each piece by itself: the first with `left`, and the second with `right`.",
            joining.by_letters,
        ),
        mistake(
            "second piece kept",
            "You joined the pair, but its second piece is still there as well, so the word has become longer.",
            "A pair takes up two places of the list: move on by two.",
            joining.second_kept,
            joining.second_kept_last_lost,
        ),
        mistake(
            "replaced in a string",
            "You replaced text in one long string. There, the pair (a, b) is also found in the pieces xa, b, where no piece "
            "is a.",
            "Compare whole pieces, one place after another.",
            joining.in_a_string,
        ),
        mistake(
            "last piece lost",
            "The last piece is missing, unless it belongs to a pair.",
            "Your loop ends one place too early. The last piece has no right neighbour, but it has to be in the result.",
            joining.last_lost,
        ),
        mistake(
            "other pieces dropped",
            "Only the joined pieces are left. The pieces around them belong to the word as well.",
            "Append a piece that is not part of a pair as it is.",
            lambda pieces, left, right: [left + right] * byte_pairs.merge(pieces, left, right).count(left + right),
        ),
    ),
)
