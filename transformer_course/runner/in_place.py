"""Run an answer that changes tensors. Arrays go in, and come back as the answer has left them."""

import numpy as np

from .outcome import type_name
from .tensors import imported_torch
from .wire import mapped


def run_in_place(answer, *arguments) -> dict:
    """Call ``answer`` once, without gradients, with tensors in place of the arrays in its arguments.

    Returns the arguments as they are ``afterwards``, the ``tensors`` that the call was given, as they are afterwards too, in
    the same lists and mappings, and as ``type`` that of what was returned. The two differ where the answer has put a new
    tensor into a list or mapping.
    """
    torch = imported_torch()
    with torch.without_gradients():
        given = mapped([*arguments], lambda value: torch.from_numpy(value.copy()) if isinstance(value, np.ndarray) else value)
        tensors = mapped(given, lambda tensor: tensor)
        returned = answer(*given)
        return {"afterwards": given, "tensors": tensors, "type": type_name(returned)}
