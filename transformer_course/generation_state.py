"""The state of a decoding run: it reads new tokens, returns the logits for the next one, and caches all earlier ones.

Shapes: ``b`` batch (times the hypotheses of a beam), ``n`` tokens, ``v`` vocabulary.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from jaxtyping import Float, Int
from torch import Tensor

from transformer_course.embedding import Vocabulary
from transformer_course.family import GPT
from transformer_course.masks import check_right_padding
from transformer_course.transformer import Transformer


@contextmanager
def eval_mode(model: Transformer | GPT) -> Iterator[None]:
    """Turn off dropout and gradients inside the ``with`` block; afterwards, restore the mode of each module."""
    training = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        for module, was in training.items():
            module.training = was


class TokensSoFar:
    """The tokens that were read, in place of caches, for a model that has none and reads all of them at every step."""

    def __init__(self):
        self._tokens: Int[Tensor, "b n"] | None = None

    def extend(self, tokens: Int[Tensor, "b n"]) -> Int[Tensor, "b m"]:
        """Append new tokens; return all tokens so far."""
        self._tokens = tokens if self._tokens is None else torch.cat([self._tokens, tokens], dim=1)
        return self._tokens

    def select(self, rows: Int[Tensor, "b"]) -> None:
        """Keep these rows of the batch, in this order."""
        self._tokens = self._tokens[rows]


class DecodingState:
    """One decoding run: the given tokens, the caches, and a step that reads new tokens and returns the next logits.

    Sequences to continue may differ in length. All are read together up to ``start``, the length of the shortest. From
    there on, one token at a time, the shorter ones are continued while the longer ones are still read. So there is never
    padding between the tokens of a sequence, and all rows of the caches have the same length.

    The model may also be a class of your own with the interface of `Transformer`: ``config``, ``encode`` and ``decode``.
    Without ``caches``, it reads all tokens again at every step.

    Raises ValueError for other models, for a GPT without special tokens, for prompts that are not ids (b, n) padded on the
    right, and if prompt and ``limit`` do not fit into the model's ``max_length``.
    """

    def __init__(self, model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, copies: int = 1):
        if limit < 1:
            raise ValueError(f"limit, the largest number of tokens to generate, must be 1 or more, got {limit}")
        translates = not isinstance(model, GPT)
        if translates and not all(hasattr(model, name) for name in ("config", "encode", "decode")):
            raise ValueError(f"the model must be a Transformer or a GPT, got {type(model).__name__}")
        if not isinstance(prompt, Tensor) or prompt.ndim != 2 or not len(prompt):
            got = tuple(prompt.shape) if isinstance(prompt, Tensor) else type(prompt).__name__
            raise ValueError(f"the prompt must be a tensor of ids (b, n), got {got}; see pad_right")
        if translates:
            self.known = torch.full((len(prompt), 1), Vocabulary.begin)
        else:
            if not model.config.special_tokens:
                raise ValueError(
                    "decoding needs the special tokens of Vocabulary, such as <begin> and <end>, and this model has none; "
                    "draw from next_token_distribution(model(tokens)[:, -1]) instead"
                )
            self.known = prompt
            check_right_padding(prompt, Vocabulary.pad)
            if (wrong := prompt[:, 0] != Vocabulary.begin).any():
                row = prompt[wrong][0].tolist()
                raise ValueError(
                    f"a sequence to continue must begin with <begin>, id {Vocabulary.begin}, got {row}; put it in front"
                )
        self.lengths = (self.known != Vocabulary.pad).sum(-1)
        self.start, longest = (int(size) for size in self.lengths.aminmax())
        self.stop = longest + limit
        if self.stop - 1 > model.config.max_length:
            raise ValueError(
                f"this model has {model.config.max_length} positions, got {longest} given tokens and {limit} to generate; "
                "try a smaller limit"
            )
        if not translates:
            self.caches = caches = model.caches(self.stop)
            self._logits = lambda tokens: model(tokens, caches)
            return
        memory, mask = (t.repeat_interleave(copies, 0) for t in model.encode(prompt))
        if hasattr(model, "caches"):
            caches = model.caches(self.stop)
            # `select` skips the caches of the memory, because all hypotheses of a row share it.
            self.caches = [self_cache for self_cache, _ in caches]
            self._logits = lambda tokens: model.decode(tokens, memory, mask, caches)
        else:
            read = TokensSoFar()
            self.caches = [read]
            self._logits = lambda tokens: model.decode(read.extend(tokens), memory, mask)

    def step(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b v"]:
        """Read the new tokens; return the logits for the next token, which is never padding."""
        logits = self._logits(tokens)[:, -1]
        logits[:, Vocabulary.pad] = -math.inf
        return logits

    def select(self, rows: Int[Tensor, "b"]) -> None:
        """Keep these rows of the batch, in this order."""
        for cache in self.caches:
            cache.select(rows)
