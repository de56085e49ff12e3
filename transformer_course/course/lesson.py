"""Lessons, sheets and stages as plain objects, read from their sources."""

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from . import notes, question
from .exercise import Exercise, delivered, exercises_in, minutes_of
from .notes import Notes
from .part import DEEPER, Part, parts_of
from .question import Question
from .source import Cell, SourceError


@dataclass(frozen=True)
class Source:
    """The source of one notebook."""

    path: Path

    @property
    def name(self) -> str:
        """The name of its notebook, without suffix: "04_masks"."""
        return self.path.parent.name if self.path.name == "lesson.py" else self.path.stem

    @property
    def number(self) -> str:
        """The number of a lesson, "04", or of a stage of the Build, "B2"."""
        return self.name.partition("_")[0]

    @property
    def folder(self) -> str:
        """The folder of its notebook: "notebooks" or "exercises"."""
        return self._source_folder.parent.name

    @property
    def _source_folder(self) -> Path:
        return self.path.parents[1] if self.path.name == "lesson.py" else self.path.parent

    @property
    def notebook(self) -> Path:
        """The built notebook."""
        return self._source_folder.parent / f"{self.name}.ipynb"

    @property
    def link(self) -> str:
        """The notebook's path in a learner's folder: "notebooks/04_masks.ipynb"."""
        return f"{self.folder}/{self.name}.ipynb"

    @property
    def file(self) -> str:
        """What errors call the source: "notebooks/source/04_masks/lesson.py"."""
        return self.path.relative_to(self._source_folder.parents[1]).as_posix()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells. The notebook has one more at the beginning and one at the end, with links."""
        return delivered(self.path.read_text(encoding="utf-8"), self.file)

    @property
    def title(self) -> str:
        """Its first heading, such as "05 · Several heads: why several narrow heads, and not one wide one?"."""
        first = next((heading for cell in self.cells for heading in cell.headings), None)
        if first is None or first.level > 1:
            raise SourceError(
                f"{self.file}, line {self.cells[0].line}: a source begins with its title; write # # 04 · Masks: how …?"
            )
        return first.title

    @property
    def short_title(self) -> str:
        """Its title without the question, such as "05 · Several heads". A question at the beginning is kept."""
        return re.match(r"[^:?]+\??", self.title)[0]

    @property
    def minutes(self) -> int:
        """How long it takes: what its first cell says; for a sheet, the sum over the exercises of its core, to five."""
        if "minutes" not in self.cells[0].says:
            raise SourceError(f"{self.file}, line {self.cells[0].line}: say how long it takes: # %% [markdown] minutes=20")
        return self.cells[0].says["minutes"]

    @property
    def exercises(self) -> list[Exercise]:
        """Its exercises, in order."""
        return [exercise for exercise, _, _ in exercises_in(self.cells)]

    @property
    def exercise_ids(self) -> list[str]:
        """The ids of its exercises, in order, from the first lines of its cells alone: a first check waits for all sources."""
        return re.findall(r'^# %%.* exercise="([^"]*)"', self.path.read_text(encoding="utf-8"), re.MULTILINE)

    @property
    def parts(self) -> list[Part]:
        """Its parts, in order; the first has its title."""
        return parts_of(self.cells)

    def part(self, name: str) -> Part:
        """Return the part with this id. Raises SourceError if there is none."""
        for part in self.parts:
            if part.id == name:
                return part
        known = ", ".join(part.id for part in self.parts if part.id)
        raise SourceError(f"{self.file}: no heading has the id {name!r}; it has {known}. Write ## Heading {{#{name}}}")

    @property
    def core(self) -> list[Part]:
        """The parts that everybody reads: those before "Deeper", if it has that heading."""
        return list(itertools.takewhile(lambda part: part.id != DEEPER, self.parts))

    def block(self, kind: str) -> str:
        """Return the text of the first block of this kind in its core; empty if there is none."""
        return next((block.text for part in self.core for _, block in part.blocks if block.kind == kind), "")


class Lesson(Source):
    """A lesson, with its question in the title."""

    @property
    def questions_file(self) -> Path:
        """The file of its questions, beside its source."""
        return self.path.with_name("questions.md")

    @property
    def questions(self) -> list[Question]:
        """Its questions, in the order of the file. Raises LineError if that cannot be used."""
        return question.read(self.questions_file) if self.questions_file.exists() else []

    @property
    def notes_file(self) -> Path:
        """The file with what a leader says, beside its source."""
        return self.path.with_name("notes.md")

    @property
    def notes(self) -> Notes:
        """What a leader says; nothing if it has no such file. Raises LineError if that cannot be used."""
        if not self.notes_file.exists():
            return Notes()
        parts, questions = ([each.id for each in several if each.id] for several in (self.parts, self.questions))
        return notes.read(self.notes_file, parts, questions)


class Sheet(Source):
    """The exercises of a lesson: its core, and more practice."""

    @property
    def minutes(self) -> int:
        return minutes_of(exercise for exercise in self.exercises if exercise.core)

    @property
    def practice_minutes(self) -> int:
        """How long the exercises below "More practice" take, to five."""
        return minutes_of(exercise for exercise in self.exercises if not exercise.core)


class Stage(Source):
    """A stage of the Build, in which learners write a part of their Transformer, or the notebook that follows the Build."""

    @property
    def lessons(self) -> list[str]:
        """The lessons that it needs."""
        return self._needs("lessons")

    @property
    def stages(self) -> list[str]:
        """The stages that it needs."""
        return self._needs("stages") if "stages" in self.cells[0].says else []

    def _needs(self, what: str) -> list[str]:
        first = self.cells[0]
        if not first.says.get(what):
            raise SourceError(f'{self.file}, line {first.line}: say what it needs: # %% [markdown] {what}=["09", "10"]')
        return first.says[what]
