"""The kind ``Module``: what is said of a class whose parameters, state or gradients are wrong, whatever it computes."""

import numpy as np
import pytest
import torch
from examining import solved, told, verdict
from torch import nn

from transformer_course.exercises import catalogue, check
from transformer_course.exercises.exercise import Verdict
from transformer_course.runner import limits
from transformer_course.runner.run import Outcome, respond

HEAD = catalogue()["build.causal_head"]
RIGHT = solved(HEAD)


class Head(nn.Module):
    """A right head, for faults that are added to it."""

    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def mask(self, x):
        return torch.ones(x.shape[1], x.shape[1], dtype=torch.bool, device=x.device).tril()

    def attend(self, x, q, k, v):
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        return scores.masked_fill(~self.mask(x), -torch.inf).softmax(-1) @ v

    def forward(self, x):
        return self.attend(x, self.w_q(x), self.w_k(x), self.w_v(x))


class NoSuperInit(Head):
    def __init__(self, d_model, d_head):
        self.w_q = nn.Linear(d_model, d_head, bias=False)


class NoSuperInitAndNoLayers(Head):
    def __init__(self, d_model, d_head):
        self.width = d_head


class OneSize(Head):
    def __init__(self, d_model):
        super().__init__(d_model, d_model)


class OtherSizes(Head):
    def __init__(self, d_in, d_heads):
        super().__init__(d_in, d_heads)


class SwappedSizes(Head):
    def __init__(self, d_head, d_model):
        super().__init__(d_model, d_head)


class OnlyByName(Head):
    def __init__(self, *, d_model, d_head):
        super().__init__(d_model, d_head)


class LayersInForward(Head):
    def forward(self, x):
        self.w_q, self.w_k, self.w_v = (nn.Linear(x.shape[-1], self.w_v.out_features, bias=False) for _ in range(3))
        return super().forward(x)


class NoForward(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_q, self.w_k, self.w_v = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))

    def forwards(self, x):
        return x


