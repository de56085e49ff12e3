"""Questions and outcomes as bytes: what may pass between a judge and the code that it judges.

A value is None, a bool, an int, a float, a string, a NumPy array of numbers, a list or a mapping of values, or a
``Proxy``. A frame is two lengths, a JSON header, and the raw bytes of the arrays: no pickle, so reading a frame never
runs anything. This module needs only NumPy and knows no exercise, so that it can run next to untrusted code.
"""

import json
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from . import limits

DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"}
)
# Looked up, since NumPy builds a name on every access.
NAMES = {np.dtype(name).newbyteorder(order): name for name in DTYPES for order in "<>"}
LENGTHS = struct.Struct("<II")


class WireError(ValueError):
    """A value that cannot be written as a frame, or bytes that are not a frame."""


@dataclass(frozen=True)
class Proxy:
    """A placeholder for a function that stays with the judge: calling it asks the judge."""


def mapped(value, change: Callable):
    """A copy of a value of lists and mappings, with ``change(item)`` in place of each item that is neither."""
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    return [mapped(item, change) for item in value] if isinstance(value, list) else change(value)


def encode(value) -> bytes:
    """Write a value as a frame. Raises WireError if it is not data, or too large for a frame."""
    writer = _Writer([])
    tree = writer.tree(value, 0)
    described = [[NAMES[array.dtype], list(array.shape)] for array in writer.arrays]
    header = json.dumps({"value": tree, "arrays": described}, allow_nan=False).encode()
    _demand_size(len(header), writer.length)
    return b"".join([LENGTHS.pack(len(header), writer.length), header, *(array.tobytes() for array in writer.arrays)])


def decode(frame: bytes):
    """Read the value of a frame. Raises only WireError, for bytes that ``encode`` could not have written."""
    if not LENGTHS.size <= len(frame) <= LENGTHS.size + limits.FRAME_BYTES:
        raise WireError(f"a frame has {LENGTHS.size} to {LENGTHS.size + limits.FRAME_BYTES} bytes, got {len(frame)}")
    header_length, body_length = LENGTHS.unpack_from(frame)
    _demand_size(header_length, body_length)
    if len(frame) != LENGTHS.size + header_length + body_length:
        raise WireError(f"lengths {header_length} and {body_length} do not fit a frame of {len(frame)} bytes")
    body = memoryview(frame)[LENGTHS.size + header_length :]
    try:
        header = json.loads(frame[LENGTHS.size : LENGTHS.size + header_length])
        value = _Reader(_read_arrays(header["arrays"], body)).value(header["value"], 0)
    except WireError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise WireError(f"not the header of a frame: {type(error).__name__}: {error}") from None
    if encode(value) != frame:  # a value has one form: no name or array twice, no unused array, no other spelling of a number
        raise WireError("not the form that ``encode`` gives this value")
    return value


def _demand_size(header: int, body: int) -> None:
    if header > limits.HEADER_BYTES or header + body > limits.FRAME_BYTES:
        raise WireError(
            f"a frame has at most {limits.FRAME_BYTES} bytes, {limits.HEADER_BYTES} of them in its header; got {header} bytes "
            f"of header and {body} of arrays"
        )


def _demand_shape(shape: tuple | list, itemsize: int) -> None:
    """Raise WireError for a shape that is too large. An axis of length 0 does not excuse the others."""
    if len(shape) > limits.FRAME_DEPTH or itemsize * math.prod(max(1, size) for size in shape) > limits.FRAME_BYTES:
        raise WireError(f"no array of shape {shape!s:.200} may pass")


class _Walk:
    """A walk through a value, which counts what it meets."""

    def __init__(self, arrays: list[np.ndarray]):
        self.arrays, self.values = arrays, 0

    def enter(self, depth: int) -> None:
        self.values += 1
        if depth > limits.FRAME_DEPTH or self.values > limits.FRAME_VALUES:
            raise WireError(f"a frame has at most {limits.FRAME_VALUES} values, which nest at most {limits.FRAME_DEPTH} deep")


class _Writer(_Walk):
    length = 0  # of the arrays, in bytes

    def tree(self, value, depth: int):
        """The JSON of a value; its arrays are collected on the way."""
        self.enter(depth)
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, int) and -(2**63) <= value < 2**63:
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, np.ndarray) and value.dtype in NAMES:
            _demand_shape(value.shape, value.itemsize)
            self.length += value.nbytes
            _demand_size(0, self.length)
            if value.dtype == bool:
                value = value.view(np.uint8).astype(bool)  # whatever byte meant True, now it is 1
            self.arrays.append(value.astype(value.dtype.newbyteorder("<")))
            return {"array": len(self.arrays) - 1}
        if isinstance(value, list | tuple):
            return [self.tree(item, depth + 1) for item in value]
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            return {"mapping": {key: self.tree(item, depth + 1) for key, item in value.items()}}
        if isinstance(value, Proxy):
            return {"proxy": True}
        raise WireError(f"not data: {type(value).__name__:.80}")


class _Reader(_Walk):
    def value(self, tree, depth: int):
        """The value that this JSON describes."""
        self.enter(depth)
        if tree is None or isinstance(tree, bool | str | int | float):
            return tree
        if isinstance(tree, list):
            return [self.value(item, depth + 1) for item in tree]
        ((tag, content),) = tree.items()
        if tag == "float" and content in ("nan", "inf", "-inf"):
            return float(content)
        if tag == "array" and type(content) is int and 0 <= content < len(self.arrays):
            return self.arrays[content]
        if tag == "mapping":
            return {key: self.value(item, depth + 1) for key, item in content.items()}
        if tag == "proxy":
            return Proxy()
        raise WireError(f"no value is written as {tag[:40]!r}")


def _read_arrays(described: list, body: memoryview) -> list[np.ndarray]:
    if len(described) > limits.FRAME_VALUES:
        raise WireError(f"a frame has at most {limits.FRAME_VALUES} values")
    arrays, start = [], 0
    for name, shape in described:
        if name not in DTYPES:
            raise WireError(f"no array of {str(name)[:40]!r} may pass")
        if any(type(size) is not int or size < 0 for size in shape):
            raise WireError(f"not a shape: {shape!s:.200}")
        dtype = np.dtype(name).newbyteorder("<")
        _demand_shape(shape, dtype.itemsize)
        length = math.prod(shape) * dtype.itemsize
        if length > len(body) - start:
            raise WireError(f"an array of {length} bytes does not fit into the remaining {len(body) - start}")
        flat = np.frombuffer(body[start : start + length], dtype)
        if name == "bool" and (flat.view(np.uint8) > 1).any():
            raise WireError("a bool is neither 0 nor 1")
        arrays.append(flat.reshape(shape).astype(np.dtype(name)))
        start += length
    if start != len(body):
        raise WireError(f"{len(body) - start} bytes belong to no array")
    return arrays
