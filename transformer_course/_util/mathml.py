"""Formulas as MathML, which browsers draw themselves, without scripts or a network."""

import html
import re
from pathlib import Path

from latex2mathml.converter import convert

# STIX Two Math 2.12, without the characters that no formula of the course is likely to need. Browsers draw MathML badly with a
# font that is not made for it, and not every computer has one.
MATH_FONT = Path(__file__).parent / "math_font" / "stix-two-math.woff"

NAME = "<mi>(?:log|exp|sin|cos|tanh)</mi>"
THIN_SPACE = '<mspace width="0.167em"/>'


def mathml(formula: str, display: str = "inline") -> str:
    """Return a formula in LaTeX as MathML. As in LaTeX, a function's name keeps apart from the letters beside it."""
    drawn = re.sub(f"(</(?:m[in]|msu[bp])>)(?={NAME})", rf"\1{THIN_SPACE}", convert(formula, display=display))
    return re.sub(f"({NAME})(?=<m(?:[in]|su[bp]|frac|sqrt)>)", rf"\1{THIN_SPACE}", drawn)


def with_formulas(page: str) -> str:
    """Return HTML in which formulas between dollar signs have become MathML."""
    return re.sub(r"\$([^$]+)\$", lambda formula: mathml(html.unescape(formula[1])), page)
