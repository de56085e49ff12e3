"""What the process of a learner's class sent for one object, data of any form: its parameters, its calls and its gradients."""

import difflib
import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from transformer_course.runner import limits
from transformer_course.runner.outcome import Outcome
from transformer_course.runner.tensors import TWO_DEVICES

from ..exercise import Verdict, as_array, close, listed, parameters
from . import module_faults as faults
from .error_hints import explained
from .results import part, strings

MANY = 4  # names in one sentence
LOOKED_AT = 100  # names among which the nearest one is looked for
NUMBERED = re.compile(r"(.+?)\.(\d+)\.")  # a module in a list, such as `blocks.0.norm.gamma`
CLASH = re.compile(r"^(?!name '|'\w+' object).*(size|shape|[dD]imension|index)", re.DOTALL)  # torch's errors about shapes
OTHER_NUMBERS = "gives other numbers"
SINGLE = 1e-2  # of the largest number: what float32 may change, with a wide margin
TELLING = 500  # random numbers, whose standard deviation is known well enough
STEP = 1e-6  # along a direction of length 1, in float64
RTOL, ATOL = 1e-4, 1e-5  # of slopes: wide enough for an answer that computes some of its steps in float32
DIRECTIONS = 2


def recorded_call(value) -> Outcome:
    """One call as it was recorded. What is not a recorded call counts as a call that returned nothing."""
    kind, error, message = (part(value, name, str)[: limits.TEXT_CHARACTERS] for name in ("type", "error", "message"))
    recorded = value.get("value") if isinstance(value, dict) else None
    return Outcome(recorded, kind or "NoneType", error or None, message)


def array_of(outcome: Outcome) -> np.ndarray | None:
    return None if outcome.error or outcome.type not in ("Tensor", "Parameter") else as_array(outcome.value)


