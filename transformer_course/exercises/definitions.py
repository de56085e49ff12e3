"""Everything that a class or function needs to be in a file of its own, found by reading the cells that were run."""

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

PARTS = "transformer_course.my_transformer"  # what a stage imports from here is a part of an earlier stage
BUILTIN = {*dir(builtins)} - {"display", "get_ipython"}  # IPython adds these two, and a file lacks them
IMPORT = ast.Import | ast.ImportFrom
DEFINITION = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class NotFound(LookupError):
    """A name has no definition that could be copied; the message says which name, and what to do."""


@dataclass(frozen=True)
class Statement:
    """A statement at the top level of a cell or file, with the comments directly above it."""

    nodes: list[ast.stmt]  # one, or several if they share a line
    code: str
    first: int  # its lines are first, …, last - 1, counted from 0
    last: int
    names: frozenset[str]  # what it defines, assigns or imports
    uses: frozenset[str]  # the names that it takes from elsewhere, other than Python's own

    @property
    def is_import(self) -> bool:
        return all(isinstance(node, IMPORT) for node in self.nodes)

    def made(self, name: str) -> list[ast.AST]:
        """The definitions of a class or function, also in ``if`` or ``try``; none if the name is assigned or imported."""
        return [node for node in self.run_at_once() if isinstance(node, DEFINITION) and node.name == name]

    def run_at_once(self) -> list[ast.AST]:
        """All nodes but those inside classes and functions."""
        nodes = [*self.nodes]
        for node in nodes:
            nodes += [] if isinstance(node, DEFINITION) else ast.iter_child_nodes(node)
        return nodes


@dataclass
class Needs:
    """What a definition needs in a file."""

    definitions: list[Statement] = field(default_factory=list)  # each after those that it uses, the definition itself last
    imports: dict[str, str] = field(default_factory=dict)  # for each imported name, the line that imports it alone
    earlier: list[str] = field(default_factory=list)  # the parts of earlier stages that it uses


def statements(source: str) -> list[Statement]:
    """Return a source's statements, in order. Raises SyntaxError, or ValueError if it contains null bytes."""
    lines, groups = source.split("\n"), []
    for node in ast.parse(source).body:
        first = min(each.lineno for each in (node, *getattr(node, "decorator_list", ()))) - 1
        if groups and first < groups[-1][2]:
            groups[-1][0].append(node)
            groups[-1][2] = node.end_lineno
        else:
            while first > (groups[-1][2] if groups else 0) and lines[first - 1].startswith("#"):
                first -= 1
            groups.append([[node], first, node.end_lineno])
    return [_statement(nodes, "\n".join(lines[first:last]), first, last) for nodes, first, last in groups]


def _statement(nodes: list[ast.stmt], code: str, first: int, last: int) -> Statement:
    return Statement(nodes, code, first, last, *_names_and_uses(code))


@cache  # whoever builds a file reads it again after each part
def _names_and_uses(code: str) -> tuple[frozenset[str], frozenset[str]]:
    top = symtable.symtable(code, "cell", "exec")
    names = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    tables, uses = [top], set()
    for table in tables:
        tables += table.get_children()
        referenced = (symbol for symbol in table.get_symbols() if symbol.is_referenced())
        uses |= {symbol.get_name() for symbol in referenced if table is top or symbol.is_global()}
    uses = {name for name in uses - names - BUILTIN if not name.startswith("__")}
    return frozenset(names), frozenset(uses)


def imports(statement: Statement) -> Iterator[tuple[str, str, str]]:
    """For each name that import statements bind: the name, what it stands for, and a line that imports it alone."""
    for node in (each for each in statement.nodes if isinstance(each, IMPORT)):
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.asname or alias.name
            words = alias.name + (f" as {alias.asname}" if alias.asname else "")
            if isinstance(node, ast.Import):
                yield name, alias.name if alias.asname else name, f"import {words}"
            else:
                module = "." * node.level + (node.module or "")
                yield name, f"{module}.{alias.name}", f"from {module} import {words}"


def needs(name: str, cells: Iterable[str]) -> Needs:
    """Return the definition of a name and all that it uses, as the cells left them; the cells are in the order of their run.

    Raises NotFound if something that it uses is defined by none of them.
    """
    found, latest = Needs(), {}
    for cell in cells:
        try:
            latest |= {bound: statement for statement in statements(cell) for bound in statement.names}
        except (SyntaxError, ValueError):
            continue  # a cell that did not run
    seen = set()

    def visit(wanted: str, user: str) -> None:
        if wanted in seen:
            return
        seen.add(wanted)
        if wanted not in latest:
            used = f", which `{user}` uses," if user else ""
            raise NotFound(
                f"`{wanted}`{used} is not defined or imported by its name in any cell that has run; add it, and run that cell"
            )
        statement = latest[wanted]
        for target, line in (each[1:] for each in imports(statement) if each[0] == wanted):
            if target.rpartition(".")[0] != PARTS:
                found.imports[wanted] = line
            elif target == f"{PARTS}.{wanted}":
                found.earlier.append(wanted)
            else:
                raise NotFound(f"`{wanted}` is a part of an earlier stage by another name; import it without `as`")
            return
        if any(isinstance(node, ast.ImportFrom) and node.module == PARTS for node in statement.run_at_once()):
            raise NotFound(f"`{wanted}` comes with an import of earlier parts; give that import a line of its own")
        seen.update(statement.names)
        for used in sorted(statement.uses):
            visit(used, wanted)
        found.definitions.append(statement)

    visit(name, "")
    return found
