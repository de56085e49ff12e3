"""What a model is made of: sizes and choices, each with its reason."""

from dataclasses import dataclass, fields
from typing import Literal, get_args

from torch import nn

from transformer_course.layers import Activation, LayerNorm, NormOrder
from transformer_course.positions import LearnedPositions, SinusoidalPositions

Positions = Literal["sinusoidal", "learned", "rotary", "none"]


@dataclass(frozen=True, kw_only=True)
class StackConfig:
    """What a stack of layers is made of. The defaults are the paper's base model.

    Raises ValueError for sizes and choices that no model can have.
    Source: Vaswani et al. 2017, "Attention Is All You Need", table 3; dropout as in `EncoderLayer`.
    """

    d_model: int = 512  # one width through the whole stack, so that residuals can be added
    num_heads: int = 8  # 64 dimensions a head
    num_layers: int = 6  # N, in each stack
    d_ff: int = 2048  # 4 · d_model; two thirds of an encoder layer's parameters lie here
    dropout: float = 0.1  # P_drop, while training: for attention weights, hidden units, sublayers and the sum at the input
    norm: NormOrder = "post"  # as printed; "pre" can do without warm-up, and is GPT-2's and ViT's
    final_norm: bool | None = None  # a LayerNorm at the end: None takes it for "pre" alone; nn.Transformer always has it
    activation: Activation = "relu"  # GPT, BERT and ViT take "gelu"
    positions: Positions = "sinusoidal"  # the paper found learned ones as good

    def __post_init__(self):
        for field in fields(self):
            size = getattr(self, field.name)
            if field.type in (int, int | None) and size is not None and (not isinstance(size, int) or size < 1):
                raise ValueError(f"{field.name} must be a whole number of 1 or more, saw {size!r}")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is a share from 0 to below 1, saw {self.dropout}")
        choices = {"norm": NormOrder, "activation": Activation, "positions": Positions}
        for name, choice in choices.items():
            if getattr(self, name) not in get_args(choice):
                raise ValueError(f"{name} is one of {', '.join(get_args(choice))}, saw {getattr(self, name)!r}")
        if self.d_model % self.num_heads:
            raise ValueError(f"num_heads must divide d_model, saw {self.num_heads} heads for d_model {self.d_model}")
        width = {"sinusoidal": self.d_model, "rotary": self.d_model // self.num_heads}.get(self.positions, 2)
        if width % 2:
            raise ValueError(f"{self.positions} positions need pairs of dimensions, saw an odd width of {width}")

    def layer(self) -> dict:
        """Return the arguments of one layer."""
        names = ("d_model", "num_heads", "d_ff", "dropout", "norm", "activation")
        return {**{name: getattr(self, name) for name in names}, "rotary": self.positions == "rotary"}

    def build_final_norm(self) -> nn.Module:
        """Return what stands at the end of the stack."""
        wanted = self.norm == "pre" if self.final_norm is None else self.final_norm
        return LayerNorm(self.d_model) if wanted else nn.Identity()

    def position_embedding(self, max_length: int, std: float = 0.02) -> nn.Module | None:
        """Return what is added at the input: None for rotary positions, which turn queries and keys instead."""
        if self.positions == "sinusoidal":
            return SinusoidalPositions(self.d_model, max_length)
        return LearnedPositions(self.d_model, max_length, std) if self.positions == "learned" else None


@dataclass(frozen=True, kw_only=True)
class TransformerConfig(StackConfig):
    """A model of text; for a `Transformer`, ``TransformerConfig()`` is the paper's base model.

    It has 63 million parameters, of which the table has 19; the paper's own table 3 says 65 for the whole.
    """

    vocabulary_size: int = 37_000  # byte pairs of English and German together (section 5.1)
    target_vocabulary_size: int | None = None  # None: source and target share one table, as in the paper
    tied: bool = True  # the output layer shares the target's table (section 3.4); small models learn faster untied
    max_length: int = 512  # the longest sequence there are positions for; waves could go on, learned tables not
