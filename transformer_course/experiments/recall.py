"""Recall: at the end of a sequence, predict its first token. How much of that token reaches the end of each model?

Shapes: ``b`` batch, ``n`` tokens (the length), ``d`` width.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course._util.progress_bar import progress
from transformer_course.attention import MultiHeadAttention
from transformer_course.positions import SinusoidalPositions
from transformer_course.training import train

FIRST_TOKENS = 8  # the first token is one of 0 … 7; the tokens after it, 8 … 15, do not depend on it


def recall_sequences(length: int, size: int, seed: int) -> Iterator[tuple[Int[Tensor, "b n"], Int[Tensor, "b"]]]:
    """Yield endless batches: sequences of ``length`` tokens, and the first token of each, which is the label."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        first = torch.randint(FIRST_TOKENS, (size, 1), generator=generator)
        rest = torch.randint(FIRST_TOKENS, 2 * FIRST_TOKENS, (size, length - 1), generator=generator)
        yield torch.cat([first, rest], dim=1), first[:, 0]


class Recurrent(nn.Module):
    """Read a sequence one token at a time, and answer from the last state.

    ``forget_bias`` is added to the bias of an LSTM's forget gates. At initialisation these keep ``sigmoid(forget_bias)`` of
    the memory at each token: one half for a bias of 0, and T/(T+1) for log T.

    Raises ValueError for a cell that is neither "rnn" nor "lstm", or if an RNN, which has no forget gates, gets a forget bias.
    Source: Hochreiter and Schmidhuber 1997, "Long Short-Term Memory"; Gers, Schmidhuber and Cummins 2000 (forget gates);
    Tallec and Ollivier 2018, "Can Recurrent Neural Networks Warp Time?" (a bias of about log T).
    """

    def __init__(self, cell: str, width: int = 32, forget_bias: float = 0.0):
        super().__init__()
        if cell not in ("rnn", "lstm") or (cell == "rnn" and forget_bias):
            raise ValueError(f'cell must be "rnn" (without a forget bias) or "lstm", got {cell!r} with {forget_bias}')
        self.table = nn.Embedding(2 * FIRST_TOKENS, width)
        self.cell = {"rnn": nn.RNN, "lstm": nn.LSTM}[cell](width, width, batch_first=True)
        self.output = nn.Linear(width, FIRST_TOKENS)
        if forget_bias:
            with torch.no_grad():
                self.cell.bias_ih_l0[width : 2 * width] += forget_bias  # torch's order of gates: input, forget, cell, output

    def answer(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b first_tokens"]:
        """Return the logits of the first token, given the tokens' vectors."""
        return self.output(self.cell(x)[0][:, -1])

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b first_tokens"]:
        """Return the logits of the first token."""
        return self.answer(self.table(tokens))


class Attentive(nn.Module):
    """Read a whole sequence at once: the last token attends to all tokens, itself included, and gives the answer.

    Positional encodings are added to the vectors (lesson 07). Without them, attention cannot tell which token is first.
    """

    def __init__(self, length: int, width: int = 32):
        super().__init__()
        self.table = nn.Embedding(2 * FIRST_TOKENS, width)
        self.positions = SinusoidalPositions(width, length)
        self.attention = MultiHeadAttention(width, num_heads=1)
        self.output = nn.Linear(width, FIRST_TOKENS)

    def answer(self, x: Float[Tensor, "b n d"]) -> Float[Tensor, "b first_tokens"]:
        """Return the logits of the first token, given the tokens' vectors."""
        x = self.positions(x)
        return self.output(self.attention(x[:, -1:], x, x)[:, 0])

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b first_tokens"]:
        """Return the logits of the first token."""
        return self.answer(self.table(tokens))


def new_reader(model: str, length: int, hidden: int = 32, forget_bias: float = 0.0, seed: int = 0) -> Recurrent | Attentive:
    """Return an untrained reader: ``model`` is "rnn", "lstm" or "attention"."""
    torch.manual_seed(seed)
    return Attentive(length, hidden) if model == "attention" else Recurrent(model, hidden, forget_bias)


def recall_accuracy(model: str, length: int, hidden: int = 32, forget_bias: float = 0.0, seed: int = 0) -> float:
    """Train a reader for 300 steps on batches of 32 sequences, and return its accuracy on 500 new ones."""
    reader = new_reader(model, length, hidden, forget_bias, seed)
    train(
        reader,
        recall_sequences(length, 32, seed),
        lambda reader, tokens, first: F.cross_entropy(reader(tokens), first),
        steps=300,
        lr=3e-3,
        warmup=20,
        weight_decay=0.0,
    )
    tokens, first = next(recall_sequences(length, 500, seed + 1000))
    with torch.no_grad():
        return (reader(tokens).argmax(-1) == first).float().mean().item()


def accuracies(
    model: str, lengths: Sequence[int], seeds: Sequence[int], forget_bias: Callable[[int], float] = lambda length: 0.0
) -> list[list[float]]:
    """Train a reader for each seed and each length, with the ``forget_bias`` of that length.

    Return their accuracies, one row per seed and one column per length.
    """
    runs = list(itertools.product(seeds, lengths))
    found = [
        recall_accuracy(model, length, forget_bias=forget_bias(length), seed=seed) for seed, length in progress(runs, model)
    ]
    return [found[start : start + len(lengths)] for start in range(0, len(found), len(lengths))]


def gradient_by_token(reader: Recurrent | Attentive, length: int, seed: int = 0) -> Float[Tensor, "n"]:
    """Return how strongly the correct logit depends on each token's vector: the gradient's length, median of 200 sequences.

    This is the gradient of the logit, not of the loss: once a trained reader is certain, the loss has almost no gradient,
    no matter how much reaches the first token.
    """
    tokens, first = next(recall_sequences(length, 200, seed + 1000))
    x = reader.table(tokens).detach().requires_grad_()
    reader.answer(x).gather(1, first[:, None]).sum().backward()
    return x.grad.norm(dim=-1).median(0).values
