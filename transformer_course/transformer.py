"""The Transformer: the encoder and decoder stacks, and the layers at their inputs and output.

Shapes: ``b`` batch, ``n`` tokens of the target, ``m`` tokens of the source, ``d`` width. Sequences are padded on the
right, so the causal mask already hides padding from the target's real tokens. The source needs a padding mask.
"""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from transformer_course.cache import KeyValueCache
from transformer_course.config import StackConfig, TransformerConfig
from transformer_course.embedding import TokenEmbedding
from transformer_course.layers import DecoderLayer, EncoderLayer, dropout
from transformer_course.masks import check_cached, check_right_padding, next_tokens_mask, padding_mask


class Encoder(nn.Module):
    """``num_layers`` encoder layers, one after another. Only the last one's output leaves the stack.

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.1.
    """

    def __init__(self, config: StackConfig):
        super().__init__()
        self.layers = nn.ModuleList(EncoderLayer(**config.layer()) for _ in range(config.num_layers))
        self.norm = config.build_final_norm()

    def forward(
        self, x: Float[Tensor, "b n d"], mask: Bool[Tensor, "..."] | None = None, caches: list[KeyValueCache] | None = None
    ) -> Float[Tensor, "b n d"]:
        """Return one vector per token. Masks and errors are those of `MultiHeadAttention`; there is one cache per layer."""
        for layer, cache in zip(self.layers, _one_per_layer(caches, self.layers), strict=True):
            x = layer(x, mask, cache)
        return self.norm(x)


class Decoder(nn.Module):
    """``num_layers`` decoder layers, which all attend to the same memory, the encoder's final output.

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
        """Return one vector per token of ``x``; arguments are those of `DecoderLayer`, with one pair of caches per layer."""
        for layer, pair in zip(self.layers, _one_per_layer(caches, self.layers), strict=True):
            x = layer(x, memory, mask, memory_mask, pair)
        return self.norm(x)


def _one_per_layer(caches: list | None, layers: nn.ModuleList) -> list:
    if caches is not None and len(caches) != len(layers):
        raise ValueError(f"each of the {len(layers)} layers needs a cache, got {len(caches)}; use model.caches(max_length)")
    return [None] * len(layers) if caches is None else caches


class TextInput(nn.Module):
    """Turn ids into vectors: the table times √d_model, plus positions, then dropout (Vaswani et al. 2017, 3.4, 3.5, 5.4).

    ``config.scale_embedding=False`` leaves out the factor √d_model.
    """

    def __init__(self, config: TransformerConfig, vocabulary_size: int):
        super().__init__()
        self.embedding = TokenEmbedding(vocabulary_size, config.d_model, config.scale_embedding)
        self.positions = config.position_embedding(config.max_length)
        self.max_length, self.dropout, self.pad = config.max_length, config.dropout, config.pad

    def forward(self, tokens: Int[Tensor, "b n"], start: int = 0) -> Float[Tensor, "b n d"]:
        """Return the vectors of ``tokens``, which are at positions ``start``, ``start + 1``, …

        Raises ValueError as `TokenEmbedding` does, and if a sequence exceeds ``max_length`` or has padding that is not on
        the right.
        """
        x = self.embedding(tokens)
        n = tokens.shape[1]
        if start + n > self.max_length:
            raise ValueError(f"this model has {self.max_length} positions, got a sequence of {start + n} tokens; shorten it")
        if n > 1:  # a single token is the newest one in decoding, and is never padding
            check_right_padding(tokens, self.pad)
        return dropout(x if self.positions is None else self.positions(x, start), self.dropout, self.training)


def output_layer(config: TransformerConfig, embedding: TokenEmbedding) -> nn.Linear:
    """Return the linear map, without a bias, from vectors to logits: one score per token of the vocabulary.

    If ``config.tied``, it shares the embedding's table, which is initialised again for both.
    """
    vocabulary_size, d_model = embedding.table.shape
    layer = nn.Linear(d_model, vocabulary_size, bias=False)
    if config.tied:
        layer.weight = embedding.table
        nn.init.normal_(layer.weight, std=0.02)  # with larger values, an untrained model would predict its input token
    return layer


class Transformer(nn.Module):
    """The encoder–decoder model: it takes the ids of a source and a target, and predicts each next target token.

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
        """Return logits: at position ``t``, one score for each token that may follow the target's first ``t + 1`` tokens.

        ``target`` begins with ``<begin>``; both are padded on the right with ``<pad>``.

        Raises ValueError for ids outside the tables, sequences that are empty or exceed ``max_length``, and padding
        anywhere else.
        """
        return self.decode(target, *self.encode(source))

    def encode(self, source: Int[Tensor, "b m"]) -> tuple[Float[Tensor, "b m d"], Bool[Tensor, "b 1 m"]]:
        """Encode the source; return the memory, with one vector per token, and the mask that hides its padding."""
        x, mask = self.source(source), padding_mask(source, self.config.pad)
        return self.encoder(x, mask), mask

    def decode(
        self,
        target: Int[Tensor, "b n"],
        memory: Float[Tensor, "b m d"],
        memory_mask: Bool[Tensor, "b 1 m"] | None = None,
        caches: list[tuple[KeyValueCache, KeyValueCache]] | None = None,
    ) -> Float[Tensor, "b n v"]:
        """Return logits for the token after each token of ``target``.

        With ``caches``, ``target`` holds only the tokens that are new since the last call, without padding. The memory of
        the first call is used throughout, so use new caches for another source.
        """
        start = check_cached(target, self.config.pad, caches[0][0].length) if caches else 0
        x = self.decoder(self.target(target, start), memory, next_tokens_mask(start, target), memory_mask, caches)
        return self.output(x)

    def caches(self, max_length: int) -> list[tuple[KeyValueCache, KeyValueCache]]:
        """Return empty caches for up to ``max_length`` tokens: for each layer, one for the target and one for the memory."""
        return [(KeyValueCache(max_length), KeyValueCache(self.config.max_length)) for _ in self.decoder.layers]
