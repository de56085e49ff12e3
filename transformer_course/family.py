"""The family: GPT, BERT and ViT are the encoder's stack with another mask, another input and another head.

Shapes: ``b`` batch, ``n`` tokens, ``d`` width, ``v`` vocabulary; images are (b, H, W), grey, from 0 to 1.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from transformer_course.cache import KeyValueCache
from transformer_course.config import Positions, StackConfig, TransformerConfig
from transformer_course.embedding import Vocabulary
from transformer_course.layers import Activation, NormOrder, dropout
from transformer_course.masks import check_cached, next_tokens_mask, padding_mask
from transformer_course.transformer import Encoder, TextInput, output_layer

IGNORE_INDEX = -100  # the label of a position that no loss is taken at: what torch's cross_entropy ignores by default


class _TextModel(nn.Module):
    """What GPT and BERT are both made of; they differ in what each token may see, and in what is asked of it."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        self.input = TextInput(config, config.vocabulary_size)
        self.stack = Encoder(config)
        self.output = output_layer(config, self.input.embedding)


class GPT(_TextModel):
    """The decoder alone: each token sees itself and what came before, and predicts the next.

    Without an encoder there is no cross-attention, so its layer is the *encoder's* layer with a causal mask.

    Choices are the config's: GPT-2 has ``norm="pre"``, ``activation="gelu"`` and ``positions="learned"``. Unlike there, the
    table is multiplied by √d_model, as everywhere in this course. Texts are padded on the right.

    Source: Radford et al. 2018, "Improving Language Understanding by Generative Pre-Training", section 3.1; pre-norm
    and the closing norm (``norm="pre"``): Radford et al. 2019, section 2.3.
    """

    def forward(self, tokens: Int[Tensor, "b n"], caches: list[KeyValueCache] | None = None) -> Float[Tensor, "b n v"]:
        """Return logits for the token after each of ``tokens``; with ``caches``, ``tokens`` is what is new, unpadded.

        Raises ValueError for ids outside the table, sequences past ``max_length``, and padding that is not on the right.
        """
        start = check_cached(tokens, Vocabulary.pad, caches[0].length) if caches else 0
        return self.output(self.stack(self.input(tokens, start), next_tokens_mask(start, tokens), caches))

    def caches(self, max_length: int) -> list[KeyValueCache]:
        """Return empty caches, one a layer, for decoding up to ``max_length`` tokens."""
        return [KeyValueCache(max_length) for _ in self.stack.layers]


