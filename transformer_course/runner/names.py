"""What an answer's code takes from its notebook by name, such as the classes of earlier exercises."""

import dis
from inspect import isfunction, unwrap
from types import CodeType


def used(answer: object) -> dict[str, object]:
    """What an answer uses by name, also in the classes and functions of its notebook that it uses."""
    found, todo = {}, [answer]
    while todo:
        new = {name: each for name, each in names(todo.pop()).items() if name not in found}
        found |= new
        todo += [each for each in new.values() if getattr(each, "__module__", "") == answer.__module__]
    return found


def names(thing: object) -> dict[str, object]:
    """The names in the code of a function, or in that of a class's methods, and its bases, with what they are there."""
    if isinstance(thing, type):
        bases, methods = {each.__name__: each for each in thing.__bases__}, [names(each) for each in vars(thing).values()]
        return bases | {name: each for method in methods for name, each in method.items()}
    function, found = unwrap(getattr(thing, "__func__", thing)), set()
    codes = [function.__code__] if isfunction(function) else []
    while codes:
        code = codes.pop()
        found.update(each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME"))
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return {name: function.__globals__.get(name) for name in found}
