"""The course's own parts of the Build: the solutions of its stages, put together as a learner's ``my_transformer.py`` is."""

from transformer_course import course
from transformer_course._util import paths
from transformer_course.course import SourceError
from transformer_course.exercises.catalogue import catalogue
from transformer_course.exercises.definitions import NotFound, needs
from transformer_course.exercises.learner_parts import parts
from transformer_course.exercises.part_file import Conflict, PartFile
from transformer_course.exercises.solutions import BEGIN, END

from .build import notebook_of

FILE = paths.PACKAGE / "build_parts.py"
HEADER = '''\
"""The whole Transformer in one file: every part of the Build, as the course itself solves it.

Read it from top to bottom. It follows the stages, and each part uses only parts above it: a bigram model (B1), one attention
head (B2), several (B3), a GPT (B4), the encoder, the decoder and the Transformer (B5), training (B6), decoding and the cache
(B7), byte pairs (B8), a Llama (B9), what trains a model of one's own (B10), what makes it an assistant (B11), what learns
from rewards (B12), and experts with eight bits (B13). It has few options and checks no input; the library's modules do more.

`make notebooks` writes this file from the solutions in `exercises/source/`, so make changes there.
"""
'''


def text() -> str:
    """Return the file with all parts. Raises SourceError if a part uses something that its stage does not define."""
    file = PartFile(HEADER, list(parts()), {})
    for source in course.stages():
        cells: list[str] = []
        for cell in notebook_of(source, solved=True).cells:
            if cell.cell_type != "code":
                continue
            cells.append("\n".join(line for line in cell.source.split("\n") if line.strip() not in (BEGIN, END)))
            name = catalogue()[cell.metadata["exercise"]].answer_name if "exercise" in cell.metadata else None
            if name in parts():
                _put(file, name, cells, source.file)
    return file.text


def _put(file: PartFile, name: str, cells: list[str], stage: str) -> None:
    try:
        wanted = needs(name, cells)
        file.put(name, wanted)
    except (NotFound, Conflict) as error:
        raise SourceError(f"{stage}: the solution {name} cannot go into {FILE.name}: {error}") from None
    if missing := {*wanted.earlier} - file.names:
        raise SourceError(f"{stage}: {name} needs {min(missing)}, but no earlier stage defines it")