class NoParameters(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.width = d_head

    def forward(self, x):
        return x


class PlainTensor(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        del self.w_q
        self.w_q = nn.Module()
        self.w_q.weight = torch.randn(d_head, d_model)


class Buffer(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.w_q = nn.Module()
        self.w_q.register_buffer("weight", torch.randn(d_head, d_model))


class InAList(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.projections = [nn.Linear(d_model, d_head, bias=False) for _ in range(3)]


class InADict(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.projections = {name: nn.Linear(d_model, d_head, bias=False) for name in "qkv"}


class OneLayerThrice(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.w_q = self.w_k = self.w_v


class WithBias(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.w_v = nn.Linear(d_model, d_head)


class OtherNames(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Linear(d_model, d_head, bias=False) for _ in range(3))


class OneTooMany(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.scale = nn.Parameter(torch.ones(1))


class Swapped(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_head, d_model)


class OtherShape(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head + 1)


class DropoutInEval(Head):
    def forward(self, x):
        return nn.functional.dropout(super().forward(x), 0.2)


class Counts(Head):
    calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x) * self.calls


class WorkInInit(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.together = (self.w_q.weight.T @ self.w_k.weight).detach()
        self.root = d_head**0.5

    def forward(self, x):
        scores = x @ self.together @ x.transpose(-2, -1) / self.root
        return scores.masked_fill(~self.mask(x), -torch.inf).softmax(-1) @ self.w_v(x)


class MaskKept(Head):
    kept = None

    def mask(self, x):
        if self.kept is None:
            self.kept = super().mask(x)
        return self.kept


class Detached(Head):
    def forward(self, x):
        return self.attend(x, self.w_q(x), self.w_k(x).detach(), self.w_v(x))


class ByData(Head):
    def forward(self, x):
        return self.attend(x, x @ self.w_q.weight.data.T, self.w_k(x), self.w_v(x))


class NoGrad(Head):
    @torch.no_grad()
    def forward(self, x):
        return super().forward(x)


class InNumPy(Head):
    def forward(self, x):
        return torch.from_numpy(super().forward(x).detach().numpy())


class PartlyDetached(Head):
    def forward(self, x):
        return self.attend(x, self.w_q(x), self.w_k(x), self.w_v(x) / 2 + self.w_v(x).detach() / 2)


class Unused(Head):
    def forward(self, x):
        return self.attend(x, self.w_q(x), 2 * self.w_q(x), self.w_v(x))


class MaskOnTheProcessor(Head):
    def mask(self, x):
        return torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()


class MaskOnSelf(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.hidden = torch.ones(300, 300, dtype=torch.bool).tril()

    def mask(self, x):
        return self.hidden[: x.shape[1], : x.shape[1]]


class MaskAdded(Head):
    def attend(self, x, q, k, v):
        added = torch.zeros(x.shape[1], x.shape[1], device=x.device).masked_fill(~self.mask(x), -torch.inf)
        return (q @ k.mT / q.shape[-1] ** 0.5 + added).softmax(-1) @ v


FAULTS = {
    "super().__init__() missing": (NoSuperInit, NoSuperInitAndNoLayers),
    "constructor parameters renamed": (OneSize, OtherSizes),
    "constructor parameters in another order": (SwappedSizes, OnlyByName),
    "no forward": (NoForward,),
    "no parameters": (NoParameters,),
    "a plain tensor": (PlainTensor,),
    "a buffer": (Buffer,),
    "modules in a Python list": (InAList, InADict),
    "one object used twice": (OneLayerThrice,),
    "a bias too many": (WithBias,),
    "other parameter names": (OtherNames,),
    "a parameter too many": (OneTooMany,),
    "sizes swapped": (Swapped,),
    "other parameter shapes": (OtherShape,),
    "random in eval mode": (DropoutInEval, LayersInForward),
    "state kept by a call": (Counts,),
    "work done in __init__": (WorkInInit,),
    "something kept from an earlier call": (MaskKept,),
    "a parameter unused": (Unused,),
    "no gradient at all": (NoGrad, InNumPy),
    "gradient zero": (Detached, ByData),
    "gradient wrong": (PartlyDetached,),
    "a tensor on another device": (MaskOnTheProcessor, MaskOnSelf),
    "a tensor of another dtype": (MaskAdded,),
}


def test_a_fault_of_any_class_is_named(snapshot):
    texts = {answer.__name__: told(HEAD.id, answer) for answers in FAULTS.values() for answer in answers}
    assert all(texts[answer.__name__].startswith(f"{name}: ") for name, answers in FAULTS.items() for answer in answers)
    assert texts == snapshot


@pytest.mark.parametrize("name", ["build.causal_head", "build.gpt"])
def test_a_changed_input_is_told(name, snapshot):
    class Changed(solved(catalogue()[name])):
        def forward(self, *inputs):
            output = super().forward(*inputs)
            inputs[0].requires_grad or inputs[0].add_(1)
            return output

    assert verdict(catalogue()[name], Changed).score == 0.5
    assert told(name, Changed) == snapshot


def test_a_mask_kept_for_256_tokens_is_told():
    class Kept(Head):
        def __init__(self, d_model, d_head):
            super().__init__(d_model, d_head)
            self.register_buffer("tril", torch.ones(256, 256).tril(), persistent=False)

        def attend(self, x, q, k, v):
            scores = q @ k.mT / q.shape[-1] ** 0.5
            return scores.masked_fill(self.tril[: x.shape[1], : x.shape[1]] == 0, -torch.inf).softmax(-1) @ v

    assert "a mask that was kept in `self` does not have the size of the scores: 256 and 300" in verdict(HEAD, Kept).message


def test_a_broken_backward_pass_is_named():
    class Broken(Head):
        def forward(self, x):
            output = super().forward(x)
            return output.exp().log_() if x.requires_grad else output

    seen = verdict(HEAD, Broken)
    assert seen.mistake == "error in the backward pass"
    assert "an operator such as `+=` has overwritten numbers" in seen.message


class Letters(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.f, self.g = nn.Linear(d_model, d_head), nn.Linear(d_model, d_head)


class OneOnSelf(nn.Module):
    def __init__(self, d_model, d_head):
        super().__init__()
        self.w_v = nn.Linear(d_model, d_head, bias=False)
        w_q = w_k = nn.Linear(d_model, d_head, bias=False)  # noqa: F841


def test_missing_names_come_with_those_that_the_class_has(snapshot):
    assert {"other letters": told(HEAD.id, Letters), "one layer on self": told(HEAD.id, OneOnSelf)} == snapshot


def test_what_is_no_class_is_told(snapshot):
    answers = {"a number": 3, "a function": lambda x: x, "another class": dict, "an object": RIGHT(4, 2)}
    assert {verdict(HEAD, answer).reason for answer in answers.values()} == {"type"}
    assert {name: told(HEAD.id, answer) for name, answer in answers.items()} == snapshot


def test_an_empty_class_is_no_mistake(snapshot):
    class Empty(nn.Module):
        def __init__(self, d_model, d_head):
            raise NotImplementedError("This function is still empty: write it here.")

    class HalfEmpty(Head):
        def forward(self, x):
            raise NotImplementedError("This function is still empty: write it here.")

    for answer in (..., Empty):
        assert verdict(HEAD, answer) == HEAD.empty()
    assert verdict(HEAD, HalfEmpty).reason == "empty"
    assert told(HEAD.id, HalfEmpty) == snapshot


def divide(x):
    return 1 / 0


def returning(output):
    class Other(Head):
        def forward(self, x):
            super().forward(x)
            return output(x)

    return Other


def test_what_a_call_gives_is_described(snapshot):
    assert {
        "nothing": told(HEAD.id, returning(lambda x: None)),
        "a pair": told(HEAD.id, returning(lambda x: (x, x))),
        "one number": told(HEAD.id, returning(lambda x: x.mean())),
        "NaN": told(HEAD.id, returning(lambda x: x[..., :4] * torch.nan)),
        "part of the input": told(HEAD.id, returning(lambda x: x[..., :4])),
        "an error": told(HEAD.id, returning(divide)),
    } == snapshot


class ReversesAllAxes(Head):
    def forward(self, x):
        return (self.w_q(x) @ self.w_k(x).T).softmax(-1) @ self.w_v(x)


class MaskOfNumbers(Head):
    def forward(self, x):
        scores, n = self.w_q(x) @ self.w_k(x).mT, x.shape[1]
        return scores.masked_fill(torch.ones(n, n).triu(1), -torch.inf).softmax(-1) @ self.w_v(x)


class NoTranspose(Head):
    def forward(self, x):
        return (self.w_q(x) @ self.w_k(x)).softmax(-1) @ self.w_v(x)


class OfOneText(Head):
    def forward(self, x):
        return torch.stack([(self.w_q(each) @ self.w_k(each)).softmax(-1) @ self.w_v(each) for each in x])


class MaskNegated(Head):
    def forward(self, x):
        return super().forward(x).masked_fill(~torch.ones(x.shape[1], 1).tril(), 0.0)


class NeedsAnotherPackage(Head):
    def __init__(self, d_model, d_head):
        import not_installed_anywhere  # noqa: F401


class ChangesItsInput(Head):
    def forward(self, x):
        x += 1
        return super().forward(x)


class SuperWithoutUnderscores(Head):
    def __init__(self, d_model, d_head):
        super().init()


def test_an_error_comes_in_plain_words_and_with_a_hint(snapshot):
    classes = (ReversesAllAxes, NoTranspose, OfOneText, MaskOfNumbers, MaskNegated, NeedsAnotherPackage)
    assert {each.__name__: told(HEAD.id, each) for each in (*classes, ChangesItsInput, SuperWithoutUnderscores)} == snapshot


class TakesFiveNumbers(Head):
    def forward(self, x):
        return super().forward(x[..., :5])


class MultipliesItself(Head):
    def forward(self, x):
        return super().forward(x) + 0 * torch.matmul(x, self.w_q.weight)


def test_an_error_of_a_layer_says_which_width_it_takes_and_which_it_got_and_one_of_a_product_names_no_layer():
    assert "a layer for vectors of width 6 got vectors of width 5" in verdict(HEAD, TakesFiveNumbers).message
    product = verdict(HEAD, MultipliesItself).message
    assert "in a product @ or a layer, vectors of width 6 met a matrix for vectors of width 4" in product


class OwnGetattr(Head):
    def __getattr__(self, name):
        raise KeyError(name)


class AnyAttribute(Head):
    def __getattr__(self, name):
        return lambda *arguments: arguments


class OwnReduce(Head):
    def __reduce__(self):
        raise RuntimeError("never pickled")


class Meta(type):
    def __getattribute__(cls, name):
        if name in ("__code__", "forward", "__signature__", "__name__"):
            raise ValueError(name)
        return super().__getattribute__(name)


class OwnMeta(Head, metaclass=Meta):
    pass


class Leaves(Head):
    def forward(self, x):
        raise SystemExit(3)


class Many(Head):
    def __init__(self, d_model, d_head):
        super().__init__(d_model, d_head)
        self.more = nn.ParameterDict({str(number): nn.Parameter(torch.ones(1)) for number in range(2000)})


def test_odd_classes_get_one_sentence():
    for answer in (OwnGetattr, AnyAttribute, OwnMeta, Leaves, Many):
        seen = verdict(HEAD, answer)
        assert not seen.passed
        assert 0 < len(seen.message) < 1000


class Endless(Head):
    def forward(self, x):
        while True:
            pass


class EndlessFromTheStart(Head):
    def __init__(self, d_model, d_head):
        while True:
            pass


@pytest.mark.parametrize("answer", [Endless, EndlessFromTheStart])
def test_an_endless_loop_in_a_class_is_ended(answer, monkeypatch):
    monkeypatch.setattr(limits, "ANSWER_SECONDS", 0.5)
    card = check("build.causal_head", answer)
    assert not card
    assert "Your class was stopped after 5 seconds." in repr(card)
    assert torch.get_default_dtype() == torch.float32


def test_a_megabyte_of_prints_does_not_bury_the_card(capsys):
    class Prints(Head):
        def forward(self, x):
            print("A" * 10**6)
            return super().forward(x)

    assert check("build.causal_head", Prints)
    assert len(capsys.readouterr().out) < 10_100


def test_nothing_is_pickled():
    assert verdict(HEAD, OwnReduce).passed


@pytest.mark.parametrize("name", ["build.causal_head", "build.train_step", "build.clip"])
def test_a_check_does_not_depend_on_what_a_notebook_has_set(name):
    answer = solved(catalogue()[name])
    for setting in (torch.inference_mode(), torch.no_grad(), torch.device("meta")):
        with setting:
            assert check(name, answer)
    torch.set_default_dtype(torch.float64)
    try:
        assert check(name, answer)
    finally:
        torch.set_default_dtype(torch.float32)


def test_a_check_leaves_torchs_settings_and_random_numbers_alone():
    torch.manual_seed(5)
    expected = torch.rand(2)
    torch.manual_seed(5)
    torch.set_grad_enabled(False)
    try:
        assert check("build.causal_head", RIGHT)
        assert not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
    assert torch.equal(torch.rand(2), expected)
    assert torch.get_default_dtype() == torch.float32


def reported(exercise, seed: int = 0) -> list:
    """What the process of a right answer sends for each question."""
    return [outcome.value for outcome in respond(solved(exercise), exercise.questions(seed), *exercise.backends)]


def judged(exercise, values: list, seed: int = 0) -> Verdict:
    return exercise.judge(seed, [Outcome(value=value, type="dict") for value in values])


NORM, TIED = catalogue()["build.layer_norm"], catalogue()["build.transformer"]
ANOTHER = {
    "initial": lambda entry: entry | {"gamma": entry["beta"]},
    "again": lambda entry: entry | {"value": 2 * entry["value"]},
    "single": lambda entry: [{**call, "value": call["value"].astype(np.float64)} for call in entry],
    "calls": lambda entry: [{**call, "given": [2 * value for value in call["given"]]} for call in entry],
    "gradients": lambda entry: entry | {"step": {name: 2 * value for name, value in entry["step"].items()}},
}


@pytest.mark.parametrize("entry", ["structure", "placed", "other", "repeated", "reseeded", "trained", *ANOTHER])
def test_no_entry_of_a_report_is_believed_if_it_is_missing_or_says_that_all_is_well(entry):
    values = reported(NORM)
    assert judged(NORM, values).passed
    for claim in (None, True, {}, [], {"passed": True}):
        assert not judged(NORM, [{**value, entry: claim} for value in values]).passed
    if entry in ANOTHER:
        assert judged(NORM, [{**value, entry: ANOTHER[entry](value[entry])} for value in values]).score == 0.5


def test_numbers_in_float32_are_compared_too():
    values = reported(NORM)
    for value in values:
        value["single"][0]["value"] = np.zeros_like(value["single"][0]["value"])
    assert "gives other numbers" in judged(NORM, values).message


def test_whether_parameters_are_tied_shows_after_a_step():
    values = reported(TIED)
    assert judged(TIED, values).passed
    tied = [question["tied"] for (question,) in TIED.questions(0)]
    place = next(place for place, names in enumerate(tied) if names)
    name = next(iter(tied[place]))
    step = values[place]["gradients"]["step"]
    step[name] = step[name] + 0.5
    assert judged(TIED, values).mistake == "tables not tied"
