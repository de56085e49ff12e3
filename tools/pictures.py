"""Redraw the README's alignment figure with the shipped model. In the clone, run ``python tools/pictures.py``."""

from transformer_course import figures, models
from transformer_course._util import paths
from transformer_course.experiments.translation import DIGIT_POSITIONS, date_map, decided_by

TEXT, ISO = "the 25th of March 2019", "2019-03-25"


def main() -> None:
    model, letters = models.load("dates")
    decisive = [(row, place) for row, places in zip(DIGIT_POSITIONS, decided_by(TEXT), strict=True) for place in places]
    (ax,) = figures.panels(1, 7.6, 4.3)
    title = f"It reads “{TEXT}” and writes {ISO}"
    figures.heatmap(date_map(model.eval(), letters, TEXT, ISO), [*ISO, "end"], [*TEXT], title, marked=decisive, ax=ax)
    ax.set_aspect("auto")
    ax.figure.savefig(paths.ROOT / "docs" / "pictures" / "alignment.png", metadata={"Software": None})


if __name__ == "__main__":
    main()
