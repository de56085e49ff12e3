"""A learner's own Transformer: what passes in the Build is added to ``my_transformer.py`` in the learner's folder."""

import functools
import linecache
from collections.abc import Mapping
from inspect import isclass, isfunction, unwrap
from pathlib import Path
from types import FunctionType

from transformer_course._util import paths
from transformer_course._util.files import read_bounded, write_whole
from transformer_course._util.folder_record import read_record, update_record
from transformer_course.my_transformer import FILE

from .catalogue import catalogue
from .definitions import Needs, NotFound, Statement, needs, statements
from .exercise import Exercise, listed
from .part_file import Conflict, PartFile

BUILD = "build."  # how the ids of its exercises begin
HEADER = '"""My own Transformer: the parts that I wrote, stage by stage."""\n'


@functools.cache
def parts() -> dict[str, str]:
    """Return the ids of the Build's classes and functions by their names, in the order of the stages."""
    build = (catalogue()[name] for name in catalogue() if name.startswith(BUILD))
    return {exercise.answer_name: exercise.id for exercise in build if exercise.is_function}


def is_part(exercise: Exercise) -> bool:
    """Whether it asks for a class or function of the Build."""
    return exercise.id.startswith(BUILD) and exercise.is_function


def add(exercise: Exercise, answer: object) -> str:
    """Add a class or function that passed to the learner's file. Returns what to tell the learner, or an empty string.

    Outside a learner's folder, and for any other answer, nothing happens. What was changed in the file by hand stays.
    """
    folder, name = paths.course_folder(Path.cwd()), exercise.answer_name
    if not is_part(exercise) or not callable(answer) or folder is None:
        return ""
    from IPython import get_ipython  # takes a while, and most who import this module never come here

    shell = get_ipython()
    if shell is None:
        return ""
    try:
        wanted = definition(name, answer, shell.history_manager.input_hist_parsed, shell.user_ns)
        return _put(folder, name, wanted)
    except (NotFound, Conflict) as error:
        reason = f"{error}, then run this check again"
    except (SyntaxError, ValueError) as error:  # ValueError: it is not UTF-8, or contains null bytes
        line = f" in line {error.lineno}" if getattr(error, "lineno", None) else ""
        reason = f"that file is not valid Python{line}; correct it, then run this check again"
    except OSError as error:
        reason = f"it could not be written ({error.strerror or error})"
    except Exception as error:  # a bug of ours must not break the learner's cell
        reason = f"{type(error).__name__}: {error}"
    return f"Your `{name}` was not added to {FILE}: {reason}."


def _put(folder: Path, name: str, wanted: Needs) -> str:
    path, written = folder / FILE, read_record(folder).get(FILE)
    before = read_bounded(path).decode("utf-8-sig").replace("\r\n", "\n") if path.exists() else HEADER
    file = PartFile(before, list(parts()), written if isinstance(written, dict) else {})
    lent = [part for part in wanted.earlier if part not in file.names]
    for part in lent:
        put_course_part(file, part)
    file.put(name, wanted)
    if file.text != before:
        write_whole(path, file.text.encode())
    update_record(folder, FILE, file.written)
    said = [f"`{name}` is now in {FILE}."] if file.text != before and name not in file.kept else []
    if lent:
        names, exercises = listed([f"`{part}`" for part in lent]), listed(list(dict.fromkeys(parts()[part] for part in lent)))
        said.append(f"There, {names} {'is' if len(lent) == 1 else 'are'} the course's own until you pass {exercises}.")
    if file.kept:
        kept = listed([f"`{each}`" for each in file.kept])
        said.append(
            f"You have changed {kept} in {FILE} by hand, so your changes stay. To use this notebook's version instead, delete "
            "yours from the file and run this check again."
        )
    return " ".join(said)


def put_course_part(file: PartFile, part: str) -> None:
    """Put the course's own part into a file, and the parts that it needs if they are missing, with a note above each."""
    source = (paths.PACKAGE / "build_parts.py").read_text(encoding="utf-8")
    for needed in [*needs(part, [source]).definitions]:
        for name in needed.names & {*parts()} - file.names:
            wanted = needs(name, [source])
            wanted.definitions = [each for each in wanted.definitions if not each.names & {*parts()} & file.names]
            file.put(name, wanted, f"The course's own, until you pass {parts()[name]}.")


def definition(name: str, answer: object, cells: list[str], namespace: Mapping[str, object]) -> Needs:
    """Return the source of an answer with all that it needs. Raises NotFound if the cells that ran do not contain it.

    The last cell that defines a name may have failed, or ``exec`` may have replaced what it defined, so what is in use is
    compared with the source that was found.
    """
    if namespace.get(name) is not answer:
        raise NotFound(f"the check got something other than the current `{name}`; pass `{name}` itself")
    found = needs(name, cells)
    if not any(name in statement.names for statement in found.definitions):
        raise NotFound(f"`{name}` is imported; write it yourself")
    for statement in found.definitions:
        for each in statement.names:
            if not _comes_from(statement, each, namespace.get(each)):
                raise NotFound(
                    f"the source of the current `{each}` cannot be found; run the cell that defines it (without `%%`)"
                )
    return found


def _comes_from(statement: Statement, name: str, value: object) -> bool:
    """Whether a class or function was made by a statement that defines it; anything else may have been."""
    made = statement.made(name)
    if not made or not (isclass(value) or isfunction(value)) or value.__name__ != name:
        return True
    functions = [unwrap(each) for each in (vars(value).values() if isclass(value) else [value]) if isfunction(each)]
    functions = [each for each in functions if each.__qualname__.split(".")[0] == name]  # not what it takes from elsewhere
    own = [each for each in functions if _source(each)]
    decorated = isclass(value) and any(node.decorator_list for node in made)  # as a dataclass, which has no source
    return all(_made_by(statement, each) for each in own) and bool(own or not functions or decorated)


def _source(function: FunctionType) -> str:
    return "".join(linecache.getlines(function.__code__.co_filename))


def _made_by(statement: Statement, function: FunctionType) -> bool:
    line = function.__code__.co_firstlineno
    return any(each.code == statement.code and each.first < line <= each.last for each in statements(_source(function)))
