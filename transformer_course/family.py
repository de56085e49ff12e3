"""The family: GPT, BERT and ViT are the encoder stack with a different mask, input or head.

Shapes: ``b`` batch, ``n`` tokens, ``d`` width, ``v`` vocabulary. Images are (b, H, W), greyscale, with values from 0 to 1.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from transformer_course.cache import KeyValueCache
from transformer_course.config import StackConfig, TransformerConfig
from transformer_course.layers import Activation, NormOrder, dropout
from transformer_course.masks import check_cached, next_tokens_mask, padding_mask
from transformer_course.transformer import Encoder, TextInput, output_layer

IGNORE_INDEX = -100  # the label of positions that have no loss; torch's cross_entropy ignores it by default


class _TextModel(nn.Module):
    """The parts that GPT and BERT share; they differ in which tokens each token may attend to, and in what they predict."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        self.input = TextInput(config, config.vocabulary_size)
        self.stack = Encoder(config)
        self.output = output_layer(config, self.input.embedding)


class GPT(_TextModel):
    """A decoder-only model: each token attends to itself and all earlier tokens, and predicts the next one.

    Without an encoder there is no cross-attention, so its layer is the *encoder's* layer with a causal mask.

    The config selects the variant; `gpt2.config` returns that of GPT-2, whose published weights then fit. Sequences are
    padded on the right.

    Source: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", section 3.1; pre-norm
    and the final norm (``norm="pre"``): Radford et al. 2019, section 2.3.
    """

    def forward(self, tokens: Int[Tensor, "b n"], caches: list[KeyValueCache] | None = None) -> Float[Tensor, "b n v"]:
        """Return logits for the token after each of ``tokens``. With ``caches``, pass only the new tokens, unpadded.

        Raises ValueError for ids outside the table, sequences longer than ``max_length``, and padding not on the right.
        """
        start = check_cached(tokens, self.config.pad, caches[0].length) if caches else 0
        return self.output(self.stack(self.input(tokens, start), next_tokens_mask(start, tokens), caches))

    def caches(self, max_length: int) -> list[KeyValueCache]:
        """Return empty caches, one per layer, for decoding up to ``max_length`` tokens."""
        return [KeyValueCache(max_length) for _ in self.stack.layers]


