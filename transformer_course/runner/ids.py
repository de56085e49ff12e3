"""Run an answer that returns tensors of ids: what it returned comes back with the type of each of its parts."""

from collections.abc import Callable

import numpy as np

from .outcome import type_name
from .tensors import tensors


def run_on_ids(answer: Callable, *question) -> dict:
    """Call ``answer`` with tensors in place of the arrays, in the same memory, so that it shows if the answer modifies one."""
    torch = tensors()
    given = [value if torch is None or not isinstance(value, np.ndarray) else torch.from_numpy(value) for value in question]
    returned = answer(*given)
    parts = returned if isinstance(returned, tuple | list) else [returned]
    return {"value": returned, "type": type_name(returned), "kinds": [type_name(each) for each in parts]}
