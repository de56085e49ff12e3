"""Stage B8: from a word to its pieces, and from ids back to text."""

from functools import partial
from itertools import pairwise

from transformer_course import byte_pairs

from ..families import in_part
from ..families.merges import MERGE, PIECES_ONLY, first_only
from ..kinds import ImplementStrings
from ..kinds.error_hints import ErrorHint
from .train_merges import MERGE_HINT, random_words


def _encode_word(word, merges, join=byte_pairs.merge):
    pieces = list(word)
    for pair in merges:
        pieces = join(pieces, *pair)
    return pieces


def _one_at_a_time(word, merges, choose=min):
    """Merge the pair that was learned first (or last, with ``max``), as long as there is one."""
    pieces = list(word)
    while known := [merges.index(pair) for pair in pairwise(pieces) if pair in merges]:
        pieces = byte_pairs.merge(pieces, *merges[choose(known)])
    return pieces


def _leftmost(word, merges):
    """Merge the leftmost pair that is in the list, whenever it was learned."""
    pieces = list(word)
    while pair := next((each for each in pairwise(pieces) if each in merges), None):
        pieces = first_only(pieces, *pair)
    return pieces


def _longest(word, merges):
    """Take the longest token with which the rest of the word begins."""
    tokens, pieces = {"".join(pair) for pair in merges}, []
    while word:
        length = max(size for size in range(1, len(word) + 1) if size == 1 or word[:size] in tokens)
        pieces.append(word[:length])
        word = word[length:]
    return pieces


def _one_merge(word, merges):
    """Stop after the first merge that changes something."""
    pieces = list(word)
    return next((joined for pair in merges if (joined := byte_pairs.merge(pieces, *pair)) != pieces), pieces)


def _until_one_changes_nothing(word, merges):
    pieces = list(word)
    for pair in merges:
        before, pieces = pieces, byte_pairs.merge(pieces, *pair)
        if pieces == before:
            break
    return pieces


def _with_unknown(mark):
    """What becomes of letters that no merge mentions."""

    def encode(word, merges):
        known = {piece for pair in merges for piece in (*pair, "".join(pair))}
        return [each for piece in _encode_word(word, merges) for each in ([piece] if piece in known else mark)]

    return encode


def _draw_words(rng):
    def learned(words, num_merges):
        return [list(pair) for pair in byte_pairs.train_merges(words, num_merges)]

    text = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    ab, abc = (learned(random_words(rng, 12, letters, 8), 9) for letters in ("ab", "abc"))
    return [
        ["lowest", learned(text, 4)],
        ["abcd", [["b", "c"], ["a", "b"], ["c", "d"], ["a", "bc"]]],
        ["abcab", [["a", "b"], ["b", "c"], ["ab", "c"], ["abc", "a"]]],
        ["xyzxyz", [["y", "z"], ["x", "y"], ["x", "yz"], ["xyz", "xyz"]]],
        ["aaaaa", [["a", "a"], ["aa", "a"]]],
        ["the", [["h", "e"], ["t", "h"], ["th", "e"]]],
        ["été", learned(text, 10)],
        ["slow", []],
        [" Low low ", [["l", "o"], ["lo", "w"], [" ", "low"]]],
        *(["".join(rng.choice(list("abab?"), 14)), ab] for _ in range(2)),
        *(["".join(rng.choice(list("abc"), 16)), abc] for _ in range(2)),
    ]


