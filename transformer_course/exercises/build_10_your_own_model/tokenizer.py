"""Stage B10: a class that learns byte pairs from any text, and turns text into ids and back."""

import json
import re
from collections import Counter
from functools import partial
from typing import ClassVar

from transformer_course import byte_pairs
from transformer_course.runner.forms import run_tokenizer

from ..build_8_real_text.tokens import _decode_ids, _encode_word, decode_ids
from ..exercise import Verdict, an_object, show
from ..families import in_part
from ..kinds.error_hints import ErrorHint
from ..kinds.implement import Implement
from ..kinds.results import arrays, equal, with_entries


class Tokenizer:
    """The right one; each mistake has all of its methods but one or two."""

    def __init__(self, merges):
        self.merges = list(merges)
        self.tokens = [*byte_pairs.BYTES, *("".join(pair) for pair in self.merges)]
        self.ids = {token: number for number, token in enumerate(self.tokens)}

    def __len__(self):
        return len(self.tokens)

    split = staticmethod(byte_pairs.split)

    @classmethod
    def words(cls, text):
        return Counter(cls.split(text))

    @classmethod
    def train(cls, text, num_merges):
        return cls(byte_pairs.train_merges(cls.words(text), num_merges))

    def pieces(self, text):
        return [piece for word in self.split(text) for piece in _encode_word(word, self.merges)]

    def encode(self, text):
        return [self.ids[piece] for piece in self.pieces(text)]

    def decode(self, ids):
        return _decode_ids(ids, self.tokens)

    def to_json(self):
        return json.dumps(self.merges)

    @classmethod
    def from_json(cls, text):
        return cls([tuple(pair) for pair in json.loads(text)])


def _but(**methods):
    return type("Tokenizer", (Tokenizer,), methods)


def _splits(split):
    """A tokenizer that splits a text like this; the words' bytes are its letters."""
    return _but(split=staticmethod(lambda text: [word.encode("utf-8").decode("latin-1") for word in split(text)]))


def _cut_again(cut):
    """A tokenizer that saves the joined strings, and cuts each in two when it reads them."""
    return _but(
        to_json=lambda self: json.dumps(["".join(pair) for pair in self.merges]),
        from_json=classmethod(lambda cls, text: cls([cut(token) for token in json.loads(text)])),
    )


def _growing(self, text):
    known = self.__dict__.setdefault("known", {})
    kept = [known.setdefault(word, [self.ids[x] for x in _encode_word(word, self.merges)]) for word in self.split(text)]
    for ids in kept[1:]:
        kept[0] += ids
    return kept[0] if kept else []


def _draw(rng):
    text = "low lower lowest\nnew newer newest\n" * 3 + "café thé, naïve\nmama mama\n" * 4 + "".join(rng.choice([*"abé "], 60))
    number = int(rng.integers(14, 19))
    texts = ["lowest new\n", "", "café 日本 🎏\tZoë", "  two  spaces\n\n", "new new", "mama"]
    one = {"text": text, "merges": number, "texts": texts}
    ids = [list("café\n".encode()), [233, 256, 10], [], [256, 257, 195, 169]]
    return [[one | {"ids": ids}], [one | {"merges": 0, "ids": [[0xC3], [0xC3, 0xA9], [0xC3, 0xA9, 0xFF]]}]]


LABELS = {"size": "len(tokenizer)", "ids": "encode({!r})", "texts": "decode({})"}


class Class(Implement):
    """Write a class with methods that return ids and texts. A message shows the first call with another result."""

    kind: ClassVar[str] = "tokenizer"
    backends = (run_tokenizer.__name__,)

    def _read(self, outcome, expected):
        return with_entries(outcome, expected.value)

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return self._raised(outcome)
        seen, right = outcome.value, expected.value
        if not isinstance(seen["json"], str) or seen["json"] != "str":
            return Verdict(False, "type", f"`to_json` should return a string, but returns {an_object(str(seen['json']))}.")
        for after, where in (("", ""), (" again", ", after `Tokenizer.from_json(tokenizer.to_json())`")):
            for key, called in LABELS.items():
                label = called if key != "size" else "`len(tokenizer)`"
                asked = question[0]["texts" if key == "ids" else "ids"]
                if key == "size" or not isinstance(seen[key + after], list) or len(seen[key + after]) != len(asked):
                    pairs = [(None, seen[key + after], right[key + after])]
                else:
                    pairs = zip(asked, seen[key + after], right[key + after], strict=True)
                for given, found, wanted in pairs:
                    if not equal(arrays(found), arrays(wanted)):
                        call = label if given is None else f"`{called.format(given)}`"
                        message = f"{call} should be {show(wanted)}, but is {show(found)}{where}."
                        return Verdict(False, "value", message)
        return None


