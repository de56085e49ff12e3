"""The wrong ways to keep keys and values that learners find: each a forward pass in NumPy."""

import numpy as np

from ..build_4_a_gpt.block import in_block
from ..exercise import in_order
from ..families import adapted, in_part
from ..families import cache as cache_of
from ..families.cache import CACHE
from ..families.multi_head import MASKED, MULTI_HEAD
from ..families.stack import OUTPUT, STACK
from ..toolkit import softmax
from .cache_steps import attention, causal, contents, extend, program, store, stored, table_rows


def _extended(later):
    """Attention with another way to put keys and values into a cache that has some already."""
    return program(attention(lambda cache, k, v: later(cache, k, v) if cache else extend(cache, k, v)))


def _used_only(join):
    """What attention gets is joined in a wrong way, and what is stored is right."""

    def use(cache, k, v):
        old = contents(cache)
        extend(cache, k, v)
        return join(old, (k, v))

    return _extended(use)


def _stored_only(join):
    """What is stored is joined in a wrong way, and what attention gets is right."""

    def keep(cache, k, v):
        old = contents(cache) if cache else (k[:, :, :0], v[:, :, :0])
        found, kept = extend(cache, k, v), join(old, (k, v))
        store(cache, kept if kept[0].size else found)
        return found

    return program(attention(keep))


def _first_piece_then(later):
    """Positions right for the first piece; ``later(caches)`` gives where those of a later one start."""
    return lambda given, n, caches: table_rows(given, later(caches) if caches[0] else 0, n)


def _number_of(count):
    """Positions of later pieces that start at another number: ``count(keys)``, of keys with shape (b, h, m, d/h)."""
    return _first_piece_then(lambda caches: count(caches[0]["key"].shape))


def _masked(mask):
    """Two spellings of a wrong mask: a query that may attend to nothing gets NaN, or zeros from torch's own attention."""
    zeros = {"weigh_masked": lambda scores, seen: np.nan_to_num(softmax(np.where(seen, scores, -np.inf)))}
    return program(attention(mask=mask)), program(attention(mask=mask, **zeros))


# Some of what goes wrong in attention, with a cache or without.
OF_ATTEND = (
    "merged by a reshape alone",
    "not scaled",
    "exp overflows",
    "not low enough",
    "masked after softmax",
    "the forbidden scores took part",
    "w_o left out",
)
ERRORS = "only keys", "only values", "joined along the batch", "joined along the heads", "joined along the width"

