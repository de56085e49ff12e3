"""How the result of a function is read, and shown beside the expected one."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from transformer_course.runner.outcome import Outcome

from ..exercise import an_object, as_array, close, rounded

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


def finite(outcome: Outcome) -> bool:
    """Whether an outcome is an array of numbers without inf and nan."""
    array = as_array(outcome.value, "biuf")
    return not outcome.error and array is not None and bool(np.isfinite(array).all())


def why_no_array(outcome: Outcome) -> str:
    """What is wrong with an outcome that is not an array of numbers."""
    if outcome.type == "NoneType":
        return "it returned None. Is a `return` missing at its end?"
    if isinstance(outcome.value, list) and outcome.type == "tuple":
        return f"it returned {len(outcome.value)} values as a tuple. Return only the one that the exercise asks for."
    if isinstance(outcome.value, list):
        return f"it returned a list that is not an array of numbers: it contains {wrong_content(outcome.value)}."
    if isinstance(outcome.value, np.ndarray):
        return f"the result has dtype {outcome.value.dtype}, but should contain numbers."
    return f"it returned {an_object(outcome.type)}, but should return an array (or a tensor, or nested lists)."


def agree(given: Outcome, expected: Outcome) -> bool:
    """Whether two outcomes are the same: both raised, or both gave the same numbers.

    The value of ``given`` consists of arrays already (`arrays`): it may be large, and is compared with many.
    """
    if given.error or expected.error:
        return bool(given.error and expected.error)
    if expected.type == "NoneType":
        return given.type == "NoneType"
    return equal(given.value, arrays(expected.value))


def arrays(value):
    """The value with an array in place of all nested lists that form one."""
    if (array := as_array(value, "biuf")) is not None:
        return array
    if isinstance(value, dict):
        return {key: arrays(item) for key, item in value.items()}
    return [arrays(item) for item in value] if isinstance(value, list) else value


def equal(seen, expected) -> bool:
    """Whether two values are the same array or string, or lists of such: what a function returns as a pair, for example.

    A mapping may hold more than expected.
    """
    if isinstance(expected, dict):
        return isinstance(seen, dict) and all(key in seen and equal(seen[key], expected[key]) for key in expected)
    if isinstance(seen, str):
        return isinstance(expected, str) and seen == expected
    if isinstance(seen, list) and isinstance(expected, list):
        return len(seen) == len(expected) and all(map(equal, seen, expected))
    if not isinstance(seen, np.ndarray) or not isinstance(expected, np.ndarray) or seen.shape != expected.shape:
        return False
    if expected.dtype == bool and np.isin(seen, (0, 1)).all():
        seen = seen.astype(bool)  # a mask of zeros and ones shows the same mistake
    return (seen.dtype == bool) == (expected.dtype == bool) and close(seen, expected)


def wrong_content(value: object) -> str:
    """What keeps ``value``, often nested lists, from being one array of numbers."""
    rows = [row for row in value if isinstance(row, list)] if isinstance(value, list) else []
    lengths = sorted({len(row) for row in rows})
    if len(lengths) > 1 and len(rows) == len(value) and all(as_array(row, "biuf") is not None for row in rows):
        return f"rows of different lengths, {', '.join(map(str, lengths[:-1]))} and {lengths[-1]}"
    return "something that is not a number, or rows of different lengths"


def part(value, name: str, kind: type):
    """An entry of a mapping, or an empty one if it is not there or is of a different kind."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def strings(value, name: str) -> list[str]:
    """The strings in a list that is an entry of a mapping."""
    return [each for each in part(value, name, list) if isinstance(each, str)]


def with_entries(outcome: Outcome, names: Iterable[str]) -> Outcome:
    """Return an outcome whose value has these entries; without them it becomes an error, because no runner said it."""
    if outcome.error or (isinstance(outcome.value, dict) and {*names} <= outcome.value.keys()):
        return outcome
    return replace(outcome, value=None, error="TypeError", message="what it returned could not be read")
