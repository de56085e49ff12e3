"""Stage B8: learning which pairs to merge."""

from collections import Counter
from functools import partial
from itertools import pairwise

from transformer_course import byte_pairs

from ..families import adapted, in_part, pairs, with_both
from ..families.merges import MERGE, PIECES_ONLY
from ..kinds import ImplementStrings
from ..kinds.error_hints import ErrorHint


def random_words(rng, count: int, letters: str, longest: int) -> dict[str, int]:
    """Different words of random letters, with how often each occurs."""
    words = ("".join(rng.choice(list(letters), rng.integers(2, longest + 1))) for _ in range(count))
    return {word: int(rng.integers(1, 7)) for word in words}


MERGE_HINT = ErrorHint(
    r"merge\(\) missing 1 required positional argument",
    "`merge` takes the two pieces of a pair one by one: `merge(pieces, left, right)`, or `merge(pieces, *pair)`.",
)


def _counts(spelled, words, weight=lambda count: count, places=pairwise):
    """How often each pair occurs; a mistake weights the words, or finds the places of pairs, in another way."""
    counts = Counter()
    for word, pieces in spelled.items():
        for pair in places(pieces):
            counts[pair] += weight(words[word])
    return counts


def _once(pieces):
    """The pairs of a word, each once, in their order; that of a set changes from one process to the next."""
    return dict.fromkeys(pairwise(pieces))


def _without_overlaps(pieces):
    return [pair for pair in _once(pieces) for _ in range(len(pieces) - len(byte_pairs.merge(pieces, *pair)))]


def _largest(counts):
    return max(counts, key=lambda pair: (counts[pair], pair))


def _learn(words, num_merges, counts=_counts, choose=_largest, join=byte_pairs.merge):
    """Learn merges in the straightforward way, with the steps that a mistake takes in another."""
    spelled, merges = {word: list(word) for word in words}, []
    for _ in range(num_merges):
        if not (found := counts(spelled, words)):
            break
        merges.append(choose(found))
        spelled = {word: join(pieces, *merges[-1]) for word, pieces in spelled.items()}
    return merges


def _counted_once(words, num_merges):
    counts = _counts({word: list(word) for word in words}, words)
    return sorted(counts, key=lambda pair: (counts[pair], pair), reverse=True)[:num_merges]


def _added_up(words, num_merges):
    """Learn with counts that are never set back to 0."""
    total = Counter()

    def counts(spelled, words):
        total.update(_counts(spelled, words))
        return total

    return _learn(words, num_merges, counts)


def _explain(question, given, right):
    """How often the two pairs occur when the first wrong merge is chosen."""
    words, _ = question
    wrong, wanted = given[-1], right[-1]
    if not (isinstance(wrong, tuple) and list(map(type, wrong)) == [str, str]):
        return "A merge is a tuple of two strings."
    spelled = {word: list(word) for word in words}
    for pair in right[:-1]:
        spelled = {word: byte_pairs.merge(pieces, *pair) for word, pieces in spelled.items()}
    counts = _counts(spelled, words)
    if wrong not in counts:
        return f"At that point {wanted} occurs {_times(counts[wanted])}, and {wrong!r} is not a pair of neighbouring pieces."
    if counts[wrong] == counts[wanted]:
        return f"Both occur {_times(counts[wanted])} at that point, and {wanted} is the larger of the two."
    return f"At that point {wanted} occurs {_times(counts[wanted])}, and {wrong} {_times(counts[wrong])}."


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


CHOICES = {
    "smallest among equals": (
        "Where several pairs are equally frequent, you choose the smallest. That would work as well, but the exercise "
        "asks for the largest. Two tokenizers that break ties differently may give the same word different ids.",
        "Choose the largest of them: Python compares tuples of strings in alphabetical order.",
        partial(_learn, choose=lambda counts: min(counts, key=lambda pair: (-counts[pair], pair))),
    ),
    "first among equals": (
        "Where several pairs are equally frequent, you choose the one that you met first (or last). So the merges depend "
        "on the order of the words.",
        "`max(counts, key=counts.get)` and `most_common` ignore the pairs themselves. Make them part of the key.",
        partial(_learn, choose=lambda counts: max(counts, key=counts.__getitem__)),
        partial(_learn, choose=lambda counts: max(reversed(counts), key=counts.__getitem__)),
    ),
}
COUNTS = {
    "words, not occurrences": (
        "You count each word once, whether it occurs once or a thousand times in the text.",
        "Where a pair is found, add the word's count instead of 1.",
        partial(_learn, counts=partial(_counts, weight=lambda count: 1)),
    ),
    "once per word": (
        "You count a pair once per word. In “banana”, the pair (a, n) occurs twice.",
        "Count every place where the pair occurs.",
        partial(_learn, counts=partial(_counts, places=_once)),
    ),
}

