"""Multiple-choice questions, and the reader of ``questions.md``, the file beside a lesson's source that holds them.

## 04.recall.row_sums

Attention has scores, weights and outputs. Which rows must sum to 1?

- [ ] Those of the scores
  - Scores may be any numbers. Softmax turns them into weights.
- [x] Those of the weights
  - Yes: each query distributes a total of 1 over all keys.

Looks back to: 03

Readers see the choices in an order that is drawn from the question's id, the same for everybody and wherever it is shown, so
that no letter is right more often than the others. After ``Order: as written``, the choices stay as they are.
"""

import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from . import lines
from .lines import LineError, Piece

LETTERS = "abcdefgh"


@dataclass(frozen=True)
class Choice:
    """One answer to choose from, and the reply to learners who choose it.

    ``kept`` is the letter of its place in the file. A learner's guess is stored under it, so it stays the same guess in
    whatever order the choices are shown.
    """

    text: str
    reply: str
    kept: str


@dataclass(frozen=True)
class Question:
    """A question and its choices, as they are shown: a, b, c, …. Its texts use the markup of ``markup.marked``."""

    id: str  # "02.zero" is a prediction of lesson 02; "02.recall.exp" is one of the questions of `ask("02.recall")`
    text: str
    choices: tuple[Choice, ...]
    right: str  # the letter of the right choice, as it is shown
    origin: tuple[str, ...] = ()  # the lessons that the question looks back to

    @property
    def is_prediction(self) -> bool:
        """Whether it is answered by ``predict``. Otherwise it is one of a group, which ``ask`` shows."""
        return self.id.count(".") == 1

    @property
    def lettered(self) -> dict[str, Choice]:
        """The choices by their letters."""
        return dict(zip(LETTERS, self.choices, strict=False))


# The mark at the beginning of a line that shows what the line is. Other lines go on with what is above them, or are text.
MARK = re.compile(
    r"(?:(?P<title>#)|(?P<id>##)|(?P<right>- \[[xX]\])|(?P<wrong>- \[ \])|(?P<reply>\s+-)|(?P<origin>Looks back to:)"
    r"|(?P<order>Order:))(?: |$)"
)
# What may follow each kind of piece, and how to write it. The end of the file may come where a question may.
NEXT = {
    "start": (("title", "id"), "a question's id, such as '## 04.row'"),
    "title": (("id",), "a question's id, such as '## 04.row'"),
    "id": (("text",), "the question's text, in one paragraph"),
    "text": (("wrong", "right"), "a choice, '- [ ] …' or, for the right one, '- [x] …'"),
    "wrong": (("reply",), "the reply to the choice above, '  - …'"),
    "right": (("reply",), "the reply to the choice above, '  - …'"),
    "reply": (
        ("wrong", "right", "order", "origin", "id"),
        "a further choice, '- [ ] …', 'Order: as written' if the choices are to stay so, the lessons that it looks back to, "
        "'Looks back to: 02, 03', or a new question, '## …'",
    ),
    "order": (("origin", "id"), "the lessons that it looks back to, 'Looks back to: 02, 03', or the next question, '## …'"),
    "origin": (("id",), "the next question, '## …'"),
}
AS_WRITTEN = "as written"


def read(path: Path) -> list[Question]:
    """Read a lesson's questions, in order. Its number is at the beginning of the folder's name: ``04_masks/questions.md``.

    Raises LineError at the first line that is not in its place, and for a question that has no id of this lesson's own,
    fewer than two choices, or not exactly one right choice.
    """
    text = path.read_text(encoding="utf-8")
    pieces = lines.pieces(text, MARK, headings=("title", "id"), paragraphs=("text",))
    end = Piece(text.count("\n") + 1, "id", "the end of the file")
    for above, piece in pairwise([Piece(1, "start", ""), *pieces, end]):
        allowed, expected = NEXT[above.kind]
        if piece.kind not in allowed or not piece.text:
            got = piece.text if piece is end else repr(text.splitlines()[piece.line - 1][:60])
            raise LineError(path, piece.line, f"expected {expected}; got {got}")
    begins = [number for number, piece in enumerate(pieces) if piece.kind == "id"]
    found: dict[str, Question] = {}
    for begin, stop in pairwise([*begins, len(pieces)]):
        question = _question(path, pieces[begin:stop])
        if found.setdefault(question.id, question) is not question:
            raise LineError(path, pieces[begin].line, f"a second question has the id {question.id}; give it another id")
    return list(found.values())


def _question(path: Path, pieces: list[Piece]) -> Question:
    """Make a question from its pieces, whose order has been checked."""
    named, text, *_ = pieces
    lesson = path.parent.name[:2]
    chosen, replies, orders, origins = (
        [piece for piece in pieces if piece.kind in kinds]
        for kinds in (("wrong", "right"), ("reply",), ("order",), ("origin",))
    )
    right = [letter for letter, piece in zip(LETTERS, chosen, strict=False) if piece.kind == "right"]
    origin = tuple(number for piece in origins for number in piece.text.split(", "))
    if not re.fullmatch(rf"{lesson}(\.[a-z0-9_]+){{1,2}}", named.text):
        says = f"expected an id such as {lesson}.name or {lesson}.recall.name, which begins with the number of its lesson"
        raise LineError(path, named.line, f"{says}; got {named.text!r}")
    if not 2 <= len(chosen) <= len(LETTERS):
        raise LineError(path, named.line, f"{named.text}: expected 2 to {len(LETTERS)} choices; got {len(chosen)}")
    if len(right) != 1:
        says = f"expected one right choice, marked with '- [x]'; got {len(right)}"
        raise LineError(path, named.line, f"{named.text}: {says}")
    if not all(re.fullmatch(r"\d\d", number) and number < lesson for number in origin):
        says = f"expected the numbers of earlier lessons, such as 'Looks back to: 02, 03'; got {origins[0].text!r}"
        raise LineError(path, origins[0].line, says)
    if orders and orders[0].text != AS_WRITTEN:
        says = f"expected 'Order: {AS_WRITTEN}', or no such line for an order that is drawn; got {orders[0].text!r}"
        raise LineError(path, orders[0].line, says)
    choices = [Choice(each.text, reply.text, letter) for each, reply, letter in zip(chosen, replies, LETTERS, strict=False)]
    if not orders:
        choices.sort(key=lambda choice: _draw(named.text, choice.kept))
    (shown,) = (letter for letter, choice in zip(LETTERS, choices, strict=False) if [choice.kept] == right)
    return Question(named.text, text.text, tuple(choices), shown, origin)


def _draw(question: str, letter: str) -> str:
    """Return what a choice is sorted by: as good as random, and the same on every machine and in every version of Python."""
    return hashlib.sha256(f"{question}-{letter}".encode()).hexdigest()
