"""What several commands say."""

from collections import Counter
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from transformer_course.folders.learner_folder import Delivery

KINDS = {"notebooks": "lesson", "exercises": "sheet", "source": "sheet", "docs": "page"}  # by the folder that holds it


def stop(sentence: str) -> typer.Exit:
    """Say what is wrong, in one sentence, and end with status 1."""
    Console(stderr=True, soft_wrap=True).print(escape(sentence))
    return typer.Exit(1)


def tell(delivery: Delivery, folder: Path) -> None:
    """Say how much was brought into a folder, and by name what was replaced there and what was left."""
    console = Console(soft_wrap=True, highlight=False)
    if delivery.added:
        kinds = Counter(KINDS.get(name.split("/")[0], "other file") for name in delivery.added)
        told = [_several(count, kind) for kind, count in kinds.items()]
        console.print(f"{_several(len(delivery.added), 'file')} added to {escape(str(folder))}: {', '.join(told)}.")
    for name in delivery.updated:
        console.print(f"brought up to date: {escape(name)}")
    for name in delivery.left:
        console.print(f"left as you changed it: {escape(name)} (rename yours and start again to get the new edition)")


def _several(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"