encode_word = ImplementStrings(
    id="build.encode_word",
    answer_name="encode_word",
    prompt="The pieces of a word: its letters, joined by the merges in the order in which they were learned.",
    reference=lambda word, merges: _encode_word(word, merges),
    items="pieces",
    draw=_draw_words,
    alternatives=(_one_at_a_time,),
    error_hints=(
        MERGE_HINT,
        ErrorHint(
            r"is not in list|^\(.*\) \(in|^\('",
            "Not every pair of neighbours was learned. Look only for those that are in `merges`.",
        ),
        ErrorHint(
            r"min\(\) (arg|iterable argument) is (an )?empty( sequence)?",
            "A word of one letter has no pairs.",
            plain="there was no pair to choose from",
        ),
    ),
    why="Applied in the order of training, the merges cut a word exactly as they cut it in the training text.",
    hints=(
        "Begin with the letters, `list(word)`, as in training.",
        "Which merge was learned first? Apply it to the whole word with your `merge`. Then the second one, and so on.",
        "Letters that no merge mentions are never joined, so they stay as they are. They need no special case.",
    ),
    mistakes={
        "longest match": (
            "At each place you take the longest token that fits. WordPiece, BERT's tokenizer, does that, but it splits some "
            "words differently from training.",
            "Don't compare tokens with the word: go through the merges in their order.",
            _longest,
        ),
        "merges of long pieces without effect": (
            "Merges that make pieces of more than two letters have no effect in your answer. That happens if the longest "
            "merges come first: nothing has made their parts yet.",
            "Apply all merges, in the order of the list.",
            lambda word, merges: _encode_word(word, sorted(merges, key=lambda pair: -len("".join(pair)))),
        ),
        "the word as one piece": (
            "You begin with the whole word as a single piece, so there is nothing to join.",
            "Begin with the letters, `list(word)`.",
            lambda word, merges: [word],
        ),
        "order ignored": (
            "You merge from left to right whatever pair is in the list. An earlier merge may need one of these letters.",
            "The order of the merges decides, not the place in the word.",
            _leftmost,
        ),
        "last merge first": (
            "You apply the merges in the opposite order, the last one first.",
            "The first merge of the list was learned first, so it comes first here too.",
            lambda word, merges: _encode_word(word, merges[::-1]),
            lambda word, merges: _one_at_a_time(word, merges, choose=max),
        ),
        **in_part("joining a pair", MERGE, lambda join: partial(_encode_word, join=join), but=PIECES_ONLY),
        "one merge only": (
            "You stop after the first merge that fits. Later merges can join what it produced.",
            "Is there a `return` inside your loop?",
            _one_merge,
        ),
        "stops where a merge finds nothing": (
            "You stop at the first merge whose pair is not in the word. Later merges may still fit.",
            "A merge that changes nothing is no reason to stop: go on with the next one.",
            _until_one_changes_nothing,
        ),
        "never merged": (
            "You return the letters of the word, without any merge.",
            "`merge` returns a new list. Keep it as `pieces`.",
            lambda word, merges: list(word),
        ),
        "unknown letters dropped": (
            "You drop letters that no merge mentions. Then the text cannot be put together again.",
            "Keep such a letter as a piece of its own.",
            _with_unknown([]),
        ),
        "unknown letters replaced": (
            "You put a mark for “unknown” in place of letters that no merge mentions. Then the text cannot be put together "
            "again, and all such letters look the same.",
            "Keep such a letter as a piece of its own.",
            *(_with_unknown([mark]) for mark in ("<unk>", "<unknown>", "<UNK>", "[UNK]", "unk", "UNK", "")),
        ),
        "spaces dropped": (
            "You drop spaces. Here a space belongs to the word after it, as in “ the”. Without it, the text cannot be put "
            "together again.",
            "Begin with all characters of the word, `list(word)`.",
            lambda word, merges: _encode_word(word.strip(), merges),
            lambda word, merges: _encode_word(word.lstrip(), merges),
            lambda word, merges: _encode_word(word.replace(" ", ""), merges),
        ),
        "capitals made small": (
            "You make capitals small, so the pieces no longer spell the word.",
            "Begin with the letters as they are, `list(word)`.",
            lambda word, merges: _encode_word(word.lower(), merges),
        ),
    },
)


def _decode_ids(ids, tokens):
    return _bytes(ids, tokens).decode("utf-8", errors="replace")


def _bytes(ids, tokens):
    return "".join(tokens[number] for number in ids).encode("latin-1")


def _each_decoded(ids, tokens):
    return "".join(_decode_ids([number], tokens) for number in ids)


def _draw_ids(rng):
    def cut(text, *cuts):
        """A text cut at these bytes, shuffled into a table of tokens, and its ids."""
        spelled = text.encode("utf-8").decode("latin-1")
        pieces = [spelled[a:b] for a, b in pairwise((0, *cuts, len(spelled)))]
        tokens = sorted(dict.fromkeys((*pieces, " ", "q")), key=lambda piece: rng.random())  # a set has an order of its own
        return [[tokens.index(piece) for piece in pieces], tokens]

    return [
        cut("the tokens", 3, 6),
        cut(" café au lait\n", 5, 8),
        cut("naïve, déjà vu", 3, 4, 9, 14),
        cut("λ → 日本", 1, 2, 4, 7, 9),
        [[1, 0, 2], ["\xc3", "caf", " au"]],
        [[0, 1, 0], ["\xff", "ab"]],
        [[1, 2, 0], ["\xff", "caf\xc3", "\xa9"]],  # bytes that form no character, and a character in two tokens
        [[], ["a", "b"]],
    ]


