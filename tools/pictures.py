"""Redraw the README's pictures. In the clone, run ``python tools/pictures.py``; the second one needs Chromium.

One is the alignment of a date, with the shipped model. The other is an exercise of sheet 02 in the course's JupyterLab, with a
wrong answer and what its check says.
"""

import io
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image

from transformer_course import figures, models
from transformer_course._util import paths
from transformer_course.experiments.translation import DIGIT_POSITIONS, date_map, decided_by

sys.path.append(str(paths.ROOT / "tests" / "helpers"))
from browser import SHEET, Server, open_notebook
from chromium import chromium, open_page

FOLDER = paths.ROOT / "docs" / "pictures"
TEXT, ISO = "the 25th of March 2019", "2019-03-25"
EXERCISE, ANSWER, WRONG = re.compile(r"^\s*1 · "), "weights_1 = ...", "weights_1 = [4 / 6, 0, 2 / 6]  # scores 4, 0, 2"


def alignment() -> None:
    model, letters = models.load("dates")
    decisive = [(row, place) for row, places in zip(DIGIT_POSITIONS, decided_by(TEXT), strict=True) for place in places]
    (ax,) = figures.panels(1, 7.6, 4.3)
    title = f"It reads “{TEXT}” and writes {ISO}"
    figures.heatmap(date_map(model.eval(), letters, TEXT, ISO), [*ISO, "end"], [*TEXT], title, marked=decisive, ax=ax)
    ax.set_aspect("auto")
    ax.figure.savefig(FOLDER / "alignment.png", metadata={"Software": None})


def check() -> None:
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        place = Path(name)
        with Server(place / "my course", place / "home", place / "config") as server:
            page = open_page(browser, 1000, 1100, device_scale_factor=1.5)
            open_notebook(page, server, SHEET)
            for cell, text in (("import check", ""), (ANSWER, WRONG), ('check("', "")):
                page.locator(".jp-CodeCell", has_text=cell).first.locator(".cm-content").click()
                if text:
                    page.keyboard.press("Control+a")
                    page.keyboard.insert_text(text)
                page.keyboard.press("Shift+Enter")
            hint = page.locator("details", has_text="Hint 1 of").first
            hint.evaluate("details => details.open = true")
            above = page.locator(".jp-MarkdownCell .jp-RenderedMarkdown", has_text=EXERCISE).bounding_box()
            below = page.locator(".jp-OutputArea-output", has=hint).bounding_box()
            size = {"width": below["width"] + 20, "height": below["y"] + below["height"] - above["y"]}
            picture = page.screenshot(clip={"x": below["x"] - 5, "y": above["y"], **size})
    Image.open(io.BytesIO(picture)).quantize(64).save(FOLDER / "check.png", optimize=True)


if __name__ == "__main__":
    alignment()
    check()
