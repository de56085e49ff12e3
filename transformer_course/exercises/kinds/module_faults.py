"""What goes wrong in an ``nn.Module`` whatever it computes: each fault has a name, a diagnosis and a hint."""

import re
from dataclasses import dataclass

from ..exercise import Verdict, listed


@dataclass(frozen=True)
class Fault:
    """A fault in any class. ``{words}`` in its sentences are filled in for one answer; ``score`` is its partial credit."""

    name: str
    diagnosis: str
    hint: str
    score: float = 0.0

    def verdict(self, **words: str) -> Verdict:
        return Verdict(False, "mistake", self.diagnosis.format(**words), self.hint.format(**words), self.name, self.score)


NO_SUPER_INIT = Fault(
    "super().__init__() missing",
    "`{name}` stores a layer or a parameter before `nn.Module` is ready for it. `super().__init__()` gets it ready.",
    "Call `super().__init__()` in the first line of `__init__`.",
)
RENAMED = Fault(
    "constructor parameters renamed",
    "The constructor of `{name}` takes {seen}. In the exercise it takes {wanted}{pairs}.",
    "The stages that use your class pass these by name as well, so their names matter.",
)
PLACED = Fault(
    "constructor parameters in another order",
    "By name, `{name}` takes the right parameters, but not by position{swapped}: `{call}` {did}.",
    "Later stages construct it by position. Compare the first line of `__init__` with the exercise.",
)
NO_FORWARD = Fault(
    "no forward",
    "`{name}` has no method called `forward`, so calling the object does nothing.",
    "Check its spelling and its indentation: it belongs inside the class, at the same level as `__init__`.",
)
ONLY_IN_INIT = Fault(
    "an argument of __init__ in forward",
    "`forward` raised NameError: {error}. `{name}` is an argument of `__init__`, which is gone when `__init__` ends.",
    "Keep it in `__init__`, with `self.{name} = {name}`, and write `self.{name}` in `forward`.",
)
LIST_CALLED = Fault(
    "a list of modules called",
    "{called} is a list of modules, and a list cannot be called as one module.",
    "Call its blocks one after the other, in a loop.",
)
NO_PARAMETERS = Fault(
    "no parameters",
    "`{name}` has no parameters: `parameters()` is empty, so an optimizer would have nothing to change.",
    "In `__init__`, assign layers such as nn.Linear, or an nn.Parameter, to `self`.",
)
PLAIN_TENSOR = Fault(
    "a plain tensor",
    "{parameters} in `{name}` {are} plain tensor{s}. `parameters()` does not list {them}, so training would never change "
    "{them}.",
    "Wrap {them} in nn.Parameter: `self.… = nn.Parameter(…)`.",
)
BUFFER = Fault(
    "a buffer",
    "{parameters} in `{name}` {are} buffer{s}. A buffer is saved with the model, but `parameters()` does not list {them}, so "
    "training would never change {them}.",
    "Use nn.Parameter for whatever is learned.",
)
IN_A_LIST = Fault(
    "modules in a Python list",
    "`{name}` keeps layers in a Python list or dict, {parameters}. `nn.Module` does not look inside, so `parameters()` "
    "does not list their weights, and training would never change them.",
    "Use nn.ModuleList in place of the list.",
)
SHARED = Fault(
    "one object used twice",
    "In `{name}`, `{parameter}` and `{other}` are the same parameter: one object is in two places, so both always have the "
    "same weights.",
    "Create a new object for each place. `[layer] * 3` repeats one object; a comprehension creates three. "
    "Tie weights only where you are asked to.",
)
NOT_TIED = Fault(
    "tables not tied",
    "In `{name}`, `{parameter}` and `{other}` are two parameters, but here they should be one. With the same numbers they "
    "would give the same output, but training would move them apart.",
    "Assign the parameter itself, `self.….weight = …`, without copying its numbers.",
)
PACKED = Fault(
    "packed projections",
    "`{name}` packs {parameters} into `{packed}`. The output could be the same, but weights are loaded by name here, as "
    "they are when you load a model that somebody else has trained, and none of these names exists in your class.",
    "Give each projection an nn.Linear of its own, with the name from the exercise. A loading hook would not help here.",
)
EXTRA_BIAS = Fault(
    "a bias too many",
    "`{name}` has {parameters}, but these layers should have no bias here.",
    "nn.Linear adds a bias unless you pass `bias=False`.",
)
NO_BIAS = Fault(
    "a bias missing",
    "`{name}` lacks {parameters}: these layers should have a bias here.",
    "nn.Linear adds a bias by default. Leave out `bias=False`.",
)
NAMES = Fault(
    "other parameter names",
    "`{name}` lacks {missing}. Weights are loaded by name, so the names of its parameters must be those in the exercise.",
    "{nearest}",
)
BLOCKS = Fault(
    NAMES.name,
    "`{name}` should have {wanted} modules in `{container}` here, but it has {found}.",
    "Which argument of the constructor says how many there should be?",
)
EXTRA = Fault(
    "a parameter too many",
    "`{name}` has every parameter that it needs, but also {parameters}, which the exercise does not name.",
    "Remove what the exercise does not name. If a parameter is the same as another one, use that one.",
)
TRANSPOSED = Fault(
    "sizes swapped",
    "`{parameter}` in `{name}` has shape {seen}, but should have {expected}: its two sizes are swapped.",
    "nn.Linear(a, b) takes vectors of width a and returns vectors of width b. Its weight has shape (b, a).",
)
SHAPE = Fault(
    "other parameter shapes",
    "`{parameter}` in `{name}` has shape {seen}, but should have {expected}.",
    "Which argument of the constructor gives each size?",
)
RANDOM = Fault(
    "random in eval mode",
    "In eval mode, two calls of `{name}` with the same input gave different outputs. Something random is still active, such "
    "as dropout, or a layer or tensor that `forward` makes with random numbers.",
    "Layers belong in `__init__`. nn.Dropout switches itself off in eval mode; F.dropout needs `training=self.training`.",
)
STATE = Fault(
    "state kept by a call",
    "A call changes the object: for {call}, the same input gave a different output the second time.",
    "`forward` should change nothing on `self`. Keep what it computes in local variables.",
)
WORK_IN_INIT = Fault(
    "work done in __init__",
    "The output of `{name}` depends on the weights that it had when it was constructed, or on numbers drawn at random "
    "then. The weights that were loaded afterwards are partly ignored.",
    "In `__init__`, only create layers and parameters. Everything that is computed from them belongs in `forward`.",
)
KEPT = Fault(
    "something kept from an earlier call",
    "`{name}` works when it is new, but not after a call with a different length: it keeps something from that call, such "
    "as a mask.",
    "Make the mask in `forward`, from the length of the input of that call.",
)
UNUSED = Fault(
    "a parameter unused",
    "The output of `{name}` does not depend on {parameters}, or no gradient gets through to it.",
    "Where in `forward` should it appear?",
)
START = Fault(
    "another start",
    "With loaded weights, the values are right. But before training, all numbers of `{parameter}` should be {value}.",
    "What does the exercise say about its initial values? torch.ones and torch.zeros make tensors of one value.",
    score=0.5,
)
STILL = Fault(
    "a start that never moves",
    "With loaded weights, the values are right. But `{parameter}` begins at zero, where another parameter does too: each "
    "multiplies the other's gradient, so both would stay at zero.",
    "Draw its initial values at random, as with torch.randn.",
    score=0.5,
)
SPREAD = Fault(
    "another spread at the start",
    "With loaded weights, the values are right. But before training, the numbers of `{parameter}` have a standard deviation "
    "of {seen}, and not of {wanted} as in the exercise. The first steps depend on it.",
    "torch.randn draws numbers with a standard deviation of 1. What does the exercise divide them by?",
    score=0.5,
)
NOT_FROZEN = Fault(
    "the frozen layer trained",
    "The values are right, but {parameters} in `{name}` {get} a gradient, so training would change what should stay as it is.",
    "`requires_grad_(False)` freezes a layer, or a parameter.",
    score=0.5,
)
INPUT_CHANGED = Fault(
    "input changed",
    "The values are right, but `forward` modifies its input: after the call, `{input}` has changed. The caller may still need "
    "it, as a residual connection does.",
    "Operators such as `+=`, and methods that end in `_`, write into the tensor itself. Make a new one, as in `{input} = "
    "{input} + …`, or copy it first: `{input} = {input}.clone()`.",
    score=0.5,
)
PRECISION = Fault(
    "another precision",
    "The values are right, but not their precision: in float32, as torch computes by default, {call} {did}. The layers around "
    "`{name}` would stop with an error.",
    "Which tensor comes from elsewhere, or is made in `forward`? `.to(x)` gives a tensor the dtype of x.",
    score=0.5,
)
DEVICE = Fault(
    "a tensor on another device",
    "The values are right, but only on the processor. A tensor that `{name}` makes does not follow its input{line}: on a GPU, "
    "this would stop with an error.",
    "Make it where the input is, as in `torch.arange(n, device=x.device)`, or move it there with `.to(x)`.",
    score=0.5,
)
DTYPE = Fault(
    "a tensor of another dtype",
    "The values are right, but a tensor that `{name}` makes has torch's default dtype and not that of its input{line}. In "
    "bfloat16, the model would stop there with an error, or give float32.",
    "Pass `dtype=x.dtype` where you make it, or `.to(x)` afterwards. A mask is best left boolean.",
    score=0.5,
)
DROPOUT = Fault(
    "dropout elsewhere",
    "In eval mode the values are right, but in training mode dropout is not where it should be. With `dropout=1`, {expected}.",
    "{hint}",
    score=0.5,
)
DROPPED_UNASKED = Fault(
    "dropout of its own",
    "In eval mode the values are right, but in training mode {call} gives others, although no dropout was asked for.",
    "Is there a dropout with a rate of its own, such as `nn.Dropout(0.1)`? The exercise says which classes take `dropout`; "
    "there its default is 0.0. Leave out any other.",
    score=0.5,
)
NO_GRADIENT = Fault(
    "no gradient at all",
    "The values are right, but no gradient reaches any parameter of `{name}`, so it cannot learn.",
    "Look for `torch.no_grad()`, `.detach()`, `.data`, `.numpy()` or a new `torch.tensor(…)` between them and the output.",
    score=0.5,
)
DETACHED = Fault(
    "gradient zero",
    "The values are right, but no gradient reaches {parameters} in `{name}`. Training would leave it as it is.",
    "Look for `.detach()`, `.data` or `torch.no_grad()` between it and the output.",
    score=0.5,
)
WRONG_GRADIENT = Fault(
    "gradient wrong",
    "The values are right, but the gradient with respect to {parameters} in `{name}` is not: on part of the way back it "
    "is cut off or changed.",
    "Look for `.detach()`, `.data` or `torch.no_grad()`. They keep the value and remove its gradient.",
    score=0.5,
)
BACKWARD_ERROR = Fault(
    "error in the backward pass",
    "The values are right, but the gradient could not be computed: {error}",
    "Operators such as `+=`, and methods that end in `_`, overwrite values that the backward pass needs.",
    score=0.5,
)


def no_forward(message: str) -> Verdict | None:
    """The verdict on torch's NotImplementedError about a module without ``forward``. None if it is the learner's own."""
    found = re.search(r'Module \[(\w+)\] is missing the required "forward"([^`]*`[^`]*)?', message)
    if not found:
        return None
    if found[1] == "ModuleList":
        calls = [f"`{call}`" for call in re.findall(r"(self\.\w+)\(", found[2] or "")]  # in the line that raised the error
        called = f"One of {listed(calls)}" if len(calls) > 1 else "".join(calls) or "An nn.ModuleList"
        return LIST_CALLED.verdict(called=called)
    return NO_FORWARD.verdict(name=found[1])