decode_ids = ImplementStrings(
    id="build.decode_ids",
    answer_name="decode_ids",
    prompt="The text of a list of ids: their tokens put together, as bytes, and read as UTF-8.",
    reference=_decode_ids,
    items="characters",
    draw=_draw_ids,
    error_hints=(
        ErrorHint(
            r"'[\w-]+' codec can't decode.*?(?= \(in|$)",
            "A token may end in the middle of a character, so join all tokens before you decode. A model may also write bytes "
            'that form no character: pass `errors="replace"` to `decode`.',
            plain="these bytes are not valid UTF-8",
        ),
        ErrorHint(
            r"expected a bytes-like object, str found",
            'The tokens are strings: join them with `"".join`, then turn the result into bytes with `.encode("latin-1")`.',
        ),
        ErrorHint(
            r"is not in list",
            "An id is the position of its token: `tokens[number]`, not `tokens.index(number)`.",
        ),
        ErrorHint(
            r"has no attribute 'decode'",
            'A string has no `decode`. Turn it into bytes first: `.encode("latin-1")`.',
        ),
        ErrorHint(
            r"expected str instance, int found",
            "An id is the position of its token: look it up in `tokens`.",
        ),
    ),
    why="A token may hold half of a character, so only all bytes together can be read as UTF-8.",
    hints=(
        "Look up each id in `tokens` and join what you find into one string.",
        'In this string each character stands for one byte. `.encode("latin-1")` turns it into bytes.',
        '`.decode("utf-8", errors="replace")` reads these bytes as text.',
    ),
    mistakes={
        "characters of bytes": (
            "What should be “é” comes out as “Ã©”: each character of a token stands for a byte, and you left it as it was.",
            '`.encode("latin-1")` turns each of them into its byte (UTF-8 would make two of one). Then decode these bytes.',
            lambda ids, tokens: "".join(tokens[number] for number in ids),
        ),
        "the two encodings swapped": (
            "You swapped the two encodings: UTF-8 turns “é” into two bytes, which Latin-1 then shows as “Ã©”.",
            'First `.encode("latin-1")`, a byte for each character; then `.decode("utf-8", …)`.',
            lambda ids, tokens: "".join(tokens[number] for number in ids).encode("utf-8").decode("latin-1"),
        ),
        "bytes shown as text": (
            "You return the bytes as Python displays them, with a b and quotes.",
            "`str` does not decode bytes. Use their method `decode`.",
            lambda ids, tokens: str(_bytes(ids, tokens)),
        ),
        "each token by itself": (
            "You decode each token by itself. A character's bytes may be split between two tokens, and neither half is a "
            "character.",
            "Join all tokens first, then decode once.",
            _each_decoded,
            lambda ids, tokens: (_each_decoded if "�" in _decode_ids(ids, tokens) else _decode_ids)(ids, tokens),
        ),
        "invalid bytes raise": (
            "Your function raises an error for bytes that form no character. A model may well write such bytes.",
            "`decode` can replace them: see its parameter `errors`.",
            lambda ids, tokens: _bytes(ids, tokens).decode("utf-8"),
        ),
        "invalid bytes dropped": (
            "You drop bytes that form no character, so nothing shows that something was there.",
            'With `errors="replace"`, they become the character “�”.',
            lambda ids, tokens: _bytes(ids, tokens).decode("utf-8", errors="ignore"),
        ),
        "spaces between tokens": (
            "You put spaces between the tokens. A token is a part of a word, and spaces are in the tokens themselves.",
            'Join them with nothing in between: `"".join(…)`.',
            lambda ids, tokens: " ".join(tokens[number] for number in ids).encode("latin-1").decode("utf-8", errors="replace"),
        ),
        "a list of tokens": (
            "You return the tokens as a list. The result should be one string.",
            "Join them, then decode.",
            lambda ids, tokens: [tokens[number] for number in ids],
            lambda ids, tokens: [_decode_ids([number], tokens) for number in ids],
        ),
    },
)
