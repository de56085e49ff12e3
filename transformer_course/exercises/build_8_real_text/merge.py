"""Stage B8: joining one pair of pieces."""

from transformer_course import byte_pairs

from ..families.merges import MERGE
from ..kinds import ImplementStrings
from ..kinds.error_hints import ErrorHint


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
    mistakes=MERGE,
)
