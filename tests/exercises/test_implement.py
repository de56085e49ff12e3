"""Functions that learners write: a wrong one is told what it did, in terms of arrays or of tensors."""

import math

import numpy as np
import torch
from examining import SOFTMAX, told, verdict

from transformer_course.exercises import catalogue
from transformer_course.exercises.kinds import Implement
from transformer_course.exercises.lesson_02_self_attention.self_attention import attention_self
from transformer_course.exercises.lesson_02_self_attention.softmax import softmax
from transformer_course.runner.outcome import record


def in_place(scores):
    scores -= scores.max(-1, keepdims=True)
    return np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)


def leaving(scores):
    exit(3)


def without_argument():
    return 1


def crashing(scores):
    middle = scores.sum(-1)
    return middle @ np.ones(99)


def test_a_wrong_answer_is_told_what_it_did(snapshot):
    answers = {
        "a number": 3,
        "None": None,
        "an array": softmax(np.ones(3)),
        "nothing returned": lambda scores: None,
        "one column": lambda scores: softmax(scores)[..., :1],
        "NaN": lambda scores: softmax(scores) * np.nan,
        "integers": lambda scores: softmax(scores).astype(np.int64),
        "float16": lambda scores: softmax(scores).astype(np.float16),
        "truth values": lambda scores: softmax(scores) > 0,
        "complex numbers": lambda scores: softmax(scores) + 1j,
        "text": lambda scores: "0.42",
        "a dictionary": lambda scores: {1: 2},
        "an object": lambda scores: object(),
        "ragged rows": lambda scores: [[1], [2, 3]],
        "a pair": lambda scores: (softmax(scores), scores),
        "a huge array": lambda scores: np.zeros((1 << 21,)),
        "a sum of 1.01": lambda scores: softmax(scores) * 1.01,
        "exit": leaving,
        "no argument": without_argument,
        "changed in place": in_place,
        "an error in its second line": crashing,
    }
    assert {name: told(SOFTMAX, answer) for name, answer in answers.items()} == snapshot


def test_an_answer_that_refuses_what_it_should_take_is_pointed_at_its_own_raise(snapshot):
    def masked_attention(query, key, value, mask):
        if mask.any():
            raise ValueError("no key")
        return value

    assert told("attention.masked", masked_attention) == snapshot


# After their first lines, in NumPy, these crash where tensors would give a pair.


