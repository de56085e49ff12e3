"""Stage B13: a linear layer that keeps its weight in eight bits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from transformer_course.runner.modules import run_of_linear
from transformer_course.runner.outcome import Outcome

from ..exercise import Verdict, as_array, close, show
from ..families import adapted
from ..families.quantization import QUANTIZATION, coded
from ..kinds.implement import Implement
from ..kinds.results import arrays, part, with_entries
from ..toolkit import normal

BESIDE = 16  # bytes for each output that may be stored beside the codes: a scale and a bias, even in float64


def _by_rows(weight, **piece):
    return coded(weight, 8, **piece)


def _apply(codes, scale, x, bias):
    return x @ (codes * scale).T + bias


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer in NumPy: the codes and scales that it stores, in which type, what else, and what it computes with them."""

    store: Callable = _by_rows
    apply: Callable = _apply
    dtype: type = np.int8
    beside: Mapping[str, Callable] = field(default_factory=dict)  # further entries, made of the weight
    saved: bool = True
    trained: str = ""  # whether the scale has a gradient: as a "parameter", or since it was computed from the weight

    def stored(self, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        codes, scale = self.store(weight)
        integer = np.issubdtype(self.dtype, np.integer)
        return (np.nan_to_num(codes).astype(np.int64) if integer else codes).astype(self.dtype), scale

    def __call__(self, question: dict) -> dict:
        codes, scale = self.stored(question["weight"])
        bias = 0.0 if question["bias"] is None else question["bias"]
        with np.errstate(all="ignore"):
            outputs = [self.apply(codes.astype(float), scale, x, bias) for x in question["calls"]]
            seen = (
                {"weights": codes * scale, "dtype": str(codes.dtype)} if self.saved else {"weights": np.zeros(0), "dtype": ""}
            )
        size = codes.nbytes + 4 * (scale.size + sum(make(codes).size for make in self.beside.values()))
        size += 0 if question["bias"] is None else 4 * len(codes)
        small = size <= codes.size + BESIDE * len(codes)
        return {
            **seen,
            "outputs": outputs,
            "reopened": np.array(self.saved),
            "small": np.array(small),
            "fixed": np.array(not self.trained),
        }


class Int8(Implement):
    """Write a class around a linear layer, whose ``weight`` is stored in int8, with a ``scale`` for each row."""

    kind: ClassVar[str] = "int8"
    backends = (run_of_linear.__name__,)

    def _expected(self, function, seed, index):
        [question] = self.questions(seed)[index]
        return Outcome(function(question), "dict")

    def judge(self, seed, outcomes):
        read = [
            replace(each, value=_read(question[0], each.value))
            for question, each in zip(self.questions(seed), outcomes, strict=False)
        ]
        return super().judge(seed, read)

    def _read(self, outcome, expected):
        return with_entries(outcome, ("weights", "dtype", "scale", "outputs", "reopened", "small", "fixed"))

    def _described(self, question, shapes=False):
        d_out, d_in = question[0]["weight"].shape
        return f"`{self.answer_name}(nn.Linear({d_in}, {d_out}{', bias=False' if question[0]['bias'] is None else ''}))`"

    def _problem(self, question, outcome, expected):
        if outcome.error:
            return self._raised(outcome)
        seen, right, layer = outcome.value, expected.value, self._described(question)
        weights = as_array(seen["weights"])
        if weights is None or weights.shape != right["weights"].shape:
            message = (
                f"{layer} should store `weight`, of shape {right['weights'].shape}, and `scale`, one number for each row."
            )
            return Verdict(False, "shape", message, 'Store both with `self.register_buffer("weight", …)`.')
        if seen["dtype"] != "int8":
            return Verdict(False, "dtype", f"The `weight` of {layer} should have dtype int8, but has {seen['dtype']}.")
        if not close(weights, right["weights"]):
            far = np.nan_to_num(np.abs(weights - right["weights"]), nan=np.inf)
            place = np.unravel_index(far.argmax(), far.shape)
            values = f"should be {show(float(right['weights'][place]))}, but is {show(float(weights[place]))}"
            return Verdict(False, "value", f"In {layer}, weight[{place[0]}, {place[1]}] times its row's scale {values}.")
        for given, output in zip(seen["outputs"], right["outputs"], strict=True):
            array = as_array(given)
            if array is None or array.shape != output.shape:
                has = "is no tensor" if array is None else f"has shape {array.shape}"
                return Verdict(False, "shape", f"The output of {layer} should have shape {output.shape}, but {has}.")
            if not close(array, output):
                return Verdict(False, "value", f"What {layer} stores is right, but its output of shape {output.shape} is not.")
        if seen["scale"] != str(column := (len(weights), 1)):
            message = f"The numbers are right, but the `scale` of {layer} has shape {seen['scale']}, and not {column}."
            return Verdict(False, "shape", message, "`keepdim=True` keeps the axis of length 1.", score=0.5)
        if not seen["reopened"]:
            message = "A layer into which they are loaded computes something else: it uses numbers of its own."
            return Verdict(False, "property", message, "In `forward`, use `self.weight` and `self.scale`.", score=0.5)
        if not seen["small"]:
            message = f"The numbers are right, but {layer} stores more than the codes, their scales and the bias."
            return Verdict(False, "property", message, "Is the layer itself kept in `self`? Keep only its bias.", score=0.5)
        if not seen["fixed"]:
            message = f"The numbers are right, but what {layer} stores has a gradient."
            return Verdict(False, "property", message, "`linear.weight.detach()` is the weight without a gradient.", score=0.5)
        return None


def _read(question: dict, value) -> object:
    """What is compared: the numbers that are stored, and whether another layer computes the same with them."""
    if not isinstance(value, dict):
        return value
    codes, scale = (as_array(value.get(name)) for name in ("codes", "scale"))
    rows = len(question["weight"])
    fit = codes is not None and scale is not None and codes.shape == question["weight"].shape and scale.size == rows
    count = len(question["calls"])
    outputs, again = [*part(value, "outputs", list), *[None] * count][:count], as_array(value.get("reopened"))
    first = as_array(outputs[0])
    size = value.get("bytes")
    return {
        "weights": codes.astype(float) * scale.reshape(-1, 1) if fit else np.zeros(0),
        "dtype": part(value, "dtype", str) if fit else "",
        "scale": str(scale.shape) if fit else "",
        "outputs": [arrays(each) for each in outputs],
        "reopened": np.array(first is not None and again is not None and first.shape == again.shape and close(again, first)),
        "fixed": np.array(value.get("trained") is False),
        "small": np.array(isinstance(size, int) and size <= question["weight"].size + BESIDE * rows),
    }


def _with(piece):
    return Layer(lambda weight: _by_rows(weight, **piece))


def _one_scale(weight):
    codes, scale = coded(weight.reshape(1, -1), 8)
    return codes.reshape(weight.shape), np.repeat(scale, len(weight), 0)


def _far_from_halves(codes):
    """None is near the middle of two whole numbers, where rounding in float32 would decide."""
    return (np.abs(codes % 1 - 0.5) > 1e-3).all()


def _draw(rng):
    def layer(d_in, d_out, *shapes, bias=True, zeros=False):
        while True:
            scale = 2.0 ** rng.integers(-8, -4, (d_out, 1))  # so that also float32 gives whole codes for the largest weights
            codes = normal(rng, d_out, d_in, limit=2.5) * 32
            codes[np.arange(d_out), rng.integers(d_in, size=d_out)] = -127
            weight = codes * scale
            if zeros:
                weight[1] = 0
            if _far_from_halves(codes):
                break
        calls = [normal(rng, *shape, d_in) for shape in shapes]
        return [{"weight": weight, "bias": normal(rng, d_out) if bias else None, "calls": calls}]

    return [layer(9, 7, (2, 3), (4,)), layer(12, 5, (2, 6), bias=False), layer(8, 6, (3, 2), zeros=True)]


int8_linear = Int8(
    id="build.int8_linear",
    answer_name="Int8Linear",
    prompt="A linear layer made of an nn.Linear, which stores its weight in int8 with one scale for each row.",
    reference=Layer(),
    draw=_draw,
    why="A code takes one byte in place of four, and each row spends its 255 codes on its own range.",
    hints=(
        '`self.register_buffer("weight", codes)` keeps a tensor that is saved with the model, but not trained.',
        "`linear.weight.detach()` is the weight. The scale of a row is `.abs().amax(1, keepdim=True) / 127`, and a code is "
        "the weight divided by it, rounded: `.round().to(torch.int8)`.",
        "In `forward`: `F.linear(x, self.weight.to(x.dtype) * self.scale, self.bias)`. Where a scale is 0, divide by "
        "something else: `scale.clamp(min=1e-12)`.",
    ),
    mistakes={
        **adapted(QUANTIZATION, _with, but=("one code too many", "twice as many codes", "zero divided by zero")),
        "one scale for the matrix": (
            "You use one scale for the whole weight. A row of small numbers then has only few codes.",
            "The maximum of each row is `.amax(1, keepdim=True)`.",
            Layer(_one_scale),
        ),
        "127.5 in place of 127": (
            "You divided by 127.5, half of 255. No code is 127.5, so the largest weight of each row comes back too small, or "
            "its code does not fit.",
            "The largest weight of a row has the code 127, or −127. Which scale gives that?",
            _with({"top": lambda bits: 127.5, "rounding": lambda x, top: np.rint(x).clip(-128, 127)}),
            _with({"top": lambda bits: 127.5, "rounding": lambda x, top: np.rint(x).clip(-127, 127)}),
            _with({"top": lambda bits: 127.5}),
        ),
        "a number added to every scale": (
            "You added a small number to every scale. That keeps a row of zeros from 0/0, but it changes all other rows too, "
            "and most of all those with small weights.",
            "Only where the scale is 0 does it matter what you divide by.",
            *(_with({"magnitude": lambda w, e=e: np.abs(w).max(-1, keepdims=True) + 127 * e}) for e in (1e-5, 1e-4, 1e-3)),
        ),
        "not divided by the scale": (
            "You rounded the weights as they are. Most are between −1 and 1, so little is left of them.",
            "Divide by the scale of the row first, and round then.",
            Layer(lambda weight: (np.rint(weight), np.ones((len(weight), 1)))),
            Layer(lambda weight: (np.rint(weight), coded(weight, 8)[1])),
        ),
        "the codes alone": (
            "Your output is made of the codes. They mean nothing without their scales.",
            "Multiply each row by its scale before you use it, or each output after.",
            Layer(apply=lambda codes, scale, x, bias: x @ codes.T + bias),
        ),
        "the bias left out": (
            "The bias of the layer is missing from your output.",
            "Keep `linear.bias` in `__init__`; it may be None. `F.linear(x, weight, bias)` takes both.",
            Layer(apply=lambda codes, scale, x, bias: x @ (codes * scale).T),
        ),
        "the bias scaled": (
            "You multiplied the bias by the scale, too. The bias is stored as it was.",
            "Add it after the scale.",
            Layer(apply=lambda codes, scale, x, bias: (x @ codes.T + bias) * scale.T),
        ),
        "codes in a wider type": (
            "Your codes are whole numbers, but stored in a type that takes more than one byte each.",
            "`.to(torch.int8)` makes one byte of each.",
            *(Layer(dtype=kind) for kind in (np.float32, np.float16, np.int32, np.int64, np.int16)),
        ),
        "the float weight kept": (
            "The float weight is stored beside the codes. So the file has become larger, not smaller.",
            "Do not keep `linear` in `self`: only the codes, their scales, and the bias.",
            Layer(beside={"linear": lambda weight: weight}),
        ),
        "the scale trained": (
            "`scale` has a gradient: it is a parameter, or still tied to the weight that it was computed from. So training "
            "would change it, or keep that weight in memory.",
            "Begin with `linear.weight.detach()`, and store the scale with `self.register_buffer`.",
            Layer(trained="parameter"),
            Layer(trained="weight"),
        ),
        "codes that are not saved": (
            "`weight` or `scale` is an attribute that is not saved with the model: who opens the file does not find it.",
            '`self.register_buffer("weight", codes)` saves it.',
            Layer(saved=False),
        ),
    },
)
