"""The Transformer: a stack that reads, a stack that writes, and what stands at both ends.

Shapes: ``b`` batch, ``n`` tokens of the target, ``m`` tokens of the source, ``d`` width. Sequences are padded on the
right, so a causal mask keeps padding from every real token of the target; the source needs a mask of its own.
"""

from dataclasses import dataclass
from itertools import repeat
from typing import Literal

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_course.attention import causal_mask, padding_mask
from transformer_course.cache import KeyValueCache
from transformer_course.embedding import TokenEmbedding, Vocabulary
from transformer_course.layers import Activation, DecoderLayer, EncoderLayer, LayerNorm, NormOrder, drop
from transformer_course.positions import LearnedPositions, SinusoidalPositions


@dataclass(frozen=True, kw_only=True)
class StackConfig:
    """What a stack of layers is made of. The defaults are the paper's base model (Vaswani et al. 2017, table 3)."""

    d_model: int = 512  # one width through the whole stack, so that residuals can be added
    num_heads: int = 8  # 64 dimensions a head
    num_layers: int = 6  # N, in each stack
    d_ff: int = 2048  # 4 · d_model; two thirds of a layer's parameters of an encoder lie here
    dropout: float = 0.1  # P_drop, while training: for attention weights, hidden units, sublayers and the sum at the input
    norm: NormOrder = "post"  # as printed; "pre" trains without warm-up, and is what the family uses since
    final_norm: bool | None = None  # one more LayerNorm at the end: None takes it for "pre", whose stream nothing rescales
    activation: Activation = "relu"  # GPT, BERT and ViT take "gelu"
    positions: Literal["sinusoidal", "learned", "rotary", "none"] = "sinusoidal"  # the paper found learned ones as good

    def __post_init__(self):
        for name in ("d_model", "num_heads", "num_layers", "d_ff"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, saw {getattr(self, name)}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is a share from 0 to below 1, saw {self.dropout}")
        if self.positions not in ("sinusoidal", "learned", "rotary", "none"):
            raise ValueError(f'positions are "sinusoidal", "learned", "rotary" or "none", saw {self.positions!r}')

    def layer(self) -> dict:
        """Return the arguments of one layer."""
        names = ("d_model", "num_heads", "d_ff", "dropout", "norm", "activation")
        return {**{name: getattr(self, name) for name in names}, "rotary": self.positions == "rotary"}

    def closing_norm(self) -> nn.Module:
        wanted = self.norm == "pre" if self.final_norm is None else self.final_norm
        return LayerNorm(self.d_model) if wanted else nn.Identity()

    def added_positions(self, max_length: int) -> nn.Module | None:
        """Return what is added at the input: None for rotary positions, which turn queries and keys instead."""
        kinds = {"sinusoidal": SinusoidalPositions, "learned": LearnedPositions}
        return kinds[self.positions](self.d_model, max_length) if self.positions in kinds else None


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(StackConfig):
    """A model of text; for a `Transformer`, ``TransformerConfig()`` is the paper's base model."""

    vocabulary_size: int = 37_000  # byte pairs of English and German together (section 5.1)
    target_vocabulary_size: int | None = None  # None: source and target share one table, as in the paper
    tied: bool = True  # the output layer shares the target's table (section 3.4); small models learn faster untied
    max_length: int = 512  # the longest sequence there are positions for; waves could go on, learned tables not

    def __post_init__(self):
        super().__post_init__()
        sizes = {"vocabulary_size": self.vocabulary_size, "max_length": self.max_length}
        if self.target_vocabulary_size is not None:
            sizes["target_vocabulary_size"] = self.target_vocabulary_size
        for name, size in sizes.items():
            if size < 1:
                raise ValueError(f"{name} must be 1 or more, saw {size}")


class Encoder(nn.Module):
    """``num_layers`` encoder layers, one after the other. Only the last one's output leaves the stack.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1.
    """

    def __init__(self, config: StackConfig):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(**config.layer()) for _ in range(config.num_layers))
        self.norm = config.closing_norm()

    def forward(
        self, x: Float[Tensor, "b n d"], mask: Bool[Tensor, "..."] | None = None, caches: list[KeyValueCache] | None = None
    ) -> Float[Tensor, "b n d"]:
        """Return one vector for each token. Masks and errors are those of `MultiHeadAttention`; one cache a layer."""
        for layer, cache in zip(self.layers, caches or repeat(None), strict=False):
            x = layer(x, mask, cache)
        return self.norm(x)


