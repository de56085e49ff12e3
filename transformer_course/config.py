"""The sizes and choices that define a model, each with its reason."""

from dataclasses import dataclass, fields
from typing import get_args

from torch import nn

from transformer_course.embedding import Vocabulary
from transformer_course.layers import Activation, LayerNorm, NormOrder
from transformer_course.positions import SCHEMES


@dataclass(frozen=True, kw_only=True)
class StackConfig:
    """The sizes and choices of a stack of layers. The defaults are those of the paper's base model.

    Raises ValueError for values that no model can have.
    Source: Vaswani et al. 2017, "Attention Is All You Need", table 3; dropout as in `EncoderLayer`.
    """

    d_model: int = 512  # the same width throughout, so that residual connections can add
    num_heads: int = 8  # 64 dimensions per head
    num_layers: int = 6  # N in the paper, for each stack
    d_ff: int = 2048  # 4 · d_model; two-thirds of an encoder layer's parameters are here
    dropout: float = 0.1  # P_drop, during training: for attention weights, hidden units, sublayers and the input sum
    norm: NormOrder = "post"  # as in the paper; "pre", used by GPT-2 and ViT, can do without warm-up
    final_norm: bool | None = None  # a LayerNorm at the end (None: only with "pre"); nn.Transformer always has one
    activation: Activation = "relu"  # GPT, BERT and ViT use "gelu", and GPT-2 "gelu_tanh"
    positions: str = "sinusoidal"  # a name in `positions.SCHEMES`; the paper found learned positions equally good

    def __post_init__(self):
        for field in fields(self):
            size = getattr(self, field.name)
            if field.type in (int, int | None) and size is not None and (not isinstance(size, int) or size < 1):
                raise ValueError(f"{field.name} must be an integer of 1 or more, got {size!r}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and below 1, got {self.dropout}")
        choices = {"norm": get_args(NormOrder), "activation": get_args(Activation), "positions": tuple(SCHEMES)}
        for name, names in choices.items():
            if getattr(self, name) not in names:
                raise ValueError(f"{name} must be one of {', '.join(names)}, got {getattr(self, name)!r}")
        if self.d_model % self.num_heads:
            raise ValueError(f"num_heads must divide d_model, got {self.num_heads} heads for d_model {self.d_model}")
        SCHEMES[self.positions].check(self.d_model, self.d_model // self.num_heads)

    def layer(self) -> dict:
        """Return the keyword arguments for one layer."""
        names = ("d_model", "num_heads", "d_ff", "dropout", "norm", "activation", "positions")
        return {name: getattr(self, name) for name in names}

    def build_final_norm(self) -> nn.Module:
        """Return the module after the last layer: the final norm, or an identity if there is none."""
        wanted = self.norm == "pre" if self.final_norm is None else self.final_norm
        return LayerNorm(self.d_model) if wanted else nn.Identity()

    def position_embedding(self, max_length: int, std: float = 0.02) -> nn.Module | None:
        """Return the module that adds positions to the input, or None, as when attention itself knows the positions."""
        return SCHEMES[self.positions].embedding(self.d_model, max_length, std)


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(StackConfig):
    """The configuration of a text model. For a `Transformer`, ``TransformerConfig()`` is the paper's base model.

    That model has 63 million parameters, 19 million of them in the embedding table. The paper's table 3 gives a total of
    65 million.
    """

    vocabulary_size: int = 37_000  # byte pairs, for English and German together (section 5.1)
    target_vocabulary_size: int | None = None  # None: source and target share one table, as in the paper
    tied: bool = True  # the output layer shares the target's table (section 3.4); small models learn faster untied
    max_length: int = 512  # the longest sequence; sine waves could go on, but a learned table could not
    scale_embedding: bool = True  # the table is multiplied by √d_model (section 3.4); GPT-2 leaves this out
    special_tokens: bool = True  # ids 0 to 3 are those of `Vocabulary`; GPT-2 has no padding, and its id 0 is "!"

    @property
    def pad(self) -> int:
        """The id that models ignore as padding. Without special tokens it is -1, which no token has."""
        return Vocabulary.pad if self.special_tokens else -1
