"""Stage B7: a GPT that reads only new tokens, with the keys and values of the earlier ones in caches."""

from dataclasses import replace

import numpy as np

from ..build_4_a_gpt.gpt import gpt
from ..exercise import as_array, listed
from ..kinds import Module
from ..kinds.module_faults import KEPT, STATE
from ..toolkit import mistake
from .cache_steps import attention, behind, causal, extend, program, stored, table_rows


class CachedModule(Module):
    """Write a GPT whose calls get a text in pieces, and a mapping per layer, which begins empty with each text."""

    def questions(self, seed):
        return [[{**question, "caches": question["sizes"]["num_layers"]}] for [question] in super().questions(seed)]

    def call_described(self, question, number):
        tokens, sizes = question["calls"][number]
        pieces = f"in pieces of {listed([*map(str, sizes)])}" if len(sizes) > 1 else "in one piece"
        return f"`{self.described(question)}` and tokens of shape {tokens.shape}, {pieces}"

    def _behaviour(self, seed, questions, runs):
        verdict = super()._behaviour(seed, questions, runs)
        if verdict.mistake in (STATE.name, KEPT.name):
            return replace(
                verdict,
                message="The second text gives different logits from the first, although both have the same tokens and new "
                "caches: something is kept from the previous text.",
                hint="Keep keys and values in `caches` alone, and nothing on `self`.",
                mistake="something kept from the previous text",
            )
        return verdict

    def _problem(self, question, number, call, right):
        problem, sizes = super()._problem(question, number, call, right), question["calls"][number][1]
        if problem is None or len(sizes) == 1:
            return problem
        if call.error == "RuntimeError":  # torch raises it for shapes that do not fit
            hint = "After the first piece, `k` and `v` should have shape (b, h, m, d/h), where m counts all tokens so far."
            return replace(problem, hint=f"{hint} The mask should have shape (n, m).")
        seen = as_array(call.value)
        if problem.reason != "value" or not np.isfinite(seen).all():
            return problem
        wrong = (~np.isclose(seen, right, rtol=1e-4, atol=1e-5)).any(axis=(0, 2)).argmax()
        piece = int((np.cumsum(sizes) <= wrong).sum()) + 1
        return replace(problem, message=f"{problem.message} The first wrong logits are those of piece {piece}.")


def _sizes(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
    return {"vocabulary_size": vocabulary_size, "max_length": max_length, "d_model": d_model, "num_heads": num_heads,
            "num_layers": num_layers, "d_ff": d_ff}  # fmt: skip


def _draw(rng):
    def text(vocabulary, batch, *pieces):
        return [rng.integers(0, vocabulary, (batch, sum(pieces))), list(pieces)]

    return [
        (_sizes(9, 12, 6, 3, 2, 7), [text(9, *each) for each in ((2, 5), (2, 3, 1, 1, 2), (1, 1, 1, 1, 1, 1), (3, 2, 4))]),
        (_sizes(5, 8, 4, 2, 3, 8), [text(5, *each) for each in ((2, 3), (2, 5, 1, 1, 1), (3, 1, 3))]),
    ]


def _first_piece_then(later):
    """Positions right for the first piece; ``later(stored tokens)`` gives where those of a later one start."""
    return lambda given, n, caches: table_rows(given, later(stored(caches)) if stored(caches) else 0, n)


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


def _unseen_rows_as_zero(mask):
    """Attention by torch's own function, which gives a query that may attend to nothing a row of zeros."""

    def score(q, k):
        return q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1])

    def attend(given, x, cache):
        shifted = attention(mask=lambda n, m: mask(n, m) | ~mask(n, m).any(1, keepdims=True), score=score)
        found, bias = shifted(given, x, cache), given["w_o.bias"]
        m = cache["key"].shape[2]
        return np.where(mask(x.shape[1], m).any(1)[:, None], found, bias)

    return program(attend)


def _itself_hidden(n, m):
    return np.tri(n, m, m - n - 1, dtype=bool)


cached_gpt = CachedModule(
    id="build.cache",
    answer_name="CachedGPT",
    prompt="A GPT that reads only new tokens: a cache per block holds the keys and values of all earlier ones.",
    shapes=gpt.shapes,
    reference=program(),
    draw=_draw,
    why="Earlier tokens never see later ones, so their keys and values stay the same and need to be computed only once.",
    hints=(
        "In `attend`: an empty dictionary is false, so `if cache:` asks whether there are earlier tokens. If so, join their "
        "keys and values and the new ones along axis 2, the earlier ones first. In any case, store all of them.",
        "The mask has a row per new token and a column per key, n × m. The first new token comes after m − n earlier ones, so "
        "it sees m − n + 1 keys: `tril(m - n)` moves the diagonal to the right by that many columns.",
        "In `forward`, the first new token has as its position the number of tokens that are already stored: "
        '`caches[0]["key"].shape[2]`, or 0 if `caches[0]` is empty. Read it before the loop, which stores the new ones.',
        "The loop is that of `GPT` and `Block`, with `self.attend(block.attention, block.norm_1(x), cache)` in place of the "
        "block's attention. Each block has a cache of its own.",
    ),
    mistakes=(
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
            program(positions=_first_piece_then(lambda stored: stored - 1)),
            program(positions=_first_piece_then(lambda stored: stored + 1)),
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
            program(attention(mask=_itself_hidden)),
            _unseen_rows_as_zero(_itself_hidden),
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
            'Write into the dictionary that you are given: `cache["key"] = …`. `cache = …` would only rename it.',
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
            "Store the joined keys and values in every call, also if the cache has some already.",
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
            "keys and values exchanged",
            "Keys are stored as values, and values as keys. It shows in the next piece.",
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
            program(add=False),
        ),
        mistake(
            "the last token only",
            "You return logits for the last token of each piece. Return them for all new tokens.",
            "Cut nothing off: whoever calls the model takes what is needed.",
            program(last=lambda given, logits: logits[:, -1:]),
        ),
    ),
)
