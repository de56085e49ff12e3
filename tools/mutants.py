"""List one-step changes of each exercise's solution that pass its check, or that the check refuses without a name.

    python tools/mutants.py                    how many there are for each exercise
    python tools/mutants.py build.layer_norm   the changed lines themselves

Some that pass are right, such as a sum in another order. For each other one, somebody may write it: then it needs a mistake.
"""

import argparse
import ast
import copy
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

from examining import EXERCISES, solution_code, verdict

from transformer_course.exercises.exercise import Exercise

OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Pow: ast.Mult}
OPPOSITE = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPPOSITE |= {ast.Is: ast.IsNot, ast.IsNot: ast.Is}


def changes(node: ast.AST, names: list[str]) -> Iterator[ast.AST]:
    """Other nodes that somebody might have written in place of this one."""
    match node:
        case ast.BinOp(left, op, right):
            yield left
            yield right
            yield ast.BinOp(right, op, left)
            if type(op) in OTHER:
                yield ast.BinOp(left, OTHER[type(op)](), right)
        case ast.UnaryOp(op=ast.USub() | ast.Not() | ast.Invert()):
            yield node.operand
        case ast.Compare(ops=[op]) if type(op) in OPPOSITE:
            yield ast.Compare(node.left, [OPPOSITE[type(op)]()], node.comparators)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield from map(ast.Constant, {value + 1, value - 1, -value} - {value})
        case ast.Call(func, arguments, keywords):
            if len(arguments) == 1:
                yield arguments[0]
            if isinstance(func, ast.Attribute) and not (
                isinstance(func.value, ast.Name) and func.value.id in ("np", "torch", "F", "self")
            ):
                yield func.value
            if len(arguments) >= 2:
                yield ast.Call(func, [arguments[1], arguments[0], *arguments[2:]], keywords)
            for left in range(len(keywords)):
                yield ast.Call(func, arguments, [*keywords[:left], *keywords[left + 1 :]])
        case ast.Subscript(value=value):
            yield value
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            yield from (ast.Name(other, ast.Load()) for other in names if other != name)


def mutants(source: str, answer: str) -> Iterator[tuple[str, str]]:
    """Each one-step change within the definition of the answer: the changed line, and the whole source."""
    tree = ast.parse(source)
    (made,) = [node for node in tree.body if getattr(node, "name", "") == answer][-1:]
    names = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    names = sorted(names | {a.arg for a in ast.walk(made) if isinstance(a, ast.arg)} - {"self"})
    places = [
        (parent, field, index)
        for parent in ast.walk(made)
        for field, value in ast.iter_fields(parent)
        for index in (range(len(value)) if isinstance(value, list) else [None])
    ]
    seen = {ast.unparse(tree)}
    for parent, field, index in places:
        old = getattr(parent, field) if index is None else getattr(parent, field)[index]
        if not isinstance(old, ast.expr):
            continue
        for new in changes(old, names):
            _put(parent, field, index, copy.deepcopy(new))
            whole = ast.unparse(ast.fix_missing_locations(tree))
            _put(parent, field, index, old)
            if whole not in seen:
                seen.add(whole)
                yield _difference(ast.unparse(tree), whole), whole


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _difference(before: str, after: str) -> str:
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return next((f"{new.strip()}      (was: {old.strip()})" for old, new in pairs if old != new), "")


def unnamed(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """What the check says of each changed solution that it passes, or refuses with neither a name nor an error."""
    for line, source in mutants(solution_code(exercise), exercise.answer_name):
        cell: dict = {}
        try:
            exec(source, cell)
        except Exception:  # the cell itself would stop
            continue
        seen = verdict(exercise, cell[exercise.answer_name])
        if seen.passed or (seen.mistake is None and seen.reason in ("value", "property")):
            yield "passes" if seen.passed else seen.message, line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exercises", nargs="*", help="ids; if there is one, its changed lines are shown")
    asked = parser.parse_args().exercises
    for exercise in (each for each in EXERCISES if each.is_function and (not asked or each.id in asked)):
        found = list(unnamed(exercise))
        passing = sum(message == "passes" for message, _ in found)
        print(f"{exercise.id:34} {passing:3} pass, {len(found) - passing:3} without a name", flush=True)
        for message, line in found if asked else ():
            print(f"    {line}\n        {message[:160]}")


if __name__ == "__main__":
    main()
