"""What experiments measured that are too long for a lesson: recorded once, and shown as recorded.

``python -m transformer_course.experiments.records assistant`` runs an experiment again and writes
``recorded/assistant.json``: what its ``record`` returned, the day, and what it ran on. An experiment with a ``record`` also
has ``settings``, which say what decides its result; tests compare them with the recorded ones.
"""

import importlib
import json
import platform
import sys
from datetime import date
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "recorded"


def recorded(name: str) -> dict[str, Any]:
    """Return what was recorded under this name.

    Raises ValueError if nothing was.
    """
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in FOLDER.glob("*.json")))
        raise ValueError(f"there must be a record of this name, got {name!r}; choose one of {there}")
    return json.loads(path.read_text(encoding="utf-8"))


def write(name: str) -> Path:
    """Run the ``record`` of an experiment, which takes minutes, and keep what it returns; return the file."""
    import torch

    experiment = importlib.import_module(f"transformer_course.experiments.{name}")
    found = {
        "made by": f"python -m transformer_course.experiments.records {name}",
        "day": date.today().isoformat(),
        "torch": torch.__version__,
        "machine": f"{platform.system()} {platform.machine()}, one thread",
        **experiment.record(),
    }
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return path


if __name__ == "__main__":
    for each in sys.argv[1:]:
        print(write(each))
