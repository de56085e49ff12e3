"""Run an answer that works on strings, such as a tokenizer."""

from collections.abc import Callable


def run_on_strings(answer: Callable, *question):
    """Call ``answer`` with tuples in place of the lists inside a list: a frame knows only lists, but pairs are tuples.

    The lists of the question are changed in place, so that it shows if the answer modifies one.
    """
    for value in question:
        if isinstance(value, list):
            value[:] = [tuple(item) if isinstance(item, list) else item for item in value]
    return answer(*question)
