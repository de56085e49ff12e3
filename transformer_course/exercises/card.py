"""The card that answers a learner in a notebook."""

import html
from dataclasses import dataclass, field

from transformer_course._util.palette import PALETTE

from .markup import linked, marked

COLOURS = {"passed": PALETTE["cell"]["right"], "failed": PALETTE["cell"]["wrong"], "plain": PALETTE["cell"]["note"]}
PRE = "margin:.3em 0;padding:0;background:none;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere"
FOLD = "margin:.3em 0 0;padding:0;border:0"  # without a box of its own, because each fold is inside the one before
SUMMARY = "margin:0;padding:.1em 0;cursor:pointer"
CELL = "text-align:left;vertical-align:top;padding:.2em 1.2em .2em 0"


@dataclass(frozen=True)
class Fold:
    """A part of a card that is closed until it is clicked."""

    summary: str
    text: str = ""
    code: str = ""


@dataclass(frozen=True)
class Card:
    """A short message, drawn as a box in a notebook and printed as plain text elsewhere. True if it says "passed"."""

    title: str
    paragraphs: tuple[str, ...] = ()
    look: str = "plain"
    code: str = ""
    comparison: dict | None = None  # of a verdict
    folds: tuple[Fold, ...] = ()  # each inside the one before
    instead: str = ""  # plain text has this in place of what can be unfolded
    link: tuple[str, str] | None = None  # its words, and the path from the notebook
    paths: dict[str, str] = field(default_factory=dict)  # the last paragraphs are about these paths, by their ids: titles

    def __bool__(self) -> bool:
        return self.look == "passed"

    def __repr__(self) -> str:
        link = f"{self.link[0]}: {self.link[1]}" if self.link else ""
        return "\n".join(filter(None, [self.title, *self.paragraphs, self.code, self.instead, link]))

    def _repr_html_(self) -> str:
        buttons = [""] * (len(self.paragraphs) - len(self.paths)) + [_button(*path) for path in self.paths.items()]
        texts = zip(buttons, self.paragraphs, strict=True)
        body = "".join(f'<div style="margin-top:.3em">{button}{marked(text)}</div>' for button, text in texts)
        body += _table(self.comparison) if self.comparison else ""
        body += _pre(self.code) if self.code else ""
        folded = ""
        for fold in reversed(self.folds):
            inside = (f"<div>{marked(fold.text)}</div>" if fold.text else "") + (_pre(fold.code) if fold.code else "")
            summary = f'<summary style="{SUMMARY}">{marked(fold.summary)}</summary>'
            folded = f'<details style="{FOLD}">{summary}{inside}{folded}</details>'
        if self.link:
            folded += linked(*self.link)
        edge = f"border-left:4px solid {COLOURS[self.look]};padding:.2em .8em;margin:.3em 0"
        # A screen reader says what a check found, although the focus has moved on to the next cell.
        return f'<div style="{edge}"><div role="status"><strong>{marked(self.title)}</strong>{body}</div>{folded}</div>'


def _button(path: str, title: str) -> str:
    """A button that chooses a path; it is shown where it works, in the course's JupyterLab (`reading.js`)."""
    return f'<button type="button" hidden data-course-path="{path}" aria-label="Choose {html.escape(title)}">Choose</button> '


def _pre(code: str) -> str:
    return f'<pre style="{PRE}">{html.escape(code, quote=False)}</pre>'


def _table(comparison: dict) -> str:
    """The learner's output beside the expected one, below the question."""
    heads = "".join(f'<th style="{CELL}" scope="col">{words}</th>' for words in ("Your output", "Expected"))
    cells = "".join(f'<td style="{CELL}">{_pre(comparison[key])}</td>' for key in ("given", "expected"))
    table = f"<thead><tr>{heads}</tr></thead><tbody><tr>{cells}</tr></tbody>"
    return f'<div style="margin-top:.3em">{_pre(comparison["question"])}<table style="margin:0">{table}</table></div>'