MISTAKES = {
    "positions start at 0 again": (
        "In every piece, your positions start at 0 again, so the model takes each new token for the first one of a text.",
        "How many tokens come before this piece? The cache knows.",
        program(positions=lambda given, n, caches: table_rows(given, 0, n)),
    ),
    "positions one off": (
        "After the first piece, your positions are one too high or one too low.",
        "If 3 tokens are stored, they have the positions 0, 1 and 2. Which one comes next?",
        program(positions=_first_piece_then(lambda caches: stored(caches) - 1)),
        program(positions=_first_piece_then(lambda caches: stored(caches) + 1)),
    ),
    "positions start at another number": (
        "After the first piece, your positions start at the wrong number, perhaps the number of heads, of sequences, or of "
        "entries in the dictionary.",
        'Which axis of `cache["key"]`, `(b, h, m, d/h)`, counts the tokens?',
        *(program(positions=_number_of(lambda shape, axis=axis: shape[axis])) for axis in (1, 0, 3)),
        program(positions=_number_of(lambda shape: 2)),
    ),
    "one position per piece": (
        "All tokens of a piece get the same position. This shows only in pieces of several tokens.",
        "n new tokens need n positions.",
        program(positions=lambda given, n, caches: table_rows(given, stored(caches), 1)),
    ),
    "mask not moved": (
        "Your mask lets the first of several new tokens see only the first key, as if no tokens came before it. Its diagonal "
        "has to start further to the right.",
        "How many keys come before the new ones? `tril` takes that number.",
        program(attention(mask=lambda n, m: np.tri(n, m, dtype=bool))),
        program(attention(mask=lambda n, m: np.tri(n, m, 0 if n > 1 else m - n, dtype=bool))),
    ),
    "positions start at 0 again, and mask not moved": (
        "A later piece is read as if no tokens came before it: its positions start at 0, and its mask lets the first new "
        "token see only the first key.",
        "How many tokens come before this piece? The cache knows. Both the positions and the mask begin there.",
        program(attention(mask=lambda n, m: np.tri(n, m, dtype=bool)), lambda given, n, caches: table_rows(given, 0, n)),
    ),
    "mask one column off": (
        "Your mask is one column off: each token also sees the next one, or does not see itself.",
        "Write down the mask for n = 2 new tokens and m = 5 keys. How many entries are True in each row?",
        program(attention(mask=lambda n, m: np.tri(n, m, m - n + 1, dtype=bool))),
        *_masked(lambda n, m: np.tri(n, m, m - n - 1, dtype=bool)),
    ),
    "mask moved by one, always": (
        "You always move the diagonal of the mask by one. How far it has to move depends on how many tokens are stored.",
        "How many keys come before the new ones? `tril` takes that number.",
        program(attention(mask=lambda n, m: np.tri(n, m, 1, dtype=bool))),
        program(attention(mask=lambda n, m: np.tri(n, m, 1 if n > 1 else m - n, dtype=bool))),
    ),
    "mask moved the wrong way": (
        "You move the diagonal of the mask to the left, so that the new tokens see even fewer keys.",
        "A positive number for `tril` moves it to the right.",
        *_masked(lambda n, m: np.tri(n, m, n - m, dtype=bool)),
    ),
    "mask upside down": (
        "Your mask has True where it should have False, or shows the later tokens in place of the earlier ones.",
        "True means “may attend”, and `tril` keeps the diagonal and what is below it.",
        program(attention(mask=lambda n, m: np.triu(np.ones((n, m), dtype=bool), m - n))),
        _masked(lambda n, m: ~causal(n, m))[1],
    ),
    "a mask of numbers": (
        "Your mask consists of ones and zeros. torch adds such numbers to the scores, so that nothing is hidden.",
        "Make the mask with `dtype=torch.bool`.",
        program(attention(weigh_masked=lambda scores, mask: softmax(scores + mask))),
    ),
    "no causal mask": (
        "In a piece of several tokens, each of them also sees the later ones. With one token at a time it does not show.",
        "Every new token sees all stored ones, but among the new ones only itself and those before it.",
        program(attention(mask=lambda n, m: np.ones((n, m), dtype=bool))),
        program(attention(mask=lambda n, m: causal(n, m) | (n < m))),
    ),
    "mask for the new tokens alone": (
        "Your mask has shape (n, n), but there are m keys. For a single new token it fits by chance.",
        "A mask has a row per query and a column per key.",
        program(attention(mask=lambda n, m: np.tri(n, dtype=bool))),
    ),
    "nothing kept": (
        "Nothing is stored: each piece is treated as a text of its own.",
        "Does each block call `self.attend`, with its cache? And does that write into the dictionary that it is given, "
        '`cache["key"] = …`? (`cache = …` would only rename it.)',
        program(attention(extend=lambda cache, k, v: (k, v))),
    ),
    "one cache for all blocks": (
        "All blocks use the same cache, so a block finds keys and values that belong to other blocks.",
        "`caches` has one dictionary per block.",
        program(cache_of=lambda caches, number: caches[0]),
    ),
    **adapted(
        CACHE,
        lambda join: _extended(lambda cache, k, v: extend(cache, k, v, join)),
        but=ERRORS,
        more={"new ones twice": (program(attention(lambda cache, k, v: cache_of.extend(extend(cache, k, v), (k, v)))),)},
    ),
    **in_part("what attention gets", CACHE, _used_only, but=("the same twice", *ERRORS)),
    **in_part("what you store", CACHE, _stored_only, but=("new ones in front", *ERRORS)),  # in any order they are all seen
    **in_part(
        "your `attend`",
        (each for each in in_order({**MULTI_HEAD, **MASKED}) if each.name in OF_ATTEND),
        lambda steps: program(attention(**steps)),
    ),
    **adapted(in_block(), lambda wire: program(wire=wire), but=("not all of attention's inputs normalised",)),
    **adapted(
        STACK,
        lambda run: program(run=run),
        but=("a residual connection around every layer",),
        layer="block",
        layers="`self.blocks`",
        norm="`self.final_norm`",
    ),
    **adapted(OUTPUT, lambda last: program(last=last), logits="what `self.output` gives"),
}
