"""The copy of the runner that learners' code has no name for: what changes elsewhere does not reach it, and a change shows."""

import builtins
import sys

import numpy as np
import pytest
import torch
from examining import solved

from transformer_course.exercises.catalogue import catalogue
from transformer_course.grading.sandbox.inside.private import Runner
from transformer_course.runner import modules, outcome, wire

HEAD = catalogue()["build.causal_head"]


@pytest.fixture(scope="module")
def runner():
    return Runner("transformer_course.runner", ("link", "run"))


def test_what_is_replaced_elsewhere_changes_no_answer(runner, monkeypatch):
    answer, questions = solved(HEAD), HEAD.questions(3)

    def answers() -> bytes:
        return runner.wire.encode([each.as_data() for each in runner.run.respond(answer, questions, "run_class")])

    before, places = answers(), {
        torch.nn.Module: ("named_parameters", "named_modules", "parameters", "state_dict"),
        torch.Tensor: ("backward", "detach", "flatten", "item", "all", "split"),
        torch: ("from_numpy", "set_default_dtype", "get_default_dtype", "manual_seed", "default_generator", "cat"),
        torch.autograd: ("backward",), torch.random: ("fork_rng",), torch.nn: ("Module",),
        np: ("array_equal", "array", "asarray", "errstate"), builtins: ("zip",), modules: ("_gradients", "run_class"),
        outcome: ("record",), outcome.Outcome: ("as_data",), wire: ("encode",),
    }  # fmt: skip
    for place, names in places.items():
        with monkeypatch.context() as patch:
            for name in names:
                patch.setattr(place, name, lambda *_, **__: None)
            after = answers()
        assert after == before, place
    assert runner.intact()


def test_no_imported_module_is_the_copy(runner):
    assert not {id(module) for module in sys.modules.values()} & {id(runner.run), id(runner.modules), id(runner.link)}


def replace_code(runner, patch):
    patch.setattr(runner.modules._gradients, "__code__", (lambda *_: None).__code__)


@pytest.mark.parametrize(
    "change",
    [
        lambda runner, patch: patch.setattr(runner.modules, "_gradients", None),
        lambda runner, patch: patch.setattr(runner.modules, "isinstance", lambda *_: True, raising=False),
        lambda runner, patch: patch.setattr(runner.run.Outcome, "as_data", None),
        lambda runner, patch: patch.setattr(runner.outcome.np, "array", None),
        lambda runner, patch: patch.setitem(vars(runner.run)["__builtins__"], "len", None),
        lambda runner, patch: patch.setattr(runner.tensors.tensors(), "array", None, raising=False),
        lambda runner, patch: patch.setattr(runner.modules._gradients, "__defaults__", (1,)),
        replace_code,
    ],
    ids=["a function", "a name of Python's", "a method", "a function of NumPy", "a built-in", "of torch", "defaults", "code"],
)
def test_a_change_in_the_copy_itself_is_noticed(change, runner, monkeypatch):
    with monkeypatch.context() as patch:
        change(runner, patch)
        assert not runner.intact()
    assert runner.intact()
