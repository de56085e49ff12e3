"""A lesson's Markdown as HTML without scripts or a network."""

from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from .mathml import mathml


class _Renderer(IPythonRenderer):
    def block_math(self, body: str) -> str:
        return mathml(body, display="block")

    def inline_math(self, body: str) -> str:
        return mathml(body)


def html(markdown: str) -> Markup:
    """Return Markdown, with HTML and formulas in it, as HTML."""
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    return Markup(MarkdownWithMath(renderer=renderer).render(markdown))


def inline(markdown: str) -> Markup:
    """Return a phrase of Markdown as HTML, without a paragraph around it."""
    return Markup(html(markdown).strip().removeprefix("<p>").removesuffix("</p>"))