def misspelt(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / totl


def with_keepdim(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdim=True)


def of_99_rows(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials @ np.ones((99, 1))


def clipped(scores):
    return np.exp(np.minimum(scores, 700)) / np.exp(np.minimum(scores, 700)).sum(-1, keepdims=True)


def through_torch(scores):
    return torch.softmax(torch.from_numpy(scores), dim=0).numpy()


def test_an_answer_in_numpy_is_judged_on_arrays(snapshot):
    answers = {
        "a misspelt name": misspelt,
        "a product that does not fit": of_99_rows,
        "large scores clipped": clipped,
        "torch inside": through_torch,
    }
    assert {name: told(SOFTMAX, answer) for name, answer in answers.items()} == snapshot
    assert "unexpected keyword argument 'keepdim'" in told(SOFTMAX, with_keepdim)
    assert "only length-1 arrays" in told(SOFTMAX, lambda scores: math.exp(scores - scores.max()))


def test_the_error_of_a_torch_answer_is_the_one_on_tensors():
    seen = told(SOFTMAX, lambda scores: torch.exp(scores) @ torch.ones(99))
    assert "must be Tensor" not in seen
    assert "RuntimeError" in seen


def test_an_answer_that_needs_tensors_is_not_told_what_arrays_lack():
    """Although it names np: it runs on tensors up to another fault, here the wrong axis, and a product that does not fit."""

    def down_the_columns(scores):
        exponentials = np.exp(scores - scores.max(-1, keepdim=True).values)
        return exponentials / exponentials.sum(dim=0, keepdim=True)

    assert told(SOFTMAX, down_the_columns).startswith("softmax over the first axis")
    assert "must be equal" in told("attention.self_attention", lambda x, w_q, w_k, w_v: np.exp(x.clamp(max=0)) @ x)

    def a_row_late(p, q, drafted, chances):
        """Wrong in another way too, and only where a token is rejected does it need tensors."""
        if p.shape[-1] != q.shape[-1]:
            raise ValueError("two vocabularies")
        for i, (token, chance) in enumerate(zip(drafted, chances, strict=True)):
            if chance >= p[i + 1, token] / q[i, token]:
                missing = (p[i] - q[i]).clamp(min=0)
                return drafted[:i], missing / missing.sum()
        return drafted, p[-1]

    assert "clamp" not in told("build.speculative", a_row_late)


def takes_a_pair_for_a_tensor(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).transpose(-2, -1)
    return torch.exp(scores - scores.max(-1, keepdim=True)) @ (x @ w_v)


def torchs_transpose(x, w_q, w_k, w_v):
    return np.exp((x @ w_q) @ (x @ w_k).transpose(-2, -1))


def does_not_fit(x, w_q, w_k, w_v):
    return w_q @ x


def test_a_misunderstanding_of_torch_or_of_a_product_is_explained(snapshot):
    assert "returns a pair" in told("attention.self_attention", takes_a_pair_for_a_tensor)
    assert {
        "torch's transpose": told("attention.self_attention", torchs_transpose),
        "matrices that do not fit": told("attention.self_attention", does_not_fit),
    } == snapshot


def test_a_test_that_forgets_to_call_is_told_without_our_own_names():
    assert "'function' and 'float'" in told("attention.test_softmax", lambda f: np.allclose(f, 1.0))


def test_a_function_that_takes_other_arguments_is_told_how_it_is_called():
    def softmax(scores, axis):
        return scores

    def rule(p):  # ours takes steps too, which a mistake replaces
        return p

    assert "It is called as `softmax(scores)`." in told(SOFTMAX, softmax)
    assert "It is called as `rule(p, q)`." in told("fast.rule", rule)


def test_a_mistake_that_shows_as_an_error_is_not_illustrated_by_another_fault():
    """The lesson's own three lines fail on a batch, and on large scores they also overflow to NaN."""

    def three_lines(x, w_q, w_k, w_v):
        scores = x @ w_q @ (x @ w_k).T
        return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True) @ (x @ w_v)

    found = verdict(attention_self, three_lines)
    assert (found.mistake, found.comparison) == ("one sequence only", None)


def test_one_question_whose_shapes_fit_by_chance_names_no_mistake_beside_the_errors_of_all_others():
    def policy_loss(log_probs, sampled, advantages, mask, clip):  # `advantages[:, None]` is meant
        ratio = np.exp(log_probs - sampled)
        gain = np.minimum(ratio * advantages, ratio.clip(1 - clip, 1 + clip) * advantages)
        return -((gain * mask).sum(1) / mask.sum(1)).mean()

    found = verdict(catalogue()["rewards.policy_loss"], policy_loss)
    assert (found.mistake, found.reason) == (None, "error")


def test_an_answer_that_ignores_an_argument_is_told_which():
    right = catalogue()["training.exact"].reference
    message = told("training.exact", lambda written, targets, end: right(written, targets, 2))
    assert message.startswith("value: Your function works as if `end` were always 2.\n→ Use the argument `end`")


def test_another_error_than_the_one_that_is_asked_for_is_not_right():
    right = catalogue()["positions.sinusoidal"].reference

    def sinusoidal(length, d_model):
        if d_model % 2:
            raise TypeError("an odd width")
        return right(length, d_model)

    assert "should raise ValueError" in told("positions.sinusoidal", sinusoidal)


def test_whole_numbers_are_no_fault_where_whole_numbers_are_asked_for():
    double = Implement(
        id="double", answer_name="f", prompt="", hints=(), reference=lambda x: 2 * x, draw=lambda rng: [[np.arange(3)]]
    )
    assert double.judge(0, [record(np.array([0, 2, 4]))]).passed
    assert "element [2] should be 4" in double.judge(0, [record(np.array([0, 2, 5]))]).message
