"""What runs leave on disk for later runs: the secret, and a result for each learner, from which grading can continue.

A result, ``results/NAME.json``, is what Gradescope reads, and a record of everything else under "extra_data", where Gradescope
shows nothing. NAME is the learner's file name within the class.
"""

import errno
import json
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from itertools import chain, count
from pathlib import Path

from transformer_course._util.files import write_whole
from transformer_course.exercises.catalogue import by_lesson
from transformer_course.exercises.exercise import Verdict

from .errors import GradingError
from .graded import Graded, Submission
from .points import marks
from .reports import gradescope
from .run import ARCHIVE_DIR, Run
from .sanitize import code, plain, sentences

SECRET = "secret.json"  # the questions depend on it, so anybody who has it can know them in advance


def open_folder(out: Path, sheet: str, resume: bool) -> bytes:
    """Make the folder for the results if necessary; return the secret of this grading, a new one for a new folder."""
    file = out / SECRET
    if not resume and any((out / "results").glob("*.json")):
        raise GradingError(f"{out} already holds results. Add --resume to continue with them, or choose another folder.")
    out.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        content = {"sheet": sheet, "secret": secrets.token_hex(32)}
        write_whole(file, (json.dumps(content, indent=1) + "\n").encode())
        file.chmod(0o600)
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
        secret = bytes.fromhex(stored["secret"])
    except (ValueError, KeyError, TypeError):
        raise GradingError(f"{file} is damaged; choose another folder for the results.") from None
    if stored["sheet"] != sheet:
        raise GradingError(
            f"{out} holds results for sheet {stored['sheet']}, but these submissions are for sheet {sheet}; choose "
            "another folder for their results."
        )
    return secret


@contextmanager
def disk_errors(out: Path) -> Iterator[None]:
    """Raise GradingError, which says what to do, if something cannot be written to ``out``."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = "Free some space, then continue with --resume." if full else "Do you have permission to write there?"
        kept = " Everything graded so far is kept there." if out.exists() else ""
        raise GradingError(f"Cannot write to {out} ({error.strerror or error}).{kept} {advice}") from None


def result(run: Run, submission: Submission, graded: Graded) -> bytes:
    """Return the content of a learner's result."""
    record = {
        "learner": plain(submission.learner, 200),
        "sheet": run.sheet,
        "digest": submission.digest,
        "changed": submission.changed,
        "edition": run.version,
        "total": marks(submission, graded, run.points).total,
        "verdicts": {name: _stored(graded.verdicts.get(name)) for name in run.points},
        "notes": sentences(graded.notes),
        "problem": plain(graded.problem, 500),
        "cells_failed": graded.cells_failed,
        "answers": {name: code(text) for name, text in graded.answers.items()},
    }
    content = gradescope.result(run, submission, graded) | {"extra_data": record}
    return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def write(run: Run, submission: Submission, graded: Graded) -> None:
    """Write one result as soon as there is one, so that grading can continue from there after an interruption."""
    (run.out / "results").mkdir(parents=True, exist_ok=True)
    write_whole(run.out / "results" / f"{run.file_names[submission.learner]}.json", result(run, submission, graded))


def write_all(run: Run, results: Sequence[tuple[Submission, Graded]]) -> None:
    """Write all results again, because points and corrections may have changed since they were written."""
    for submission, graded in results:
        write(run, submission, graded)
    if len(results) == 1:  # Gradescope grades one submission at a time, and reads this file
        write_whole(run.out / "results.json", result(run, *results[0]))


def load(out: Path, name: str, sheet: str) -> tuple[str, str, Graded] | None:
    """Return the file's digest, the version and the result that ``write`` stored under this file name.

    Returns None if the result is missing or damaged, or is about another sheet or about an older set of exercises.
    """
    try:
        data = _record(out / "results" / f"{name}.json")
        verdicts = {name: None if stored is None else _verdict(stored) for name, stored in data["verdicts"].items()}
        texts = [data["digest"], data["edition"], data["problem"], *data["notes"]]
        names = [exercise.id for exercise in by_lesson()[sheet]]
        if {*verdicts} != {*names}:
            return None
        if not isinstance(data["notes"], list) or not all(isinstance(text, str) for text in texts):
            return None
        if not isinstance(data["cells_failed"], bool):
            return None
        answers = {name: text for name, text in data["answers"].items() if isinstance(text, str)}
        verdicts = {name: verdicts[name] for name in names}  # the sheet may have had another order
        graded = Graded(verdicts, tuple(data["notes"]), data["problem"], data["cells_failed"], answers)
        return data["digest"], data["edition"], graded
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def learners(out: Path) -> set[str]:
    """Return the names of all learners with a result in ``out``, including those who are no longer among the submissions."""
    return {record["learner"] for record in [*_records(out / "results"), *_records(out / ARCHIVE_DIR)]}


