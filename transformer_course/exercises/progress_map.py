"""What a learner has built, as a map of the model, and below it how many exercises have been passed, and what comes next."""

import html
import os
from dataclasses import dataclass
from pathlib import Path

from transformer_course import course
from transformer_course._util import paths
from transformer_course.course import Sheet, Stage

from . import learner_path, passes
from .progress import count, next_lesson, row_of, rows_in_words, steps_of

LEGEND = (
    "✓ you have built it in the Build; ½ you have begun its sheet, and the Build is still to come. Click "
    "a part to open the notebook where you build it, or what comes first."
)


@dataclass(frozen=True, repr=False)
class MyProgress:
    """The map of the model, and lists with links, in a notebook; the same in words elsewhere."""

    start: Path

    def __repr__(self) -> str:
        return "\n".join([repr(self._map()), self._count(), repr(next_lesson(self._root()))])

    def _repr_html_(self) -> str:
        upcoming = next_lesson(self._root())
        parts = ", ".join(self._link(words, path) for words, path in upcoming.parts.items())
        lines = [LEGEND, self._count(), f"Next: <strong>{html.escape(upcoming.name)}</strong>, {parts}"]
        lines += [html.escape(line) for line in upcoming.unfinished]
        # The last link of a row is that of the sheet, where its exercises are.
        links = {row_of(step): step.link for step in learner_path.whole_course().steps}
        counted = "".join(
            f"<li>{self._link(name, links[name])}: {said}</li>" for name, said in rows_in_words(self.start).items()
        )
        folded = f"<details><summary>Lesson by lesson and stage by stage</summary><ul>{counted}</ul></details>"
        return self._map()._repr_html_() + "".join(f"<div>{line}</div>" for line in lines) + folded

    def _map(self):
        """What has been passed of each part, and where to go for it: to what is open on the path, or else to the Build."""
        from transformer_course.figures.model_map import BUILT, HALF, Part, model_map  # loads matplotlib

        kept, path, parts = passes.passed(self.start), steps_of(self.start), {}
        for name, builders in course.builders().items():
            done = [source for source, exercise in builders if exercise.id in kept]
            begun = any(each.id in kept for source, _ in builders if isinstance(source, Sheet) for each in source.exercises)
            waiting = [source for source, exercise in builders if exercise.id not in kept]
            built, stages = (_stages(sources) for sources in (done, waiting))
            on_path = [source for source, each in builders if each.core and source in path and each.id not in kept]
            upcoming = sorted(on_path, key=path.index)
            leads = [*upcoming, *built[-1:], *stages][0]
            place = leads.number if isinstance(leads, Stage) else f"sheet {leads.number}"
            place = f"next: {place}" if built and upcoming else place
            parts[name] = Part(BUILT if built else HALF if begun else "", place, self._address(leads.link))
        return model_map(parts)

    def _count(self) -> str:
        path = learner_path.followed(self.start)
        return (f"On your path, “{path.title}”: " if path else "") + count(self.start)

    def _root(self) -> Path:
        """A notebook's kernel runs in the folder of the notebook."""
        return paths.course_folder(self.start) or self.start.resolve().parent

    def _address(self, link: str) -> str:
        """Where the notebook that shows this finds another; empty if the folder does not have it."""
        file = self._root() / link
        return Path(os.path.relpath(file, self.start.resolve())).as_posix() if file.exists() else ""

    def _link(self, words: str, link: str) -> str:
        address = self._address(link)
        return f'<a href="{html.escape(address)}">{html.escape(words)}</a>' if address else html.escape(words)


def _stages(sources: list[Sheet | Stage]) -> list[Stage]:
    return [source for source in sources if isinstance(source, Stage)]


def my_progress(start: Path = Path()) -> MyProgress:
    """Show what you have built on a map of the model, how many exercises you have passed in this folder, and what is next.

    The first call in a new folder also prints what the account has passed outside a folder, and how to take it into this one.
    """
    passes.print_offer(start)
    return MyProgress(start)
