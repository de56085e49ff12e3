"""What to try after an error of NumPy or torch whose message does not say so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorHint:
    """``pattern`` recognises an error's message; ``plain`` says in its place, in plainer words, what it means."""

    pattern: str
    hint: str
    plain: str = ""


HINTS = (
    ErrorHint(
        r"return_types",
        "In torch, max along a dimension returns a pair: the values and their indices. Use amax.",
    ),
    ErrorHint(
        r"matmul: Input operand \d does not have enough dimensions \(has 0.*requires 1\)",
        "Give that number a shape first: np.zeros, for example, makes an array of any shape.",
        plain=r"in a product @, one side is a single number; both must be arrays",
    ),
    ErrorHint(
        r"cannot be interpreted as an integer",
        "Shapes consist of integers. `/` returns a float even if nothing is left over; `//` returns an integer.",
    ),
    ErrorHint(
        r"The truth value of an array.*|Boolean value of Tensor with more than one value is ambiguous",
        "Python's own `max`, `min`, `and`, `or` and `if` need a single number. An array has its own method, `.max(axis=…)`; "
        "np.maximum(0, x) and torch.clamp(x, min=0) work on each element.",
        plain="a whole array was used where Python needs one True or False",
    ),
    ErrorHint(
        r"Index given to ParameterDict cannot be used as a key.*",
        "The table itself is `self.embedding.table`. Index that with the ids.",
        plain="an nn.ParameterDict was indexed with something other than a name",
    ),
    ErrorHint(
        r"values to unpack",
        "There must be as many names on the left of `=` as there are values on the right. Print the shape to count them.",
    ),
    ErrorHint(
        r"matmul: Input operand 1 has a mismatch.*\(size (\d+) is different from (\d+)\)",
        "Print the shapes just before that product. Is a size not what you meant, or are two axes in the wrong order? In "
        "NumPy, swapaxes(-2, -1) swaps the last two; transpose(-2, -1) is torch's word, and leaves a NumPy matrix as it is.",
        plain=r"in a product @, the left has \2 columns and the right \1 rows; these must be equal",
    ),
    ErrorHint(
        r"(size of tensor a|batch2 tensor).*\.T\b",
        "In torch, `.T` reverses all axes, so the batch comes last. `k.transpose(-2, -1)` swaps only the last two.",
    ),
    ErrorHint(
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[\1, (\d+)\]\.?",
        "Print both shapes just before that line. Is a transpose missing, `k.transpose(-2, -1)`, or are two axes in the wrong "
        "order?",
        plain=r"in a product @, the left has \2 columns and the right \3 rows; these must be equal",
    ),
    ErrorHint(
        r"(masked_fill_? only supports boolean masks|where expected condition to be a boolean|~ \(operator\.invert\) is only"
        r"|Expected attn_mask dtype to be bool).*?(?= \(in `|$)",
        "Create the mask with `dtype=torch.bool`, or by a comparison.",
        plain="a mask consists of numbers, where True and False are needed",
    ),
    ErrorHint(
        r"a leaf Variable that requires grad is being used in an in-place operation\.?"
        r"|one of the variables needed for gradient computation has been modified by an inplace operation.*",
        "Make a new tensor, `x = x + …`, in place of `x += …`. The same goes for methods that end in `_`.",
        plain="an operator such as `+=` has overwritten numbers that the backward pass needs",
    ),
    ErrorHint(
        r"No module named '",
        "That package is not installed here. The exercises need only NumPy and torch.",
    ),
    ErrorHint(
        r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)(?= \(in `(?!.*(@|matmul|\bmm\b)).*\w\()",
        "nn.Linear(a, b) takes vectors of width a and returns vectors of width b. Print the shape just before that layer.",
        plain=r"a layer for vectors of width \2 got vectors of width \1",
    ),
    ErrorHint(
        r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)",
        "Print the shapes just before that line. Is a transpose missing, `k.transpose(-2, -1)`?",
        plain=r"in a product @ or a layer, vectors of width \1 met a matrix for vectors of width \2",
    ),
    ErrorHint(
        r"Expected target size \[.*?\], got (\[.*?\])",
        "cross_entropy takes logits with one row per character, (b·n, v), and labels of shape (b·n,). `flatten(0, 1)` joins "
        "the first two axes.",
        plain=r"cross_entropy got labels of shape \1, and logits with an axis too many for them",
    ),
    ErrorHint(
        r"Expected input batch_size|For 1D input, 1D target",
        "cross_entropy takes logits with one row per character, (b·n, v), and labels of shape (b·n,). `flatten(0, 1)` joins "
        "the first two axes.",
    ),
    ErrorHint(
        r"element 0 of tensors does not require grad",
        "The loss is no longer connected to the model. Look for `.item()`, `.detach()`, `.argmax()` or `torch.no_grad()`.",
    ),
    ErrorHint(
        r"'float' object has no attribute 'backward'",
        "`.item()` turns the loss into a plain number. Keep the tensor for `backward`, and call `.item()` at the end.",
    ),
    ErrorHint(
        r"'Tensor' object is not callable",
        "You called a tensor. Did you pass the result of a call where a function is needed? `lambda y: …` makes a function.",
    ),
    ErrorHint(
        r"ParameterDict should not be called|Index given to ParameterDict|'Parameter' object is not callable",
        "A table is a parameter, not a layer: index it with the ids, `….table[tokens]`.",
    ),
    ErrorHint(
        r"forward\(\) missing \d required positional arguments?: 'key' and 'value'",
        "Attention takes a query, a key and a value. `lambda y: self.…(y, …)` makes a function of one argument from it.",
    ),
    ErrorHint(
        r"Got: Long|tensors used as indices must be",
        "Ids and vectors are mixed up. Ids are integers; they become vectors when you look them up in a table.",
    ),
    ErrorHint(
        r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension \d+"
        r"(?=.*\bself\.\w*(mask|tril|triu|causal)\w*\b)",
        "A class does not know in `__init__` how long its inputs will be. Make the mask in `forward`, from the length of x.",
        plain=r"a mask that was kept in `self` does not have the size of the scores: \1 and \2 do not fit together",
    ),
    ErrorHint(
        r"size of tensor a.*masked_fill_?\(~?mask",
        "Print the shapes of the mask and of the scores. It needs one column per key, (n, m), or (b, 1, m) if it differs "
        "between sequences; an axis for the heads comes before the last two.",
    ),
    ErrorHint(
        r"argument: 'memory'|'tuple' object has no attribute 'unsqueeze'",
        "A layer gets everything in `others`, one after the other: `layer(x, *others)`.",
    ),
    ErrorHint(
        r"cannot assign '.*' as parameter",
        "Assign the parameter itself, such as a table, not the module around it.",
    ),
    ErrorHint(
        r"can't multiply sequence by non-int",
        "A list cannot be multiplied by a fraction. Loop over the tensors in it.",
    ),
    ErrorHint(
        r"'super' object has no attribute 'init'",
        "Its name is `__init__`, with two underscores on each side: `super().__init__()`.",
    ),
    ErrorHint(
        r"'\w+' object has no attribute 'backward'",
        "`backward` is a method of the loss: `loss.backward()`.",
    ),
    ErrorHint(
        r"'(Embedding|Linear)' object is not subscriptable",
        "Call a module with round brackets, like a function: `self.table(tokens)`. Only its `.weight` can be indexed.",
    ),
    ErrorHint(
        r"forward\(\) takes 1 positional argument but 2 were given",
        "The first parameter of every method is `self`.",
    ),
    ErrorHint(
        r"missing \d required positional arguments?: .*'value'",
        "Attention takes four inputs, separated by commas: query, key, value and the mask.",
    ),
    ErrorHint(
        r"must be Tensor, not (ReLU|GELU|Sigmoid|Tanh)",
        "nn.ReLU is a class: `nn.ReLU(x)` creates a module and computes nothing. The function is `torch.relu(x)`.",
    ),
    ErrorHint(
        r"must be Tensor, not (int|list|range)",
        "Modules take tensors. `torch.tensor` turns numbers into one, and `torch.arange(n)` gives the numbers 0 to n − 1.",
    ),
    ErrorHint(
        r"not implemented for '(Long|Int|Bool)'",
        "That operation needs floating-point numbers, but got integers. Are two arguments swapped? `cross_entropy` takes the "
        "logits first, then the labels.",
    ),
    ErrorHint(
        r"'NoneType' object",
        "Something there is None. Is it an argument that may be None, or did something return nothing?",
    ),
    ErrorHint(
        r"^'(?!Tensor)[A-Z]\w+' object has no attribute",
        "Did you assign it to `self` in `__init__`, under the same name?",
    ),
    ErrorHint(
        r"The size of tensor a \(|Expected size for first two dimensions of batch2",
        "Two shapes don't fit together. Print both just before that line. Are two axes in the wrong order, or is an axis "
        "missing? (`keepdim=True` keeps one, `unsqueeze` inserts one.)",
    ),
    ErrorHint(
        r"takes (from \d to )?\d positional arguments? but \d were given",
        "Compare the arguments of each `def` and `lambda` with those in the text. `self` counts too.",
    ),
    ErrorHint(
        r"same dtype",
        "A tensor that you create in `forward` should have the dtype of the input: pass `dtype=x.dtype`.",
    ),
)
OWN_RAISE = "That is your own `raise`. For this question its condition should not hold: print what it tests."


def explained(message: str, own: Sequence[ErrorHint] = ()) -> tuple[str, str]:
    """An error's message in plain words, and a hint, an exercise's own first; an empty hint if none is known."""
    for known in (*own, *HINTS):
        if re.search(known.pattern, message):
            return re.sub(known.pattern, known.plain, message) if known.plain else message, known.hint
    return message, ""