@dataclass(frozen=True)
class Run:
    """What was sent for one object of the class ``name``, and the question that it answers. ``read(output, inputs)``
    leaves of an output what counts. The parameters that are ``frozen`` should get no gradient.
    """

    name: str
    question: dict
    value: object
    read: Callable
    frozen: Sequence[str] = ()

    def several(self, name: str) -> list:
        """What was sent for each call under this name."""
        count = len(self.question["calls"])
        return [*part(self.value, name, list), *[None] * count][:count]

    def once(self, name: str) -> Outcome:
        return recorded_call(part(self.value, name, dict))

    def outputs(self, name: str) -> list[Outcome]:
        """The calls under this name, with what counts of their outputs."""
        calls = map(recorded_call, self.several(name))
        read = ((call, self.read(array_of(call), inputs)) for call, inputs in zip(calls, self.question["calls"], strict=True))
        return [call if output is None else replace(call, value=output) for call, output in read]

    @functools.cached_property
    def calls(self) -> list[Outcome]:
        return self.outputs("calls")

    @functools.cached_property
    def structure(self) -> dict:
        return part(self.value, "structure", dict)

    @functools.cached_property
    def gradients(self) -> dict:
        return part(self.value, "gradients", dict)

    # Its parameters

    def wrong_parameters(self, leftovers: Mapping[str, faults.Fault]) -> Verdict | None:
        """The verdict on parameters that are not those of the question; None if names and shapes are right.

        ``leftovers`` are faults that are known by a parameter which should not be there, by a pattern for its name.
        """
        name, weights, tied = self.name, self.question["weights"], self.question["tied"]
        if not self.structure:
            return self._renamed()
        seen, shared = _shapes(self.structure), part(self.structure, "shared", dict)
        extra = [each for each in seen if each not in weights]
        for pattern, fault in leftovers.items():
            if left := next((each for each in extra if re.search(pattern, each)), None):
                return fault.verdict(parameter=left[:80])
        group = {each: tied.get(each, each) for each in weights}
        twice = {each: first for each, first in shared.items() if isinstance(first, str) and {each, first} <= group.keys()}
        if doubled := next((each for each, first in twice.items() if group[each] != group[first]), None):
            return faults.SHARED.verdict(name=name, parameter=doubled, other=twice[doubled])
        if missing := [each for each in weights if each not in seen]:
            return self._missing(seen, missing, extra)
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
        return self._misplaced()

    def _renamed(self) -> Verdict:
        """The verdict on a constructor that takes other parameters than the sizes."""
        takes, wanted = strings(self.value, "takes"), list(self.question["sizes"])
        missing = [each for each in wanted if each not in takes]
        beside = {each: takes[place] for place, each in enumerate(wanted) if place < len(takes)}
        pairs = _pairs(missing, [each for each in takes if each not in wanted], beside)
        words = {"seen": _listed(takes) or "nothing", "wanted": _listed(wanted)}
        return faults.RENAMED.verdict(name=self.name, **words, pairs=f": {listed(pairs)}" if pairs else "")

    def _misplaced(self) -> Verdict | None:
        """The verdict on a constructor that takes the right parameters in another order, or not by position."""
        names, placed = self.question["placed"], part(self.value, "placed", dict)
        first, error = strings(self.value, "takes")[: len(names)], part(placed, "error", str)[:80]
        moved = [f"`{each}`" for each, other in zip(names, first, strict=False) if each != other]
        wrong = _shapes(placed) != {each: weight.shape for each, weight in self.question["weights"].items()}
        if not wrong and not (moved and set(names) <= {*strings(self.value, "takes")}):
            return None
        swapped = f". {listed(moved)} are swapped" if sorted(first) == sorted(names) and len(moved) == 2 else ""
        did = f"raised {error}: {part(placed, 'message', str)[:400]}" if error else "gives another object"
        return faults.PLACED.verdict(name=self.name, swapped=swapped, call=f"{self.name}({', '.join(names)})", did=did)

    def _missing(self, seen: dict, missing: list[str], extra: list[str]) -> Verdict:
        name, weights = self.name, self.question["weights"]
        for kind, fault in (("tensors", faults.PLAIN_TENSOR), ("buffers", faults.BUFFER)):
            if plain := [each for each in strings(self.structure, kind) if each in missing]:
                number = {"are": "are", "s": "s", "them": "them"} if len(plain) > 1 else {"are": "is a", "s": "", "them": "it"}
                return fault.verdict(name=name, parameters=_listed(plain), **number)
        if lists := strings(self.structure, "listed"):
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
        pairs, layer = _pairs(missing[:MANY], extra), missing[0].split(".")[0]
        on_self = f"Your class has {_listed(list(seen))}. Is each layer assigned to `self`, as in `self.{layer} = …`?"
        nearest = f"The nearest of your names: {listed(pairs)}." if pairs else on_self
        return faults.NAMES.verdict(name=name, missing=_listed(missing), nearest=nearest)

    # Its calls

    def unstable(self, expected: list) -> faults.Fault | None:
        """What makes outputs differ that should be the same, if any do."""
        again, other = self.once("repeated"), self.outputs("other")
        if not _agree(self.calls[0], again):
            return faults.STATE
        if not _agree(again, self.once("reseeded")):
            return faults.RANDOM
        for call, late, right in zip(self.calls, other, expected, strict=True):
            if not _agree(call, late) and any(seen is not None and close(seen, right) for seen in map(array_of, (call, late))):
                return faults.KEPT
        return None if _agree(self.calls[0], other[0]) else faults.WORK_IN_INIT

    def gives(self, expected: list) -> bool:
        """Whether all calls gave what a forward pass of ours gives; where that raises an error, they must too.

        If all of them raised errors, only those about shapes count: others come from something else, such as a wrong name.
        """
        seen = [array_of(call) for call in self.calls]
        if all(each is None for each in seen) and not all(CLASH.search(call.message) for call in self.calls):
            return False
        return all(
            each is None if right is None else each is not None and close(each, right)
            for each, right in zip(seen, expected, strict=True)
        )

    def changed_input(self) -> int | None:
        """The place of the first input that a call has changed, or that makes the first call give something else again."""
        for inputs, call in zip(self.question["calls"], self.several("calls"), strict=True):
            given = [*part(call, "given", list), *[None] * len(inputs)]
            for place, (value, after) in enumerate(zip(inputs, given, strict=False)):
                if isinstance(value, np.ndarray) and not _unchanged(value, after):
                    return place
        return None if _agree(self.calls[0], self.once("again")) else 0

    def in_single(self, number: int, right: np.ndarray) -> str:
        """What a call in float32 did, for a sentence, if it did not give ``right`` as float32."""
        calls = part(self.value, "single", list)
        call = recorded_call(calls[number] if number < len(calls) else None)
        if call.error:
            return f"raises {call.error}: {call.message}"
        seen = array_of(call)
        kind = part(calls[number], "dtype", str)[:80].removeprefix("torch.") if number < len(calls) else ""
        if seen is None or kind != "float32":
            return f"gives {kind or 'no tensor'}"
        if seen.dtype != np.float32:
            return f"gives {seen.dtype}"
        near = SINGLE * max(1.0, float(np.abs(right).max(initial=0)))
        return "" if close(seen, right, rtol=SINGLE, atol=near) else OTHER_NUMBERS

    def wrong_start(self, starts: Mapping[str, float], stirred: Mapping[str, Callable[..., float]]) -> Verdict | None:
        """The verdict on the numbers with which some parameters begin; see `Module`."""
        initial, weights = part(self.value, "initial", dict), self.question["weights"]
        for name, start in starts.items():
            if (seen := as_array(initial.get(name))) is None or not close(seen, np.full(weights[name].shape, start)):
                return faults.START.verdict(parameter=name, value=f"{start:g}")
        for name, spread in stirred.items():
            seen, wanted = as_array(initial.get(name), "f"), spread(**self.question["sizes"])
            if seen is None or seen.shape != weights[name].shape or not seen.any():
                return faults.STILL.verdict(parameter=name)
            if seen.size >= TELLING and not 0.8 < (size := float(np.sqrt((seen**2).mean()))) / wanted < 1.25:
                return faults.SPREAD.verdict(parameter=name, seen=f"{size:.2g}", wanted=f"{wanted:.2g}")
        return None

    # Its gradients

    def gradient(self, key: str | int) -> np.ndarray | None:
        """The gradient at a weight (by name), which is what a step has taken from it, or at an input (by place)."""
        if isinstance(key, int):
            held, inputs = part(self.gradients, "inputs", list), self.question["calls"][0]
            arrays = [as_array(each) for each, value in zip(held, inputs, strict=False) if value is inputs[key]]
            found = [each.astype(float) for each in arrays if each is not None and each.shape == inputs[key].shape]
            return sum(found) if found else None
        before, after = self.question["weights"][key], as_array(part(self.gradients, "step", dict).get(key), "f")
        if after is None or after.shape != before.shape:
            return None
        return (before.astype(after.dtype).astype(float) - after.astype(float)) / self.question["rate"]

    def unreached(self) -> set[str] | None:
        """The parameters at which no gradient arrived; None if it arrived at none, which says nothing."""
        weights = self.question["weights"].keys() - {*self.frozen}
        without = {name for name in weights if (gradient := self.gradient(name)) is None or not np.any(gradient != 0)}
        return without if len(without) < len(weights) else None

    def wrong_gradients(self, reference: Callable, rng: np.random.Generator) -> Verdict | None:
        """The verdict on wrong gradients of ``(output * probe).sum()`` for the first call; None if they are right.

        The gradient is compared with the reference's slope along a few random directions through all weights and inputs
        together. If one differs, each weight and input is compared by itself, to find which.
        """
        if error := part(self.gradients, "error", str):
            plain, _ = explained(part(self.gradients, "message", str))
            return faults.BACKWARD_ERROR.verdict(error=f"{error}: {plain}"[:1000])
        name, question, tied = self.name, self.question, self.question["tied"]
        inputs = question["calls"][0]
        first = [next(place for place, other in enumerate(inputs) if other is value) for value in inputs]  # of the same array
        held = {*tied, *self.frozen}
        point = {weight: value for weight, value in question["weights"].items() if weight not in held}
        numbers = {place: inputs[place] for place in first if isinstance(inputs[place], np.ndarray)}
        point |= {place: value for place, value in numbers.items() if value.dtype.kind == "f"}
        seen = {key: self.gradient(key) for key in point}

        def scalar(moved: dict) -> float:
            changed = [moved.get(place, value) for place, value in zip(first, inputs, strict=True)]
            given = {**question["sizes"], **question["weights"], **{k: v for k, v in moved.items() if isinstance(k, str)}}
            output = reference({**given, **{weight: given[other] for weight, other in tied.items()}}, *changed)
            return float((output * question["probe"]).sum())

        if _right(scalar, point, seen, list(point), rng):
            if trained := [each for each in self.frozen if each in question["weights"] and np.any(self.gradient(each))]:
                get = "get" if len(trained) > 1 else "gets"
                return faults.NOT_FROZEN.verdict(name=name, parameters=_listed(trained), get=get)
            after = {each: as_array(value, "f") for each, value in part(self.gradients, "step", dict).items()}
            parted = next((each for each, other in tied.items() if not _same(after.get(each), after.get(other))), None)
            return parted and faults.NOT_TIED.verdict(name=name, parameter=parted, other=tied[parted])
        wrong = [key for key in point if not _right(scalar, point, seen, [key], rng)]
        if not any(gradient is not None and gradient.any() for gradient in seen.values()):
            return faults.NO_GRADIENT.verdict(name=name)
        lost = [key for key in wrong if seen[key] is None or not seen[key].any()]
        names = parameters(reference)[1:]
        words = [key if isinstance(key, str) else names[key] for key in lost or wrong or point]
        return (faults.DETACHED if lost else faults.WRONG_GRADIENT).verdict(name=name, parameters=_listed(words[:MANY]))


