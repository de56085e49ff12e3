"""The card that answers a learner in a notebook."""

import html
from dataclasses import dataclass

from .markup import marked

COLOURS = {"passed": "#009E73", "failed": "#D55E00", "plain": "#56B4E9"}


@dataclass(frozen=True)
class Card:
    """A short message, drawn as a box in a notebook and printed as plain text elsewhere. True if it says "passed"."""

    title: str
    paragraphs: tuple[str, ...] = ()
    look: str = "plain"
    code: str = ""

    def __bool__(self) -> bool:
        return self.look == "passed"

    def __repr__(self) -> str:
        return "\n".join([self.title, *self.paragraphs, *([self.code] if self.code else [])])

    def _repr_html_(self) -> str:
        body = "".join(f'<div style="margin-top:.3em">{marked(text)}</div>' for text in self.paragraphs)
        code = f"<pre>{html.escape(self.code, quote=False)}</pre>" if self.code else ""
        edge = f"border-left:4px solid {COLOURS[self.look]};padding:.2em .8em;margin:.3em 0"
        return f'<div style="{edge}"><strong>{marked(self.title)}</strong>{body}{code}</div>'
