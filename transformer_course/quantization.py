"""Quantization: weights as small integers, with a scale for each row or for each group of a row.

Shapes: ``c`` columns, the last axis of a weight, and ``g`` groups of these.
"""

import copy
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

SCALE_BYTES = 2  # a scale is a 16-bit float


@dataclass(frozen=True)
class Quantized:
    """``codes``, integers from -(2^(bits-1) - 1) to 2^(bits-1) - 1, and the ``scales`` that they are multiplied by."""

    codes: Int[Tensor, "... c"]  # int8, also for fewer bits: only `size` counts them as packed
    scales: Float[Tensor, "... g"]  # 16-bit floats
    bits: int

    def dequantized(self) -> Float[Tensor, "... c"]:
        """Return the numbers that the codes stand for, in float32."""
        groups = self.codes.float().unflatten(-1, (self.scales.shape[-1], -1))
        return (groups * self.scales.float()[..., None]).flatten(-2)

    @property
    def size(self) -> int:
        """The bytes of the codes, packed one after another, and of the scales."""
        return -(-self.codes.numel() * self.bits // 8) + SCALE_BYTES * self.scales.numel()


def quantize(weight: Float[Tensor, "... c"], bits: int = 8, group_size: int | None = None) -> Quantized:
    """Round each number to a multiple of its scale: the largest magnitude of its group, divided by the largest code.

    A group is a whole row, or ``group_size`` neighbours in it. The codes are symmetric: 0 stays 0, and there is no zero point.
    With 2 bits, they are -1, 0 and 1. Rounding moves a number by at most half a scale, apart from the rounding of the scale
    itself to 16 bits.

    Raises ValueError if ``bits`` is not an integer from 2 to 8, if ``group_size`` does not divide the columns, for weights
    that are not finite, and for weights too large for a 16-bit scale.
    Source: Dettmers et al. 2022, "LLM.int8()", section 2 (absmax, by rows); Dettmers and Zettlemoyer 2023, "The case for
    4-bit precision", section 2 (groups, there called blocks).
    """
    if not isinstance(bits, int) or not 2 <= bits <= 8:
        raise ValueError(f"bits must be an integer from 2 to 8, got {bits!r}; more than 8 do not fit into an int8")
    if not isinstance(weight, Tensor) or not weight.is_floating_point() or not weight.ndim or not weight.numel():
        got = f"{weight.dtype} {tuple(weight.shape)}" if isinstance(weight, Tensor) else type(weight).__name__
        raise ValueError(f"weight must be a tensor of floats with at least one axis, and not empty, got {got}")
    columns = weight.shape[-1]
    size = columns if group_size is None else group_size
    if not isinstance(size, int) or size < 1 or columns % size:
        raise ValueError(
            f"group_size must divide the {columns} columns of the weight, got {size!r}; "
            "try another one, or None for one scale per row"
        )
    if not weight.isfinite().all():
        raise ValueError(
            f"weights must be finite, got {int((~weight.isfinite()).sum())} that are NaN or infinite; "
            "quantize an earlier state of the model"
        )
    largest_code = 2 ** (bits - 1) - 1
    groups = weight.detach().float().unflatten(-1, (columns // size, size))
    scales = (groups.abs().amax(-1) / largest_code).half()
    if not scales.isfinite().all():
        raise ValueError(
            f"with {bits} bits, weights must be at most {65_504 * largest_code:,}, got {float(weight.abs().max()):.3g}; "
            "a 16-bit scale holds no more"
        )
    # By the scale as it is stored. A group whose scale is 0, because its numbers are (nearly) 0, has only zeros.
    codes = (groups / scales.float().clamp(min=1e-12)[..., None]).round().clamp(-largest_code, largest_code)
    return Quantized((codes * (scales > 0)[..., None]).flatten(-2).to(torch.int8), scales, bits)


def quantized_copy(model: nn.Module, bits: int = 8, group_size: int | None = None) -> tuple[nn.Module, int]:
    """Return a copy of a model whose matrices were quantized, and the bytes that its parameters take then.

    The copy computes in float32 with the dequantized numbers, so it shows what quantization does to predictions, but it is no
    faster. Vectors (biases, and the scales and shifts of norms) stay as they are, and count as 16-bit floats.

    Raises ValueError as `quantize` does, with the name of the parameter.
    """
    model, size = copy.deepcopy(model), 0
    for name, parameter in model.named_parameters():
        if parameter.ndim < 2:
            size += SCALE_BYTES * parameter.numel()
            continue
        try:
            quantized = quantize(parameter.data, bits, group_size)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        parameter.data = quantized.dequantized().to(parameter.dtype)
        size += quantized.size
    return model, size
