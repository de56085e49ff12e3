"""One run of decoding: new tokens in, logits of the next out, with all the earlier ones remembered.

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
    """Turn dropout off and keep no gradient, inside ``with``; afterwards each part is in the mode it was in."""
    training = {module: module.training for module in model.modules()}
    model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        for module, was in training.items():
            module.training = was


class DecodingState:
    """One run of decoding: what is given, the caches, and a step that reads new tokens and tells about the next.

    Texts to continue may differ in length. All are read together up to ``start``, the length of the shortest. From there on,
    token by token, the shorter ones are written while the longer ones are still read: so no padding ever stands between a
    text's tokens, and all rows of the caches have one length.

    Raises ValueError for other models, for prompts that are not ids (b, n) padded on the right, and when prompt and
    ``limit`` do not fit into the model's ``max_length``.
    """

    def __init__(self, model: Transformer | GPT, prompt: Int[Tensor, "b n"], limit: int, copies: int = 1):
        if limit < 1:
            raise ValueError(f"limit is the number of tokens to write at most, 1 or more, saw {limit}")
        if not isinstance(model, (Transformer, GPT)):
            raise ValueError(f"a Transformer or a GPT can write, saw {type(model).__name__}")
        if not isinstance(prompt, Tensor) or prompt.ndim != 2 or not len(prompt):
            seen = tuple(prompt.shape) if isinstance(prompt, Tensor) else type(prompt).__name__
            raise ValueError(f"what to read is a tensor of ids (b, n), saw {seen}; see pad_right")
        if isinstance(model, Transformer):
            self.known = torch.full((len(prompt), 1), Vocabulary.begin)
        else:
            self.known = prompt
            check_right_padding(prompt, Vocabulary.pad)
            if (wrong := prompt[:, 0] != Vocabulary.begin).any():
                row = prompt[wrong][0].tolist()
                raise ValueError(f"a text to continue begins with <begin>, id {Vocabulary.begin}, saw {row}; put it in front")
        self.lengths = (self.known != Vocabulary.pad).sum(-1)
        self.start, longest = (int(size) for size in self.lengths.aminmax())
        self.stop = longest + limit
        if self.stop - 1 > model.config.max_length:
            raise ValueError(f"this model has {model.config.max_length} positions, saw {longest} given and {limit} to write")
        caches = model.caches(self.stop)
        if isinstance(model, Transformer):
            memory, mask = (t.repeat_interleave(copies, 0) for t in model.encode(prompt))
            self.caches = [own for own, _ in caches]  # the memory's need no reordering: hypotheses of one row share it
            self._logits = lambda tokens: model.decode(tokens, memory, mask, caches)
        else:
            self.caches = caches
            self._logits = lambda tokens: model(tokens, caches)

    def step(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b v"]:
        """Read the new tokens; return the logits of the next, which is never padding."""
        logits = self._logits(tokens)[:, -1]
        logits[:, Vocabulary.pad] = -math.inf
        return logits

    def select(self, rows: Int[Tensor, "b"]) -> None:
        """Go on with these rows of the batch."""
        for cache in self.caches:
            cache.select(rows)
