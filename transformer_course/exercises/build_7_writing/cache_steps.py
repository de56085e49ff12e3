"""A GPT with key–value caches in NumPy, some of whose steps can be replaced, and how it reads a text in pieces."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..build_4_a_gpt.block import network, norms, within
from ..build_4_a_gpt.parts import layer_norm
from ..families import cache as cache_of
from ..families.multi_head import multi_head
from ..families.stack import run
from ..families.wiring import in_turn


@dataclass(frozen=True)
class InPieces:
    """A forward pass that reads tokens piece by piece, with caches that begin empty, as ``run_class`` calls an answer."""

    forward: Callable

    def __call__(self, given, tokens, sizes):
        caches = [{} for _ in range(given["num_layers"])]
        pieces = np.split(tokens, np.cumsum(sizes)[:-1], axis=1)
        return np.concatenate([self.forward(given, piece, caches) for piece in pieces], axis=1)


def contents(cache):
    return cache["key"], cache["value"]


def store(cache, pair):
    cache["key"], cache["value"] = pair
    return pair


def extend(cache, k, v, join=cache_of.extend):
    """Put new keys and values into a cache; return all of them."""
    return store(cache, join(contents(cache), (k, v)) if cache else (k, v))


def causal(n, m):
    return np.tri(n, m, m - n, dtype=bool)


def attention(extend=extend, mask=causal, change=lambda attend: attend, **steps):
    """Attention from new tokens to all tokens in the cache and to themselves."""

    def attend(given, x, cache):
        def masked(attend):
            return lambda q, k, v, mask: change(attend)(q, k, v, mask(q.shape[2], k.shape[2]))

        def prepare(q, k, v):
            return q, *extend(cache, k, v)

        how = {"axis": lambda mask: mask, "prepare": prepare, "change": masked} | steps
        return multi_head(lambda name, x: linear(given, name, x), (x, x, x), given["num_heads"], mask, **how)

    return attend


def stored(caches) -> int:
    """How many tokens the caches hold."""
    return caches[0]["key"].shape[2] if caches[0] else 0


def table_rows(given, start, n):
    """Positions, from a row of the table on. A missing row is an error, as in torch, where a slice would just be shorter."""
    return given["positions.weight"][np.arange(start, start + n)]


cached_attention = attention()


def program(
    attend=cached_attention,
    positions=lambda given, n, caches: table_rows(given, stored(caches), n),
    cache_of=lambda caches, number: caches[number],
    last=lambda logits: logits,
    run=run,
    wire=in_turn,
):
    """A GPT that reads new tokens, with some of its parts replaced, for tokens in pieces."""

    def forward(given, tokens, caches):
        def layer(number):
            inside = within(given, f"blocks.{number}")
            own_norms = [lambda x, norm=norm: norm(inside, x) for norm in norms]
            sublayers = (
                lambda x: attend(within(inside, "attention"), x, cache_of(caches, number)),
                lambda x: network(inside, x),
            )
            return lambda x: wire("pre", own_norms, sublayers, x)

        x = given["tokens.weight"][tokens] + positions(given, tokens.shape[1], caches)
        x = run(list(map(layer, range(given["num_layers"]))), lambda x: layer_norm(within(given, "final_norm"), x), x)
        return last(linear(given, "output", x))

    return InPieces(forward)
