"""A copy of the runner that learners' code cannot name, and that does not see what this code changes elsewhere.

The copy is no imported module. It has Python's built-in functions and the modules that it uses as they were before the first
cell, so it is out of reach of a replaced ``isinstance``, ``np.array_equal`` or ``torch.nn.Module.named_parameters``. Code can
still find it, on the stack below a call or among all objects in memory: then what it replaces there is noticed (``intact``).
"""

import builtins
import importlib
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from operator import is_
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace


class Runner:
    """The modules of a package with these names, and all that they import, loaded apart. Each is an attribute.

    Torch must have been imported: what the modules use of it is taken now.
    """

    def __init__(self, package: str, names: Iterable[str]):
        self._package, self._own, self._copies = package, {}, {}
        (folder,) = find_spec(package).submodule_search_locations
        self._words = {word for file in Path(folder).glob("*.py") for word in re.findall(r"\w+", file.read_text("utf-8"))}
        self._builtins = {**self._used_of(builtins), "__build_class__": __build_class__, "__import__": self._import}
        for name in names:
            self._load(name)
        vars(self).update(self._own)
        self._used = self.tensors.tensors()
        self._before = [(space, tuple(space), tuple(space.values())) for space in self._namespaces()]
        self._code = [(function, _parts(function)) for space, *_ in self._before for function in _functions(space)]

    def _load(self, name: str) -> ModuleType:
        if name not in self._own:
            spec = find_spec(f"{self._package}.{name}")
            module = self._own[name] = ModuleType(name)
            # Python would add the registry with the first warning.
            vars(module).update(__package__=self._package, __builtins__=self._builtins, __warningregistry__={})
            exec(spec.loader.get_code(spec.name), vars(module))
        return self._own[name]

    def _import(self, name, namespace=None, local=None, fromlist=(), level=0):
        """What `import` does in these modules, all of whose relative imports are from their own package."""
        if level:
            return self._load(name) if name else SimpleNamespace(**{each: self._load(each) for each in fromlist})
        if name not in self._copies:
            copy = self._copies[name] = ModuleType(name)
            vars(copy).update(self._used_of(importlib.import_module(name)))
        return self._copies[name]

    def _used_of(self, module: ModuleType) -> dict:
        """What the package may use of a module. The fewer objects are looked at, the less memory is no longer shared."""
        return {name: value for name, value in vars(module).items() if name in self._words}

    def intact(self) -> bool:
        """Return whether nothing in the copy has been replaced."""
        return (
            self.tensors.tensors() is self._used
            and all(tuple(space) == names and all(map(is_, space.values(), values)) for space, names, values in self._before)
            and all(all(map(is_, _parts(function), parts)) for function, parts in self._code)
        )

    def _namespaces(self) -> Iterator[dict]:
        yield self._builtins
        yield vars(self._used)
        for module in [*self._own.values(), *self._copies.values()]:
            yield vars(module)
        for module in self._own.values():
            yield from (
                vars(each) for each in vars(module).values() if isinstance(each, type) and each.__module__ in self._own
            )


def _functions(space: dict) -> Iterator[FunctionType]:
    for value in list(space.values()):
        while isinstance(value, FunctionType):
            yield value
            value = vars(value).get("__wrapped__")


def _parts(function: FunctionType) -> tuple:
    return function.__code__, function.__defaults__, function.__kwdefaults__
