"""Reading what is in a learner's folder. It may be anything: what is of no use is passed over, with one sentence."""

import errno
from pathlib import Path

from transformer_course._util.files import parse_json, read_bounded
from transformer_course.runner import limits


class PassedOver(Exception):
    """A file cannot be used; the message is one sentence that names it and says what to try."""


def content_of(folder: Path, name: str) -> bytes:
    """Return what a file in a learner's folder contains. Raises PassedOver if it cannot be read, or is too large."""
    try:
        return read_bounded(folder / name)
    except OSError as error:
        if error.errno == errno.EFBIG:
            reason = (
                f"it is larger than {limits.NOTEBOOK_BYTES // limits.MIB} MiB, and a sheet of that size gets no mark. Open it "
                "in JupyterLab, choose Edit → Clear Outputs of All Cells, and save it"
            )
        else:
            reason = f"it cannot be read ({error.strerror or error}). Make it readable, or give it another name"
        raise PassedOver(f"{printable(name)} was passed over: {reason}.") from None


def code_cells(folder: Path, name: str) -> list[dict]:
    """Return the code cells of a notebook in a learner's folder. Raises PassedOver if it cannot be used."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise PassedOver(f"{printable(name)} was passed over: its name is not UTF-8. Give it another name.") from None
    try:
        cells = parse_json(content_of(folder, name))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        if isinstance(cells, list) and all(isinstance(cell["metadata"], dict) for cell in code):
            return code
    except (ValueError, LookupError, TypeError):
        pass
    raise PassedOver(
        f"{printable(name)} was passed over: it is not a notebook, or a damaged one. Restore it from a copy of yours, or "
        "rename it and run this again for a new one."
    )


def printable(name: str) -> str:
    """Return a name in one line and without commands to the terminal."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in name)
