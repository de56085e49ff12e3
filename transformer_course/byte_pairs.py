"""Byte-pair encoding: a tokenizer that begins with single bytes and joins the most frequent pairs of neighbours.

A piece is a string with one character per byte: the character with that number, from 0 to 255 (Latin-1). In ASCII text,
bytes and characters are the same. Any other character takes two to four bytes: "é" becomes "Ã©". So every text can be
encoded, and decodes to itself.

The file climbs: `train_merges_simply` learns in a few lines what `train_merges` learns fast; `split` and `count_words` make
the words that both learn from; and `BytePairs` encodes and decodes texts.

Source: Sennrich, Haddow and Birch 2016, "Neural Machine Translation of Rare Words with Subword Units", section 3.2; on bytes,
with spaces kept in front of words: Radford et al. 2019, "Language Models are Unsupervised Multitask Learners", section 2.2.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

Pair = tuple[str, str]

BYTES = [chr(number) for number in range(256)]  # the pieces that every tokenizer knows
WORD = re.compile(r" ?[^\W\d_]+| ?(?:[\d_]|[^\w\s])+|\s")


def train_merges_simply(words: Mapping[str, int], num_merges: int) -> list[Pair]:
    """Return the pairs to merge, in order: each time the most frequent one, and of several the largest in alphabetical order.

    ``words`` maps each word to its number of occurrences, as `count_words` does. No pair crosses the border of two words. The
    list is shorter if every word has become a single piece.

    >>> train_merges_simply({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3)
    [('s', 't'), ('e', 'st'), ('o', 'w')]

    Raises ValueError for a negative number of merges, and for anything but words with positive counts.
    Source: Sennrich, Haddow and Birch 2016, algorithm 1, which does not say which of several equally frequent pairs is first.
    """
    _check_training(words, num_merges)
    spelled = [(list(word), count) for word, count in words.items()]
    merges: list[Pair] = []
    while len(merges) < num_merges and (counts := count_pairs(spelled)):
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        spelled = [(merge(pieces, *best), count) for pieces, count in spelled]
    return merges


def count_pairs(spelled: Iterable[tuple[Sequence[str], int]]) -> Counter[Pair]:
    """Return how often each pair of neighbours occurs in words that are spelled in pieces, each with its count.

    >>> count_pairs([(["l", "ow"], 5), (["l", "ow", "l", "ow"], 2)])
    Counter({('l', 'ow'): 9, ('ow', 'l'): 2})
    """
    counts: Counter[Pair] = Counter()
    for pieces, count in spelled:
        for pair in pairwise(pieces):
            counts[pair] += count
    return counts


def merge(pieces: Sequence[str], left: str, right: str) -> list[str]:
    """Return the pieces with ``left`` and ``right`` joined wherever they are neighbours. Each piece is used only once.

    >>> merge(["b", "a", "a", "a", "b"], "a", "a")
    ['b', 'aa', 'a', 'b']
    """
    joined: list[str] = []
    for piece in pieces:
        if joined and (joined[-1], piece) == (left, right):
            joined[-1] += piece
        else:
            joined.append(piece)
    return joined


def train_merges(words: Mapping[str, int], num_merges: int) -> list[Pair]:
    """Return the pairs that `train_merges_simply` returns, much faster.

    Only the words that contain a pair are counted again after its merge. Learning 1,024 merges from a million characters
    takes a few seconds in this way; counting everything again each time would take many minutes.

    Raises ValueError as `train_merges_simply` does.
    Source: Sennrich, Haddow and Birch 2016, section 3.2, which suggests it.
    """
    _check_training(words, num_merges)
    spelled = [(list(word), count) for word, count in words.items()]
    counts: Counter[Pair] = Counter()
    places: dict[Pair, set[int]] = defaultdict(set)  # the words that contain a pair, and some that no longer do

    def recount(number: int, pieces: list[str], count: int) -> None:
        for pair in pairwise(pieces):
            counts[pair] += count
            places[pair].add(number)
            if not counts[pair]:
                del counts[pair]

    for number, (pieces, count) in enumerate(spelled):
        recount(number, pieces, count)
    merges: list[Pair] = []
    while counts and len(merges) < num_merges:
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        for number in places.pop(best):
            pieces, count = spelled[number]
            recount(number, pieces, -count)
            spelled[number] = (merge(pieces, *best), count)
            recount(number, *spelled[number])
    return merges


def _check_training(words: Mapping[str, int], num_merges: int) -> None:
    if not isinstance(num_merges, int) or num_merges < 0:
        raise ValueError(f"num_merges must be an integer of 0 or more, got {num_merges!r}")
    if not isinstance(words, Mapping):
        raise ValueError(f"words must map each word to its count, got {type(words).__name__}; try count_words(text)")
    for word, count in words.items():
        if not isinstance(word, str) or not isinstance(count, int) or count < 1:
            raise ValueError(f"words must map strings to counts of 1 or more, got {word!r}: {count!r}")


def split(text: str) -> list[str]:
    """Return the words of a text, with one character per byte: runs of letters, runs of other characters, and line ends.

    A space belongs to the word after it. Joined, the words are the whole text.

    >>> split("the cat, the café")
    ['the', ' cat', ',', ' the', ' cafÃ©']

    Raises ValueError if the text is not a string, or contains half of a surrogate pair, which has no bytes in UTF-8.
    """
    if not isinstance(text, str):
        raise ValueError(f"text must be a string, got {type(text).__name__}; for a file, pass what its `read()` returns")
    try:
        return [word.encode("utf-8").decode("latin-1") for word in WORD.findall(text)]
    except UnicodeEncodeError as error:
        found = f"{error.object[error.start]!r}"
        raise ValueError(f"text must be valid Unicode, got half of a surrogate pair, {found}; leave it out") from None


def count_words(text: str) -> dict[str, int]:
    """Return each different word of a text with its number of occurrences, the most frequent first.

    >>> count_words("no, no, no")
    {',': 2, ' no': 2, 'no': 1}
    """
    return dict(Counter(split(text)).most_common())


class BytePairs:
    """A tokenizer: the 256 bytes, and one more token per merge. The id of a token is its place in ``tokens``.

    Raises ValueError if a merge joins a piece that neither is a byte nor comes from an earlier merge, or if two merges give
    the same token.
    Source: Radford et al. 2019, section 2.2.
    """

    def __init__(self, merges: Iterable[Sequence[str]]):
        self.merges: list[Pair] = [tuple(pair) for pair in merges]
        self.ids = {piece: number for number, piece in enumerate(BYTES)}
        for number, pair in enumerate(self.merges):
            if len(pair) != 2 or not self.ids.keys() >= {*pair} or "".join(pair) in self.ids:
                raise ValueError(
                    f"each merge must join two known pieces into a new one, got {pair} as merge {number}; "
                    "pass all merges, in the order in which they were learned"
                )
            self.ids["".join(pair)] = len(self.ids)
        self.tokens = list(self.ids)
        self._ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self._cache: dict[str, tuple[str, ...]] = {}  # the pieces of each word, since words occur again and again

    @classmethod
    def from_tokens(cls, tokens: Sequence[str]) -> "BytePairs":
        """Return the tokenizer that has these tokens, in the order of their ids.

        The tokens alone are enough: encoded with the merges before its own, a token consists of the two pieces that its merge
        joined. Raises ValueError for tokens that are not 256 bytes and then one per merge.
        """
        if list(tokens[: len(BYTES)]) != BYTES:
            raise ValueError("tokens must begin with the 256 bytes, chr(0) to chr(255); leave out the special tokens")
        merges: list[Pair] = []
        for token in tokens[len(BYTES) :]:
            pieces = _encode_word(token, {pair: rank for rank, pair in enumerate(merges)})
            if len(pieces) != 2:
                raise ValueError(f"each token must consist of two earlier ones, got {token!r}, which has {len(pieces)} pieces")
            merges.append((pieces[0], pieces[1]))
        return cls(merges)

    def __len__(self) -> int:
        return len(self.tokens)

    def tokenize(self, text: str) -> list[str]:
        """Return the pieces of a text, whatever characters it contains. Raises ValueError as `split` does."""
        pieces: list[str] = []
        for word in split(text):
            if word not in self._cache:
                self._cache[word] = tuple(_encode_word(word, self._ranks))
            pieces.extend(self._cache[word])
        return pieces

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, whatever characters it contains. Raises ValueError as `split` does."""
        return [self.ids[piece] for piece in self.tokenize(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of these ids. Bytes that form no character, which a model may write, become U+FFFD.

        Raises ValueError for an id that has no token.
        """
        numbers = [int(number) for number in ids]
        if outside := [number for number in numbers if not 0 <= number < len(self)]:
            raise ValueError(f"ids must be from 0 to {len(self) - 1}, got {outside[0]}; was a different tokenizer used?")
        return "".join(self.tokens[number] for number in numbers).encode("latin-1").decode("utf-8", errors="replace")


def _encode_word(word: str, ranks: Mapping[Pair, int]) -> list[str]:
    """Apply the merges to one word, always the one that was learned first."""
    pieces = list(word)
    while known := [pair for pair in pairwise(pieces) if pair in ranks]:
        pieces = merge(pieces, *min(known, key=ranks.__getitem__))
    return pieces