class BERT(_TextModel):
    """An encoder-only model: each token attends to all tokens, and the model predicts those that are masked.

    This is simpler than the original: it has one segment, no LayerNorm on the input, and no extra layer before the output.
    The second task, next sentence prediction, is left out: Liu et al. 2019 (RoBERTa, section 4.2) found that it does not
    help.

    Source: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers", section 3.
    """

    def encode(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        """Return one vector per token, computed from its whole sequence except the padding."""
        return self.stack(self.input(tokens), padding_mask(tokens, self.config.pad))

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for the token *at* each position. Errors are those of `Transformer`."""
        return self.output(self.encode(tokens))


class SequenceClassifier(nn.Module):
    """A `BERT` with a new head: one linear map from the vector of the first token, [CLS], to ``num_classes`` logits.

    Source: Devlin et al. 2019, section 4.1.
    """

    def __init__(self, body: BERT, num_classes: int):
        super().__init__()
        self.body, self.head = body, nn.Linear(body.config.d_model, num_classes)

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b c"]:
        """Return one logit per class for each sequence. Begin each one with [CLS], as in training."""
        return self.head(self.body.encode(tokens)[:, 0])


def mask_tokens(
    tokens: Int[Tensor, "b n"], special: Bool[Tensor, "b n"], mask_id: int, vocabulary_size: int, generator: Generator
) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Select 15% of the tokens for prediction; return ``(inputs, labels)``, where other tokens have the label -100.

    In the inputs, 80% of the selected tokens become ``mask_id``, 10% become a random token (any id but 0, which is
    padding), and 10% do not change, so that the model cannot rely on [MASK] to know where it must predict. No token is
    selected where ``special`` is True (padding, [CLS], [SEP]). Tokens are drawn independently, so the percentages hold on
    average.

    Raises ValueError unless ``special`` is boolean with the shape of ``tokens`` and ``mask_id`` is in the vocabulary.
    Source: Devlin et al. 2019, section 3.1 and appendix A.1.
    """
    if special.shape != tokens.shape or special.dtype != torch.bool:
        raise ValueError(
            f"special must be boolean with the shape of tokens {tuple(tokens.shape)}, "
            f"got {special.dtype} {tuple(special.shape)}"
        )
    if not 0 <= mask_id < vocabulary_size:
        raise ValueError(f"mask_id must be an id of this vocabulary, 0 … {vocabulary_size - 1}, got {mask_id}")
    selected = (torch.rand(tokens.shape, generator=generator) < 0.15) & ~special
    draw = torch.rand(tokens.shape, generator=generator)
    random = torch.randint(1, vocabulary_size, tokens.shape, generator=generator)
    inputs = torch.where(selected & (draw < 0.8), mask_id, tokens)
    inputs = torch.where(selected & (draw >= 0.9), random, inputs)
    return inputs, torch.where(selected, tokens, IGNORE_INDEX)


def patches(images: Float[Tensor, "b H W"], size: int) -> Float[Tensor, "b n size*size"]:
    """Cut images into squares of ``size`` × ``size`` pixels, row by row, and flatten each into a vector.

    Raises ValueError unless the images have three axes and sides that ``size`` divides.
    Source: Dosovitskiy et al. 2021, "An Image is Worth 16x16 Words", section 3.1.
    """
    if images.ndim != 3 or size < 1 or images.shape[1] % size or images.shape[2] % size:
        raise ValueError(f"images must have shape (b, H, W), with sides that {size} divides, got {tuple(images.shape)}")
    b, height, width = images.shape
    squares = images.reshape(b, height // size, size, width // size, size).transpose(2, 3)
    return squares.reshape(b, -1, size * size)


@dataclass(frozen=True, kw_only=True)
class ViTConfig(StackConfig):
    """A model of small greyscale images. The defaults suit scikit-learn's digits: 100,000 parameters for 1,300 images."""

    image_size: int = 8  # pixels per side
    patch_size: int = 2  # 16 patches: few enough to be fast, and enough for attention to be useful
    num_classes: int = 10
    d_model: int = 64
    num_heads: int = 4
    num_layers: int = 2
    d_ff: int = 256
    norm: NormOrder = "pre"  # as in the paper, section 3.1
    activation: Activation = "gelu"
    positions: str = "learned"

    def __post_init__(self):
        super().__post_init__()
        if self.image_size % self.patch_size:
            raise ValueError(f"patch_size must divide image_size, got {self.patch_size} and {self.image_size}")


class ViT(nn.Module):
    """The encoder stack, applied to the patches of an image and one class token, whose output vector gives the class.

    Source: Dosovitskiy et al. 2021, section 3.1.
    """

    def __init__(self, config: ViTConfig):
        super().__init__()
        self.config = config
        self.patch = nn.Linear(config.patch_size**2, config.d_model)
        self.class_token = nn.Parameter(torch.zeros(config.d_model))
        # With pixels from 0 to 1, the patch vectors of an untrained model are about this large.
        self.positions = config.position_embedding((config.image_size // config.patch_size) ** 2 + 1, std=0.5)
        self.dropout = config.dropout
        self.stack = Encoder(config)
        self.head = nn.Linear(config.d_model, config.num_classes)

    def forward(self, images: Float[Tensor, "b H W"]) -> Float[Tensor, "b c"]:
        """Return one logit per class for each image. Raises ValueError for other sizes, and for integer pixels."""
        side = self.config.image_size
        if images.shape[1:] != (side, side) or not images.is_floating_point():
            raise ValueError(
                f"this ViT expects images of shape (b, {side}, {side}) with values from 0 to 1, "
                f"got {images.dtype} {tuple(images.shape)}"
            )
        x = self.patch(patches(images, self.config.patch_size))
        x = torch.cat([self.class_token.expand(len(x), 1, -1), x], dim=1)
        x = x if self.positions is None else self.positions(x)
        return self.head(self.stack(dropout(x, self.dropout, self.training))[:, 0])
