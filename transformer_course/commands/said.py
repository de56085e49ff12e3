"""What several commands say."""

import typer
from rich.console import Console
from rich.markup import escape

from ..folder import Delivery


def stop(sentence: str) -> typer.Exit:
    """Say what is wrong, in one sentence, and end with status 1."""
    Console(stderr=True, soft_wrap=True).print(escape(sentence))
    return typer.Exit(1)


def tell(delivery: Delivery) -> None:
    """Say what was brought, and what was left."""
    console = Console(soft_wrap=True)
    for verb, names in (("added", delivery.added), ("brought up to date", delivery.updated)):
        if names:
            console.print(f"{len(names)} {verb}: {escape(', '.join(names))}")
    for name in delivery.left:
        console.print(f"left as you changed it: {escape(name)} (rename yours and start again to get the new edition)")
