"""What a slide consists of, and Markdown as it appears on one."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from markupsafe import Markup

from transformer_course._util import markdown

EMPTY = Markup()
LINK = re.compile(r"\[([^][]+)\]\([^()]+\)")


@dataclass(frozen=True)
class Picture:
    """A figure with its alt text. It is drawn once it is shown, which takes most of the time of a deck."""

    alt: str
    draw: Callable[..., str]  # cached
    of: tuple

    @property
    def png(self) -> str:
        """The figure in base64."""
        return self.draw(*self.of)


@dataclass
class Slide:
    """One slide, with the slides below it that come one step later."""

    kind: str  # "title", "question", "answer", "picture", "formula", "text"
    heading: str
    id: str = ""
    lead: Markup = EMPTY
    body: Markup = EMPTY
    choices: dict[str, Markup] = field(default_factory=dict)
    right: str = ""
    printed: str = ""
    pictures: list[Picture] = field(default_factory=list)
    notes: Markup = EMPTY
    below: list["Slide"] = field(default_factory=list)
    until: str = ""  # when what it asks for is over; "" for a slide that asks for nothing
    is_dragged: bool = False  # whether the room drags its picture
    small: bool = False  # whether it has more text than fits in the usual size


def html(text: str) -> Markup:
    """Return Markdown as HTML. Links become plain text: on a projector nobody follows them."""
    return markdown.html(LINK.sub(r"\1", text))


def inline(text: str) -> Markup:
    """Return a phrase of Markdown as HTML without links."""
    return markdown.inline(LINK.sub(r"\1", text))