train_merges = ImplementStrings(
    id="build.byte_pairs",
    answer_name="train_merges",
    prompt="Learn from words and their counts which pairs to merge, in order: each time the most frequent one.",
    reference=byte_pairs.train_merges,
    items="merges",
    explain=_explain,
    draw=lambda rng: [
        [{"low": 5, "lower": 2, "newest": 6, "widest": 3}, 4],
        [{"tin": 9, "int": 1, "nit": 1, "tint": 1}, 2],
        [{"aaab": 4, "aab": 3, "baaaa": 2}, 4],
        [{"aaa": 2, "ab": 3}, 1],  # aa occurs four times, and only twice without overlaps
        [{"abab": 3, "cb": 4}, 1],  # a pair that occurs twice in a word, and does not overlap
        [{"ab": 2, "b": 7}, 3],
        [{"ta": 1, "tb": 1}, 2],
        [{"banana": 3, "ananas": 2, "nab": 4}, 0],
        [random_words(rng, 9, "abc", 7), 6],
        [random_words(rng, 12, "ab", 8), 7],
        [random_words(rng, 80, "abcde", 9), 25],
    ],
    alternatives=(_learn,),
    error_hints=(
        ErrorHint(
            r"max\(\) (arg|iterable argument) is (an )?empty( sequence)?"
            r"|list index out of range(?=.*(most_common|sorted|\[0\]))",
            "What if every word has become a single piece? Then there is no pair left, and the list of merges is complete.",
            plain="there was no pair left to choose from",
        ),
        ErrorHint(
            r"index out of range",
            "The last piece of a word has no neighbour on its right.",
        ),
        MERGE_HINT,
        ErrorHint(
            r"unhashable type: 'list'",
            "A key of a dictionary cannot be a list. Write a pair as a tuple: `(left, right)`.",
        ),
    ),
    why="A merge changes the pairs around it, so the next merge needs new counts.",
    hints=(
        "Keep the pieces of each word, for example in a dictionary. At first they are its letters: `list(word)`.",
        "For one merge: go through all pairs of neighbouring pieces in all words, each time adding the word's count. Then "
        "choose a pair, append it to the result, and `merge` it in every word.",
        "`max(counts, key=lambda pair: (counts[pair], pair))` compares the counts first, and the pairs where these are equal.",
    ),
    mistakes={
        **adapted({**CHOICES, **COUNTS}, lambda answer: answer),
        **pairs(with_both, COUNTS, CHOICES),
        "counts ignored": (
            "You choose the pair that is the last in alphabetical order, however often it occurs.",
            "`max(counts)` compares the pairs. Give it a key that begins with the count.",
            partial(_learn, choose=max),
        ),
        "the rarest pair": (
            "You choose the pair that occurs least often. Frequent pairs are worth a token of their own.",
            "Should the count be as large or as small as possible?",
            partial(_learn, choose=lambda counts: min(counts, key=lambda pair: (counts[pair], pair))),
            partial(_learn, choose=lambda counts: max(counts, key=lambda pair: (-counts[pair], pair))),
        ),
        "not added up": (
            "Each time you find a pair, you write its count afresh, so only the last word in which it occurs counts.",
            "Add the word's count to what the pair has so far.",
            partial(_learn, counts=lambda spelled, words: {pair: words[w] for w in words for pair in pairwise(spelled[w])}),
        ),
        "words that have it": (
            "You count in how many different words a pair occurs. But a word may hold a pair twice, and may itself occur a "
            "thousand times in the text.",
            "At every place where the pair is found, add the word's count.",
            partial(_learn, counts=partial(_counts, weight=lambda count: 1, places=_once)),
        ),
        "stopped at pairs that occur once": (
            "You stop when the most frequent pair occurs only once. Many tokenizers do, but the exercise asks for "
            "`num_merges` merges, as long as there is a pair.",
            "When is there really nothing left to merge?",
            partial(_learn, counts=lambda *words: {} if max((c := _counts(*words)).values(), default=0) < 2 else c),
        ),
        "overlaps not counted": (
            "In a, a, a you count the pair (a, a) once, because only one of its two places can be joined. That is "
            "reasonable, but here every place counts.",
            "Count all neighbours, `zip(pieces, pieces[1:])`, without skipping any.",
            partial(_learn, counts=partial(_counts, places=_without_overlaps)),
        ),
        "across words": (
            "You count pairs across word boundaries, so you join letters that belong to different words.",
            "Count inside each word only.",
            lambda words, num_merges: _learn({"".join(word * count for word, count in words.items()): 1}, num_merges),
        ),
        "counted only once": (
            "You count the pairs of letters once and return the most frequent ones. So no piece gets more than two letters.",
            "After each merge, count again, with the new pieces.",
            _counted_once,
        ),
        "counts added up": (
            "Your counts carry over from one merge to the next, so pairs that no longer exist still count.",
            "Begin each merge with empty counts.",
            _added_up,
        ),
        "last merge first": (
            "You return the merges in the opposite order. The first one of the list has to be the one that was learned first.",
            "Append each merge at the end of the list.",
            lambda words, num_merges: _learn(words, num_merges)[::-1],
        ),
        "never merged": (
            "You choose the same pair again and again, because the words still consist of single letters.",
            "`merge` takes a list and returns a new one. Keep that in place of the old one, as a list.",
            partial(_learn, join=lambda pieces, left, right: pieces),
        ),
        # in training, equal letters side by side are always in equal pieces
        **in_part(
            "joining a pair", MERGE, lambda join: partial(_learn, join=join), but=("joined letters compared", *PIECES_ONLY)
        ),
        "joined strings": (
            "You return the joined strings. A merge is a pair: “the” alone does not say whether it was joined from t and he, "
            "or from th and e.",
            "Append the pair itself, a tuple of two strings.",
            lambda words, num_merges: ["".join(pair) for pair in _learn(words, num_merges)],
        ),
        "one too many": (
            "You return one merge more than you were asked for.",
            "`range(num_merges)` already has `num_merges` steps.",
            lambda words, num_merges: _learn(words, num_merges + 1),
        ),
    },
)
