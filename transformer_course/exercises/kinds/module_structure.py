"""What is wrong with the parameters of a learner's ``nn.Module``: their names, their shapes, and how they are stored."""

import difflib
import math
import re
from collections.abc import Mapping

import numpy as np

from ..exercise import Verdict, close, listed
from . import module_faults as faults
from .module_runs import Run, array_of, part, recorded_call

MANY = 4  # names in one sentence
LOOKED_AT = 100  # names among which the nearest one is looked for
NUMBERED = re.compile(r"(.+?)\.(\d+)\.")  # a module in a list, such as `blocks.0.norm.gamma`


def constructor_fault(name: str, question: dict, value) -> Verdict | None:
    """The verdict on a constructor that takes other parameters, or takes them in another order; None if it takes the sizes.

    ``value`` may be anything that a learner's process sends.
    """
    takes, wanted = [each[:80] for each in part(value, "takes", list) if isinstance(each, str)], list(question["sizes"])
    if not part(value, "structure", dict):
        missing = [each for each in wanted if each not in takes]
        free, pairs = [each for each in takes if each not in wanted][:LOOKED_AT], []
        for each in missing:
            beside = takes[wanted.index(each)] if wanted.index(each) < len(takes) else None
            if found := _nearest(each, free) or (beside in free and beside):
                pairs.append(f"`{found}` should be `{each}`")
                free.remove(found)
        words = {"seen": _listed(takes) or "nothing", "wanted": _listed(wanted)}
        return faults.RENAMED.verdict(name=name, **words, pairs=f": {listed(pairs)}" if pairs else "")
    names, placed = question["placed"], part(value, "placed", dict)
    right = _shapes(placed) == {each: weight.shape for each, weight in question["weights"].items()}
    first, error = takes[: len(names)], part(placed, "error", str)[:80]
    if right and (first == names or not set(names) <= set(takes)):
        return None
    moved = [f"`{each}`" for each, other in zip(names, first, strict=False) if each != other]
    swapped = f". {listed(moved)} are swapped" if sorted(first) == sorted(names) and len(moved) == 2 else ""
    did = f"raised {error}: {part(placed, 'message', str)[:400]}" if error else "gives another object"
    return faults.PLACED.verdict(name=name, swapped=swapped, call=f"{name}({', '.join(names)})", did=did)


def structure_fault(name: str, weights: dict[str, np.ndarray], tied: dict[str, str], structure: dict) -> Verdict | None:
    """The verdict on parameters that are not those of ``weights``; None if names and shapes are right.

    ``tied`` has the names that must stand for the same parameter as another one. ``structure`` may be anything that a
    learner's process sends under this name.
    """
    seen = _shapes(structure)
    shared = _mapping(structure, "shared")
    group = {each: tied.get(each, each) for each in weights}
    twice = {each: first for each, first in shared.items() if isinstance(first, str) and {each, first} <= group.keys()}
    if doubled := next((each for each, first in twice.items() if group[each] != group[first]), None):
        return faults.SHARED.verdict(name=name, parameter=doubled, other=twice[doubled])
    missing = [each for each in weights if each not in seen]
    extra = [each for each in seen if each not in weights]
    if missing:
        return _missing(name, weights, seen, missing, extra, structure)
    if extra:
        biases = all(each.endswith(".bias") and f"{each[:-5]}.weight" in weights for each in extra)
        return (faults.EXTRA_BIAS if biases else faults.EXTRA).verdict(name=name, parameters=_listed(extra))
    for each, weight in weights.items():
        if seen[each] != weight.shape:
            fault = faults.TRANSPOSED if seen[each] == weight.shape[::-1] else faults.SHAPE
            return fault.verdict(name=name, parameter=each, seen=str(seen[each])[:80], expected=str(weight.shape))
    for each, other in tied.items():
        if shared.get(each, each) != shared.get(other, other):
            return faults.NOT_TIED.verdict(name=name, parameter=each, other=other)
    return None


def leftover_fault(leftovers: Mapping[str, faults.Fault], weights: dict, structure: dict) -> Verdict | None:
    """The verdict on a parameter that only a known slip leaves behind."""
    extra = [each for each in _mapping(structure, "parameters") if each not in weights]
    for pattern, fault in leftovers.items():
        if left := next((each for each in extra if re.search(pattern, each)), None):
            return fault.verdict(parameter=left[:80])
    return None