class BERT(_TextModel):
    """The encoder alone: each token sees all the others, and the hidden ones among them are to be guessed.

    Simpler than the original: one segment, no norm of the input, and no further layer before the output. Its second task,
    next sentence prediction, is left out: Liu et al. 2019 (RoBERTa, section 4.2) found that it does not help.

    Source: Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers", section 3.
    """

    def encode(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n d"]:
        """Return one vector for each token, made from all of its sequence but the padding."""
        return self.stack(self.input(tokens), padding_mask(tokens, Vocabulary.pad))

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b n v"]:
        """Return logits for what stands *at* each position; errors as in `Transformer`."""
        return self.output(self.encode(tokens))


class SequenceClassifier(nn.Module):
    """A `BERT` with a new head: one linear map from the vector of the first token, [CLS], to ``num_classes`` logits.

    Source: Devlin et al. 2019, section 4.1.
    """

    def __init__(self, body: BERT, num_classes: int):
        super().__init__()
        self.body, self.head = body, nn.Linear(body.config.d_model, num_classes)

    def forward(self, tokens: Int[Tensor, "b n"]) -> Float[Tensor, "b c"]:
        """Return one logit a class for each sequence, which must begin with [CLS] to be read as in training."""
        return self.head(self.body.encode(tokens)[:, 0])


def mask_tokens(
    tokens: Int[Tensor, "b n"], special: Bool[Tensor, "b n"], mask_id: int, vocabulary_size: int, generator: Generator
) -> tuple[Int[Tensor, "b n"], Int[Tensor, "b n"]]:
    """Hide 15 % of the tokens, and return ``(inputs, labels)``: labels are the hidden tokens, and -100 elsewhere.

    Of the hidden ones 80 % become ``mask_id``, 10 % a random token (any id but 0, which is padding), and 10 % stay as they
    are, so that the model cannot rely on a mask to know what it is asked. Where ``special`` is True (padding, [CLS],
    [SEP]) nothing is hidden. Each token is drawn by itself: the shares hold on average.

    Raises ValueError when ``special`` has another shape than ``tokens``, or ``mask_id`` lies outside the vocabulary.
    Source: Devlin et al. 2019, section 3.1 and appendix A.1.
    """
    if special.shape != tokens.shape or special.dtype != torch.bool:
        raise ValueError(
            f"special is boolean, one for each of {tuple(tokens.shape)} tokens, saw {special.dtype} {tuple(special.shape)}"
        )
    if not 0 <= mask_id < vocabulary_size:
        raise ValueError(f"mask_id is an id of this vocabulary, 0 … {vocabulary_size - 1}, saw {mask_id}")
    hidden = (torch.rand(tokens.shape, generator=generator) < 0.15) & ~special
    fate = torch.rand(tokens.shape, generator=generator)
    random = torch.randint(1, vocabulary_size, tokens.shape, generator=generator)
    inputs = torch.where(hidden & (fate < 0.8), mask_id, tokens)
    inputs = torch.where(hidden & (fate >= 0.9), random, inputs)
    return inputs, torch.where(hidden, tokens, IGNORE_INDEX)


def patches(images: Float[Tensor, "b H W"], size: int) -> Float[Tensor, "b n size*size"]:
    """Cut images into squares of ``size`` × ``size`` pixels, row by row, and lay each out as one vector.

    Raises ValueError when the images have not three axes, or ``size`` does not divide their sides.
    Source: Dosovitskiy et al. 2021, "An Image is Worth 16x16 Words", section 3.1.
    """
    if images.ndim != 3 or size < 1 or images.shape[1] % size or images.shape[2] % size:
        raise ValueError(f"images are (b, H, W), with sides that {size} divides, saw {tuple(images.shape)}")
    b, height, width = images.shape
    squares = images.reshape(b, height // size, size, width // size, size).transpose(2, 3)
    return squares.reshape(b, -1, size * size)


@dataclass(frozen=True, kw_only=True)
class ViTConfig(StackConfig):
    """A model of small grey images; the defaults fit scikit-learn's digits: 100,000 parameters for 1,300 images."""

    image_size: int = 8  # pixels a side
    patch_size: int = 2  # 16 patches: few enough to be quick, enough to have something to attend to
    num_classes: int = 10
    d_model: int = 64
    num_heads: int = 4
    num_layers: int = 2
    d_ff: int = 256
    norm: NormOrder = "pre"  # as in the paper, section 3.1
    activation: Activation = "gelu"
    positions: Positions = "learned"

    def __post_init__(self):
        super().__post_init__()
        if self.image_size % self.patch_size:
            raise ValueError(f"patch_size must divide image_size, saw {self.patch_size} and {self.image_size}")


class ViT(nn.Module):
    """The encoder's stack over the patches of an image, and one more token, whose vector is read for the class.

    Source: Dosovitskiy et al. 2021, section 3.1.
    """

    def __init__(self, config: ViTConfig):
        super().__init__()
        self.config = config
        self.patch = nn.Linear(config.patch_size**2, config.d_model)
        self.class_token = nn.Parameter(torch.zeros(config.d_model))
        # The vectors of patches of pixels from 0 to 1 start at about this size.
        self.positions = config.position_embedding((config.image_size // config.patch_size) ** 2 + 1, std=0.5)
        self.dropout = config.dropout
        self.stack = Encoder(config)
        self.head = nn.Linear(config.d_model, config.num_classes)

    def forward(self, images: Float[Tensor, "b H W"]) -> Float[Tensor, "b c"]:
        """Return one logit a class for each image. Raises ValueError for other sizes and for whole numbers."""
        side = self.config.image_size
        if images.shape[1:] != (side, side) or not images.is_floating_point():
            raise ValueError(
                f"this ViT reads images of (b, {side}, {side}), from 0 to 1, saw {images.dtype} {tuple(images.shape)}"
            )
        x = self.patch(patches(images, self.config.patch_size))
        x = torch.cat([self.class_token.expand(len(x), 1, -1), x], dim=1)
        x = x if self.positions is None else self.positions(x)
        return self.head(self.stack(dropout(x, self.dropout, self.training))[:, 0])