tokenizer = Class(
    id="build.tokenizer",
    answer_name="Tokenizer",
    prompt="A tokenizer that learns byte pairs from any text, encodes and decodes, and can be written as JSON.",
    reference=Tokenizer,
    draw=_draw,
    error_hints=(
        ErrorHint(
            r"^'(NoneType|list)' object has no attribute 'to_json'",
            "`train` should return a tokenizer. Does it end with `return cls(merges)`?",
        ),
        ErrorHint(
            r"^'(NoneType|list)' object has no attribute '(encode|decode)'|object of type 'NoneType' has no len",
            "`from_json` should return a tokenizer. Does it end with `return cls(merges)`?",
        ),
        ErrorHint(
            r"not JSON serializable|the JSON object must be str", "`json.dumps(…)` gives a string, `json.loads(…)` reads it."
        ),
        ErrorHint(
            r"^'[^\x00-\xff]'",
            "That is a character, but the tokens are made of bytes. `split` writes each byte as one character: does every "
            "word in your class come from it?",
        ),
        ErrorHint(
            r"^list index out of range",
            "`decode` met an id that has no token. Does `train` learn `num_merges` merges? The 256 bytes come on top of them.",
        ),
        ErrorHint(
            r"has no attribute 'items'", "`train_merges` takes a dictionary from words to counts, such as `Counter(words)`."
        ),
    ),
    why="Every text is bytes, and every byte has an id, so nothing that anybody writes can be lost.",
    hints=(
        "`train`: `Counter(split(text))` counts the words. `cls(…)` makes a tokenizer of the merges that `train_merges` "
        "returns.",
        "`encode`: for each word of `split(text)`, the pieces of `encode_word(word, self.merges)`, and of each piece its id, "
        "all in one list.",
        "`decode` is one call of `decode_ids`. `to_json` writes `self.merges`, and `from_json` makes a tokenizer of what "
        "it reads.",
    ),
    mistakes={
        "each word counted once": (
            "You count each word once, however often it occurs, so rare words decide as much as frequent ones.",
            "`Counter(words)` counts how often each word occurs.",
            _but(words=classmethod(lambda cls, text: dict.fromkeys(cls.split(text), 1))),
        ),
        "the text not split": (
            "You treat the whole text as one word, so pieces cross from word to word.",
            "`split(text)` gives the words. `train` and `encode` both need it.",
            _splits(lambda text: [text]),
        ),
        "spaces lost": (
            "Spaces and line ends are lost on the way, so the text cannot be put together again.",
            "`text.split()` drops them. The function `split` keeps them.",
            _splits(str.split),
        ),
        "trained on other words": (
            "`train` counts words without the spaces in front of them, but `encode` has words with spaces. So the merges that "
            "were learned fit few of them.",
            "`split(text)` gives the words for both.",
            _but(words=classmethod(lambda cls, text: Counter(text.split()))),
        ),
        "spaces by themselves": (
            "Your words come without the space in front of them, so each space costs a token of its own.",
            "`split` leaves the space with the word after it.",
            _splits(partial(re.findall, r"\w+|[^\w\s]+|\s")),
        ),
        "never merged": (
            "`encode` returns one id per byte: no merge is applied.",
            "`encode_word(word, self.merges)` gives the pieces of a word.",
            _but(pieces=lambda self, text: [letter for word in self.split(text) for letter in word]),
        ),
        "words without a token dropped": (
            "You look up whole words, and drop those that are no token.",
            "A word consists of pieces. Each piece has an id.",
            _but(encode=lambda self, text: [self.ids[word] for word in self.split(text) if word in self.ids]),
        ),
        "a kept list grows": (
            "The second time, `encode` gives other ids for a word: its list in `self.known` has grown. Your result began as "
            "that list itself, and the ids of the next words were added to it.",
            "Begin with a list of your own, `ids = []`.",
            _but(encode=_growing),
        ),
        "a list for each word": (
            "`encode` returns a list of lists, one for each word. A model needs all ids in one row.",
            "`extend`, or `+=`, adds the ids of a word to those that are there.",
            _but(encode=lambda self, text: [[self.ids[x] for x in _encode_word(y, self.merges)] for y in self.split(text)]),
        ),
        "pieces in place of ids": (
            "`encode` returns the pieces themselves. A model needs their ids.",
            "`self.ids[piece]` is the id of a piece.",
            _but(encode=Tokenizer.pieces),
        ),
        **in_part(
            "`decode`",
            decode_ids.mistakes,
            lambda decode: _but(decode=lambda self, ids: decode(ids, self.tokens)),
            but=("invalid bytes raise",),
        ),
        "merges in another order": (
            "After `from_json`, the merges are in another order, so the same text gets other ids. A model would read "
            "nonsense.",
            "Write and read the merges in the order in which they were learned.",
            _but(to_json=lambda self: json.dumps(sorted(self.merges))),
        ),
        "joined strings saved": (
            "You save the joined strings. They don't say which two pieces were joined.",
            "Save the pairs themselves: `json.dumps(self.merges)`.",
            *map(_cut_again, (lambda token: (token[0], token[1:]), lambda token: (token[:-1], token[-1]))),
        ),
    },
)
