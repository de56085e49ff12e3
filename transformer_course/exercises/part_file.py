"""A file of parts, such as ``my_transformer.py``: parts go in, and what was changed there by hand stays."""

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence

from .definitions import Needs, Statement, imports, statements

IMPORTS = "import"  # the key of the imports among the hashes; no definition can have this name


class Conflict(ValueError):
    """A part does not fit beside what the file contains; the message says why, and what to do."""


class PartFile:
    """A file of Python that contains parts, in a given order, each after the helpers that it uses.

    ``written`` has a hash of each definition, and of the imports, as they were last put in. Where the file differs from it,
    it was changed by hand. Raises SyntaxError or ValueError if ``text`` is not Python.
    """

    def __init__(self, text: str, order: Sequence[str], written: Mapping[str, str]):
        self.order, self.written = order, dict(written)
        self.kept: list[str] = []  # the names of definitions that were not replaced, because they were changed by hand
        self._read(text.rstrip().split("\n"))
        self._statements  # or an error

    @property
    def text(self) -> str:
        return "\n".join(self._lines).strip() + "\n"

    @property
    def names(self) -> frozenset[str]:
        """Everything that the file defines or imports."""
        return frozenset(name for statement in self._statements for name in statement.names)

    def put(self, part: str, wanted: Needs, note: str = "") -> None:
        """Put in a part and what it needs, with a note above the part.

        Raises Conflict; throw the file away then, because some of it may have changed already.
        """
        closure = {name for definition in wanted.definitions for name in definition.names}
        for definition in wanted.definitions:
            code = f"# {note}\n{definition.code}" if note and part in definition.names else definition.code
            self._put(code, definition.names, part, closure)
        while unused := [statement for statement in self._statements if self._is_left_over(statement)]:
            self._splice(unused[0], "")
        self._put_imports(wanted.imports)
        self.written = {name: code for name, code in self.written.items() if name in {*self.names, IMPORTS}}

    def _read(self, lines: list[str]) -> None:
        self._lines, self._parsed = lines, None

    @property
    def _statements(self) -> list[Statement]:
        self._parsed = statements("\n".join(self._lines)) if self._parsed is None else self._parsed
        return self._parsed

    def _put(self, code: str, names: frozenset[str], part: str, closure: set[str]) -> None:
        present = [statement for statement in self._statements if statement.names & names][-1:]
        if not present:
            self._insert(code, self._place(part, closure))
        elif present[0].code != code:
            name = min(names)
            if part not in names and (name in self.order or self._users(names, part) - closure):
                stage = f"you have changed `{name}` since it was checked; run its check again first"
                other = f"the file has another `{name}`, which other parts need; give yours a different name"
                raise Conflict(stage if name in self.order else other)
            if present[0].names != names or self.written.get(name) != fingerprint(present[0].code):
                self.kept.append(name)
                return
            self._splice(present[0], code)
        self.written |= dict.fromkeys(names, fingerprint(code))

    def _place(self, part: str, closure: set[str]) -> int:
        """Return the line before which a part and its helpers go: that of the part if it is there, else of the next one."""
        later, start, below = {*self.order[self.order.index(part) :]}, len(self._lines), -1
        for statement in reversed(self._statements):
            helps = statement.names & {*self.written} - {*self.order} - closure
            if statement.names & later or (helps and start == below):
                start = statement.first
            below = statement.first
        return start

    def _users(self, names: Iterable[str], part: str) -> set[str]:
        """Return the names of the definitions that use these, directly or through others, but not only through ``part``."""
        found, size = {*names}, 0
        while len(found) > size:
            size = len(found)
            found |= {name for each in self._statements if each.uses & (found - {part}) for name in each.names}
        return found

    def _is_left_over(self, statement: Statement) -> bool:
        """Whether nothing needs a helper any more, and it is still as it was put in."""
        ours = all(self.written.get(name) == fingerprint(statement.code) for name in statement.names)
        needed = {*self.order}.union(*(each.uses for each in self._statements))
        return ours and bool(statement.names) and not statement.names & needed and not statement.is_import

    def _put_imports(self, wanted: Mapping[str, str]) -> None:
        present = [statement for statement in self._statements if statement.is_import]
        lines, targets = {}, {}
        for name, target, line in (each for statement in self._statements for each in imports(statement)):
            lines[name], targets[name] = line, target
        for name, line in wanted.items():
            if name not in lines and name in self.names:
                raise Conflict(f"the file has a `{name}` of its own, and your cells have `{line}`; rename one of them")
            if name in lines and targets[name] != _target(line):
                raise Conflict(f"the file has `{lines[name]}`, and your cells have `{line}`; use the same one in both")
        ours = fingerprint("\n".join(statement.code for statement in present)) == self.written.get(IMPORTS)
        if ours or not present:
            needed = {name for each in self._statements if not each.is_import for name in each.uses}
            for statement in reversed(present):
                self._splice(statement, "")
            lines = {name: line for name, line in (wanted | lines).items() if name in needed}
            docstring = [each.last for each in self._statements[:1] if not each.names and each.code.lstrip().startswith('"""')]
            if lines:
                self._insert(sorted_imports(lines.values()), *docstring or [0], gap=1)
            self.written[IMPORTS] = fingerprint("\n".join(each.code for each in self._statements if each.is_import))
        elif new := sorted_imports(line for name, line in wanted.items() if name not in lines):
            self._splice(present[-1], f"{present[-1].code}\n{new}")

    def _insert(self, code: str, at: int, gap: int = 2) -> None:
        before, after = "\n".join(self._lines[:at]).rstrip(), "\n".join(self._lines[at:]).strip("\n")
        parts = [before + "\n" * (gap - 1) if before else "", code + "\n" if code and after else code, after]
        self._read("\n\n".join(filter(None, parts)).split("\n"))

    def _splice(self, statement: Statement, code: str) -> None:
        """Replace a statement, or remove it if there is no code."""
        if code:
            self._read([*self._lines[: statement.first], *code.split("\n"), *self._lines[statement.last :]])
        else:
            del self._lines[statement.first : statement.last]
            self._insert("", statement.first)


def sorted_imports(lines: Iterable[str]) -> str:
    """Gather lines that import one name each: Python's own modules first, and one line for all that is taken from a module."""
    whole, taken = set(), {}
    for line in lines:
        module, _, name = line.removeprefix("from ").partition(" import ")
        if name:
            taken.setdefault(module, set()).add(name)
        else:
            whole.add(line)
    gathered = [*sorted(whole), *(f"from {module} import {', '.join(sorted(taken[module]))}" for module in sorted(taken))]
    ours = [line for line in gathered if line.split()[1].split(".")[0] in sys.stdlib_module_names]
    return "\n\n".join(filter(None, ["\n".join(ours), "\n".join(line for line in gathered if line not in ours)]))


def fingerprint(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def _target(line: str) -> str:
    return next(imports(statements(line)[0]))[1]
