"""A lesson's Markdown as HTML without scripts or a network: formulas become MathML, which browsers draw themselves."""

import html as entities
import re
from pathlib import Path

from latex2mathml.converter import convert
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

# STIX Two Math 2.12, without the characters that no formula of the course is likely to need. Browsers draw MathML badly with a
# font that is not made for it, and not every computer has one.
MATH_FONT = Path(__file__).parent / "math_font" / "stix-two-math.woff"

NAME = "<mi>(?:log|exp|sin|cos|tanh)</mi>"
THIN_SPACE = '<mspace width="0.167em"/>'


class _Renderer(IPythonRenderer):
    def block_math(self, body: str) -> str:
        return mathml(body, display="block")

    def inline_math(self, body: str) -> str:
        return mathml(body)


def mathml(formula: str, display: str = "inline") -> str:
    """Return a formula in LaTeX as MathML. As in LaTeX, a function's name keeps apart from the letters beside it."""
    drawn = re.sub(f"(</(?:m[in]|msu[bp])>)(?={NAME})", rf"\1{THIN_SPACE}", convert(formula, display=display))
    return re.sub(f"({NAME})(?=<m(?:[in]|su[bp]|frac|sqrt)>)", rf"\1{THIN_SPACE}", drawn)


def html(markdown: str) -> Markup:
    """Return Markdown, with HTML and formulas in it, as HTML."""
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    return Markup(MarkdownWithMath(renderer=renderer).render(markdown))


def inline(markdown: str) -> Markup:
    """Return a phrase of Markdown as HTML, without a paragraph around it."""
    return Markup(html(markdown).strip().removeprefix("<p>").removesuffix("</p>"))


def with_formulas(page: str) -> str:
    """Return HTML in which formulas between dollar signs have become MathML."""
    return re.sub(r"\$([^$]+)\$", lambda formula: mathml(entities.unescape(formula[1])), page)
