"""Measure several programs in one run, where they take turns, so that a busy minute slows them all equally."""

import random
import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

console = Console(width=110)


def compare(
    title: str,
    programs: dict[str, Callable[[], float | None]],
    unit: str,
    amount: float,
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> None:
    """Time each program once per round, in random order; print the rates, and the ratios to the first program.

    ``amount`` is the work of one call, in ``unit``; a program that does only a fraction of it returns that fraction, such as
    1/8. A ratio above 1 means that the first program, ours, is faster. It is the median over the rounds, printed with the
    middle half.
    """
    for program in programs.values():
        program()  # the first call takes longer, because it allocates and compiles
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    order = list(programs)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            started = clock()
            fraction = programs[name]() or 1
            seconds[name].append((clock() - started) / fraction)
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
