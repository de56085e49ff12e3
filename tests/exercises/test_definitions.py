"""What a class needs besides itself is found in the cells that were run."""

import pytest

from transformer_course.exercises.definitions import NotFound, imports, needs, statements

IMPORTS = """
import math, numpy as np
import os.path
import torch.nn.functional as F
from torch import Tensor, nn
"""
HELPERS = """
WIDTH, DEPTH = 4, 2
unused = 3

# scores in [0, 1]
def scaled(x: Tensor):
    return F.relu(x) / math.sqrt(WIDTH)
"""
HEAD = """
class Base(nn.Module):
    pass

@register  # a decorator
class Head(Base):
    \"\"\"One head.\"\"\"

    size = WIDTH

    def __init__(self, d_model):
        super().__init__()
        WIDE = [unused for unused in range(d_model)]

    def forward(self, x):
        def inner(y):
            return scaled(y)
        return inner(x)
"""
REGISTER = "def register(kind):\n    return kind\n"


def names(name, *cells):
    return [min(statement.names) for statement in needs(name, cells).definitions]


def test_a_class_comes_with_helpers_constants_decorators_and_bases_and_nothing_else():
    found = needs("Head", [IMPORTS, REGISTER, HELPERS, HEAD])
    assert [sorted(statement.names) for statement in found.definitions] == [
        ["Base"],
        ["DEPTH", "WIDTH"],
        ["register"],
        ["scaled"],
        ["Head"],
    ]
    assert found.definitions[3].code.startswith("# scores in [0, 1]\ndef scaled")
    assert found.definitions[4].code == HEAD.partition("pass\n\n")[2].rstrip()
    assert found.imports == {
        "F": "import torch.nn.functional as F",
        "Tensor": "from torch import Tensor",
        "math": "import math",
        "nn": "from torch import nn",
    }


def test_the_last_definition_counts_and_cells_that_are_not_python_are_passed_over():
    found = needs("f", ["def f(): return g()", "g = 1", "def f(): return 2", "def f(: what", "%%time\nf = 3", "f\0"])
    assert [statement.code for statement in found.definitions] == ["def f(): return 2"]


def test_two_definitions_of_a_name_in_one_cell_are_told_apart():
    assert needs("A", ["class A: x = 1\nclass A: x = 2"]).definitions[0].code == "class A: x = 2"


def test_functions_that_call_each_other_come_once():
    assert sorted(names("f", "def f(): return g()\ndef g(): return f()")) == ["f", "g"]


def test_statements_on_one_line_stay_together():
    (both, last) = statements("a = 1; b = 2\n# c\n\n# d\nc = 3")
    assert (both.names, both.code, last.code) == ({"a", "b"}, "a = 1; b = 2", "# d\nc = 3")
    assert (last.first, last.last) == (3, 5)


def test_an_earlier_part_is_named_and_not_imported():
    found = needs("f", ["from transformer_course.my_transformer import Head, GPT\ndef f(): return Head"])
    assert (found.earlier, found.imports) == (["Head"], {})
    beside = needs("f", ["from transformer_course.my_transformer import Head; print(Head)\ndef f(): return Head"])
    assert (beside.earlier, len(beside.definitions)) == (["Head"], 1)
    with pytest.raises(NotFound, match="`Head` comes with an import of earlier parts; give that import a line of its own"):
        needs("f", ["try:\n    from transformer_course.my_transformer import Head\nfinally:\n    pass\ndef f(): return Head"])
    with pytest.raises(NotFound, match="without `as`"):
        needs("f", ["from transformer_course.my_transformer import Head as H\ndef f(): return H"])


@pytest.mark.parametrize("cell", ["def f(): return g()", "from math import *\ndef f(): return g", "class f(g): pass"])
def test_a_name_that_no_cell_binds_is_reported(cell):
    with pytest.raises(NotFound, match="`g`, which `f` uses, is not defined or imported by its name in any cell"):
        needs("f", [cell])


def test_what_only_a_notebook_has_is_reported():
    with pytest.raises(NotFound, match="`display`"):
        needs("f", ["def f(x): display(x)"])


LINES = {
    "import torch, os.path": [("torch", "torch", "import torch"), ("os", "os", "import os.path")],
    "import torch.nn as n": [("n", "torch.nn", "import torch.nn as n")],
    "from torch import nn as n": [("n", "torch.nn", "from torch import nn as n")],
    "from torch import nn, fft": [("nn", "torch.nn", "from torch import nn"), ("fft", "torch.fft", "from torch import fft")],
}


@pytest.mark.parametrize(("line", "expected"), LINES.items())
def test_each_imported_name_has_a_line_of_its_own(line, expected):
    assert list(imports(statements(line)[0])) == expected
