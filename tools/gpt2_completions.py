"""Record what GPT-2 writes, for GPT-2's notebook without a network: python tools/gpt2_completions.py

It needs a network once, for 550 MB, which go to models/gpt2 in this folder, 2 GB of memory, and a few minutes. Commit the file
that it writes, transformer_course/experiments/gpt2_completions.json.
"""

import sys

from transformer_course import gpt2
from transformer_course.experiments import gpt2_completions


def main() -> str:
    try:
        files = gpt2.download()
    except (OSError, ValueError) as problem:
        return f"Nothing was recorded: {problem}."
    gpt2_completions.record(files)
    print(gpt2_completions.recorded())
    return ""


if __name__ == "__main__":
    sys.exit(main())
