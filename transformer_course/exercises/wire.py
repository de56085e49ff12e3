"""Probes and outcomes as data: what may pass between a judge and the code that it judges, and its form in bytes.

A value is None, a bool, an int, a float, a string, a NumPy array of numbers, a list or a mapping of values, or a
``Proxy``. A frame is two lengths, a JSON header, and the raw bytes of the arrays: no pickle, so reading a frame never
runs anything. This module needs NumPy alone and knows no exercise, so that it can stand beside code that nobody trusts.
"""

import json
import math
import struct
from dataclasses import dataclass

import numpy as np

DTYPES = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"}
)
MAX_BYTES = 64 * 2**20
MAX_DEPTH = 16
LENGTHS = struct.Struct("<II")


class WireError(ValueError):
    """A value that has no form in bytes, or bytes that are not a frame."""


@dataclass(frozen=True)
class Proxy:
    """Stands for a function that stays with the judge: calling it asks the judge."""


def encode(value) -> bytes:
    """The frame of a value. Raises WireError for what is not data or is larger than ``MAX_BYTES``."""
    arrays: list[np.ndarray] = []
    tree = _to_tree(value, arrays, 0)
    described = [[array.dtype.name, list(array.shape)] for array in arrays]
    header = json.dumps({"value": tree, "arrays": described}, allow_nan=False).encode()
    body = b"".join(array.tobytes() for array in arrays)
    if len(header) + len(body) > MAX_BYTES:
        raise WireError(f"a frame holds at most {MAX_BYTES} bytes, this one has {len(header) + len(body)}")
    return LENGTHS.pack(len(header), len(body)) + header + body


def decode(frame: bytes):
    """The value of a frame. Raises WireError, and nothing else, for bytes that ``encode`` could not have written."""
    if not LENGTHS.size <= len(frame) <= LENGTHS.size + MAX_BYTES:
        raise WireError(f"a frame has {LENGTHS.size} to {LENGTHS.size + MAX_BYTES} bytes, saw {len(frame)}")
    header_length, body_length = LENGTHS.unpack_from(frame)
    if len(frame) != LENGTHS.size + header_length + body_length:
        raise WireError(f"lengths {header_length} and {body_length} do not fit a frame of {len(frame)} bytes")
    body = memoryview(frame)[LENGTHS.size + header_length :]
    try:
        header = json.loads(frame[LENGTHS.size : LENGTHS.size + header_length])
        arrays = _read_arrays(header["arrays"], body)
        return _from_tree(header["value"], arrays, 0)
    except WireError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, OverflowError) as error:
        raise WireError(f"not the header of a frame: {type(error).__name__}: {error}") from None


def _to_tree(value, arrays: list, depth: int):
    if depth > MAX_DEPTH:
        raise WireError(f"values nest at most {MAX_DEPTH} deep")
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.ndarray) and value.dtype.name in DTYPES:
        arrays.append(value.astype(value.dtype.newbyteorder("<")))
        return {"array": len(arrays) - 1}
    if isinstance(value, list | tuple):
        return [_to_tree(item, arrays, depth + 1) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"mapping": {key: _to_tree(item, arrays, depth + 1) for key, item in value.items()}}
    if isinstance(value, Proxy):
        return {"proxy": True}
    raise WireError(f"not data: {type(value).__name__}")


def _from_tree(tree, arrays: list, depth: int):
    if depth > MAX_DEPTH:
        raise WireError(f"values nest at most {MAX_DEPTH} deep")
    if tree is None or isinstance(tree, bool | str | int | float):
        return tree
    if isinstance(tree, list):
        return [_from_tree(item, arrays, depth + 1) for item in tree]
    ((tag, content),) = tree.items()
    if tag == "float" and content in ("nan", "inf", "-inf"):
        return float(content)
    if tag == "array" and isinstance(content, int) and 0 <= content < len(arrays):
        return arrays[content]
    if tag == "mapping":
        return {key: _from_tree(item, arrays, depth + 1) for key, item in content.items()}
    if tag == "proxy":
        return Proxy()
    raise WireError(f"no value is written as {tag!r}")


def _read_arrays(described: list, body: memoryview) -> list[np.ndarray]:
    arrays, start = [], 0
    for name, shape in described:
        if name not in DTYPES:
            raise WireError(f"no array of {name!r} may pass")
        if len(shape) > MAX_DEPTH or any(type(size) is not int or size < 0 for size in shape):
            raise WireError(f"not a shape: {shape}")
        dtype = np.dtype(name).newbyteorder("<")
        length = math.prod(shape) * dtype.itemsize
        if length > len(body) - start:
            raise WireError(f"an array of {length} bytes does not fit the {len(body) - start} that are left")
        flat = np.frombuffer(body[start : start + length], dtype)
        arrays.append(flat.reshape(shape).astype(np.dtype(name)))
        start += length
    if start != len(body):
        raise WireError(f"{len(body) - start} bytes belong to no array")
    return arrays