def start_fault(exercise, run: Run) -> Verdict | None:
    """The verdict on a parameter that does not begin as it should, from an output for which it was not loaded."""
    given, inputs = {**run.question["sizes"], **run.question["weights"]}, run.question["calls"][0]
    for name, start in exercise.starts.items():
        right = exercise.reference({**given, name: np.full_like(given[name], start)}, *inputs)
        seen = array_of(recorded_call(part(run.started, name, dict)))
        if seen is None or not close(seen, right):
            return faults.START.verdict(parameter=name, value=f"{start:g}")
    return None


def _missing(name: str, weights: dict, seen: dict, missing: list[str], extra: list[str], structure: dict) -> Verdict:
    for kind, fault in (("tensors", faults.PLAIN_TENSOR), ("buffers", faults.BUFFER)):
        if plain := [each for each in _names(structure, kind) if each in missing]:
            number = {"are": "are", "s": "s", "them": "them"} if len(plain) > 1 else {"are": "is a", "s": "", "them": "it"}
            return fault.verdict(name=name, parameters=_listed(plain), **number)
    if lists := _names(structure, "listed"):
        return faults.IN_A_LIST.verdict(name=name, parameters=_listed([f"self.{each}" for each in lists]))
    if not seen:
        return faults.NO_PARAMETERS.verdict(name=name)
    together = [each for each in missing if each.endswith(("w_q.weight", "w_k.weight", "w_v.weight"))]
    size = sum(weights[one].size for one in together)
    packed = [each for each in extra if len(together) > 1 and math.prod(seen[each]) == size]
    if packed:
        return faults.PACKED.verdict(name=name, parameters=_listed(together), packed=packed[0][:80])
    if all(each.endswith(".bias") and f"{each[:-5]}.weight" in seen for each in missing):
        return faults.NO_BIAS.verdict(name=name, parameters=_listed(missing))
    if counts := _too_few(weights, seen, missing):
        return faults.BLOCKS.verdict(name=name, **counts)
    pairs, free = [], extra[:LOOKED_AT]
    for each in missing[:MANY]:
        if near := _nearest(each, free):
            pairs.append(f"`{near[:80]}` should be `{each}`")
            free.remove(near)
    layer = missing[0].split(".")[0]
    on_self = f"Your class has {_listed(list(seen))}. Is each layer assigned to `self`, as in `self.{layer} = …`?"
    nearest = f"The nearest of your names: {listed(pairs)}." if pairs else on_self
    return faults.NAMES.verdict(name=name, missing=_listed(missing), nearest=nearest)


def _too_few(weights: Mapping, seen: Mapping, missing: list[str]) -> dict[str, str] | None:
    """The list of modules that has some, but not all, with their numbers, if nothing else is missing."""
    container = NUMBERED.match(missing[0])[1] if NUMBERED.match(missing[0]) else ""
    wanted, found, lost = (
        {match[2] for each in names if (match := NUMBERED.match(each)) and match[1] == container}
        for names in (weights, seen, missing)
    )
    alone = found and found < wanted and not found & lost and all(each.startswith(f"{container}.") for each in missing)
    return {"container": container, "wanted": str(len(wanted)), "found": str(len(found))} if alone else None


def _nearest(wanted: str, names: list[str]) -> str | None:
    """The name most like the one that is missing; of `w_q.weight`, only the layer's name counts."""
    layer, _, last = wanted.rpartition(".")
    layers = {name.rpartition(".")[0] or name: name for name in reversed(names)}
    (near,) = difflib.get_close_matches(layer or wanted, layers, n=1, cutoff=0.5) or [None]
    return f"{near}.{last}" if f"{near}.{last}" in names else layers.get(near)


def _shapes(structure: dict) -> dict[str, tuple[int, ...]]:
    shapes = {each: shape for each, shape in _mapping(structure, "parameters").items() if isinstance(shape, list)}
    return {each: tuple(shape) for each, shape in shapes.items() if all(type(size) is int for size in shape)}


def _mapping(structure: dict, name: str) -> dict:
    found = structure.get(name)
    return found if isinstance(found, dict) else {}


def _names(structure: dict, name: str) -> list[str]:
    found = structure.get(name)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _listed(names: list[str]) -> str:
    """The first few names, for a sentence."""
    shown = [f"`{each[:80]}`" for each in names[:MANY]]
    return listed([*shown, f"{len(names) - MANY} more"] if len(names) > MANY else shown)
