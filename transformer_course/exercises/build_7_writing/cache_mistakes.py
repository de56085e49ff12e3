"""The wrong ways to keep keys and values that learners find: each a forward pass in NumPy."""

import numpy as np

from ..build_2_one_head.causal_head import scores_of
from ..toolkit import mistake
from .cache_steps import attention, behind, causal, extend, program, stored, table_rows


def _first_piece_then(later):
    """Positions right for the first piece; ``later(caches)`` gives where those of a later one start."""
    return lambda given, n, caches: table_rows(given, later(caches) if caches[0] else 0, n)


def _extended(change):
    """Attention with another way to put keys and values into a cache that has some already."""
    return program(attention(extend=lambda cache, k, v: change(cache, k, v) if cache else extend(cache, k, v)))


def _new_alone(cache, k, v):
    extend(cache, k, v)
    return k, v


def _last_piece_kept(cache, k, v):
    joined = behind(cache["key"], k), behind(cache["value"], v)
    cache["key"], cache["value"] = k, v
    return joined


def _twice(cache, k, v):
    extend(cache, k, v)
    return behind(cache["key"], k), behind(cache["value"], v)


def _first_piece_kept(cache, k, v):
    return behind(cache["key"], k), behind(cache["value"], v)


def _in_front(*parts):
    def joined(cache, k, v):
        for name, new in (("key", k), ("value", v)):
            pair = (new, cache[name]) if name in parts else (cache[name], new)
            cache[name] = np.concatenate(pair, axis=2)
        return cache["key"], cache["value"]

    return _extended(joined)


def _stored_as(change):
    """Attention that is right in each call, but stores ``change(keys, values)``."""

    def stored_otherwise(cache, k, v):
        found = extend(cache, k, v)
        cache["key"], cache["value"] = change(*found)
        return found

    return program(attention(extend=stored_otherwise))


def _added(cache, k, v):
    cache["key"], cache["value"] = cache["key"] + k, cache["value"] + v
    return cache["key"], cache["value"]


def _masked(mask):
    """Two spellings of a wrong mask: a query that may attend to nothing gets NaN, or zeros from torch's own attention."""
    return program(attention(mask=mask)), _unseen_rows_as_zero(mask)


def _unseen_rows_as_zero(mask):
    """Attention by torch's own function, which gives a query that may attend to nothing a row of zeros."""

    def attend(given, x, cache):
        shifted = attention(mask=lambda n, m: mask(n, m) | ~mask(n, m).any(1, keepdims=True))
        found, bias = shifted(given, x, cache), given["w_o.bias"]
        m = cache["key"].shape[2]
        return np.where(mask(x.shape[1], m).any(1)[:, None], found, bias)

    return program(attend)


def _ones_added(q, k):
    return scores_of(q, k) + causal(q.shape[2], k.shape[2])


def _number_of(count):
    """Positions of later pieces that start at another number: ``count(keys)``, of keys with shape (b, h, m, d/h)."""
    return _first_piece_then(lambda caches: count(caches[0]["key"].shape))


