"""What a leader says, and the reader of ``notes.md``, the file beside a lesson's source that holds it.

## padding

**Goal:** Everybody can say what a padding mask contains, and give its shape.

**Say:** Sentences in a batch have different lengths. What shape must the mask have?

**Repeat:** One row of keys per sequence.

**They ask:**

- What about the rows of the padding itself?
  - They have outputs too, but nobody uses them.

### 04.padding

**Above the question:** Above are two sequences of token ids, in which 0 is padding.

A heading names a part of the lesson, or one of its questions.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from .lines import LineError, Piece, pieces


@dataclass(frozen=True)
class Note:
    """What the room should take from a part of a lesson, how to begin it, and what people ask."""

    goal: str  # what everybody should be able to do, or to say, when the part ends
    say: str  # two sentences to begin with
    point: str  # the one thing to repeat
    asked: Mapping[str, str] = field(default_factory=dict)  # likely questions, with answers
    meanwhile: str = ""  # what to say and ask while a model trains
    task: str = ""  # what its task on paper needs above it on a slide; if empty, the lesson's own sentences


@dataclass(frozen=True)
class Context:
    """What a question needs around it on a slide, whose readers have not just read the paragraph above it in the lesson."""

    lead: str = ""  # above the question, below what was printed before it; if empty, the lesson's own sentences
    result: str = ""  # below the reply: how to read what the cell prints, or what the lesson says next


@dataclass(frozen=True)
class Notes:
    """What a lesson's file says."""

    parts: Mapping[str, Note] = field(default_factory=dict)  # by their ids
    questions: Mapping[str, Context] = field(default_factory=dict)


# The labels below a part's heading and below a question's, with the fields that they fill
PART = {
    "Goal": "goal",
    "Say": "say",
    "Repeat": "point",
    "They ask": "asked",
    "While it trains": "meanwhile",
    "Above the task": "task",
}
QUESTION = {"Above the question": "lead", "Below the reply": "result"}
NEEDED = ("Goal", "Say", "Repeat")
MARK = re.compile(r"(?P<title># )|(?P<id>###? )|(?P<label>(?=\*\*[^*]+:\*\*))|(?P<asks>- )|(?P<answer>\s+- )")
LABEL = re.compile(r"\*\*([^*]+):\*\* ?(.*)")


def read(path: Path, parts: Collection[str], questions: Collection[str]) -> Notes:
    """Read the notes on a lesson that has these parts and questions.

    Raises LineError at the first line that is not in its place, for a heading that is neither a part nor a question, and for a
    part without a goal, something to say or a point to repeat.
    """
    found = pieces(path.read_text(encoding="utf-8"), MARK, headings=("title", "id"), paragraphs=("text", "label"))
    begins = [place for place, piece in enumerate(found) if piece.kind == "id"]
    if stray := [piece for piece in found[: (begins or [len(found)])[0]] if piece.kind != "title"]:
        raise LineError(
            path, stray[0].line, f"expected the id of a part, such as '## {next(iter(parts))}'; got {stray[0].text!r}"
        )
    notes: dict[str, Note] = {}
    contexts: dict[str, Context] = {}
    for begin, stop in pairwise([*begins, len(found)]):
        named, *inside = found[begin:stop]
        if named.text in notes or named.text in contexts:
            raise LineError(path, named.line, f"a second heading {named.text!r}; put both together")
        if named.text in parts:
            filled = _filled(path, inside, PART)
            if missing := next((label for label in NEEDED if PART[label] not in filled), ""):
                raise LineError(path, named.line, f"the part {named.text!r} needs a line '**{missing}:** …'")
            notes[named.text] = Note(**filled)
        elif named.text in questions:
            contexts[named.text] = Context(**_filled(path, inside, QUESTION))
        else:
            says = f"the lesson has no part or question {named.text!r}; it has {', '.join((*parts, *questions))}"
            raise LineError(path, named.line, says)
    return Notes(notes, contexts)


def _filled(path: Path, inside: list[Piece], labels: Mapping[str, str]) -> dict[str, str | dict[str, str]]:
    """Return what is below a heading, by the fields that its labels fill."""
    filled: dict[str, str | dict[str, str]] = {}
    asked: dict[str, str] = {}
    for piece in inside:
        label, text = LABEL.fullmatch(piece.text).groups() if piece.kind == "label" else ("", piece.text)
        waits = "" in asked.values()  # a question, for its answer
        if label in labels and labels[label] not in filled and bool(text) != (label == "They ask") and not waits:
            filled[labels[label]] = text or asked
        elif piece.kind == "asks" and "asked" in filled and text not in asked and not waits:
            asked[text] = ""
        elif piece.kind == "answer" and waits:
            asked[[*asked][-1]] = text
        else:
            left = [f"'**{name}:** …'" for name, filling in labels.items() if filling not in filled]
            left += ["'- …', a question that people ask, with its answer below it, '  - …'"] if "asked" in filled else []
            expected = "the answer to the question above, '  - …'" if waits else " or ".join(left or ["a heading"])
            raise LineError(path, piece.line, f"expected {expected}; got {piece.text[:60]!r}")
    if "" in asked.values():
        raise LineError(path, inside[-1].line, f"the question {[*asked][-1]!r} needs an answer below it, '  - …'")
    return filled
