"""How the result of a function is read, and shown beside the expected one."""

from dataclasses import replace

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import as_array, rounded

COMPARED = 12  # numbers in a result that is shown beside the expected one


def with_scalar(outcome: Outcome, expected: Outcome) -> Outcome:
    """The outcome with a number in place of an array of one number, if a number was expected."""
    array = as_array(outcome.value)
    one = array is not None and array.shape == (1,) and isinstance(expected.value, np.ndarray) and expected.value.shape == ()
    return replace(outcome, value=array.reshape(())) if one else outcome


def compared(question: str, outcome: Outcome, expected: Outcome) -> dict | None:
    """The comparison of one result with the expected one, if both are small arrays of one shape."""
    seen, right = as_array(outcome.value, "biuf"), as_array(expected.value, "biuf")
    if seen is None or right is None or seen.shape != right.shape or seen.size > COMPARED:
        return None
    given, wanted = (np.array2string(rounded(array), separator=", ", floatmode="maxprec") for array in (seen, right))
    return {"question": question, "given": given, "expected": wanted}


def why_no_array(outcome: Outcome) -> str:
    """What is wrong with an outcome that is not an array of numbers."""
    if outcome.type == "NoneType":
        return "it returned None. Is a `return` missing at its end?"
    if isinstance(outcome.value, list) and outcome.type == "tuple":
        return f"it returned {len(outcome.value)} values as a tuple. Return only the one that the exercise asks for."
    if isinstance(outcome.value, list):
        return "it returned a list that is not an array of numbers: its rows differ in length, or contain something else."
    if isinstance(outcome.value, np.ndarray):
        return f"the result has dtype {outcome.value.dtype}, but should contain numbers."
    return f"it returned {outcome.type}, but should return an array (or a tensor, or nested lists)."
