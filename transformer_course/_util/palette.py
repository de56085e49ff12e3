"""The colours of ``figures/palette.toml`` for HTML, CSS and JavaScript, without matplotlib."""

import re
import tomllib

from .paths import PACKAGE

PALETTE = tomllib.loads((PACKAGE / "figures" / "palette.toml").read_text(encoding="utf-8"))


def with_colours(source: str) -> str:
    """Return a style sheet or script of a cell's output with the colours themselves: around it, nothing defines ``--query``.

    Raises KeyError for a name that is neither a picture's colour nor a cell's.
    """
    colours = PALETTE["picture"] | PALETTE["cell"]
    return re.sub(r"var\(--([\w-]+)\)", lambda name: colours[name[1]], source)


def custom_properties(printed: bool = False) -> str:
    """Return the colours of pages as CSS, such as ``--ink: light-dark(…, …);``, or ``--ink: …;`` for printed ones."""
    css = "--{}: {print};" if printed else "--{}: light-dark({light}, {dark});"
    return " ".join(css.format(name, **colour) for name, colour in PALETTE["page"].items())
