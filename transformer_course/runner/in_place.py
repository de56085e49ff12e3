"""Run an answer that changes tensors. Arrays go in, and come back as the answer has left them."""

import numpy as np

from .outcome import type_name
from .tensors import imported_torch


def run_in_place(answer, *arguments) -> dict:
    """Call ``answer`` once, without gradients, with tensors in place of the arrays in its arguments.

    Returns the arguments as they are ``afterwards``, the ``tensors`` that the call was given, as they are afterwards too, in
    the same lists and mappings, and as ``type`` that of what was returned. The two differ where the answer has put a new
    tensor into a list or mapping.
    """
    torch = imported_torch()
    with torch.without_gradients():
        given = [_with_tensors(torch, value) for value in arguments]
        tensors = [_same_tensors(value) for value in given]
        returned = answer(*given)
        return {"afterwards": given, "tensors": tensors, "type": type_name(returned)}


def _with_tensors(torch, value):
    """A copy of a value of lists and mappings, with a tensor in place of each array."""
    if isinstance(value, dict):
        return {key: _with_tensors(torch, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_tensors(torch, item) for item in value]
    return torch.from_numpy(value.copy()) if isinstance(value, np.ndarray) else value


def _same_tensors(value):
    """A copy of the lists and mappings that holds the very same tensors."""
    if isinstance(value, dict):
        return {key: _same_tensors(item) for key, item in value.items()}
    return [_same_tensors(item) for item in value] if isinstance(value, list) else value
