"""Stage B7: a GPT that reads only new tokens, with the keys and values of the earlier ones in caches."""

import re
from dataclasses import replace
from functools import partial

import numpy as np

from ..build_4_a_gpt.gpt import gpt, sizes_of
from ..exercise import as_array, listed
from ..kinds import Module
from ..kinds.module_faults import KEPT, STATE
from .cache_mistakes import MISTAKES
from .cache_steps import program

HINTS = (  # for errors: words of the message, and where to look
    (r"^'(key|value)'", "When a text begins, the dictionary is still empty. Ask `if cache:` before you read from it."),
    (r"list indices must be", "`caches` is a list with one dictionary per block. `attend` gets a single one of them."),
    (r"upper bound and lower", "`torch.arange(start, stop)` ends before `stop`. Where should the positions of n tokens stop?"),
    (
        r"shape|[Ss]izes? of|dimension",
        "Print the shapes of `k`, `v` and `mask`: they should be (b, h, m, d/h), the same, and (n, m), where m counts all "
        "tokens so far and n the new ones.",
    ),
)


class CachedModule(Module):
    """Write a GPT whose calls get a text in pieces, and a mapping per layer, which begins empty with each text."""

    def questions(self, seed):
        return [[{**question, "caches": question["sizes"]["num_layers"]}] for [question] in super().questions(seed)]

    def call_described(self, question, number):
        tokens, sizes = question["calls"][number]
        pieces = f"in pieces of {listed([*map(str, sizes)])}" if len(sizes) > 1 else "in one piece"
        return f"`{self.described(question)}` with tokens of shape {tokens.shape}, {pieces}"

    def judge(self, seed, outcomes):
        verdict = super().judge(seed, outcomes)
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
        if problem and problem.reason == "error":
            return replace(problem, hint=next((hint for words, hint in HINTS if re.search(words, call.message)), problem.hint))
        if problem is None or len(sizes) == 1:
            return problem
        seen = as_array(call.value)
        if problem.reason != "value" or not np.isfinite(seen).all():
            return problem
        wrong = (~np.isclose(seen, right, rtol=1e-4, atol=1e-5)).any(axis=(0, 2)).argmax()
        piece = int((np.cumsum(sizes) <= wrong).sum()) + 1
        return replace(problem, message=f"{problem.message} The first wrong logits are those of piece {piece}.")


def _large_scores():
    """Weights of one block in which all scores of one head are −1448, and those of the other are thousands apart.

    Either no rounding shows in a softmax of them, or none matters. The first number of each vector is a constant.
    """
    heights, first, second = np.array([1, -5, 7, -9, 3, 9, -3, 5]) / 10, np.eye(4)[0], np.eye(4)[1]
    positions = np.outer(heights, [0, 2, -1, -1]) / 6**0.5 + np.outer((1 - heights**2) ** 0.5, [0, 0, 1, -1]) / 2**0.5
    chosen = {
        "norm_1.gamma": 1 - first,
        "norm_1.beta": first,
        "attention.w_q.weight": np.outer([32, 32, 256, 256], first),
        "attention.w_k.weight": np.outer([-32, -32, 0, 0], first) + np.outer([0, 0, 32, 32], second),
        **{f"attention.{name}.bias": np.zeros(4) for name in ("w_q", "w_k")},
    }
    return {"positions.weight": 64 * positions, **{f"blocks.0.{name}": value for name, value in chosen.items()}}


def _draw(rng):
    sizes = partial(sizes_of, gpt.shapes)

    def text(vocabulary, batch, *pieces):
        return [rng.integers(0, vocabulary, (batch, sum(pieces))), list(pieces)]

    return [
        (sizes(9, 12, 6, 3, 2, 7), [text(9, *each) for each in ((2, 5), (2, 3, 1, 1, 2), (1, 1, 1, 1, 1, 1), (3, 2, 4))]),
        (sizes(5, 8, 4, 2, 3, 8), [text(5, *each) for each in ((2, 3), (2, 5, 1, 1, 1), (3, 1, 3))]),
        (sizes(5, 8, 4, 2, 1, 8), [text(5, *each) for each in ((2, 4), (2, 3, 2, 1))], _large_scores()),
    ]


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
        "keys and values with the new ones along axis 2, the earlier ones first. In any case, store all of them.",
        "The mask has a row per new token and a column per key, n × m. The first new token comes after m − n earlier ones, so "
        "it sees m − n + 1 keys: `tril(m - n)` moves the diagonal to the right by that many columns.",
        "In `forward`, the position of the first new token is the number of tokens that are already stored: "
        '`caches[0]["key"].shape[2]`, or 0 if `caches[0]` is empty. Read it before the loop, which stores the new ones.',
        "The loop is that of `GPT` and `Block`, with `self.attend(block.attention, block.norm_1(x), cache)` in place of the "
        "block's attention. Each block has a cache of its own.",
    ),
    mistakes=MISTAKES,
)
