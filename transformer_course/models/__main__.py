"""Train all or some of the shipped models again: python -m transformer_course.models [NAME …]."""

import hashlib
import sys
import time

import torch

from transformer_course._util.files import write_whole
from transformer_course.models import FOLDER, SUMS
from transformer_course.models.recipes import RECIPES


def main(wanted: list[str]) -> None:
    if unknown := set(wanted) - set(RECIPES):
        sys.exit(f"There is no recipe {sorted(unknown)[0]!r}; choose from {', '.join(RECIPES)}.")
    torch.set_num_threads(2)  # the weights depend on it
    for name in wanted or RECIPES:
        start = time.monotonic()
        print(f"{RECIPES[name]()}, in {time.monotonic() - start:.0f} s", flush=True)
        files = sorted(FOLDER.glob("*.safetensors"))
        sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
        write_whole(FOLDER / SUMS, sums.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
