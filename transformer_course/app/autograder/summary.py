"""Print a result of ``transformer-course grade`` as Markdown. What a learner wrote stays in blocks of code."""

import json
import sys
from pathlib import Path


def markdown(result: dict) -> str:
    """The points, and for each exercise its points and its feedback."""
    title, *rest = result["output"].splitlines()
    if "score" not in result:  # then the first line, too, may quote what a learner wrote
        title, rest = "No mark", [title, *rest]
    lines = [f"## {title}", ""]
    for test in result.get("tests", []):
        lines += [f"**{test['name']}**: {test['score']:g} of {test['max_score']:g}", "", *_block(test["output"]), ""]
    return "\n".join([*lines, *_block("\n".join(rest))])


def _block(text: str) -> list[str]:
    """Text as a block of code, in which nothing is Markdown or HTML."""
    return [f"    {line}" for line in text.splitlines()]


if __name__ == "__main__":
    file = Path(sys.argv[1], "results.json")
    print(
        markdown(json.loads(file.read_text(encoding="utf-8")))
        if file.exists()
        else "There are no results. The log of the Grade step says why."
    )