MISTAKES = (
    mistake(
        "positions start at 0 again",
        "In every piece, your positions start at 0 again, so the model takes each new token for the first one of a text.",
        "How many tokens come before this piece? The cache knows.",
        program(positions=lambda given, n, caches: table_rows(given, 0, n)),
    ),
    mistake(
        "positions one off",
        "After the first piece, your positions are one too high or one too low.",
        "If 3 tokens are stored, they have the positions 0, 1 and 2. Which one comes next?",
        program(positions=_first_piece_then(lambda caches: stored(caches) - 1)),
        program(positions=_first_piece_then(lambda caches: stored(caches) + 1)),
    ),
    mistake(
        "positions start at another number",
        "After the first piece, your positions start at the wrong number, perhaps the number of heads, of sequences, or of "
        "entries in the dictionary.",
        'Which axis of `cache["key"]`, `(b, h, m, d/h)`, counts the tokens?',
        *(program(positions=_number_of(lambda shape, axis=axis: shape[axis])) for axis in (1, 0, 3)),
        program(positions=_number_of(lambda shape: 2)),
    ),
    mistake(
        "one position per piece",
        "All tokens of a piece get the same position. This shows only in pieces of several tokens.",
        "n new tokens need n positions.",
        program(positions=lambda given, n, caches: table_rows(given, stored(caches), 1)),
    ),
    mistake(
        "mask not moved",
        "Your mask lets the first new token see only the first key, as if no tokens came before it. Its diagonal has to "
        "start further to the right.",
        "How many keys come before the new ones? `tril` takes that number.",
        program(attention(mask=lambda n, m: causal(n, m) & np.tri(n, m, dtype=bool))),
    ),
    mistake(
        "mask one column off",
        "Your mask is one column off: each token also sees the next one, or does not see itself.",
        "Write down the mask for n = 2 new tokens and m = 5 keys. How many entries are True in each row?",
        program(attention(mask=lambda n, m: np.tri(n, m, m - n + 1, dtype=bool))),
        *_masked(lambda n, m: np.tri(n, m, m - n - 1, dtype=bool)),
    ),
    mistake(
        "mask moved by one, always",
        "You always move the diagonal of the mask by one. How far it has to move depends on how many tokens are stored.",
        "How many keys come before the new ones? `tril` takes that number.",
        program(attention(mask=lambda n, m: np.tri(n, m, 1, dtype=bool))),
    ),
    mistake(
        "mask moved the wrong way",
        "You move the diagonal of the mask to the left, so that the new tokens see even fewer keys.",
        "A positive number for `tril` moves it to the right.",
        *_masked(lambda n, m: np.tri(n, m, n - m, dtype=bool)),
    ),
    mistake(
        "mask upside down",
        "Your mask has True where it should have False, or shows the later tokens in place of the earlier ones.",
        "True means “may attend”, and `tril` keeps the diagonal and what is below it.",
        program(attention(mask=lambda n, m: np.triu(np.ones((n, m), dtype=bool), m - n))),
        _unseen_rows_as_zero(lambda n, m: ~causal(n, m)),
    ),
    mistake(
        "a mask of numbers",
        "Your mask consists of ones and zeros. torch adds such numbers to the scores, so that nothing is hidden.",
        "Make the mask with `dtype=torch.bool`.",
        program(attention(mask=lambda n, m: np.ones((n, m), bool), score=_ones_added)),
    ),
    mistake(
        "no causal mask",
        "In a piece of several tokens, each of them also sees the later ones. With one token at a time it does not show.",
        "Every new token sees all stored ones, but among the new ones only itself and those before it.",
        program(attention(mask=lambda n, m: np.ones((n, m), dtype=bool))),
    ),
    mistake(
        "mask for the new tokens alone",
        "Your mask has shape (n, n), but there are m keys. For a single new token it fits by chance.",
        "A mask has a row per query and a column per key.",
        program(attention(mask=lambda n, m: np.tri(n, dtype=bool))),
    ),
    mistake(
        "new tokens see only themselves",
        "You store keys and values, but attention uses only the new ones, so the model cannot see the text before them.",
        "Which `k` and `v` go into attention? They should contain the stored ones.",
        _extended(_new_alone),
    ),
    mistake(
        "nothing kept",
        "Nothing is stored: each piece is treated as a text of its own.",
        "Does each block call `self.attend`, with its cache? And does that write into the dictionary that it is given, "
        '`cache["key"] = …`? (`cache = …` would only rename it.)',
        program(attention(extend=lambda cache, k, v: (k, v))),
    ),
    mistake(
        "only the last piece kept",
        "You store only the new keys and values, so the next piece can see just the one before it.",
        "Store what you have joined.",
        program(attention(extend=lambda cache, k, v: _last_piece_kept(cache, k, v) if cache else extend(cache, k, v))),
    ),
    mistake(
        "only the first piece kept",
        "You store the first piece, but none of the later ones.",
        "Store the joined keys and values in every call, even if the cache has some already.",
        _extended(_first_piece_kept),
    ),
    mistake(
        "new keys in front",
        "You put the new keys and values before the stored ones. The mask expects the keys in the order of the text.",
        "`torch.cat` joins tensors in the order of the list.",
        _in_front("key", "value"),
    ),
    mistake(
        "keys and values in different orders",
        "You join keys in one order and values in the other, so a weight meets the value of a different token.",
        "The earlier ones come first, for both.",
        _in_front("key"),
        _in_front("value"),
    ),
    mistake(
        "new tokens twice",
        "The new tokens are among the keys twice: you join them with a cache that contains them already.",
        "Join once, then store the result.",
        _extended(_twice),
        program(attention(extend=_twice)),
    ),
    mistake(
        "keys and values swapped",
        "Keys are stored as values, and values as keys. This shows only in the next piece.",
        'What belongs to `cache["key"]`?',
        _stored_as(lambda k, v: (v, k)),
    ),
    mistake(
        "the same stored twice",
        "You store the same tensor as keys and as values.",
        'Look at what goes into `cache["key"]` and `cache["value"]`.',
        _stored_as(lambda k, v: (k, k)),
        _stored_as(lambda k, v: (v, v)),
    ),
    mistake(
        "added in place of joined",
        "You add new keys to the stored ones, number by number. Each token needs keys and values of its own.",
        "`torch.cat([…, …], dim=2)` joins tensors; `+` adds their numbers.",
        _extended(_added),
    ),
    mistake(
        "one cache for all blocks",
        "All blocks use the same cache, so a block finds keys and values that belong to other blocks.",
        "`caches` has one dictionary per block.",
        program(cache_of=lambda caches, number: caches[0]),
    ),
    mistake(
        "attention without its norm",
        "Attention gets x itself. In your `Block`, it gets the normalised copy.",
        "Pass `block.norm_1(x)`.",
        program(first_norm=lambda given, x: x),
    ),
    mistake(
        "feed-forward network without its norm",
        "The feed-forward network gets x itself. In your `Block`, it gets the normalised copy.",
        "Pass `block.norm_2(x)`.",
        program(second_norm=lambda given, x: x),
    ),
    mistake(
        "no residual connections",
        "You pass on what attention and the feed-forward network return, without adding it to x.",
        "`x = x + …`, twice per block.",
        program(add_1=False, add_2=False),
        program(add_1=False),
        program(add_2=False),
    ),
    mistake(
        "no final norm",
        "`final_norm` is never used. Your `GPT` normalises the stream once more before the output layer.",
        "Apply it after the last block.",
        program(final=lambda given, x: x),
    ),
    mistake(
        "merged by a reshape alone",
        "You joined the heads with a reshape alone. Each row then holds several tokens of one head.",
        "Swap the axes of tokens and heads back before you flatten them.",
        program(attention(join=lambda heads: heads.reshape(len(heads), heads.shape[2], -1))),
    ),
    mistake(
        "the last token only",
        "You return logits for the last token of each piece. Return them for all new tokens.",
        "Cut nothing off: the caller takes what it needs.",
        program(last=lambda given, logits: logits[:, -1:]),
    ),
)
