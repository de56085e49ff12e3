"""The Transformer: a stack that reads, a stack that writes, and what stands at both ends.

Shapes: ``b`` batch, ``n`` tokens of the target, ``m`` tokens of the source, ``d`` width. Sequences are padded on the
right, so a causal mask keeps padding from every real token of the target; the source needs a mask of its own.
"""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_course.cache import KeyValueCache
from transformer_course.config import StackConfig, TransformerConfig
from transformer_course.embedding import TokenEmbedding, Vocabulary
from transformer_course.layers import DecoderLayer, EncoderLayer, dropout
from transformer_course.masks import check_cached, check_right_padding, next_tokens_mask, padding_mask

__all__ = ["Decoder", "Encoder", "StackConfig", "TextInput", "Transformer", "TransformerConfig", "output_layer"]


class Encoder(nn.Module):
    """``num_layers`` encoder layers, one after the other. Only the last one's output leaves the stack.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1.
    """

    def __init__(self, config: StackConfig):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(**config.layer()) for _ in range(config.num_layers))
        self.norm = config.build_final_norm()

    def forward(
        self, x: Float[Tensor, "b n d"], mask: Bool[Tensor, "..."] | None = None, caches: list[KeyValueCache] | None = None
    ) -> Float[Tensor, "b n d"]:
        """Return one vector for each token. Masks and errors are those of `MultiHeadAttention`; one cache a layer."""
        for layer, cache in zip(self.layers, _one_a_layer(caches, self.layers), strict=True):
            x = layer(x, mask, cache)
        return self.norm(x)


class Decoder(nn.Module):
    """``num_layers`` decoder layers; each one looks at the same memory, the encoder's final output.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1.
    """

    def __init__(self, config: StackConfig):
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(**config.layer()) for _ in range(config.num_layers))
        self.norm = config.build_final_norm()

    def forward(
        self,
        x: Float[Tensor, "b n d"],
        memory: Float[Tensor, "b m d"],
        mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
        caches: list[tuple[KeyValueCache, KeyValueCache]] | None = None,
    ) -> Float[Tensor, "b n d"]:
        """Return one vector for each token of ``x``; arguments and errors as in `DecoderLayer`, one pair of caches a layer."""
        for layer, pair in zip(self.layers, _one_a_layer(caches, self.layers), strict=True):
            x = layer(x, memory, mask, memory_mask, pair)
        return self.norm(x)


def _one_a_layer(caches: list | None, layers: nn.ModuleList) -> list:
    if caches is not None and len(caches) != len(layers):
        raise ValueError(f"each of {len(layers)} layers needs its cache, saw {len(caches)}; take model.caches(max_length)")
    return [None] * len(layers) if caches is None else caches


class TextInput(nn.Module):
    """Ids in, vectors out: the table times √d_model, plus positions, then dropout (Vaswani et al. 2017, 3.4, 3.5, 5.4)."""

    def __init__(self, config: TransformerConfig, vocabulary_size: int):
        super().__init__()
        self.embedding = TokenEmbedding(vocabulary_size, config.d_model)
        self.positions = config.position_embedding(config.max_length)
        self.max_length, self.dropout = config.max_length, config.dropout

    def forward(self, tokens: Int[Tensor, "b n"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return the vectors of tokens at the positions ``start`` …

        Raises ValueError as `TokenEmbedding` does, for sequences past ``max_length``, and for padding that is not on the
        right.
        """
        x = self.embedding(tokens)
        n = tokens.shape[1]
        if start + n > self.max_length:
            raise ValueError(f"this model has {self.max_length} positions, saw a sequence that ends at {start + n}; cut it")
        if n > 1:  # a single one is the newest of a text that is being written
            check_right_padding(tokens, Vocabulary.pad)
        return dropout(x if self.positions is None else self.positions(x, start), self.dropout, self.training)


def output_layer(config: TransformerConfig, embedding: TokenEmbedding) -> nn.Linear:
    """Return the linear map from vectors to logits (one score for each token that there is), without bias.

    When tied, its weights are the embedding's table, which is drawn anew for both.
    """
    vocabulary_size, d_model = embedding.table.shape
    layer = nn.Linear(d_model, vocabulary_size, bias=False)
    if config.tied:
        layer.weight = embedding.table
        nn.init.normal_(layer.weight, std=0.02)  # were it larger, the first logits would all say "the same token again"
    return layer


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
        outside the tables, sequences past ``max_length``, empty ones, and padding anywhere else.
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
        """Return logits for the token after each of ``target``.

        With ``caches``, ``target`` is what is new since the last call, without padding, and the memory is that of the first
        call: take new ones for another source.
        """
        start = check_cached(target, Vocabulary.pad, caches[0][0].length) if caches else 0
        x = self.decoder(self.target(target, start), memory, next_tokens_mask(start, target), memory_mask, caches)
        return self.output(x)

    def caches(self, max_length: int) -> list[tuple[KeyValueCache, KeyValueCache]]:
        """Return empty caches for decoding up to ``max_length`` tokens: for each layer, its own and the memory's."""
        return [(KeyValueCache(max_length), KeyValueCache(self.config.max_length)) for _ in self.decoder.layers]
