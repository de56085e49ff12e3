"""A GPT with key–value caches in NumPy, some of whose steps can be replaced, and how it reads a text in pieces."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..build_2_one_head.causal_head import linear, scores_of
from ..build_4_a_gpt.block import first_norm, network, second_norm, within
from ..build_4_a_gpt.parts import layer_norm
from ..families.heads import merge, split
from ..toolkit import softmax


@dataclass(frozen=True)
class InPieces:
    """A forward pass that reads tokens piece by piece, with caches that begin empty, as ``run_class`` calls an answer."""

    forward: Callable

    def __call__(self, given, tokens, sizes):
        caches = [{} for _ in range(given["num_layers"])]
        pieces = np.split(tokens, np.cumsum(sizes)[:-1], axis=1)
        return np.concatenate([self.forward(given, piece, caches) for piece in pieces], axis=1)


def behind(old, new):
    return np.concatenate([old, new], axis=2)


def extend(cache, k, v, join=behind):
    """Put new keys and values into a cache; return all of them."""
    cache["key"], cache["value"] = (join(cache["key"], k), join(cache["value"], v)) if cache else (k, v)
    return cache["key"], cache["value"]


def causal(n, m):
    return np.tri(n, m, m - n, dtype=bool)


def attention(
    extend=extend,
    mask=causal,
    new=lambda given, x: [split(linear(given, name, x), given["num_heads"]) for name in ("w_q", "w_k", "w_v")],
    score=scores_of,
    join=merge,
):
    """Attention from new tokens to all tokens in the cache and to themselves."""

    def attend(given, x, cache):
        q, k, v = new(given, x)
        k, v = extend(cache, k, v)
        seen = mask(q.shape[2], k.shape[2])
        weights = softmax(np.where(seen, score(q, k), -np.inf))
        return linear(given, "w_o", join(weights @ v))

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
    last=lambda given, logits: logits,
    final=lambda given, x: layer_norm(within(given, "final_norm"), x),
    first_norm=first_norm,
    second_norm=second_norm,
    add_1=True,
    add_2=True,
):
    """A GPT that reads new tokens, with some of its parts replaced, for tokens in pieces."""

    def forward(given, tokens, caches):
        x = given["tokens.weight"][tokens] + positions(given, tokens.shape[1], caches)
        for number in range(given["num_layers"]):
            block = within(given, f"blocks.{number}")
            found = attend(within(block, "attention"), first_norm(block, x), cache_of(caches, number))
            x = add_1 * x + found
            x = add_2 * x + network(block, second_norm(block, x))
        return last(given, linear(given, "output", final(given, x)))

    return InPieces(forward)