class Decoder(nn.Module):
    """``num_layers`` decoder layers; each one looks at the same memory, the encoder's final output.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1.
    """

    def __init__(self, config: StackConfig):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(**config.layer()) for _ in range(config.num_layers))
        self.norm = config.closing_norm()

    def forward(
        self,
        x: Float[Tensor, "b n d"],
        memory: Float[Tensor, "b m d"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: list[tuple[KeyValueCache, KeyValueCache]] | None = None,
    ) -> Float[Tensor, "b n d"]:
        """Return one vector for each token of ``x``; arguments and errors as in `DecoderLayer`, one pair of caches a layer."""
        for layer, pair in zip(self.layers, caches or repeat(None), strict=False):
            x = layer(x, memory, mask, memory_mask, pair)
        return self.norm(x)


class TextInput(nn.Module):
    """Ids in, vectors out: the table times √d_model, plus positions, then dropout (Vaswani et al. 2017, 3.4, 3.5, 5.4)."""

    def __init__(self, config: TransformerConfig, vocabulary_size: int):
        super().__init__()
        self.embedding = TokenEmbedding(vocabulary_size, config.d_model)
        self.positions = config.added_positions(config.max_length)
        self.dropout = config.dropout

    def forward(self, tokens: Int[Tensor, "b n"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return the vectors of tokens at the positions ``start`` …; errors as in `TokenEmbedding` and the positions."""
        x = self.embedding(tokens)
        return drop(x if self.positions is None else self.positions(x, start), self.dropout, self.training)


def output_layer(config: TransformerConfig, embedding: TokenEmbedding) -> nn.Linear:
    """Return the linear map from vectors to logits, without bias: its own weights, or the table's when they are tied."""
    vocabulary_size, d_model = embedding.table.shape
    layer = nn.Linear(d_model, vocabulary_size, bias=False)
    if config.tied:
        layer.weight = embedding.table
        nn.init.normal_(layer.weight, std=0.02)  # larger, and the first logits all but shout "the same token again"
    return layer


def next_tokens_mask(start: int, tokens: Int[Tensor, "b n"]) -> Bool[Tensor, "n m"] | None:
    """Return the causal mask of ``n`` tokens after ``start`` cached ones; a single token may look at all: None."""
    n = tokens.shape[1]
    return None if n == 1 else causal_mask(start + n)[start:].to(tokens.device)


class Transformer(nn.Module):
    """The encoder–decoder: ids of a source and of a target in, logits for each next token of the target out.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3, figure 1.
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        target_size = config.target_vocabulary_size or config.vocabulary_size
        self.source = TextInput(config, config.vocabulary_size)
        self.target = TextInput(config, target_size)
        if config.target_vocabulary_size is None:
            self.target.embedding = self.source.embedding
        self.encoder, self.decoder = Encoder(config), Decoder(config)
        self.output = output_layer(config, self.target.embedding)

    def forward(self, source: Int[Tensor, "b m"], target: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits: at position ``t``, one score for each token that may follow the target's first ``t + 1``.

        ``target`` begins with ``<begin>``; both are padded on the right with ``<pad>``. Raises ValueError for ids
        outside the tables, sequences past ``max_length``, and a source that is all padding.
        """
        return self.decode(target, *self.encode(source))

    def encode(self, source: Int[Tensor, "b m"]) -> tuple[Float[Tensor, "b m d"], Bool[Tensor, "b 1 m"]]:
        """Read the source: return the memory, one vector a token, and the mask that leaves its padding out."""
        x, mask = self.source(source), padding_mask(source, Vocabulary.pad)
        return self.encoder(x, mask), mask

    def decode(
        self,
        target: Int[Tensor, "b n"],
        memory: Float[Tensor, "b m d"],
        memory_mask: Bool[Tensor, "b 1 m"] | None = None,
        caches: list[tuple[KeyValueCache, KeyValueCache]] | None = None,
    ) -> Float[Tensor, "b n v"]:
        """Return logits for the token after each of ``target``; with ``caches``, ``target`` is what is new."""
        start = caches[0][0].length if caches else 0
        x = self.decoder(self.target(target, start), memory, next_tokens_mask(start, target), memory_mask, caches)
        return self.output(x)

    def caches(self, max_length: int) -> list[tuple[KeyValueCache, KeyValueCache]]:
        """Return empty caches for decoding up to ``max_length`` tokens: for each layer, its own and the memory's."""
        return [(KeyValueCache(max_length), KeyValueCache(self.config.max_length)) for _ in self.decoder.layers]
