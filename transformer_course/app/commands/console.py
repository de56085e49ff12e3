"""Messages that several commands share."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from transformer_course.folders.learner_folder import Delivery

KINDS = {"notebooks": "lesson", "exercises": "sheet", "source": "sheet", "docs": "page"}  # by the folder that the file is in


def stop(message: str) -> typer.Exit:
    """Print an error message as it is; return the exit with status 1, for the caller to raise."""
    from transformer_course.grading.sanitize import code

    Console(stderr=True, soft_wrap=True).print(code(message), markup=False, emoji=False)  # it may quote a learner's file name
    return typer.Exit(1)


@contextmanager
def stopping_at(*errors: type[Exception]) -> Iterator[None]:
    """End the command with the message of an error of these types."""
    try:
        yield
    except errors as error:
        raise stop(str(error)) from None


def print_delivery(delivery: Delivery, folder: Path) -> None:
    """Print how many files were added to a folder, and what `print_changes` prints."""
    console = Console(soft_wrap=True, highlight=False)
    if delivery.added:
        kinds = Counter(KINDS.get(name.split("/")[0], "other file") for name in delivery.added)
        added = ", ".join(quantity(count, kind) for kind, count in kinds.items())
        console.print(f"{quantity(len(delivery.added), 'file')} added to {escape(str(folder))}: {added}.")
    print_changes(console, delivery)


def print_changes(console: Console, delivery: Delivery) -> None:
    """Print the names of the files that were updated, left alone or passed over."""
    for name in delivery.updated:
        console.print(f"updated: {escape(name)}")
    for name in delivery.left:
        advice = "for the new version, rename yours and run this again"
        console.print(f"not updated, because you changed it: {escape(name)} ({advice})")
    for sentence in delivery.passed_over:
        console.print(escape(sentence))


def sheet_number(text: str) -> str:
    """Return a sheet's number as the course writes it: ``3`` becomes ``03``, and ``b2`` becomes ``B2``."""
    return text.zfill(2).upper()


def quantity(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