def totals(out: Path) -> dict[str, float]:
    """Return the points of each learner with a mark in ``out``, not rounded."""
    records = _records(out / "results")
    return {record["learner"]: record["total"] for record in records if isinstance(record.get("total"), float)}


def not_later(out: Path, submissions: Sequence[Submission]) -> list[Submission]:
    """Return the submissions, each changed when the last run said so if its file is the same: downloaded again, it has a later
    time."""
    times = {(record["learner"], str(record.get("digest"))): record.get("changed") for record in _records(out / "results")}

    def changed(submission: Submission) -> float:
        before = times.get((plain(submission.learner, 200), submission.digest))
        return min(submission.changed, before) if isinstance(before, float) else submission.changed

    return [each if each.changed is None else replace(each, changed=changed(each)) for each in submissions]


def require_same_class(out: Path, sheet: str, folder: Path, one: bool, handed_in: Collection[str]) -> None:
    """Raise GradingError if ``folder`` lacks most of the work in the results, because then it is the wrong folder.

    ``handed_in`` are the file names of those with a notebook in it.
    """
    results = {path.stem for path in (out / "results").glob("*.json")}
    if (one or folder.is_file()) and len(results) > 1:
        raise GradingError(
            f"{out} holds the results of a class, but {folder} is one learner's. With --resume, grade the whole class; "
            "to grade one learner again, choose another folder for the results."
        )
    before = {name for name in results if (earlier := load(out, name, sheet)) and earlier[0]}  # with a notebook
    gone = len(before - {*handed_in})
    if gone > len(before) / 2:
        raise GradingError(
            f"Nothing was changed: of the {len(before)} learners with a graded notebook in '{out}', {gone} have no notebook "
            f"in '{folder}'. Is '{folder}' the wrong folder? To grade only late work, or only one learner, choose another "
            "folder for the results. If this is the right folder, and an earlier run had the wrong one, move "
            f"'{out / 'results'}' elsewhere, and run this again to grade everybody from scratch."
        )


def archive_others(out: Path, names: Collection[str]) -> list[str]:
    """Move all pages and results but those with these file names to ``ARCHIVE_DIR``; return the names of those moved."""
    gone = set()
    for path in sorted([*(out / "feedback").glob("*.html"), *(out / "results").glob("*.json")]):
        if path.stem not in names:
            (out / ARCHIVE_DIR).mkdir(exist_ok=True)
            suffixes = chain([""], (f" ({number})" for number in count(2)))
            places = (out / ARCHIVE_DIR / f"{path.stem}{suffix}{path.suffix}" for suffix in suffixes)
            path.rename(next(place for place in places if not place.exists()))
            gone.add(path.stem)
    return sorted(gone)


def restore(out: Path, names: Collection[str]) -> None:
    """Move the pages and results with these file names back, if ``archive_others`` has moved them."""
    for name in names:
        for folder, ending in (("feedback", "html"), ("results", "json")):
            archived, place = out / ARCHIVE_DIR / f"{name}.{ending}", out / folder / f"{name}.{ending}"
            if archived.exists() and not place.exists():
                place.parent.mkdir(exist_ok=True)
                archived.rename(place)


def _record(path: Path) -> dict:
    """Return the record in a result; an empty one if the file is missing or damaged."""
    try:
        record = json.loads(path.read_bytes())["extra_data"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _records(folder: Path) -> list[dict]:
    """Return the records of all results in a folder that say whose they are."""
    records = map(_record, folder.glob("*.json"))
    return [record for record in records if isinstance(record.get("learner"), str)]


def _stored(verdict: Verdict | None) -> dict | None:
    if verdict is None:
        return None
    texts = {"reason": plain(verdict.reason, 50), "message": plain(verdict.message, 2000), "hint": plain(verdict.hint, 1000)}
    mistake = None if verdict.mistake is None else plain(verdict.mistake, 200)
    return asdict(verdict) | texts | {"mistake": mistake, "score": float(verdict.score)}


def _verdict(stored: dict) -> Verdict:
    """Return a stored verdict. Raises TypeError or ValueError if it is not one."""
    verdict = Verdict(**stored)
    for field in fields(Verdict):
        if not isinstance(getattr(verdict, field.name), field.type):
            raise TypeError(field.name)
    if not 0 <= verdict.score <= 1:
        raise ValueError("score")
    return verdict
