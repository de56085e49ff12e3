"""Induction heads: models of attention alone, trained to continue a random sequence when it comes a second time.

Shapes: ``b`` batch, ``n`` tokens, ``d`` width, ``v`` vocabulary.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.attention import MultiHeadAttention
from transformer_course.experiments.spare_heads import Head, silenced
from transformer_course.inspection import attention_maps
from transformer_course.layers import LayerNorm, Residual
from transformer_course.masks import causal_mask
from transformer_course.training import train

WORDS = (
    *("red", "blue", "green", "black", "white", "old", "new", "small", "car", "orange", "tree", "house", "road", "river"),
    *("stone", "bird", "horse", "apple", "lamp", "door", "table", "chair", "window", "boat", "train", "cloud", "star"),
    *("leaf", "fish", "glass", "book", "hill"),
)
SHORTEST, LONGEST = 8, 12  # words in a piece
WIDTH, STEPS, BATCH = 64, 300, 32


def repeated_pieces(size: int, seed: int) -> Iterator[tuple[Int[Tensor, "b n"]]]:
    """Yield endless batches of sequences: a random piece of different words, then the same piece again.

    All pieces of a batch have the same length. It changes from batch to batch, so that a position alone does not tell where
    the first copy of its word is.
    """
    generator = torch.Generator().manual_seed(seed)
    while True:
        length = int(torch.randint(SHORTEST, LONGEST + 1, (), generator=generator))
        piece = torch.rand(size, len(WORDS), generator=generator).argsort(-1)[:, :length]
        yield (torch.cat([piece, piece], dim=1),)


class AttentionOnly(nn.Module):
    """A decoder-only model with pre-norm and learned positions whose layers have attention, but no feed-forward network.

    Source: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits".
    """

    def __init__(self, num_layers: int, num_heads: int, seed: int):
        super().__init__()
        torch.manual_seed(seed)
        self.table, self.positions = nn.Embedding(len(WORDS), WIDTH), nn.Embedding(2 * LONGEST, WIDTH)
        self.attentions = nn.ModuleList(MultiHeadAttention(WIDTH, num_heads) for _ in range(num_layers))
        self.residuals = nn.ModuleList(Residual(WIDTH) for _ in range(num_layers))
        self.norm, self.output = LayerNorm(WIDTH), nn.Linear(WIDTH, len(WORDS))

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for the token after each of ``tokens``."""
        n = tokens.shape[1]
        x, mask = self.table(tokens) + self.positions(torch.arange(n)), causal_mask(n)
        for attention, residual in zip(self.attentions, self.residuals, strict=True):
            x = residual(x, lambda y, attention=attention: attention(y, y, y, mask))
        return self.output(self.norm(x))


def copying(model: AttentionOnly, tokens: Int[Tensor, "b n"]) -> tuple[Float[Tensor, "r v"], Int[Tensor, "r"]]:
    """Return logits and labels where the label can be known: from the second word of the second copy on."""
    length = tokens.shape[1] // 2
    return model(tokens[:, :-1])[:, length:].flatten(0, 1), tokens[:, length + 1 :].flatten()


def trained(
    num_layers: int, num_heads: int = 1, seed: int = 0, after_step: Callable[[int, float], None] | None = None
) -> AttentionOnly:
    """Train a model on the words of the second copies, and return it in evaluation mode."""
    model = AttentionOnly(num_layers, num_heads, seed)

    def loss_of(model: AttentionOnly, tokens: Tensor) -> Tensor:
        return F.cross_entropy(*copying(model, tokens))

    with torch.enable_grad():
        train(model, repeated_pieces(BATCH, seed), loss_of, STEPS, lr=3e-3, warmup=50, weight_decay=0.0, after_step=after_step)
    return model.eval()


@torch.no_grad()
def copying_accuracy(model: AttentionOnly, without: tuple[Head, ...] = (), seed: int = 1000) -> float:
    """Return how often the next word of the second copy is right, on 1,000 new sequences, with some heads silenced."""
    data, right = repeated_pieces(250, seed), []
    with silenced(model, without) if without else nullcontext():
        for _ in range(4):
            logits, labels = copying(model, *next(data))
            right.append(logits.argmax(-1) == labels)
    return torch.cat(right).float().mean().item()


@torch.no_grad()
def patterns(model: AttentionOnly, seed: int = 1000) -> dict[Head, tuple[float, float]]:
    """Return two weights for each head, averaged over 250 sequences: on the token before, and after the earlier copy.

    The first is averaged over the words of the first copy. The second is averaged over the words of the second copy, and is
    the weight on the word that *followed* the same word in the first copy.
    """
    (tokens,) = next(repeated_pieces(250, seed))
    length = tokens.shape[1] // 2
    with attention_maps(model) as maps:
        model(tokens[:, :-1])
    first, second = torch.arange(1, length), torch.arange(length, 2 * length - 1)
    return {
        (name, head): (
            weights[:, head, first, first - 1].mean().item(),
            weights[:, head, second, second - length + 1].mean().item(),
        )
        for name, weights in maps.items()
        for head in range(weights.shape[1])
    }
