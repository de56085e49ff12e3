"""What a cell shows of a lesson's questions: predictions, and those that recall or check what has been explained."""

import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from transformer_course._util.palette import with_colours
from transformer_course.course.question import Choice, Question

from .markup import linked, marked

HERE = Path(__file__).parent


@dataclass(frozen=True)
class View:
    """Questions as a cell's output: HTML in a notebook, plain text elsewhere. Every run gives the same output.

    Without scripts, each choice unfolds. With scripts, ``question.js`` remembers a prediction and opens the reply to it. It
    remembers ``data-choice``, the choice's place in the file, and shows readers the letter.
    """

    questions: tuple[Question, ...]
    name: str  # of the function that shows it: "predict", "reveal" or "ask"
    onward: tuple[str, str] | None = None  # a link to what follows them: its words, and the path from the notebook

    def __repr__(self) -> str:
        texts = ["\n".join(self._lines(question)) for question in self.questions]
        return "\n\n".join(texts + ([": ".join(self.onward)] if self.onward else []))

    def _lines(self, question: Question) -> list[str]:
        lines = [] if self.name == "reveal" else [_text(question)]
        for letter, choice in question.lettered.items():
            lines.append(f"  {letter}: {choice.text}")
            if self.name == "reveal":
                lines.append(f"     {'✓' if letter == question.right else '✗'} {choice.reply}")
        return lines

    def _repr_html_(self) -> str:
        style, script = (_asset(f"question.{kind}") for kind in ("css", "js"))
        elements = "".join(map(self._element, self.questions)) + (linked(*self.onward) if self.onward else "")
        return f'<style>\n{style}</style>\n{elements}<script type="module">\n{script}</script>'

    def _element(self, question: Question) -> str:
        above = {
            "predict": f"<strong>Predict.</strong> {marked(_text(question))}",
            "reveal": "Open the reply to your guess.",
            "ask": marked(_text(question)),
        }
        panel: Callable[[str, Choice], str] = _guessed if self.name == "predict" else lambda *each: _reply(question, *each)
        choices = "".join(
            f'<details data-choice="{choice.kept}"><summary><b>{letter}</b> {marked(choice.text)}</summary>'
            f"{panel(letter, choice)}</details>\n"
            for letter, choice in question.lettered.items()
        )
        attributes = f'data-question="{html.escape(question.id)}" data-view="{self.name}"'
        return f"<course-question {attributes}>\n<p>{above[self.name]}</p>\n{choices}</course-question>\n"


def _text(question: Question) -> str:
    if not question.origin:
        return question.text
    lessons = " and ".join(question.origin)
    return f"{question.text} (lesson{'s' if len(question.origin) > 1 else ''} {lessons})"


def _guessed(letter: str, choice: Choice) -> str:
    return f"<div>Your guess is {letter}. The next cell shows the result.</div>"


def _reply(question: Question, letter: str, choice: Choice) -> str:
    is_right = letter == question.right
    mark = f'<span role="img" aria-label="{"Right" if is_right else "Wrong"}">{"✓" if is_right else "✗"}</span>'
    return f'<div class="course-{"right" if is_right else "wrong"}">{mark} {marked(choice.reply)}</div>'


@cache
def _asset(name: str) -> str:
    return with_colours((HERE / name).read_text(encoding="utf-8"))
