"""Measuring several programs in one run, turn by turn, so that a busy minute hits all of them alike."""

import random
import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

console = Console(width=110)


def compare(title: str, programs: dict[str, Callable[[], float | None]], unit: str, amount: float, rounds: int) -> None:
    """Time each program once a round, in an order that changes, and print rates and ratios to the first one.

    ``amount`` is what one call does, in ``unit``; a program that does only a part of it returns that share (1/8, say). A
    ratio above 1 says that the first program, ours, is the faster one; it is the median over the rounds, with the
    middle half of them.
    """
    for program in programs.values():
        program()  # the first call allocates, and compiles what there is to compile
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    order = list(programs)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            begun = time.perf_counter()
            share = programs[name]() or 1
            seconds[name].append((time.perf_counter() - begun) / share)
    ours = seconds[next(iter(programs))]
    table = Table(title=f"{title} ({rounds} rounds)", title_justify="left")
    for column, side in (("", "left"), (f"{unit}/s", "right"), ("ours is faster by", "right"), ("middle half", "right")):
        table.add_column(column, justify=side)
    for name, times in seconds.items():
        ratios = [theirs / mine for theirs, mine in zip(times, ours, strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4)
        rate = f"{amount / statistics.median(times):,.0f}"
        same = times is ours
        table.add_row(name, rate, "" if same else f"× {middle:.2f}", "" if same else f"{low:.2f} … {high:.2f}")
    console.print(table)
