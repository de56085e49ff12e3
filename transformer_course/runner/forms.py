"""Run an answer that takes or returns something other than arrays: strings, ids, tensors that it changes, or a class."""

from collections.abc import Callable

import numpy as np

from .outcome import described_error, type_name
from .tensors import imported_torch, tensors
from .wire import mapped


def run_on_strings(answer: Callable, *question):
    """Call ``answer`` with tuples in place of the lists inside a list: a frame knows only lists, but pairs are tuples.

    The lists of the question are changed in place, so that it shows if the answer modifies one.
    """
    for value in question:
        if isinstance(value, list):
            value[:] = [tuple(item) if isinstance(item, list) else item for item in value]
    return answer(*question)


def run_on_tensors(answer: Callable, *question) -> dict:
    """Call ``answer`` with tensors in place of the arrays, in the same memory, so that it shows if the answer modifies one.

    What it returned comes back with the type of each of its parts. ``elsewhere`` is what came of a call before that, with
    copies on a device of their own, and of floats in bfloat16: an error, or the dtype that came of bfloat16.
    """
    torch = tensors()
    given = [value if torch is None or not isinstance(value, np.ndarray) else torch.from_numpy(value) for value in question]
    elsewhere = {} if torch is None else _elsewhere(torch, answer, given)
    returned = answer(*given)
    parts = returned if isinstance(returned, tuple | list) else [returned]
    kinds = [type_name(each) for each in parts]
    return {"value": returned, "type": type_name(returned), "kinds": kinds, "elsewhere": elsewhere}


def _elsewhere(torch, answer: Callable, given: list) -> dict:
    """What comes of a call with copies of what is ``given``; see `run_on_tensors`."""

    def copied(value):
        copy = torch.from_numpy(torch.array(value).copy())
        return torch.to(copy, torch.bfloat16) if torch.array(value).dtype.kind == "f" else copy

    copies = [copied(value) if isinstance(value, torch.Tensor) else value for value in given]
    try:
        with torch.one_device():
            result = answer(*copies)
        half = any(torch.dtype.__get__(each) is torch.bfloat16 for each in copies if isinstance(each, torch.Tensor))
        return {"dtype": str(torch.dtype.__get__(result)) if half and isinstance(result, torch.Tensor) else ""}
    except Exception as error:
        return {"error": type_name(error), "message": described_error(error, answer)}


def run_tokenizer(answer: type, question: dict) -> dict:
    """Train ``answer`` on a text, then encode and decode; do the same with what comes back from its JSON.

    The texts and ids are read in this order by the same tokenizer, so that it shows if one call changes the next.
    """
    made = answer.train(question["text"], question["merges"])
    written = made.to_json()
    again = answer.from_json(written)
    return {
        "size": len(made),
        "ids": [made.encode(text) for text in question["texts"]],
        "texts": [made.decode(ids) for ids in question["ids"]],
        "json": type_name(written),
        "size again": len(again),
        "ids again": [again.encode(text) for text in question["texts"]],
        "texts again": [again.decode(ids) for ids in question["ids"]],
    }


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