def elsewhere(value: object, name: str, dtype: str = "float32") -> Verdict | None:
    """The verdict on a call on another device and in another dtype than torch's default ones, if it shows a fault."""
    found = part(value, "elsewhere", dict)
    message, seen = part(found, "message", str)[: limits.TEXT_CHARACTERS], part(found, "dtype", str)
    line = re.search(r" \(in (`.+`)\)$", message)
    words = {"name": name, "line": f", in {line[1]}" if line else ""}
    if message.startswith(TWO_DEVICES):
        return faults.DEVICE.verdict(**words)
    if re.search(r"\bdtype\b|scalar type|[dD]ouble", message) or seen not in ("", f"torch.{dtype}"):
        return faults.DTYPE.verdict(**words)
    return None


def _right(scalar: Callable, point: dict, seen: dict, keys: Sequence, rng: np.random.Generator) -> bool:
    """Whether the gradient agrees with the slope of ``scalar`` along random directions through these weights and inputs.

    A nonlinearity such as ReLU may have its kink within the step on one side. The slope on the other side is then right.
    """

    def near(difference: float) -> bool:
        return abs(slope - difference / STEP) <= ATOL + RTOL * abs(difference / STEP)

    for _ in range(DIRECTIONS):
        direction = {key: rng.standard_normal(point[key].shape) for key in keys}
        length = np.sqrt(sum((each**2).sum() for each in direction.values()))
        direction = {key: each / length for key, each in direction.items()}
        after, before = (
            scalar({**point, **{key: point[key] + sign * STEP * each for key, each in direction.items()}}) for sign in (1, -1)
        )
        slope = sum((seen[key] * each).sum() for key, each in direction.items() if seen[key] is not None)
        if not near((after - before) / 2) and not any(map(near, (after - scalar(point), scalar(point) - before))):
            return False
    return True


def _too_few(weights: Mapping, seen: Mapping, missing: list[str]) -> dict[str, str] | None:
    """The list of modules that has some, but not all, with their numbers, if nothing else is missing."""
    container = NUMBERED.match(missing[0])[1] if NUMBERED.match(missing[0]) else ""
    wanted, found, lost = (
        {match[2] for each in names if (match := NUMBERED.match(each)) and match[1] == container}
        for names in (weights, seen, missing)
    )
    alone = found and found < wanted and not found & lost and all(each.startswith(f"{container}.") for each in missing)
    return {"container": container, "wanted": str(len(wanted)), "found": str(len(found))} if alone else None


def _pairs(missing: Iterable[str], names: list[str], beside: Mapping[str, str] | None = None) -> list[str]:
    """What each name is probably called, in words: by the most similar of these names, or else by the one beside it."""
    pairs, free = [], names[:LOOKED_AT]
    for each in missing:
        near = _nearest(each, free) or (beside or {}).get(each)
        if near in free:
            pairs.append(f"`{near[:80]}` should be `{each}`")
            free.remove(near)
    return pairs


def _nearest(wanted: str, names: list[str]) -> str | None:
    """The name most like the one that is missing; of `w_q.weight`, only the layer's name counts."""
    layer, _, last = wanted.rpartition(".")
    layers = {name.rpartition(".")[0] or name: name for name in reversed(names)}
    (near,) = difflib.get_close_matches(layer or wanted, layers, n=1, cutoff=0.5) or [None]
    return f"{near}.{last}" if f"{near}.{last}" in names else layers.get(near)


def _shapes(structure: dict) -> dict[str, tuple[int, ...]]:
    shapes = {each: shape for each, shape in part(structure, "parameters", dict).items() if isinstance(shape, list)}
    return {each: tuple(shape) for each, shape in shapes.items() if all(type(size) is int for size in shape)}


def _listed(names: list[str]) -> str:
    """The first few names, for a sentence."""
    shown = [f"`{each[:80]}`" for each in names[:MANY]]
    return listed([*shown, f"{len(names) - MANY} more"] if len(names) > MANY else shown) if names else ""


def _agree(one: Outcome, other: Outcome) -> bool:
    first, second = array_of(one), array_of(other)
    if first is None or second is None:
        return (first is None) == (second is None)
    return close(first, second)


def _unchanged(before: np.ndarray, after) -> bool:
    """Whether an input came back as it was given. It was given in the precision in which it came back."""
    array = as_array(after, "biuf")
    return array is not None and array.dtype.kind == before.dtype.kind and _same(before.astype(array.dtype), array)


def _same(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    return one is not None and other is not None and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
