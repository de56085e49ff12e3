"""The catalogue: every exercise is solvable, every mistake is told apart, and no right answer is failed."""

import itertools
import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch

from transformer_course import authoring, course, masks, models
from transformer_course.attention import MultiHeadAttention, scaled_dot_product_attention
from transformer_course.data import number_pairs
from transformer_course.decoding import next_token_distribution
from transformer_course.embedding import SPECIALS, TokenEmbedding, Vocabulary, pad_right
from transformer_course.exercises import catalogue
from transformer_course.exercises.catalogue import by_lesson, predictions
from transformer_course.exercises.exercise import Exercise, Verdict, examine
from transformer_course.exercises.kinds import Construct, Counterexample, Implement, Number, Repair, TwoTier, WriteTest
from transformer_course.exercises.lesson_04 import by_hand
from transformer_course.exercises.lesson_09.by_hand import B1, B2, W1, W2
from transformer_course.exercises.lesson_09.by_hand import X as TWO_TOKENS
from transformer_course.exercises.lesson_10.residual import NAMED
from transformer_course.exercises.lesson_12.hub import MOST, heard
from transformer_course.exercises.lesson_16.greedy import STEPS
from transformer_course.exercises.lesson_19.two_edits import STREAM
from transformer_course.exercises.lesson_19.two_edits import read as read_edits
from transformer_course.exercises.lesson_20.twin import GIVEN, VALUES
from transformer_course.exercises.run import record, respond
from transformer_course.experiments import costs, stream, twin_maps
from transformer_course.experiments.asking import number_texts, train_writer
from transformer_course.experiments.costs import attention_in_blocks, multiplications
from transformer_course.experiments.lengths import accuracy, train_copier
from transformer_course.experiments.sorting import commonest_digits, task, train_sorter
from transformer_course.experiments.spare_heads import last_cross_attention
from transformer_course.experiments.stacks import echo_accuracy, gradient_at_the_bottom, own_shares
from transformer_course.experiments.waves import learned_positions, shift_errors
from transformer_course.family import GPT
from transformer_course.inspection import attention_maps, influence
from transformer_course.layers import FeedForward, Residual, layer_norm
from transformer_course.positions import LearnedPositions, rotate, sinusoidal_encoding
from transformer_course.stepping import Run, reading
from transformer_course.training import sequence_loss, shift, translation_loss
from transformer_course.transformer import Decoder, Encoder, StackConfig, TransformerConfig

EXERCISES = list(catalogue().values())
SEEDS = range(8)  # a grader draws its own seed, so every seed must tell the mistakes apart


def of(*kinds: type) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("exercise", [e for e in EXERCISES if isinstance(e, kinds)], ids=lambda e: e.id)


def verdict(exercise: Exercise, answer, seed: int = 0) -> Verdict:
    def ask(flavour, questions, oracle):
        return respond(answer, questions, flavour, oracle) if exercise.is_function else [record(answer)]

    return examine(exercise, ask, seed)


def solved(exercise: Exercise):
    cell = {"np": np}
    exec(authoring.solution_of(exercise), cell)
    return cell[exercise.answer]


@of(Exercise)
def test_the_solution_passes(exercise):
    for seed in SEEDS:
        assert verdict(exercise, solved(exercise), seed) == exercise.passed()


HOLDERS = [s for folder in course.FOLDERS for s in course.sources(folder) if "exercise=" in s.read_text(encoding="utf-8")]


@pytest.mark.parametrize("solved", [True, False], ids=["solved", "empty"])
@pytest.mark.parametrize("source", HOLDERS, ids=lambda s: f"{s.parent.parent.name}/{s.stem}")
def test_a_solved_sheet_passes_and_an_empty_one_fails_kindly(source, solved):
    """Each cell is run as the learner runs it, in order and in one namespace; none may raise."""
    names, cards = {}, []
    for cell in authoring.build(source, solved).cells:
        if cell.cell_type == "code" and cell.source.startswith("check("):
            cards.append(eval(cell.source, names))
        elif cell.cell_type == "code":
            exec(cell.source, names)
    assert len(cards) == len(by_lesson()[source.stem[:2]])
    for card in cards:
        assert bool(card) == solved
        assert ("still empty" in repr(card)) != solved


@of(Exercise)
def test_hints_lead_on_and_nothing_is_left_blank(exercise):
    assert len(set(exercise.hints)) == len(exercise.hints) >= 2
    assert exercise.asks.endswith(".")
    assert exercise.minutes > 0
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(set(names)) == len(names)
    assert all(m.diagnosis.endswith(".") and m.hint for m in exercise.mistakes)


@of(Implement, Number, Counterexample, Construct, Repair)
def test_every_mistake_is_called_by_its_own_name(exercise):
    assert exercise.mistakes
    assert_told_apart(exercise, SEEDS[:2])


@pytest.mark.slow  # each spelling is compared with all others, so the time grows with the square of a catalogue
@of(Implement, Construct, Repair)
def test_every_mistake_is_called_by_its_own_name_on_further_seeds(exercise):
    assert_told_apart(exercise, SEEDS[2:])


def assert_told_apart(exercise: Exercise, seeds: range) -> None:
    for mistake in exercise.mistakes:
        for spelling in (mistake.answer, *mistake.also):
            for seed in seeds:
                assert verdict(exercise, spelling, seed) == exercise.named(mistake)


@of(TwoTier)
def test_every_wrong_choice_is_answered(exercise):
    for mistake in exercise.mistakes:
        seen = verdict(exercise, {**exercise.right, **mistake.answer})
        assert (seen.passed, seen.mistake, seen.message) == (False, mistake.name, mistake.diagnosis)
    for part, letters in exercise.choices.items():
        for letter in letters:
            if letter != exercise.right[part]:
                assert not verdict(exercise, {**exercise.right, part: letter}).passed


def spread(reach, most: int = 2000) -> int:
    """After how many layers the last of 1,025 places knows of the first; ``reach(layer)`` are the steps to the right."""
    known = np.zeros(1025, dtype=bool)
    known[0] = True
    for layer in range(most):
        if known[-1]:
            return layer
        known = np.any([known, *(np.r_[np.zeros(step, bool), known[:-step]] for step in reach(layer))], axis=0)
    raise AssertionError("never")


def test_what_sheet_01_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("01_"))
    text = "\n".join(cell.source for cell in authoring.build(source).cells)

    def part_of_the_first(w, tokens):
        states = [0.0, 0.0]
        for t, x in enumerate(tokens):
            states = [w * states[0] + x, w * states[1] + x * (t > 0)]
        return states[0] - states[1]

    assert [part_of_the_first(0.5, [4, 1, 1][:n]) for n in (1, 2, 3)] == [4, 2, 1]
    falls = [part_of_the_first(0.8, [3, *[1] * n]) < 0.03 for n in range(30)].index(True)
    left = [part_of_the_first(0.8, [3] + [1] * 8), falls, part_of_the_first(30 / 31, [1] + [5] * 60)]
    np.testing.assert_allclose(catalogue()["recurrence.fading"].value, left, rtol=1e-12)
    assert part_of_the_first(0.5, [1] + [0] * 60) < 1e-9  # "less than a billionth"

    reaches = (lambda _: [1]), (lambda _: [1, 2]), (lambda layer: [2**layer]), (lambda _: range(1, 1025))
    assert catalogue()["paths.lengths"].value == [spread(reach) for reach in reaches]

    plan, tables = catalogue()["recall.plan"], [[part.strip() for part in line.split("|")[1:-1]] for line in text.splitlines()]
    example = next(cell.source for cell in authoring.build(source).cells if cell.source.startswith('{"model"'))
    assert verdict(plan, [eval(example)]).reason == "mistake"  # its form is right
    assert f"at most {plan.most} runs" in text
    rows = [row[1:] for row in tables if row and row[0].startswith(("length", "forget bias"))]
    for length, default, biased in zip(*rows, strict=True):
        assert (default.split(",")[0] == "remembers") == (plan.blind({"length": int(length), "forget_bias": 0.0}) is not None)
        assert (biased == "remembers") == (plan.blind({"length": int(length), "forget_bias": 3.9}) is not None)
    assert list(map(int, rows[0])) == list(plan.fields["length"])

    farthest = " · ".join(row[-1] for row in tables if row and row[0].startswith("**LSTM"))
    assert catalogue()["recall.verdict"].right["value"] == max(map(float, farthest.split(" · ")))


def test_what_sheet_02_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("02_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def faulty(")), names)
    hidden, same = catalogue()["attention.hidden_fault"], np.testing.assert_allclose
    example, *others = catalogue()["attention.self_attention"].questions(0)
    same(names["faulty"](*example), hidden.reference(*example))  # right on the lesson's three tokens
    same(names["faulty"](*others[0]), hidden.faulty(*others[0]))  # what is shown is what is judged
    assert len(catalogue()["attention.test_softmax"].caught) == 11
    assert any("eleven broken ones" in cell for cell in cells)


def test_what_sheet_03_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("03_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    names = {"np": np}
    exec(next(cell for cell in cells if "def look(" in cell), names)
    circle, rng = catalogue()["attention.one_way"], np.random.default_rng(0)
    for kinds in circle.draw(rng):  # what is shown is what is judged
        w_q, w_k = rng.standard_normal((2, 3, 5))
        weights = names["look"](kinds + 1, w_q, w_k)
        least = min((row * (kinds == [1, 2, 0][kind])).sum() for kind, row in zip(kinds, weights, strict=True))
        said = circle.violation(kinds, w_q, w_k)
        assert (said is None) == (least >= 0.9)
        assert said is None or float(said.split(" puts ")[1].split()[0]) == pytest.approx(least, abs=0.003)

    def holds(counts, w_q, w_k):
        return circle.violation(np.repeat(np.arange(3), counts), w_q, w_k) is None

    every = [(a, b, c) for a in range(1, 11) for b in range(1, 11) for c in range(1, 11) if a + b + c <= 12]
    for _ in range(100):  # near the limit, the sequences of every draw demand what all sequences demand
        w_q, w_k = np.eye(3)[[1, 2, 0]] * rng.uniform(7.5, 9) + rng.uniform(-0.4, 0.4, (3, 3)), np.eye(3)
        assert verdict(circle, (w_q, w_k)).passed == all(holds(counts, w_q, w_k) for counts in every)

    table = next(cell for cell in cells if "## 5" in cell).splitlines()
    rows = {line[4]: [entry.strip() for entry in line.split("|")[2:-1]] for line in table if line.startswith("| **")}
    spread = {}
    for row, (divided, w_q, w_k, *_) in rows.items():
        spread[row] = float(Fraction(w_q) * Fraction(w_k)) * 8 / (8 if divided == "yes" else 1)
    steps = {row: [int(entry) for entry in entries[3:]] for row, entries in rows.items()}
    assert spread == {"A": 1, "B": 8, "C": 1, "D": 8, "E": catalogue()["attention.saturated"].right["value"]}
    assert max(steps["A"] + steps["C"]) == 99 < 149 == min(steps["B"] + steps["D"] + steps["E"])
    assert max(max(runs) / min(runs) for runs in steps.values()) < 4 / 3 + 0.01


def test_what_sheet_04_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("04_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names, late = "\n".join(cells), {"np": np}, catalogue()["attention.late_mask"]
    exec(next(cell for cell in cells if cell.startswith("def masked_late(")), names)
    rng = np.random.default_rng(0)
    scores, mask = rng.normal(size=(4, 6)), np.tri(4, 6, dtype=bool)
    for function in (names["masked_late"], late.faulty, late.reference):  # right on ordinary scores
        np.testing.assert_allclose(function(scores, mask), late.reference(scores, mask))
    for row in by_hand.TABLE:  # the table that is judged is the one that is shown
        assert f"| {' | '.join(f'{score:.0f}' for score in row)} |" in text
    causal = catalogue()["attention.test_causal"]
    assert (len(causal.target.styles) + 1, len(causal.caught), len(causal.target.mistakes)) == (7, 13, 13)
    assert "seven functions that are causal, and with thirteen that are not" in text
    layer = torch.nn.MultiheadAttention(2, 1, batch_first=True)
    for parameter in layer.parameters():
        torch.nn.init.zeros_(parameter)  # all scores are equal
    output, weights = layer(*[torch.ones(1, 3, 2)] * 3, attn_mask=masks.causal_mask(3))
    right = catalogue()["attention.two_conventions"].right
    assert output[0].isnan().any(-1).tolist() == [False, False, True]
    assert (right["claim"], float(weights[0, 0, 2].detach())) == ("b", right["value"])


def test_what_sheet_05_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("05_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    order, trap, look = (catalogue()[f"heads.{name}"] for name in ("order", "mask_trap", "neighbours"))
    (listing,) = (cell for cell in cells if "```python\nA   " in cell)
    beginning, listed = (part.split("\n```")[0] for part in listing.split("```python\n")[1:])
    assert listed == "\n".join(f"{letter}   {line}" for letter, line in order.lines.items())
    assert (len(order.lines), order.needed) == (10, 5)
    given = [cell for cell in cells if cell.startswith("def softmax(")]
    assert order.given.startswith(given[0])
    assert beginning == order.given.removeprefix(given[0]).strip()

    names = {"np": np}
    exec(given[0], names)
    exec(next(cell for cell in cells if cell.startswith("def misplaced(")), names)
    scores, mask = (np.array(part, kind) for part, kind in zip(solved(trap), (float, bool), strict=True))
    for function, shown in ((trap.faulty, "misplaced"), (trap.reference, "repaired")):
        np.testing.assert_allclose(function(scores, mask), names[shown](scores, mask))
    with pytest.raises(ValueError, match="broadcast"):
        names["misplaced"](np.zeros((1, 3, 2, 2)), mask)  # 2 queries, 3 heads: an error, as a diagnosis says
    assert names["misplaced"](np.zeros((1, 1, 2, 2)), mask).shape == (1, 2, 2, 2)  # and with one head, another shape

    q, k = (np.hsplit(w, 2) for w in solved(look))
    for drawn in look.draw(np.random.default_rng(0)):
        assert np.array_equal(drawn[:, 4:], np.eye(6))
        assert np.abs(drawn[:, :4]).max() <= 100
        weights = [names["softmax"](drawn @ q[i] @ (drawn @ k[i]).T / np.sqrt(6), axis=-1) for i in (0, 1)]
        assert all(weights[0][t, t - 1] >= 0.9 and weights[1][t, t + 1] >= 0.9 for t in range(1, 5))


def test_what_sheet_06_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("06_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np}
    vocabulary = re.findall(r"`(<?\w+>?)`", next(line for line in text.splitlines() if line.startswith("`<pad>`")))
    assert tuple(vocabulary[:4]) == SPECIALS
    both = ["twenty five", "three hundred and six"]
    assert all(f'"{words}"' in text for words in both)
    known = Vocabulary(vocabulary[4:])
    made = pad_right([[known.begin, *known.encode(words.split()), known.end] for words in both])
    assert made.tolist() == catalogue()["embedding.ids"].value

    nearest, order = catalogue()["embedding.nearest"], catalogue()["embedding.test_order"]
    exec(next(cell for cell in cells if cell.startswith("def by_dot_product(")), names)
    for table in (names["example"], np.array(solved(nearest)), np.random.default_rng(0).normal(size=(8, 2))):
        assert np.array_equal(names["by_dot_product"](table), nearest.faulty(table))  # what is shown is what is judged
        assert np.array_equal(names["by_distance"](table), nearest.reference(table))
    for tie in ([[1, 0], [0, 0]], [[0, 0], [1, 0]]):  # whichever of the two argmax happens to take
        assert "all zeros" in verdict(nearest, tie).message
    for tie in ([[1, 1], [1, 0]], [[1, 0], [1, 1]]):
        seen = verdict(nearest, tie)
        assert not seen.passed
        assert "a tie" in seen.message
    assert verdict(nearest, [[0, 0], [1, 0], [2, 0]]).passed
    assert (len(order.target.styles) + 1, len(order.caught), len(order.target.mistakes)) == (6, 10, 10)
    assert "six functions that are blind to the order, and with ten" in " ".join(text.split())

    start = catalogue()["embedding.drowned"].right["value"]
    assert np.random.default_rng(0).normal(0, start, (1000, 64)).std() * 64**0.5 == pytest.approx(1, abs=0.01)


@of(Implement)
def test_right_answers_in_other_styles_pass(exercise):
    reference = exercise.reference
    boolean = np.asarray(reference(*exercise.questions(0)[0])).dtype == bool
    floats, double, single = (bool, torch.bool, torch.bool) if boolean else (np.float32, torch.float64, torch.float32)

    def in_torch(kind, layout=lambda tensor: tensor):
        def answer(*arguments):
            arrays = [
                a if isinstance(a, np.ndarray | int | str | dict | list) else np.asarray(a, dtype=float) for a in arguments
            ]
            return layout(torch.from_numpy(np.array(reference(*arrays))).to(kind))

        return answer

    styles = {
        "lists": lambda *a: np.asarray(reference(*a)).tolist(),
        "lists of arrays": lambda *a: list(reference(*a)),
        "tuples": lambda *a: tuple(np.asarray(reference(*a)).tolist()),
        "float32": lambda *a: reference(*a).astype(floats),
        "Fortran order": lambda *a: np.asfortranarray(reference(*a)),
        "reversed strides": lambda *a: np.flip(np.flip(reference(*a)).copy()),
        "read-only": lambda *a: np.broadcast_to(reference(*a), reference(*a).shape),
        "objects": lambda *a: reference(*a).astype(object),
        "float64 tensor": in_torch(double),
        "tensor with gradient": in_torch(single, lambda t: t if boolean else t.requires_grad_()),
        "non-contiguous tensor": in_torch(single, lambda t: torch.stack([t, t], -1)[..., 0]),
    }
    if np.ndim(reference(*exercise.questions(0)[0])) == 0:  # a single number has no rows, and no layout
        styles = {name: styles[name] for name in ("float32", "float64 tensor", "tensor with gradient")}
    for name, answer in {**styles, **{style.__name__: style for style in exercise.styles}}.items():
        for seed in SEEDS:
            assert verdict(exercise, answer, seed).passed, name


def arrays_in(question: list) -> list[np.ndarray]:
    values = [part for value in question for part in (value.values() if isinstance(value, dict) else [value])]
    parts = [part for value in values for part in (arrays_in(value) if isinstance(value, list) else [value])]
    return [part for part in parts if not isinstance(part, int | float | str)]  # what remains must be arrays


@of(Implement)
def test_questions_are_exact_in_float32_and_have_distinct_sizes(exercise):
    for seed in SEEDS:
        for question in exercise.questions(seed):
            for value in arrays_in(question):
                assert np.array_equal(value.astype(np.float32).astype(float), value)
    shapes = [value.shape for question in exercise.questions(0) for value in arrays_in(question)]
    assert not shapes or any(len(set(shape)) == len(shape) >= 2 for shape in shapes)


def test_references_equal_torch():
    softmax, attend = catalogue()["attention.softmax"], catalogue()["attention.self_attention"]
    for seed in SEEDS:
        for (scores,) in softmax.questions(seed):
            np.testing.assert_allclose(softmax.reference(scores), torch.from_numpy(scores).softmax(-1), atol=1e-12)
        for question in attend.questions(seed):
            x, w_q, w_k, w_v = map(torch.from_numpy, question)
            expected = torch.nn.functional.scaled_dot_product_attention(x @ w_q, x @ w_k, x @ w_v, scale=1.0)
            np.testing.assert_allclose(attend.reference(*question), expected, atol=1e-9)
        scaled = catalogue()["attention.scaled_dot_product"]
        for question in scaled.questions(seed):
            expected = torch.nn.functional.scaled_dot_product_attention(*map(torch.from_numpy, question))
            np.testing.assert_allclose(scaled.reference(*question), expected, atol=1e-9)


def test_the_recurrence_equals_torchs():
    exercise = catalogue()["recurrence.states"]
    for seed in SEEDS:
        for question in exercise.questions(seed):
            x, w_h, w_x = map(torch.from_numpy, question)
            rnn = torch.nn.RNN(*w_x.shape, bias=False, batch_first=True, dtype=torch.float64)
            with torch.no_grad():
                rnn.weight_hh_l0.copy_(w_h.T)
                rnn.weight_ih_l0.copy_(w_x.T)
                np.testing.assert_allclose(exercise.reference(*question), rnn(x)[0], atol=1e-9)


def test_a_state_that_begins_as_a_single_number_is_told():
    def states(x, w_h, w_x):
        h = 0
        return np.tanh(h @ w_h + x @ w_x)

    seen = verdict(catalogue()["recurrence.states"], states)
    assert "in a product @, one side is a single number; both must be arrays" in seen.message
    assert "np.zeros" in seen.hint


def torch_states(x, w_h, w_x):
    h, found = torch.zeros(len(w_h)), []
    for t in range(x.shape[-2]):
        h = torch.tanh(h @ w_h + x[..., t, :] @ w_x)
        found.append(h)
    return torch.stack(found, dim=-2)


def test_references_of_lesson_04_equal_torch_and_the_library():
    causal, padding, masked = (catalogue()[f"attention.{name}"] for name in ("causal_mask", "padding_mask", "masked"))
    refused = 0
    for seed in SEEDS:
        for (n,) in causal.questions(seed):
            assert np.array_equal(causal.reference(n), masks.causal_mask(n))
        for tokens, pad in padding.questions(seed):
            assert np.array_equal(padding.reference(tokens, pad), masks.padding_mask(torch.from_numpy(tokens), pad))
        for question, outcome in zip(
            masked.questions(seed), respond(masked.reference, masked.questions(seed), "numpy"), strict=True
        ):
            *tensors, mask = map(torch.from_numpy, question)
            if outcome.error is None:
                expected = torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=mask)
                np.testing.assert_allclose(outcome.value, expected, atol=1e-9)
                np.testing.assert_allclose(outcome.value, scaled_dot_product_attention(*tensors, mask)[0], atol=1e-9)
            else:
                assert outcome.error == "ValueError"
                refused += 1
                with pytest.raises(ValueError, match="needs a key"):
                    scaled_dot_product_attention(*tensors, mask)
    assert refused == len(SEEDS)


def torch_attention(query, key, value, mask):
    if not mask.any(-1).all():
        raise ValueError("a query without a key")
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def torch_attention_in_steps(query, key, value, mask):
    if (~mask).all(dim=-1).any():
        raise ValueError("a query without a key")
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ value


def test_references_of_sheet_05_equal_torch():
    split, merge, attend = (catalogue()[f"heads.{name}"] for name in ("split", "merge", "multi_head"))
    order = catalogue()["heads.order"]
    for seed in SEEDS:
        for x, h in split.questions(seed):
            expected = torch.from_numpy(x).unflatten(-1, (h, -1)).transpose(1, 2)
            assert np.array_equal(split.reference(x, h), expected)
            assert np.array_equal(merge.reference(split.reference(x, h)), x)
        for (x,) in merge.questions(seed):
            assert np.array_equal(merge.reference(x), torch.from_numpy(x).transpose(1, 2).flatten(2))
        for *arrays, h in attend.questions(seed):
            np.testing.assert_allclose(
                attend.reference(*arrays, h), heads_in_torch(*map(torch.from_numpy, arrays), h), atol=1e-9
            )
        for probe in order.draw(np.random.default_rng(seed)):
            query, key, value, mask = (torch.from_numpy(probe[name]) for name in ("q", "k", "v", "mask"))
            expected = torch.nn.functional.scaled_dot_product_attention(query, key, value, mask[:, None])
            np.testing.assert_allclose(order.reference(**probe), expected, atol=1e-9)
        *arrays, h = attend.questions(seed)[3]  # heads of width d_model / num_heads: torch has a module for that
        x, *weights = map(torch.from_numpy, arrays)
        module = torch.nn.MultiheadAttention(x.shape[-1], h, bias=False, batch_first=True, dtype=torch.float64)
        module.load_state_dict({"in_proj_weight": torch.cat(weights[:3], 1).T, "out_proj.weight": weights[3].T})
        np.testing.assert_allclose(attend.reference(*arrays, h), module(x, x, x)[0].detach(), atol=1e-9)


def heads_in_torch(x, w_q, w_k, w_v, w_o, h, mask=None):
    query, key, value = ((x @ w).unflatten(-1, (h, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
    return torch.nn.functional.scaled_dot_product_attention(query, key, value, mask).transpose(1, 2).flatten(2) @ w_o


def torch_sinusoids(length, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    position = torch.arange(length).unsqueeze(1)
    turns = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(position * turns)
    table[:, 1::2] = torch.cos(position * turns)
    return table


def torch_residual(x, sublayer, norm, order):
    layer = Residual(x.shape[-1], norm=order)
    layer.norm = torch.nn.Module()
    layer.norm.forward = NAMED[norm]
    return layer(x, NAMED[sublayer])


def torch_encoder_layer(x, weights, num_heads, mask):
    """The same with torch's module, which has the weights side by side and turned round, and masks the other way."""
    d, d_ff = weights["w1"].shape
    module = torch.nn.TransformerEncoderLayer(d, num_heads, d_ff, dropout=0.0, batch_first=True, dtype=x.dtype)
    three = torch.cat([weights[name] for name in ("w_q", "w_k", "w_v")], dim=1)
    state = {"self_attn.in_proj_weight": three.T, "self_attn.in_proj_bias": torch.zeros(3 * d, dtype=x.dtype)}
    state |= {"self_attn.out_proj.weight": weights["w_o"].T, "self_attn.out_proj.bias": torch.zeros(d, dtype=x.dtype)}
    for number in (1, 2):
        state |= {f"linear{number}.weight": weights[f"w{number}"].T, f"linear{number}.bias": weights[f"b{number}"]}
        state |= {f"norm{number}.weight": weights[f"gamma{number}"], f"norm{number}.bias": weights[f"beta{number}"]}
    module.load_state_dict(state)
    forbidden = ~mask.expand(len(x), x.shape[1], x.shape[1])
    return module(x, forbidden.repeat_interleave(num_heads, dim=0)).detach()


def torch_encoder_layer_in_steps(x, weights, num_heads, mask):
    norm = torch.nn.functional.layer_norm
    three = (weights[name] for name in ("w_q", "w_k", "w_v"))
    x = x + heads_in_torch(x, *three, weights["w_o"], num_heads, mask.unsqueeze(1))
    x = norm(x, x.shape[-1:], weights["gamma1"], weights["beta1"])
    x = x + torch.relu(x @ weights["w1"] + weights["b1"]) @ weights["w2"] + weights["b2"]
    return norm(x, x.shape[-1:], weights["gamma2"], weights["beta2"])


def torch_decoder_layer(x, memory, weights, num_heads, mask, memory_mask):
    """A decoder layer from torch's own functions."""

    def attend(prefix, asking, asked, may):
        q, k, v = (
            (side @ weights[f"{prefix}w_{letter}"]).unflatten(-1, (num_heads, -1)).transpose(1, 2)
            for side, letter in ((asking, "q"), (asked, "k"), (asked, "v"))
        )
        found = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=may)
        return found.transpose(1, 2).flatten(2) @ weights[f"{prefix}w_o"]

    def norm(y, number):
        return torch.nn.functional.layer_norm(y, y.shape[-1:], weights[f"gamma{number}"], weights[f"beta{number}"])

    x = norm(x + attend("", x, x, mask), 1)
    x = norm(x + attend("cross_", x, memory, memory_mask[:, None]), 2)
    return norm(x + torch.relu(x @ weights["w1"] + weights["b1"]) @ weights["w2"] + weights["b2"], 3)


def torch_greedy(step, begin, end, limit):
    ids = torch.tensor([begin])
    while len(ids) <= limit and (len(ids) == 1 or ids[-1] != end):
        ids = torch.cat([ids, torch.as_tensor(STEPS[step](ids)).argmax(-1, keepdim=True)])
    return ids[1:]


def torch_top_p(probabilities, p):
    values, order = torch.sort(probabilities, dim=-1, descending=True)
    dropped = torch.cumsum(values, dim=-1) - values >= p
    kept = torch.zeros_like(probabilities).scatter(-1, order, values.masked_fill(dropped, 0.0))
    return kept / kept.sum(-1, keepdim=True)


def torch_online_softmax(blocks):
    """In place, with a finite number below all scores in the place of -inf."""
    first, values = blocks[0]
    largest = torch.full_like(first[..., :1], -1e9)
    total, mixture = torch.zeros_like(largest), torch.zeros(*first.shape[:-1], values.shape[-1])
    for scores, values in blocks:
        new = torch.maximum(largest, scores.amax(-1, keepdim=True))
        total.mul_(torch.exp(largest - new)).add_(torch.exp(scores - new).sum(-1, keepdim=True))
        mixture.mul_(torch.exp(largest - new)).add_(torch.einsum("...nc,...cd->...nd", torch.exp(scores - new), values))
        largest = new
    return mixture / total


def in_one(query, key, value):
    return scaled_dot_product_attention(query, key, value)[0]


def in_windows(query, key, value, size=256):
    """Each block of queries attends to its own keys."""
    output = torch.empty_like(query)
    for rows, *block in zip(*(array.split(size) for array in (output, query, key, value)), strict=True):
        rows.copy_(in_one(*block))
    return output


def rows_of_sheet_19() -> tuple[list[str], list[list[str]]]:
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("19_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    lines = "\n".join(cells).splitlines()
    return cells, [[part.strip() for part in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]


def moved_by_the_side(positions: str, seed: int, masked: bool) -> float:
    """How far the outputs of four tokens move when three of padding stand before them in place of behind them."""
    torch.manual_seed(seed)
    encoder = Encoder(StackConfig(d_model=16, num_heads=2, num_layers=2, d_ff=32, dropout=0.0, positions=positions))
    tokens, padding = torch.randn(1, 4, 16), torch.randn(1, 1, 16).expand(1, 3, 16)
    waves = sinusoidal_encoding(7, 16) if positions == "sinusoidal" else 0
    real = torch.arange(7) < 4
    behind = encoder(torch.cat([tokens, padding], dim=1) + waves, real[None] if masked else None)[0, :4]
    before = encoder(torch.cat([padding, tokens], dim=1) + waves, real.flip(0)[None] if masked else None)[0, 3:]
    return (behind - before).abs().max().item()


def sums_at(size):
    return lambda f: np.allclose(f(size * X_Y[0] + size * X_Y[1]), f(size * X_Y[0]) + f(size * X_Y[1]), atol=1e-6)


def as_a_matrix(f):
    """What f makes of each unit array is its matrix: f must be that matrix on others too."""
    units = np.eye(6).reshape(6, 2, 3)
    matrix = np.array([f(unit) for unit in units])
    return all(
        np.allclose(f(x), np.tensordot(x.ravel(), matrix, 1)) for x in 10 * np.random.default_rng(1).normal(size=(5, 2, 3))
    )


def mixtures(f):
    x, y = 10 * X_Y
    return all(np.allclose(f(a * x + b * y), a * f(x) + b * f(y)) for a, b in ((2, -3), (0.1, 0.1), (-1, 0.5), (0, 0)))


TORCH_ANSWERS = {
    "layers.residual": [
        torch_residual,
        lambda x, f, n, order: torch.add(x, NAMED[f](NAMED[n](x))) if order == "pre" else NAMED[n](torch.add(x, NAMED[f](x))),
    ],
    "positions.sinusoidal": [sinusoidal_encoding, torch_sinusoids],
    "recurrence.states": [
        torch_states,
        lambda x, w_h, w_x: torch_states(torch.as_tensor(x, dtype=torch.float32), w_h, w_x).double(),
    ],
    "attention.causal_mask": [
        lambda n: torch.ones(n, n, dtype=torch.bool).tril(),
        lambda n: ~torch.triu(torch.ones(n, n), diagonal=1).bool(),
    ],
    "attention.padding_mask": [
        lambda tokens, pad: (tokens != pad).unsqueeze(1),
        lambda tokens, pad: torch.ne(tokens, pad)[:, None],
    ],
    "attention.masked": [torch_attention, torch_attention_in_steps],
    "attention.softmax": [
        lambda scores: torch.softmax(scores, dim=-1),
        lambda scores: scores.softmax(-1),
        lambda scores: (scores - scores.logsumexp(-1, keepdim=True)).exp(),
        lambda scores: torch.softmax(torch.as_tensor(scores, dtype=torch.float32), dim=-1),
    ],
    "attention.self_attention": [
        lambda x, q, k, v: ((x @ q) @ (x @ k).transpose(-2, -1)).softmax(-1) @ (x @ v),
        lambda x, q, k, v: torch.nn.functional.scaled_dot_product_attention(x @ q, x @ k, x @ v, scale=1.0),
        lambda x, q, k, v: torch.einsum("...nd,...md->...nm", x @ q, x @ k).softmax(-1) @ (x @ v),
    ],
    "attention.scaled_dot_product": [
        lambda q, k, v: (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).softmax(-1) @ v,
        lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q, k, v),
        lambda q, k, v: (q @ k.mT / torch.sqrt(torch.tensor(q.size(-1)))).softmax(-1) @ v,
        lambda q, k, v: (s := q @ k.mT * q.size(-1) ** -0.5).sub(s.logsumexp(-1, keepdim=True)).exp() @ v,
        lambda q, k, v: (q / q.size(-1) ** 0.25 @ (k / q.size(-1) ** 0.25).mT).softmax(-1) @ v,
        lambda q, k, v: torch.einsum("...nm,...mv->...nv", (q * q.shape[-1] ** -0.5 @ k.transpose(-2, -1)).softmax(-1), v),
    ],
    "heads.split": [
        lambda x, h: x.view(*x.shape[:2], h, -1).transpose(1, 2),
        lambda x, h: torch.stack(x.chunk(h, dim=-1), dim=1),
        lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 1, 3),
    ],
    "heads.merge": [
        lambda x: x.transpose(1, 2).contiguous().view(x.shape[0], x.shape[2], -1),
        lambda x: torch.cat(x.unbind(1), dim=-1),
        lambda x: x.transpose(1, 2).flatten(2),
    ],
    "heads.multi_head": [heads_in_torch],
    "embedding.embed": [
        lambda tokens, table, positions: table[tokens] * table.size(1) ** 0.5 + positions[: tokens.size(-1)],
        lambda tokens, table, p: (
            torch.nn.functional.embedding(tokens, table).mul(table.shape[1] ** 0.5) + p[: tokens.shape[-1]]
        ),
        lambda tokens, table, p: (
            torch.nn.Embedding.from_pretrained(table)(tokens) * np.sqrt(table.shape[1]) + p[: tokens.shape[-1]]
        ),
    ],
    "layers.feed_forward": [
        lambda x, w1, b1, w2, b2: torch.relu(x @ w1 + b1) @ w2 + b2,
        lambda x, w1, b1, w2, b2: (x @ w1).add(b1).clamp(min=0).matmul(w2).add(b2),
        lambda x, w1, b1, w2, b2: torch.nn.functional.linear(torch.nn.functional.linear(x, w1.T, b1).relu(), w2.T, b2),
        lambda x, w1, b1, w2, b2: torch.einsum("...f,fe->...e", torch.maximum(x @ w1 + b1, torch.zeros(())), w2) + b2,
    ],
    "layers.layer_norm": [
        layer_norm,
        lambda x, gamma, beta, eps: torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta, eps),
        lambda x, gamma, beta, eps: (
            (x - x.mean(-1, keepdim=True)) * torch.rsqrt(x.var(-1, keepdim=True, correction=0) + eps) * gamma + beta
        ),
        lambda x, gamma, beta, eps: gamma * (x - x.mean(-1).unsqueeze(-1)) / (x.var(-1, False)[..., None] + eps).sqrt() + beta,
    ],
    "encoder.layer": [torch_encoder_layer, torch_encoder_layer_in_steps],
    "training.shift": [
        lambda targets, begin: (torch.cat([targets.new_full((len(targets), 1), begin), targets[:, :-1]], 1), targets)
    ],
    "training.loss": [
        lambda z, labels, pad: torch.nn.functional.cross_entropy(z.flatten(0, 1), labels.flatten(), ignore_index=pad),
        lambda z, labels, pad: torch.nn.functional.cross_entropy(z.mT, labels, ignore_index=pad).item(),
    ],
    "decoding.greedy": [torch_greedy],
    "decoding.top_p": [
        torch_top_p,
    ],
    "decoding.extend_cache": [
        lambda cache, key, value: {"key": torch.cat([cache["key"], key], 2), "value": torch.cat([cache["value"], value], 2)},
        lambda cache, key, value: (torch.cat([cache["key"], key], dim=-2), torch.cat((cache["value"], value), -2)),
    ],
    "cost.online_softmax": [
        lambda blocks: torch.cat([scores for scores, _ in blocks], -1).softmax(-1) @ torch.cat([v for _, v in blocks], -2),
        torch_online_softmax,
    ],
    "residual.who_wrote": [
        lambda parts, gamma, table, eps: (
            gamma
            * (parts - parts.mean(-1, keepdim=True))
            / (parts.sum(0).var(-1, keepdim=True, correction=0) + eps).sqrt()
            @ table.T
        ),
        lambda parts, gamma, table, eps: torch.stack(
            [
                ((p - p.mean(-1, True)) * gamma / parts.sum(0).var(-1, False).add(eps).sqrt()[..., None]) @ table.T
                for p in parts
            ]
        ),
    ],
}


@pytest.mark.parametrize(("name", "answer"), [(name, a) for name, answers in TORCH_ANSWERS.items() for a in answers])
def test_answers_written_for_tensors_pass(name, answer):
    for seed in SEEDS:
        assert verdict(catalogue()[name], answer, seed).passed


def test_a_torch_mistake_is_named_too():
    assert verdict(catalogue()["attention.softmax"], lambda scores: scores.softmax(0)).mistake == "softmax over the first axis"


def test_the_embedding_of_sheet_06_equals_the_librarys():
    for seed in SEEDS:
        for question in catalogue()["embedding.embed"].questions(seed):
            tokens, table, positions = map(torch.from_numpy, question)
            expected = torch.nn.functional.embedding(tokens, table) * table.shape[1] ** 0.5 + positions[: tokens.shape[-1]]
            np.testing.assert_allclose(catalogue()["embedding.embed"].reference(*question), expected, atol=1e-12)
            if tokens.ndim == 2:
                layer = TokenEmbedding(*table.shape).double()
                layer.table.data, places = table, LearnedPositions(table.shape[1], len(positions)).double()
                places.table.data = positions
                np.testing.assert_allclose(places(layer(tokens)).detach(), expected, atol=1e-12)


def test_the_feed_forward_network_of_sheet_09_equals_the_librarys():
    exercise = catalogue()["layers.feed_forward"]
    for seed in SEEDS:
        for x, w1, b1, w2, b2 in exercise.questions(seed):
            module = torch.nn.Sequential(torch.nn.Linear(*w1.shape), torch.nn.ReLU(), torch.nn.Linear(*w2.shape)).double()
            for layer, weight, bias in ((module[0], w1, b1), (module[2], w2, b2)):
                layer.weight.data, layer.bias.data = torch.from_numpy(weight.T), torch.from_numpy(bias)
            expected = module(torch.from_numpy(x)).detach()
            np.testing.assert_allclose(exercise.reference(x, w1, b1, w2, b2), expected, atol=1e-12)
            if w1.shape[0] == w2.shape[1]:
                ours = FeedForward(*w1.shape).double()
                ours.w_1, ours.w_2 = module[0], module[2]
                np.testing.assert_allclose(ours(torch.from_numpy(x)).detach(), expected, atol=1e-12)


@pytest.mark.parametrize(
    "hinges",
    [
        (np.ones((1, 4)), [0, -0.25, -0.5, -0.75], [[4], [-8], [8], [-8]], [0]),
        ([[4, 4, 4, 4]], [0, -1, -2, -3], [[1], [-2], [2], [-2]], [0]),  # larger w1
        ([[-4, -4, -4, -4]], [4, 3, 2, 1], [[-1], [2], [-2], [2]], [0]),  # hinges that close, from the right: even
        ([[1, 1, 1, 1, 1]], [5, 0, -0.25, -0.5, -0.75], [[0], [4], [-8], [8], [-8]], [0.0]),  # one to spare
        ([[1, 1]], [-0.2, -0.7], [[20], [-20]], [0]),  # neither
    ],
)
def test_any_hinges_pass_that_go_up_and_down_at_the_right_places(hinges):
    arrays = [np.array(part, float) for part in hinges]
    hidden = np.maximum(0, np.arange(5)[:, None] / 4 @ arrays[0] + arrays[1])
    right = np.allclose((hidden @ arrays[2] + arrays[3])[:, 0], [0, 1, 0, 1, 0])
    assert verdict(catalogue()["layers.zigzag"], hinges).passed == right


def test_hinges_that_miss_are_told_where():
    seen = verdict(catalogue()["layers.zigzag"], ([[1.0]], [-0.1], [[7.0]], [0.0]))
    assert "For 1 one among four bits, s = 0.25, the network gives 1.050, and should give 1." in seen.message
    assert (
        "`w2` should have shape (d_ff, 1) with d_ff = 2"
        in verdict(catalogue()["layers.zigzag"], ([[1.0, 1.0]], [0.0, 1.0], [[1.0, 2.0]], [0.0])).message
    )


TOKENS = np.random.default_rng(4).normal(size=(5, 3))


def alone_and_among_others(f):
    return all(np.allclose(f(TOKENS[i : i + 1]), f(TOKENS)[i]) for i in range(5))


def in_pieces(f):
    return all(np.allclose(np.vstack([f(TOKENS[:k]), f(TOKENS[k:])]), f(TOKENS)) for k in range(1, 5))


def as_a_loop(f):
    return np.allclose(np.concatenate([f(token[None]) for token in TOKENS]), f(TOKENS))


@pytest.mark.parametrize("test", [alone_and_among_others, in_pieces, as_a_loop])
def test_every_thorough_way_to_look_at_tokens_alone_passes(test):
    assert verdict(catalogue()["layers.test_position_wise"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: np.allclose(f(TOKENS[::-1]), f(TOKENS)[::-1]), "attention"),
        (lambda f: np.allclose(f(TOKENS[:1]), f(TOKENS)[:1]), "a look at the token before"),
        (lambda f: not any(moved(f, j, x=TOKENS)[:j].any() for j in range(1, 5)), "another bias at each place"),
        (lambda f: np.allclose(f(TOKENS[:4]), f(TOKENS)[:4]), "a look at the first token"),
    ],
)
def test_a_test_that_looks_at_less_lets_something_through(test, missed):
    exercise = catalogue()["layers.test_position_wise"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


@of(WriteTest)
def test_a_test_is_marked_by_what_it_catches(exercise):
    assert set(exercise.caught) <= {mistake.name for mistake in exercise.target.mistakes}
    example = exercise.target.questions(0)[0]
    lenient, strict = verdict(exercise, lambda f: f(*example) is not None), verdict(exercise, lambda f: f(*example) is None)
    assert (lenient.passed, lenient.score, lenient.mistake is not None) == (False, 0.0, True)
    assert any(shown in lenient.hint for shown in exercise.caught.values())
    assert "never calls `f`" in verdict(exercise, lambda f: True).message
    assert "refuses a function that is right" in strict.message
    assert "returned nothing" in verdict(exercise, lambda f: [f(*example), None][1]).message
    assert "NameError" in verdict(exercise, lambda f: undefined(f)).message


def test_a_test_that_catches_some_gets_part_of_the_credit():
    exercise = catalogue()["attention.test_softmax"]
    sums = verdict(exercise, lambda f: np.allclose(f(np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]])).sum(-1), 1))
    assert 0 < sums.score < 1


X = np.random.default_rng(3).normal(size=(5, 4))


def moved(f, j: int, by=1.0, x=X) -> np.ndarray:
    """Which outputs move when token j does."""
    changed = x.copy()
    changed[j] += by
    return ~np.isclose(f(changed), f(x)).all(-1)


def each_token_changed(f):
    return not any(moved(f, j)[:j].any() for j in range(1, len(X)))


def each_token_changed_much(f):
    return not any(moved(f, j, by=100.0)[:j].any() for j in range(1, len(X)))


def narrow_tokens_changed(f):
    return not any(moved(f, j, by=0.1, x=X[:, :1])[:j].any() for j in range(1, len(X)))


def each_token_zeroed(f):
    return not any(moved(f, j, by=-X[j])[:j].any() for j in range(1, len(X)))


def all_later_tokens_changed(f):
    return not any(moved(f, slice(j, None), by=X[: len(X) - j])[:j].any() for j in range(1, len(X)))


def prefixes_compared(f):
    return all(np.allclose(f(X[:i]), f(X)[:i]) for i in range(1, len(X)))


@pytest.mark.parametrize(
    "test",
    [
        each_token_changed,
        each_token_changed_much,
        narrow_tokens_changed,
        each_token_zeroed,
        all_later_tokens_changed,
        prefixes_compared,
    ],
)
def test_every_thorough_way_to_look_for_leaks_passes(test):
    assert verdict(catalogue()["attention.test_causal"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: not moved(f, -1)[0], "each token sees the next one too"),
        (lambda f: not moved(f, -1)[:-1].any(), "the first token sees the second"),
        (lambda f: not moved(f, 1)[0], "the last token but one sees the last"),
        (lambda f: not any(moved(f, j)[0] for j in range(1, 5)), "only the first row is masked"),
        (lambda f: not any(moved(f, j)[j - 1] for j in range(2, 5)), "the first row sees all"),
        (lambda f: not any(moved(f, j, x=np.zeros((5, 4)))[:j].any() for j in range(1, 5)), "weights set to 0 after softmax"),
    ],
)
def test_a_test_that_looks_at_some_pairs_only_lets_a_leak_through(test, missed):
    exercise = catalogue()["attention.test_causal"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (lambda f: np.array_equal(f(X)[:1], f(X[:1])) and bool(moved(f, 4)[4]), "refuses a function that is right"),
        (
            lambda f: f(np.zeros(3)) is None,
            "takes one sequence x of shape (n, d), a row for each token, and was given shape (3,)",
        ),
        (lambda f: f(np.full((2, 2), np.nan)) is None, "takes finite numbers"),
        (lambda f: f([[1.0]]) is None, "f takes 1 NumPy array(s), x; given: list"),
        (lambda f: True, "Call it with x of your own, as in `f(x)`"),
    ],
)
def test_a_test_of_causality_that_goes_astray_is_told(test, words):
    message = verdict(catalogue()["attention.test_causal"], test).message
    assert words in message
    assert "raise ValueError" not in message  # a line of ours


ORDERS = np.random.default_rng(5).permuted(np.tile(np.arange(5), (6, 1)), axis=1)
FIVE = X[:, :3]


def same_in(f, order, x=FIVE) -> bool:
    return np.allclose(f(x[order]), f(x)[order])


@pytest.mark.parametrize(
    "test",
    [
        lambda f: all(same_in(f, order) for order in ORDERS),
        lambda f: (
            all(same_in(f, list(order), FIVE[:4]) for order in itertools.permutations(range(4)))
            and same_in(f, [4, 2, 0, 1, 3])
        ),
        lambda f: same_in(f, [2, 0, 3, 1], FIVE[:4]) and same_in(f, [1, 4, 0, 2, 3]),
        lambda f: all(np.allclose(f(FIVE[order])[np.argsort(order)], f(FIVE)) for order in ORDERS),
        lambda f: same_in(f, [3, 1, 4, 0, 2], x=X[:, :1]) and same_in(f, [1, 0, 2, 3, 4]),
        lambda f: all(same_in(f, order, x=100 * FIVE) for order in ORDERS) and all(same_in(f, order) for order in ORDERS),
    ],
)
def test_every_thorough_way_to_look_for_an_order_passes(test):
    assert verdict(catalogue()["embedding.test_order"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: same_in(f, [4, 3, 2, 1, 0]), "near tokens count for more"),
        (lambda f: same_in(f, [4, 3, 2, 1, 0]), "the outputs come backwards"),
        (lambda f: same_in(f, [1, 2, 3, 4, 0]), "neighbours in a circle"),
        (lambda f: same_in(f, [1, 0, 2, 3, 4]), "the last output is doubled"),
        (lambda f: same_in(f, [0, 2, 1, 4, 3]), "the first output is doubled"),
        (lambda f: np.allclose(np.sort(f(FIVE[ORDERS[0]]), 0), np.sort(f(FIVE), 0)), "the outputs come in order of size"),
    ],
)
def test_a_test_of_one_easy_order_lets_something_through(test, missed):
    exercise = catalogue()["embedding.test_order"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (lambda f: np.allclose(f(FIVE[ORDERS[0]]), f(FIVE)), "refuses a function that is right"),
        (lambda f: f(np.zeros(3)) is None, "a row for each token, and was given shape (3,)"),
        (lambda f: f(np.full((2, 2), np.inf)) is None, "takes finite numbers"),
    ],
)
def test_a_test_of_order_that_goes_astray_is_told(test, words):
    assert words in verdict(catalogue()["embedding.test_order"], test).message


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([1.0, 2.0], "a row for each of at least two tokens, shape (v, d), and has shape (2,)"),
        ([[1.0, 2.0]], "at least two tokens"),
        (np.eye(9), "Small sizes will do"),
        ([[1.0], [2000.0]], "between −1000 and 1000"),
        ([[1.0, 2.0], [1.0, 2.0], [5.0, 1.0]], "Two rows of the table are equal"),
        ([[1.0], [np.nan]], "an array of finite numbers"),
    ],
)
def test_a_table_that_cannot_be_judged_is_told(table, words):
    assert words in verdict(catalogue()["embedding.nearest"], table).message


def test_every_table_with_a_long_row_ahead_of_a_short_one_passes():
    for table in ([[1.0], [1.5]], [[1, 1], [0, 0], [9, 8]], torch.tensor([[0.5, 0.1], [-1.0, 2.0], [3.0, 0.0]])):
        assert verdict(catalogue()["embedding.nearest"], table).passed


def test_words_and_positions_on_any_four_dimensions_are_read():
    apart, rng = catalogue()["embedding.apart"], np.random.default_rng(0)
    table, positions, to_word, to_position = solved(apart)
    corners = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    turn = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    askew = rng.normal(size=(4, 4))
    assert verdict(apart, (table @ turn, positions @ turn, turn.T @ to_word, turn.T @ to_position)).passed
    assert verdict(
        apart, (table @ askew, positions @ askew, np.linalg.inv(askew) @ to_word, np.linalg.inv(askew) @ to_position)
    ).passed
    square = np.hstack([corners, np.zeros((4, 2))]), np.hstack([np.zeros((4, 2)), corners])
    assert verdict(apart, (*square, square[0].T, square[1].T)).passed
    assert verdict(apart, (table, 0.2 * positions, to_word, 9 * to_position)).passed


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda t, p, w, q: (t, p, -w, q),
            "from word 0 at position 0, `to_word` reads a score for word 0 that lies 2.00 below the best of the others",
        ),
        (lambda t, p, w, q: (t, p, w, q[:, [1, 0, 2, 3]]), "`to_position` reads a score for position"),
        (lambda t, p, w, q: (t[:3], p, w, q), "`table` should have shape (4, 4), and has shape (3, 4)"),
        (lambda t, p, w, q: (t, p, w), "should hold 4 arrays in this order: table, positions, to_word, to_position"),
    ],
)
def test_matrices_that_read_wrongly_are_told_where(change, words):
    exercise = catalogue()["embedding.apart"]
    assert words in verdict(exercise, change(*solved(exercise))).message


@pytest.mark.parametrize("kind", [int, float, np.float32, np.uint8])
def test_zeros_and_ones_in_place_of_true_and_false_are_told(kind):
    for name in ("attention.causal_mask", "attention.padding_mask"):
        exercise = catalogue()[name]
        seen = verdict(exercise, lambda *a, right=exercise.reference: right(*a).astype(kind))
        assert (seen.reason, seen.score) == ("dtype", 0.5)
        assert f"are numbers (dtype {np.dtype(kind)})" in seen.message
        opposite = verdict(exercise, lambda *a, right=exercise.reference: (~right(*a)).astype(kind))
        assert opposite.mistake in ("True for what is forbidden", "True for the padding")
        halves = verdict(exercise, lambda *a, right=exercise.reference: right(*a) * 0.5)
        assert "numbers, where True and False were expected. You returned [[" in halves.message
    one_off = verdict(catalogue()["attention.causal_mask"], lambda n: np.tri(n) > (n == 3) * np.eye(n))
    assert "For n = 3, element [0, 0] should be True, and is False." in one_off.message


def test_an_error_that_is_asked_for_is_told_by_its_reason():
    reference = catalogue()["attention.masked"].reference

    def quiet(query, key, value, mask):
        return reference(query, key, value, mask) if mask.any(-1).all() else np.ones((4, 2))

    message = verdict(catalogue()["attention.masked"], quiet).message
    assert message.endswith("it should raise ValueError, since one row of the mask has no True at all. It returned a result.")

    def printing(query, key, value, mask):
        return reference(query, key, value, mask) if mask.any(-1).all() else None

    seen = verdict(catalogue()["attention.masked"], printing)
    assert seen.message.endswith("no True at all. It returned None.")
    assert "neither returned nor printed" in seen.hint


def test_of_several_faults_the_one_that_is_wrong_altogether_is_told():
    # zeros and ones in the right places for small n; for larger n the last row is wrong
    seen = verdict(catalogue()["attention.causal_mask"], lambda n: np.tri(n) * (np.arange(n)[:, None] < 3))
    assert (seen.reason, seen.score) == ("dtype", 0.0)
    assert "numbers, where True and False were expected" in seen.message


def test_whole_numbers_in_a_question_are_shown_as_such():
    seen = verdict(catalogue()["attention.padding_mask"], lambda tokens, pad: tokens == pad)
    assert "For tokens = [[5, 2, 7, 4], [3, 6, 0, 0]], pad = 0, the result should have shape (2, 1, 4)" in seen.message


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        ((5, 1), "`scores` should be a table (n, m) or a row (m,), and has shape ()"),
        (([], []), "and has shape (0,)"),
        (([[1000, 0]], [False, True]), "`mask` should have the shape of `scores`, (1, 2), and has (2,)"),
        (([[1000, 0]], [[0, 2]]), "`mask` should hold True and False (or 1 and 0)"),
        (([[1000, 0], [0, 0]], [[False, True], [False, False]]), "Each row needs at least one True"),
        (([[1e9, 0]], [[False, True]]), "keep all scores between"),
        (([[np.inf, 0]], [[False, True]]), "`scores` should be an array of finite numbers"),
    ],
)
def test_a_trap_that_is_none_is_told(trap, words):
    assert words in verdict(catalogue()["attention.late_mask"], trap).message


@pytest.mark.parametrize("trap", [([0, 800], [1, 0]), (np.array([[0.0, -1.0, 745.0]]), np.array([[True, True, False]]))])
def test_every_trap_that_shows_the_fault_passes(trap):
    assert verdict(catalogue()["attention.late_mask"], trap).passed


@of(WriteTest)
def test_a_test_that_says_the_opposite_or_always_yes_is_told_so(exercise):
    right, example = solved(exercise), exercise.target.questions(0)[0]
    for seed in SEEDS:
        opposite = verdict(exercise, lambda f: not right(f), seed)
        assert "accepts most of those that are broken" in opposite.message
        assert "exchanged" in opposite.hint
    assert "refuses nothing" in verdict(exercise, lambda f: f(*example) is not None).hint


def test_a_test_is_capped_in_its_calls():
    def is_softmax(f):
        while True:
            f(np.zeros(3))

    seen = verdict(catalogue()["attention.test_softmax"], is_softmax)
    assert "1000 times" in seen.message


@of(WriteTest)
@pytest.mark.parametrize("shape", [(4097,), (64, 65), (257, 2), (2, 257), (257, 0)])
def test_a_test_needs_only_small_inputs(exercise, shape):
    def of_size(shape):
        return lambda f: f(np.ones(shape)) is not None

    limits = "ValueError: a test needs only small inputs: at most 4,096 numbers in a call, and 256 along an axis"
    assert limits in verdict(exercise, of_size(shape)).message
    for wide in ((16, 256), (256, 16)):
        assert limits not in verdict(exercise, of_size(wide)).message


def test_arrays_that_are_given_as_an_answer_are_small():
    trap, weights, hidden = (catalogue()[f"attention.{name}"] for name in ("late_mask", "one_way", "hidden_fault"))
    limit = np.zeros((10, 500))
    assert "holds 10,001 numbers in all" in verdict(trap, (np.zeros(5001), np.ones(5000))).message
    assert verdict(trap, (limit, 1 + limit)).mistake == "nothing forbidden"
    assert "Small arrays will do: give at most 10,000." in verdict(weights, (np.ones((3, 2000)),) * 2).message
    assert (
        "at most 50 along each axis. `x` has shape (51, 1)"
        in verdict(hidden, (np.ones((51, 1)),) + (np.ones((1, 1)),) * 3).message
    )
    assert verdict(hidden, (np.ones((50, 1)),) + (np.ones((1, 50)),) * 3).mistake == "w_q and w_k alike"


def test_names_and_predictions_fit_together():
    for lesson, exercises in by_lesson().items():
        assert len({e.answer for e in exercises}) == len(exercises), lesson
    for prediction in predictions().values():
        assert prediction.right in prediction.replies
        assert len(prediction.replies) >= 3


@pytest.mark.parametrize("folder", ["exercises"])
def test_each_sheet_holds_its_exercises_in_order_and_of_several_kinds(folder):
    for source in course.sources(folder):
        cells = authoring.build(source).cells
        held = [cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata]
        exercises = by_lesson()[source.stem[:2]]
        assert held == [e.id for e in exercises]
        kinds = [e.kind for e in exercises]
        assert len(kinds) >= 3
        assert len(set(kinds)) >= 2
        assert kinds.count("implement") <= len(kinds) / 2
        text = "\n".join(cell.source for cell in cells)
        for exercise in exercises:
            assert f'check("{exercise.id}", {exercise.answer})' in text
            assert f"{exercise.minutes} minutes" in text


def test_every_order_that_works_passes_and_no_other():
    order = catalogue()["heads.order"]
    right = solved(order)
    valid = set()
    for letter, place in itertools.product(right, range(len(right))):  # every line of the right order at every place
        moved = [other for other in right if other != letter]
        moved.insert(place, letter)
        seen = verdict(order, moved)
        before = {"CH": "G", "J": "CH", "E": "J"}
        works = all(moved.index(a) < moved.index(b) for late, early in before.items() for a in early for b in late)
        assert seen.passed == works, moved
        assert works or seen.mistake or "needs `" in seen.message, moved
        valid |= {tuple(moved)} if works else set()
    assert valid == {tuple("GCHJE"), tuple("GHCJE")}  # the mask before the scale, or after it


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("GCH", 'should be a list of letters, as in ["B", "A"], and is str'),
        (None, "and is NoneType"),
        ([], "still empty"),
        (["G", ...], "still empty"),
        ([1, 2], "holds 1. Are the quotation marks missing?"),
        ([["G"], "C"], "holds ['G']"),
        (["G", "Z"], "There is no line 'Z'. The lines are A, B, C"),
        (["G", "G"], "Line G is there twice"),
        (["G"] * 100, "There are 10 lines, each to be used at most once, and you gave 100"),
        ([" g ", "c"], "run in this order as far as they go. You chose 2 lines, and 5 are needed."),
        (["C", "G"], "Line C, in place 1: `scores = scores / np.sqrt(d_k)` needs `scores`"),
        (["E", "G"], "Line E, in place 1: `heads = weights @ v` needs `weights`"),  # before what would follow from it
        (["G", "F"], "needs `weights`, and no line before it makes that"),
        (["G", "I"], "Line I divides by the root of all heads' columns together"),
        (["G", "C", "H", "J", "F", "E"], "You chose 6 lines, and 5 are needed"),  # F does no harm behind H
    ],
)
def test_an_order_that_does_not_work_is_told_what_it_did(answer, words):
    seen = verdict(catalogue()["heads.order"], answer)
    assert not seen.passed
    assert words in seen.message


def test_lines_with_another_fault_or_too_many_are_told():
    order = Repair(
        id="x",
        answer="order",
        asks=".",
        hints=(),
        minutes=1,
        lines={"A": "y = x + 1", "B": "y = y + z", "C": "z = 0", "D": "y = y @ z"},
        needed=1,
        draw=lambda rng: [{"x": np.ones(2)}],
        reference=lambda x: x + 1,
        result="y",
    )
    assert verdict(order, ["a"]).passed
    assert "You chose 3 lines, and 1 are needed." in verdict(order, ["A", "C", "B"]).message
    assert "Line D, in place 3: `y = y @ z` raised ValueError: matmul" in verdict(order, ["A", "C", "D"]).message
    assert "what `y` holds at the end is not right" in verdict(replace(order, lines={"A": "y = x"}), ["A"]).message
    assert "`y` should have shape (2,), and has ()" in verdict(replace(order, lines={"A": "y = x.sum()"}), ["A"]).message


def test_a_mask_of_an_answer_may_be_boolean_or_of_numbers():
    trap = catalogue()["heads.mask_trap"]
    scores, mask = solved(trap)
    for form in (np.array(mask), np.array(mask, int), np.array(mask, float).tolist(), torch.tensor(mask)):
        assert verdict(trap, (scores, form)).passed
    assert "hold True and False" in verdict(trap, (scores, 2 * np.array(mask))).message
    assert "at least one key" in verdict(trap, (scores, np.zeros((1, 2, 2)))).message
    assert "(b, n, m) = (1, 2, 2)" in verdict(trap, (scores, np.array(mask)[:, None])).message


def test_errors_of_shapes_are_explained():
    split, merge = catalogue()["heads.split"], catalogue()["heads.merge"]
    seen = verdict(split, lambda x, h: np.reshape(x, (*x.shape[:2], h, x.shape[2] / h)).swapaxes(1, 2))
    assert "`//` a whole number" in seen.hint

    def one_sequence(x, h):
        n, d = x.shape
        return x.reshape(n, h, d // h).swapaxes(0, 1)

    assert "Print the shape to count them" in verdict(split, one_sequence).hint
    tensor_code = verdict(merge, lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1))
    assert "view size is not compatible" in tensor_code.message  # torch's error, not NumPy's about its transpose


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda q, k: (q[:, :11], k[:, :11]), "have an even number of columns together, and here are 11"),
        (
            lambda q, k: (q, -k),
            "token 1 gives its left neighbour 0.000 of its weight in the first head, where 0.9 are asked for",
        ),
        (lambda q, k: (q, np.hstack([k[:, :6], np.eye(10, 6, k=-6)])), "neighbour 0.000 of its weight in the second head"),
        (lambda q, k: (q[4:], k[4:]), "`w_q` should have shape (10, 2·d_k), and has shape (6, 12)"),
    ],
)
def test_weights_that_look_elsewhere_are_told_where(change, words):
    exercise = catalogue()["heads.neighbours"]
    seen = verdict(exercise, change(*solved(exercise)))
    assert not seen.passed
    assert words in seen.message


def test_what_sheet_07_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("07_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np, "math": math}
    periods, clocks, back, far, fits = (
        catalogue()[f"positions.{name}"] for name in ("periods", "test_encoding", "three_back", "far_and_near", "one_matrix")
    )
    for period, (width, dimension) in zip(periods.value, ((12, 4), (12, 9), (4, 3)), strict=True):
        first = dimension - dimension % 2  # the sine of the hand
        sines = sinusoidal_encoding(4000, width)[:, first].numpy()
        (crossings,) = np.nonzero((sines[:-1] < 0) & (sines[1:] >= 0))  # where the hand comes past 12 o'clock
        assert crossings[0] + 1 == math.ceil(period)

    assert (len(clocks.target.styles) + 1, len(clocks.caught), len(clocks.target.mistakes)) == (3, 11, 11)
    assert "three right functions and eleven broken ones" in text
    obeying = [m.name for m in clocks.target.mistakes if obeys_the_laws(m.answer)]
    assert len(obeying) >= 5  # "many"
    assert {"another base", "the exponent halved", "degrees"} <= set(obeying)

    for start in ("def row(", "def as_published("):
        exec(next(cell for cell in cells if cell.startswith(start)), names)
    m = solved(back)
    for p in range(3, 500):
        np.testing.assert_allclose(names["row"](p) @ m, names["row"](p - 3), atol=1e-12)
        np.testing.assert_allclose(names["row"](p), sinusoidal_encoding(500, 4)[p], atol=1e-6)
    assert back.violation(np.array([10]), m.round(3)) is None  # three digits are enough
    rng = np.random.default_rng(0)
    for trap in (solved(far), *rng.integers(0, 1000, (200, 3))):
        assert names["as_published"](*trap) == far.faulty(*trap)
        assert names["measured"](*trap) == far.reference(*trap)

    rows = {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}
    waves, random = sinusoidal_encoding(96, 8).double().numpy(), np.random.default_rng(0).standard_normal((96, 8))
    for row, table in {"A": waves, "B": random, "C": random, "D": learned_positions("gpt-pre", 8)}.items():
        _, fitted, *errors = rows[row]
        every = {"47": 2, "6": 16}[fitted]
        assert len(range(0, 94, every)) == int(fitted)
        assert shift_errors(table, 2, every) == pytest.approx(tuple(map(float, errors)), abs=0.006)
    assert fits.right["value"] == float(rows["B"][3])


def test_what_sheet_09_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("09_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np}
    rows = [[entry.strip().replace("−", "-") for entry in row.split("|")[1:-1]] for row in text.splitlines() if row[:1] == "|"]
    shown = [[float(entry) if entry else None for entry in row] for row in rows[2:5]]
    for array, first in ((W1, 0), ([B1], 4), (W2, 8), ([B2], 11)):  # what is shown is what is judged
        for (i, j), number in np.ndenumerate(np.array(array)):
            assert shown[i][first + j] == number
    assert all(f"[{', '.join(f'{n:.0f}' for n in token)}]".replace("-", "−") in text for token in TWO_TOKENS)

    zigzag, alone = catalogue()["layers.zigzag"], catalogue()["layers.test_position_wise"]
    exec(next(cell for cell in cells if cell.startswith("def look(")), names)
    hinges = [np.array(part, float) for part in solved(zigzag)]
    np.testing.assert_allclose(names["look"](*hinges), [0, 1, 0, 1, 0])
    assert (len(alone.target.styles) + 1, len(alone.caught), len(alone.target.mistakes)) == (6, 9, 9)
    assert "six functions that do, and with nine that do not" in " ".join(text.split())


def obeys_the_laws(f) -> bool:
    """Hands of length 1 that turn by the same angle from every start, in pairs of dimensions."""
    hands = f(np.arange(60.0)).reshape(60, 4, 2) @ [1j, 1]
    turns = hands[1:] * hands[:-1].conj()
    return np.allclose(np.abs(hands), 1) and np.allclose(turns, turns[0])


def test_the_sinusoids_of_sheet_07_are_the_librarys():
    exercise = catalogue()["positions.sinusoidal"]
    for seed in SEEDS:
        for length, width in exercise.questions(seed):
            if width % 2:
                for refuses in (exercise.reference, sinusoidal_encoding):
                    with pytest.raises(ValueError, match="pair"):
                        refuses(length, width)
            else:
                np.testing.assert_allclose(exercise.reference(length, width), sinusoidal_encoding(length, width), atol=1e-6)


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: obeys_the_laws(f), "another base"),
        (lambda f: np.allclose(f(np.arange(4.0)), sinusoidal_encoding(4, 8), atol=1e-4), "the place in the list"),
        (lambda f: np.allclose(f(np.array([3.0, 1.0])), sinusoidal_encoding(4, 8)[[3, 1]], atol=1e-4), "whole positions only"),
        (lambda f: np.allclose(f(np.array([0.0]))[0, 0::2], 0), "another base"),
    ],
)
def test_a_test_of_clocks_that_looks_at_some_of_it_lets_some_through(test, missed):
    exercise = catalogue()["positions.test_encoding"]
    assert 0 < verdict(exercise, test).score < 1
    (broken,) = (mistake.answer for mistake in exercise.target.mistakes if mistake.name == missed)
    assert test(broken)


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        ((0, 1, 199), "at least 200 times as far from `p` as `q` is: 199 is not 200 × 1."),
        ((0, 0, 710), "`q` should be another position than `p`"),
        ((0, 0.5, 710), "a whole number from 0 to 800. It is 0.5"),
        ((0, 1, -710), "It is -710"),
        (([0], 1, 710), "`p` should be one number, and has shape (1,)"),
        ((0, 1), "should hold 3 arrays"),
    ],
)
def test_three_positions_that_are_none_are_told(trap, words):
    assert words in verdict(catalogue()["positions.far_and_near"], trap).message


@pytest.mark.parametrize("trap", [(0, 1, 710), (800, 799, 90), (0, 2, 402), (7, 8, 227)])
def test_every_far_position_at_which_the_hand_is_back_passes(trap):
    assert verdict(catalogue()["positions.far_and_near"], trap).passed


@pytest.mark.parametrize("hundreds", [2, 3, 4, 5, 6, 7, 8])
def test_a_round_number_is_no_far_position_at_which_the_hand_is_back(hundreds):
    seen = verdict(catalogue()["positions.far_and_near"], (0, 1, 100 * hundreds))
    assert not seen.passed
    assert "times as far" not in seen.message


def test_what_sheet_10_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("10_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np}
    by_hand, ours, replaced, which = (
        catalogue()[name] for name in ("residual.by_hand", "layers.residual", "residual.replace", "residual.which_one")
    )
    makes = np.array([[[1, 0], [1, 0]], [[0, -1], [0, 0]], [[0, 1], [1, 0]]])  # what each sublayer makes, as a matrix
    token = x = silenced = np.array([1.0, 2.0])
    for place, w in enumerate(makes):
        x, silenced = x + x @ w, silenced + (silenced @ w if place != 1 else 0)
    assert by_hand.value == [x.tolist(), silenced.tolist()]
    handed_on, below = token @ makes[0] @ makes[1] @ makes[2], token @ (np.eye(2) + makes[0]) @ (np.eye(2) + makes[1])
    firsts = [handed_on, token + (token @ makes).sum(0), token + handed_on, x - token, below @ makes[2], x, x]
    np.testing.assert_allclose([mistake.answer[0] for mistake in by_hand.mistakes], firsts)

    exec(next(cell for cell in cells if cell.startswith("NAMED = ")), names)
    assert list(names["NAMED"]) == list(NAMED)
    for question in ours.questions(0):
        for name, function in NAMED.items():  # what the sheet's table does is what is judged, on arrays and on tensors
            np.testing.assert_array_equal(names["NAMED"][name](question[0]), function(question[0]))
            np.testing.assert_array_equal(function(torch.from_numpy(question[0])), function(question[0]))
    own = solved(ours)
    for order, right in (("pre", [6.5, 0.5]), ("post", [4.0, 0.0])):  # functions of one's own will do too
        assert own(np.array([3.0, -1.0]), lambda x: x + 2, lambda x: x / 2, order).tolist() == right
    exec(next(cell for cell in cells if cell.startswith("def after(")), names)
    assert names["after"](solved(replaced)).tolist() == [3, 1, 2]

    rows = {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}
    largest = []
    for row, (attention, network, gradient, share, learned) in rows.items():
        kinds = [kind for kind, has in (("attention", attention), ("feed-forward", network)) if has == "yes"]
        arm = {"residual": kinds, "xavier": True, "rescaled": True}
        gradients = [float(one) for one in gradient.split(" · ")]
        assert [gradient_at_the_bottom(4, seed, **arm) for seed in range(3)] == pytest.approx(gradients, abs=0.06)
        shares, limit = [own_shares(4, seed, **arm)[-1] for seed in range(3)], float(share[2:])
        assert max(shares) < limit if share[0] == "<" else min(shares) > limit
        accuracies = [float(one) for one in learned.split(" · ")]
        if row in "BC":
            assert echo_accuracy(4, 0, **arm) == pytest.approx(accuracies[0], abs=0.05)
        largest += [max(gradients)] if max(accuracies) < 0.5 else []
    assert list(rows) == list("ABCD")
    assert which.right["value"] == max(largest)


def test_what_sheet_08_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("08_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np, "math": math}
    unseen, previous, sight = (catalogue()[f"positions.{name}"] for name in ("unseen", "previous", "sight"))
    trained = {start + i for start in range(41) for n in range(4, 25) for i in range(n)}
    assert unseen.value == [max(trained) + 1, 23, min(p for p in range(128) if p not in range(24))]

    exec(next(cell for cell in cells if cell.startswith("def scores(")), names)
    q, k = map(np.array, solved(previous))
    shown = names["scores"](q, k, furthest=79)  # what is shown is what is judged
    turned = rotate(torch.from_numpy(np.array([q] * 80)).double(), torch.arange(80)).numpy() @ k  # the key at 0
    np.testing.assert_allclose(shown, turned, atol=1e-9)
    assert shown[:20].argmax() == 1
    assert np.delete(shown[:20], 1).max() == pytest.approx(96, abs=0.1) == shown[7]
    assert shown[1] - shown[45] < 0.02

    rows = {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}
    for first, asked in (("A", "previous"), ("C", "first")):
        assert asked.replace("previous", "before") in rows[first][0]
        model = train_copier("rotary", asked)
        for row, reach in ((first, 80), (chr(ord(first) + 1), 20)):
            right = accuracy(model, asked, reach=reach)
            seen = [right[:19].mean().item(), right[59:].mean().item()]
            assert seen == pytest.approx([float(entry) for entry in rows[row][2:]], abs=0.12)  # trained on another processor
    assert sight.right["value"] == 80


def test_the_rotation_of_sheet_08_equals_the_librarys():
    for seed in SEEDS:
        for x, positions in catalogue()["positions.rotate"].questions(seed):
            expected = rotate(torch.from_numpy(x), torch.from_numpy(positions))
            np.testing.assert_allclose(catalogue()["positions.rotate"].reference(x, positions), expected, atol=1e-12)


def test_a_rotation_in_float32_is_not_failed_by_rounding():
    def in_float32(x, positions):
        x, d = torch.as_tensor(x).float(), x.shape[-1]
        turns = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2).float() / d)
        angles = torch.as_tensor(positions)[:, None].float() * turns
        first, second = x[..., 0::2], x[..., 1::2]
        both = first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()
        return torch.stack(both, -1).flatten(-2)

    for seed in range(200):
        assert verdict(catalogue()["positions.rotate"], in_float32, seed).passed


@pytest.mark.parametrize("degrees", [0, 33, 140, -77])
def test_every_query_and_key_that_find_the_token_before_pass(degrees):
    previous, (q, k) = catalogue()["positions.previous"], solved(catalogue()["positions.previous"])
    a = math.radians(degrees)
    turn = np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])
    assert verdict(previous, (turn @ q, turn @ k)).passed
    assert verdict(previous, (np.multiply(q, 10).tolist(), torch.tensor(k).float() * 0.8)).passed  # another length of each
    assert not verdict(previous, (np.array(q), turn @ k)).passed or degrees == 0


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        (([10, 0], [10, 0, 0]), "`k` should have shape (2,), and has shape (3,)"),
        (([1000, 0], [10, 0]), "Keep all within ±100"),
        (([10, 0], [10 * math.cos(3), 10 * math.sin(3)]), "lies 141.61 below that of the key 3 back"),
        (([10, 0],), "should hold 2 arrays in this order: q, k"),
    ],
)
def test_hands_that_find_another_token_are_told(hands, words):
    assert words in verdict(catalogue()["positions.previous"], hands).message


def test_what_sheet_11_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("11_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np}
    one, twice, company, world = (
        catalogue()[f"layers.{name}"] for name in ("standardised", "two_epsilons", "company", "which_world")
    )
    token, gamma, beta = (
        torch.tensor(numbers, dtype=torch.float64) for numbers in ([2, 4, 5, 6, 8], [2, 1, 3, 1, 2], [0, 1, 1, 0, -1])
    )
    assert "[2, 4, 5, 6, 8]. LayerNorm has γ = [2, 1, 3, 1, 2] and β = [0, 1, 1, 0, −1]" in text
    np.testing.assert_allclose(one.value, torch.nn.functional.layer_norm(token, (5,), gamma, beta), atol=1e-4)

    for start in ("def one_epsilon(", "ours = "):
        exec(next(cell for cell in cells if cell.startswith(start)), names)
    rng = np.random.default_rng(0)
    for spread in [*10.0 ** np.arange(-5, 3, 0.25), *np.arange(0.0005, 0.012, 1e-4)]:  # what is shown is what is judged
        x = spread * np.array([1.0, -1.0, 1.0, -1.0])
        assert verdict(twice, x).passed == (names["apart"](x) > 0.001)
        assert names["one_epsilon"](x) == pytest.approx(torch.nn.functional.layer_norm(torch.tensor(x), (4,)).numpy())
    for drawn in [*rng.normal(2, 3, (300, 3, 3)), *(np.array(solved(company)) + rng.normal(0, 0.5, (300, 3, 3)))]:
        first, second, third = names["ours_among"](drawn)
        assert verdict(company, drawn).passed == (first > 1 and abs(second) < 0.1 and third < -1)
    of_torch = torch.nn.BatchNorm1d(3, dtype=torch.float64)(torch.tensor([[1.0, 2, 3], *solved(company)], dtype=torch.float64))
    np.testing.assert_allclose(names["ours_among"](solved(company)), of_torch[0].detach())

    rows = {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}
    losses = {row: [float(loss) for loss in entries[5:]] for row, entries in rows.items()}
    stuck, learns = losses["A"] + losses["E"] + losses["F"], losses["B"] + losses["C"] + losses["D"]
    assert min(stuck) - max(learns) == pytest.approx(world.right["value"])
    assert max(max(runs) - min(runs) for runs in losses.values()) == pytest.approx(0.16)  # as a diagnosis says
    for row in "BCDF":
        assert sum(a != b for a, b in zip(rows["A"][:5], rows[row][:5], strict=True)) == 1


def test_the_layer_norm_of_sheet_11_is_the_librarys():
    exercise = catalogue()["layers.layer_norm"]
    for seed in SEEDS:
        for *arrays, eps in exercise.questions(seed):
            expected = layer_norm(*map(torch.from_numpy, arrays), eps)
            np.testing.assert_allclose(exercise.reference(*arrays, eps), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("x", "words"),
    [
        ([[0.0, 0.006]], "one token: a row of 2 to 16 numbers. It has shape (1, 2)"),
        ([0.003], "It has shape (1,)"),
        (np.zeros(17), "It has shape (17,)"),
        ([0, 1e6], "between −1000 and 1000"),
        ([5.0, 5.0, 5.0], "With however many"),
    ],
)
def test_a_token_that_shows_no_second_epsilon_is_told(x, words):
    assert words.lower() in verdict(catalogue()["layers.two_epsilons"], x).message.lower()


@pytest.mark.parametrize("x", [[0.0, 0.006], [7.004, 7.0, 7.004, 6.996], torch.tensor([0.01] + [0.0] * 15)])
def test_every_token_that_spreads_by_about_the_root_of_epsilon_passes(x):
    assert verdict(catalogue()["layers.two_epsilons"], x).passed


@pytest.mark.parametrize(
    ("company", "words"),
    [
        ([[1, 5, 3], [1, 5, 3], [1, 5, 3]], "the first number of our token comes out as 0.00; it should be above 1"),
        ([[0, 2, 3], [0, 2, 3], [0, 2, 3]], "One of the two outer numbers is turned"),
        ([[0, 3, 4], [0, 3, 4], [0, 3, 4]], "The first and the third number are turned."),
        ([[0, 2], [0, 2], [0, 2]], "`company` should have shape (3, 3), and has shape (3, 2)"),
        ([[0, 2, 4000], [0, 2, 4], [0, 2, 4]], "Keep all within ±1,000"),
    ],
)
def test_a_company_that_does_not_turn_our_token_is_told(company, words):
    seen = verdict(catalogue()["layers.company"], company)
    assert not seen.passed
    assert words in seen.message


def test_the_layer_of_sheet_12_equals_torchs():
    exercise = catalogue()["encoder.layer"]
    for seed in SEEDS:
        for x, weights, h, mask in exercise.questions(seed):
            tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
            for theirs in TORCH_ANSWERS["encoder.layer"]:
                expected = theirs(torch.from_numpy(x), tensors, h, torch.from_numpy(mask))
                np.testing.assert_allclose(exercise.reference(x, weights, h, mask), expected, atol=1e-9)


def test_what_sheet_12_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("12_"))
    text = "\n".join(cell.source for cell in authoring.build(source).cells)
    sizes, layer, hub, maps = (catalogue()[f"encoder.{name}"] for name in ("sizes", "layer", "hub", "which_layer"))

    encoder = Encoder(StackConfig(d_model=20, num_heads=4, num_layers=3, d_ff=50, dropout=0.0))
    for each in encoder.layers:  # no biases in attention
        each.self_attention = MultiHeadAttention(20, 4, bias=False)
    with attention_maps(encoder) as weights:
        memory = encoder(torch.randn(2, 7, 20))
    parameters = [sum(p.numel() for p in part.parameters()) for part in (encoder.layers[0], encoder)]
    assert sizes.value == [weights["layers.0.self_attention"].numel(), *parameters, memory.numel()]

    told = set(re.findall(r'\["(\w+)"\]', text))
    for _, weights, _, _ in layer.questions(0):
        assert set(weights) == told

    encoder = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0)).double()
    x = torch.randn(7, 8, dtype=torch.float64)
    for mistake in hub.mistakes:  # what the exercise says of a mask is what two layers do with it
        for mask in (solved(hub), mistake.answer, *mistake.also):
            may = torch.from_numpy(np.asarray(mask) > 0)
            if may.any(-1).all():
                moves = influence(lambda tokens, may=may: encoder(tokens[None], may)[0], x) > 0
                assert np.array_equal(moves, heard(np.asarray(mask)))
    assert hub.violation(None, np.asarray(solved(hub), float)) is None
    assert np.asarray(solved(hub)).sum() == MOST == 12

    encoder = Encoder(StackConfig(d_model=8, num_heads=2, num_layers=3, d_ff=16, dropout=0.0)).double()
    real = (torch.arange(5) < 3)[None]

    def after(*masks):
        def run(tokens):
            tokens = tokens[None]
            for each, mask in zip(encoder.layers, masks, strict=False):
                tokens = each(tokens, mask)
            return tokens[0]

        return (influence(run, x[:5]) > 0).int()

    shown = [[part.split() for part in re.split(r"\s{4,}", row)[1:]] for row in re.findall(r"^ \d    .*$", text, re.MULTILINE)]
    for place, given in enumerate([(real,), (real, None), (real, None, real)]):
        assert [["·■"[cell] for cell in row] for row in after(*given).tolist()] == [row[place] for row in shown]
    assert torch.equal(after(real, None, real), after(real, None, None))  # of the third layer one cannot tell
    assert after(real, real, real).sum() == maps.right["value"]


@pytest.mark.parametrize("centre", range(7))
def test_every_place_may_stand_in_the_middle(centre):
    mask = np.zeros((7, 7), dtype=bool)
    mask[centre] = mask[:, centre] = True
    hub = catalogue()["encoder.hub"]
    assert verdict(hub, mask).mistake == "themselves allowed too"  # thirteen
    mask[centre, centre] = False
    assert verdict(hub, mask).passed


@pytest.mark.parametrize(
    ("mask", "words"),
    [
        (2 * np.eye(7), "other numbers than 1 and 0"),
        (np.eye(6), "should have shape (7, 7)"),
        (np.tri(7), "place 1 has not heard of place 2; 21 of the 49 pairs are missing"),
        (np.ones((7, 7)) - np.diag([1] * 6, 1), "your mask has 43 entries True"),
    ],
)
def test_a_mask_that_does_not_do_is_told_why(mask, words):
    seen = verdict(catalogue()["encoder.hub"], mask)
    assert not seen.passed
    assert words in seen.message


def test_the_decoder_layer_of_sheet_13_equals_torchs():
    exercise = catalogue()["decoder.layer"]
    for seed in SEEDS:
        assert verdict(exercise, torch_decoder_layer, seed).passed
        for x, memory, weights, h, mask, memory_mask in exercise.questions(seed):
            d, d_ff = weights["w1"].shape
            theirs = torch.nn.TransformerDecoderLayer(d, h, d_ff, dropout=0.0, batch_first=True, dtype=torch.float64)
            for number, (part, prefix) in enumerate(((theirs.self_attn, ""), (theirs.multihead_attn, "cross_")), 1):
                three = np.concatenate([weights[f"{prefix}w_{letter}"] for letter in "qkv"], axis=1)
                part.in_proj_weight.data = torch.from_numpy(three.T)
                part.out_proj.weight.data = torch.from_numpy(weights[f"{prefix}w_o"].T)
                linear = getattr(theirs, f"linear{number}")
                linear.weight.data, linear.bias.data = (torch.from_numpy(weights[f"{w}{number}"].T) for w in "wb")
            for number in (1, 2, 3):
                norm = getattr(theirs, f"norm{number}")
                norm.weight.data, norm.bias.data = (torch.from_numpy(weights[f"{name}{number}"]) for name in ("gamma", "beta"))
            masks = {"tgt_mask": torch.from_numpy(~mask), "memory_key_padding_mask": torch.from_numpy(~memory_mask[:, 0])}
            expected = theirs(torch.from_numpy(x), torch.from_numpy(memory), **masks)
            np.testing.assert_allclose(
                exercise.reference(x, memory, weights, h, mask, memory_mask), expected.detach(), atol=1e-9
            )


def test_what_sheet_13_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("13_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    reach, trap, leak = (catalogue()[f"decoder.{name}"] for name in ("reach", "swapped", "leak"))

    decoder = Decoder(StackConfig(d_model=8, num_heads=2, num_layers=2, d_ff=16, dropout=0.0)).double()
    target, memory = torch.randn(4, 8, dtype=torch.float64), torch.randn(3, 8, dtype=torch.float64)
    window = masks.causal_mask(4) & ~masks.causal_mask(4).tril(-2)
    real = torch.tensor([[[True, True, False]]])
    maps = [
        influence(lambda x: decoder(x[None], memory[None], window, real)[0], target),
        influence(lambda x: decoder(target[None], x[None], window, real)[0], memory),
    ]
    assert (torch.cat(maps, dim=1) > 0).int().tolist() == reach.value

    names = {"np": np, "math": math}
    exec(next(cell for cell in cells if cell.startswith("def attend(")), names)
    x, one = (np.array(part, float) for part in solved(trap))
    for given in (one, np.random.default_rng(0).standard_normal((3, 2))):  # of other lengths, and of the same
        np.testing.assert_allclose(names["right_sum"](x, given), trap.reference(x, given))
        np.testing.assert_allclose(names["swapped_sum"](x, given), trap.faulty(x, given))

    rows = re.findall(r"^\| \*\*\w\*\* \| .* \| ([\d.]+) \| ([\d.]+) \|$", "\n".join(cells), re.MULTILINE)
    printed = [tuple(map(float, row)) for row in rows]
    asked = task(500, seed=1)
    masked, without = (train_sorter(causal, seed=1) for causal in (True, False))
    without.model.causal = True
    hidden = (without.model(*asked[:2]).argmax(-1) == asked[2]).float().mean()
    measured = [(masked.shown.mean(), masked.alone.mean()), (without.shown.mean(), without.alone.mean())]
    measured += [(hidden, without.alone.mean()), (commonest_digits().mean(), commonest_digits().mean())]
    np.testing.assert_allclose(printed, measured, atol=0.15)  # training differs between processors
    assert leak.right["value"] == printed[2][0]


def test_what_sheet_14_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("14_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    by_hand, too_good = catalogue()["training.by_hand"], catalogue()["training.too_good"]
    rows = [[part.strip(" *") for part in line.split("|")[2:-1]] for line in "\n".join(cells).splitlines() if line[:1] == "|"]
    texts = [[part.removeprefix("padding:").strip("* ") for part in row] for row in rows if "1/" in "".join(row)]
    logits = torch.tensor([[[math.log(f), math.log(max(1 - f, 1e-9))] for f in map(float, map(Fraction, r))] for r in texts])
    for labels, right in zip(
        ([[0] * 4] * 2, [[0] * 4, [0, 0, -100, -100]]), (by_hand.value[1], by_hand.value[0]), strict=True
    ):
        assert sequence_loss(logits, torch.tensor(labels), -100).item() == pytest.approx(right, rel=1e-6)
    assert math.exp(by_hand.value[2]) == pytest.approx(50)

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def by_probability(")), names)
    trap = catalogue()["training.underflow"]
    rng = np.random.default_rng(0)
    for logits, label in (solved(trap), *((rng.standard_normal(5) * 300, int(rng.integers(5))) for _ in range(200))):
        with np.errstate(divide="ignore"):
            assert names["by_probability"](logits, label) == trap.faulty(np.array(logits), label)
        assert names["from_logits"](logits, label) == trap.reference(np.array(logits), label)
    assert next(row for row in rows if row[1:] == ["0.0105", "1.00"])[0] == str(too_good.right["value"])


@pytest.mark.slow
def test_the_table_of_sheet_14_is_measured():
    pairs = number_texts(*(models.load("translator")[1][side] for side in ("source", "target")))

    def as_logits(model, source, target):
        inputs, labels = shift(target)
        return sequence_loss(model(source, inputs).softmax(-1), labels)

    def padding_counts(model, source, target):
        inputs, labels = shift(target)
        return sequence_loss(model(source, inputs), labels, -100)

    def not_shifted(model, source, target):
        return sequence_loss(model(source, target), target)

    losses = translation_loss, not_shifted, as_logits, padding_counts
    printed = (2.94, 0.0161, 1.0), (2.69, 0.0015, 0.0), (2.89, 2.46, 0.01), (3.44, 0.0105, 1.0)
    runs = [train_writer(pairs, loss_of) for loss_of in losses]
    for run, (first, last, exact) in zip(runs, printed, strict=True):
        assert run.printed[0] == pytest.approx(first, abs=0.01)
        assert run.printed[-1] == pytest.approx(last, rel=0.3)
        assert run.exact == pytest.approx(exact, abs=0.08)
    assert [runs[k].true[-1] for k in (0, 3)] == pytest.approx([0.01, 0.02], abs=0.005)


def test_shift_and_loss_of_sheet_14_equal_the_librarys_and_torchs():
    moved, loss = catalogue()["training.shift"], catalogue()["training.loss"]
    for seed in SEEDS:
        for targets, begin in moved.questions(seed):
            for ours, theirs in zip(moved.reference(targets, begin), shift(torch.tensor(targets), begin), strict=True):
                np.testing.assert_array_equal(ours, theirs)
        for logits, labels, pad in loss.questions(seed):
            theirs = sequence_loss(torch.tensor(logits), torch.tensor(labels), pad)
            assert loss.reference(logits, labels, pad) == pytest.approx(theirs.item(), rel=1e-9)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda t, begin: None, "nothing came back"),
        (lambda t, begin: (t, t, t), "3 values came back"),
        (lambda t, begin: 7, "a single one came back"),
        (lambda t, begin: t + 1, "a single one came back"),
        (lambda t, begin: ("a", t), "the inputs are no array of numbers"),
        (lambda t, begin: (t[:1], t), "the inputs should have shape (2, 5), and have (1, 5)"),
        (lambda t, begin: (catalogue()["training.shift"].reference(t, begin)[0], t + 1), "row 0 of the labels should be"),
        (lambda t, begin: np.stack(catalogue()["training.shift"].reference(t, begin)) * 2, "row 0 of the inputs should be"),
    ],
)
def test_a_pair_that_is_none_is_told(answer, words):
    seen = verdict(catalogue()["training.shift"], answer)
    assert not seen.passed
    assert words in seen.message


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        (([1.0], 0), "one row of 2 to 8 numbers"),
        (([[1.0, 2.0]], 0), "one row of 2 to 8 numbers"),
        (([0.0, 2000.0], 0), "between −1000 and 1000"),
        (([0.0, 800.0], 2), "a whole number from 0 to 1"),
        (([0.0, 800.0], 0.5), "a whole number from 0 to 1"),
        (([0.0, 800.0], -2), "a whole number from 0 to 1"),
        ([0.0, 800.0, 0.0], "should hold 2 arrays"),
    ],
)
def test_logits_that_are_no_trap_are_told(trap, words):
    assert words in verdict(catalogue()["training.underflow"], trap).message


@pytest.mark.parametrize("trap", [([800.0, 3.0, 800.0], 1), ([-1000.0, -200.0], 0), ([-500.0, 500.0, 499.0], 0)])
def test_every_label_far_below_the_largest_passes(trap):
    assert verdict(catalogue()["training.underflow"], trap).passed


def test_what_sheet_15_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("15_"))
    text = "\n".join(cell.source for cell in authoring.build(source).cells)
    with torch.device("meta"):
        sizes = {"d_model": 256, "num_heads": 4, "num_layers": 4, "d_ff": 1024, "norm": "pre"}
        gpt = GPT(TransformerConfig(**sizes, vocabulary_size=10_000, max_length=128, positions="learned"))
    layer = gpt.stack.layers[0]
    counts = [sum(p.numel() for p in part.parameters()) for part in (layer.self_attention, layer, gpt)]
    assert catalogue()["transformer.parameters"].value == counts

    step, rare = catalogue()["training.step"], catalogue()["training.rare"]
    given, listed = (part.split("\n```")[0] for part in text.split("```python\n")[1:3])
    assert given == step.given.strip()
    assert listed == "\n".join(f"{letter}   {line}" for letter, line in step.lines.items())
    assert (len(step.lines), step.needed) == (8, 5)
    for probe in step.draw(np.random.default_rng(0)):  # the cut has something to do, and the old gradient as well
        x, y, w = probe["x"], probe["y"], probe["w"]
        assert np.linalg.norm(2 * x.T @ (x @ w - y) / len(y)) > 1
        assert probe["grad"].any()
    example = next(line for line in text.splitlines() if line.startswith('{"copies"'))
    assert verdict(rare, [eval(example)]).reason == "mistake"  # its form is right
    assert f"At most {rare.most} runs" in text
    rows = {row[1].strip(" `"): row[2] for row in (line.split("|") for line in text.splitlines()) if len(row) == 5}
    for name in ("copies", "steps", "d_model"):
        assert tuple(map(int, rows[name].split(","))) == rare.fields[name]
    assert sum(len(words) <= 2 for words, _ in number_pairs().train) == 103
    assert "103" in text


def test_what_sheet_16_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("16_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    by_hand, tree = catalogue()["decoding.by_hand"], catalogue()["decoding.tree"]
    rows = [[part.strip(" *") for part in line.split("|")[1:-1]] for line in "\n".join(cells).splitlines() if line[:1] == "|"]
    totals = {}
    for name in "AB":
        row = next(row for row in rows if row[0] == name and "1/2" in row)
        factors = [float(Fraction(part)) for part in row[1:] if part]
        totals[name] = [math.log(math.prod(factors)), (5 + len(factors)) / 6]
    (short, penalty), (long, longer) = totals.values()
    p = next_token_distribution(torch.tensor([0.64, 0.16, 0.16, 0.04]).log(), temperature=2)
    np.testing.assert_allclose(by_hand.value, [short, short / penalty, long / longer, p[0]], rtol=1e-6)
    assert short > long
    assert short / penalty < long / longer

    names = {"np": np}
    exec(next(cell for cell in cells if "STEPS = {" in cell), names)
    assert list(names["STEPS"]) == list(STEPS)
    for name, function in STEPS.items():  # what the sheet's table does is what is judged
        for ids in ([3], [2, 6], [1, 4, 0, 5]):
            assert np.array_equal(names["STEPS"][name](ids), function(ids))

    exec(next(cell for cell in cells if cell.startswith("def beam_of_two(")), names)
    rng = np.random.default_rng(0)
    for first, then in (names["example"], solved(tree), *((rng.random(3), rng.random((3, 3))) for _ in range(200))):
        assert names["beam_of_two"](first, then) == tree.faulty(np.array(first), np.array(then))
        assert names["most_probable"](first, then) == tree.reference(np.array(first), np.array(then))
    assert names["beam_of_two"](*names["example"]) == names["most_probable"](*names["example"])  # it is no answer

    measured = {row[0]: row[2:] for row in rows if len(row) == 4 and row[0] in "ABCDE"}
    model, vocabularies = models.load("gpt-pre")
    text, passes = vocabularies["text"], []
    model.stack.register_forward_hook(lambda *_: passes.append(1))
    letters = "GREEK SMALL LETTER OMEGA WITH PSILI AND VARIA AND YPOGEGRAMMENI"[:60]
    ids = torch.tensor([[text.begin, *text.encode(letters)]])

    def written(rows, given):
        run, new = Run(model, ids[:, : given + 1].repeat(rows, 1), 60 - given), ids[:, : given + 1].repeat(rows, 1)
        with reading(model):
            for place in range(given, 60):
                run.step(new)
                new = ids[:, place + 1 : place + 2].repeat(rows, 1)

    counted = []
    with torch.no_grad():
        runs = [lambda: model(ids), lambda: [model(ids[:, : k + 1]) for k in range(60)]]
        for do in (*runs, lambda: written(1, 0), lambda: written(1, 40), lambda: written(32, 0)):
            passes.clear()
            do()
            counted.append(len(passes))
    assert counted == [int(passes) for passes, _ in measured.values()]
    assert catalogue()["decoding.parallel"].right["value"] == counted[3]


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        (([0.5, 0.5], [[1, 0], [0, 1]]), "should hold 3 numbers and `then` 3 rows of 3"),
        (([0.4, 0.3, 0.2], np.full((3, 3), 1 / 3)), "each row with the sum 1"),
        (([0.5, 0.3, 0.2], np.full((3, 3), 1 / 3)), "at least 0.3: the smallest is 0.2"),
        (([0.36, 0.33, 0.31], np.eye(3)), "above 0.6: the largest is 1"),
        (([1 / 3] * 3, np.full((3, 3), 1 / 3)), "chance would decide"),
    ],
)
def test_a_tree_that_is_none_is_told(trap, words):
    assert words in verdict(catalogue()["decoding.tree"], trap).message


def test_top_p_of_sheet_16_equals_the_librarys():
    exercise = catalogue()["decoding.top_p"]
    for seed in SEEDS:
        for probabilities, p in exercise.questions(seed):
            if p in (0.3, 0.6, 0.7, 0.8, 0.9, 1.0):  # by way of logarithms, a sum that is just p is not met exactly
                expected = next_token_distribution(torch.from_numpy(probabilities).log(), top_p=min(p, 1 - 1e-9))
                np.testing.assert_allclose(exercise.reference(probabilities, p), expected, atol=1e-9)


def test_ids_that_are_wrong_in_a_new_way_are_told_as_a_text():
    exercise = catalogue()["decoding.greedy"]
    seen = verdict(exercise, lambda *question: 6 - exercise.reference(*question))
    assert re.search(r"the ids should be \[[\d, ]+\], and are \[[-\d, ]+\]\.", seen.message)


def test_what_sheet_17_says_of_its_exercises_is_so(capsys):
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("17_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    by_hand, trap, verdict_ = (catalogue()[f"cost.{name}"] for name in ("by_hand", "forgetful", "three_programs"))

    n, d, width = 40, 32, 2  # what is linear or square in a size is measured at a small one
    x, network = torch.ones(n, d), FeedForward(d, 2 * d)
    table = multiplications(lambda: scaled_dot_product_attention(x, x, x))
    assert by_hand.value[0] == pytest.approx(table * (4000 / n) ** 2 * (1024 / d) / 1e9)
    for length, ratio in ((d, 0.5), (2 * d, 1), (4 * d, 2)):
        x = torch.ones(length, d)
        assert multiplications(lambda x=x: scaled_dot_product_attention(x, x, x)) == ratio * multiplications(
            lambda x=x: network(x)
        )
    assert by_hand.value[1] == 2 * 1024
    model = GPT(
        TransformerConfig(vocabulary_size=9, d_model=d, num_heads=2, num_layers=3, d_ff=8, max_length=n, positions="learned")
    )
    caches = model.caches(n)
    with torch.no_grad():
        model(torch.ones(1, n, dtype=torch.int64), caches)
    numbers = sum(part.numel() for cache in caches for part in cache.all())
    assert by_hand.value[2] == pytest.approx(numbers * width * (24 / 3) * (4000 / n) * (1024 / d) / 1e6)

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("def forgetful(")), names)
    rng = np.random.default_rng(0)
    for given in (solved(trap), *((rng.uniform(-20, 20, 4), rng.uniform(-20, 20, 4)) for _ in range(200))):
        for shown, judged in (("forgetful", trap.faulty), ("right", trap.reference)):
            np.testing.assert_allclose(names[shown](*given), judged(*map(np.array, given)))
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [left == right for left, right in printed] == [True, True]  # what is shown gives nothing away

    rows = [
        [part.strip(" *") for part in line.split("|")[1:-1]]
        for line in "\n".join(cells).splitlines()
        if line.startswith("|") and "→" in line
    ]
    assert [row[0] for row in rows] == ["A", "B", "C"]
    for length, place in ((1024, 0), (4096, 1)):
        q, k, v = torch.randn(3, length, 64, generator=torch.Generator().manual_seed(0))
        plain = scaled_dot_product_attention(q, k, v)[0]
        for program, (_, megabytes, millions, apart) in zip((in_one, attention_in_blocks, in_windows), rows, strict=True):
            run = partial(program, q, k, v)
            assert float(megabytes.split(" → ")[place]) == pytest.approx(costs.memory(run).working / 1e6, abs=0.06)
            assert float(millions.split(" → ")[place]) == pytest.approx(multiplications(run) / 1e6, abs=0.5)
            differs = (run() - plain).abs().max().item()
            if apart.startswith("below"):
                assert differs < float(apart.split()[1])
            elif length == 4096:
                assert differs == pytest.approx(float(apart), abs=0.005)
    assert verdict_.right["value"] == float(rows[2][3])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda cache, key, value: None, "nothing came back"),
        (lambda cache, key, value: {"key": key}, "a mapping with `key` came back"),
        (lambda cache, key, value: {}, "a mapping with nothing in it came back"),
        (lambda cache, key, value: {"keys": key, "values": value}, "a mapping with `keys`, `values` came back"),
        (lambda cache, key, value: key, "ndarray came back"),
        (lambda cache, key, value: {"key": "x", "value": value}, '"key" is no array of numbers'),
        (lambda cache, key, value: {"key": key[0], "value": value}, '"key" should have shape (1, 2, 4, 4), and has (2, 1, 4)'),
        (lambda cache, key, value: catalogue()["decoding.extend_cache"].reference(cache, key, value) * 2, "first at token 0"),
        (lambda cache, key, value: cache.update(key=key) or cache, "should have shape"),
    ],
)
def test_a_cache_that_is_none_is_told(answer, words):
    seen = verdict(catalogue()["decoding.extend_cache"], answer)
    assert not seen.passed
    assert words in seen.message


def test_a_cache_that_was_written_into_is_told():
    def in_place(cache, key, value):
        cache["key"], cache["value"] = catalogue()["decoding.extend_cache"].reference(cache, key, value)
        return cache

    seen = verdict(catalogue()["decoding.extend_cache"], in_place)
    assert (seen.passed, seen.reason, seen.score) == (False, "edited", 0.5)
    assert "the caller's mapping" in seen.hint


@pytest.mark.parametrize(
    ("trap", "words"),
    [
        (([1.0, 2.0], [3.0, 4.0]), "`scores` should be a row of 4 numbers"),
        (([[1.0, 2.0, 3.0, 4.0]], [3.0] * 4), "`scores` should be a row of 4 numbers"),
        (([0.0, 0.0, 5.0, 0.0], [1.0, 2.0, 3.0]), "`values` should be a row of 4 numbers"),
        (([0.0, 0.0, 21.0, 0.0], [1.0, 2.0, 3.0, 4.0]), "all scores between −20 and 20"),
        (([0.0, 0.0, 5.0, 0.0], [1.0, 2.0, 3.0, -40.0]), "all values between −20 and 20"),
    ],
)
def test_scores_and_values_that_are_no_trap_are_told(trap, words):
    assert words in verdict(catalogue()["cost.forgetful"], trap).message


@pytest.mark.parametrize("trap", [([0, 0, 1, 0], [0, 0, 1, 1]), ([-20, 3, 4, -20], [5, 1, 9, 0]), torch.eye(4)[[2, 3]]])
def test_every_trap_with_the_larger_score_later_passes(trap):
    assert verdict(catalogue()["cost.forgetful"], trap).passed


@pytest.mark.parametrize("exact", [np.float32, np.float64])
def test_an_online_softmax_of_sheet_17_equals_torchs(exact):
    online = catalogue()["cost.online_softmax"]
    for seed in SEEDS:
        for (blocks,) in online.questions(seed):
            scores = torch.cat([torch.from_numpy(scores.astype(exact)) for scores, _ in blocks], -1)
            values = torch.cat([torch.from_numpy(values.astype(exact)) for _, values in blocks], -2)
            np.testing.assert_allclose(online.reference(blocks), scores.softmax(-1) @ values, rtol=1e-4, atol=1e-5)


def test_what_sheet_19_says_of_its_exercises_is_so():
    cells, rows = rows_of_sheet_19()
    angles = catalogue()["residual.right_angles"]
    e, *others = 3 * np.eye(3)[0], 4 * np.eye(3)[1], 12 * np.eye(3)[2]
    top = e + others[0] + others[1]
    pre = [np.linalg.norm(top), 4 / np.linalg.norm(e), 12 / np.linalg.norm(e + others[0]), top @ e / (e @ e)]
    post = e
    for axis in (1, 2):
        post = post + 4 * np.eye(3)[axis]
        post = post * 3 / np.linalg.norm(post)
    np.testing.assert_allclose(angles.value, [*pre, post @ e / (e @ e)])

    names = {"np": np}
    exec(next(cell for cell in cells if cell.startswith("stream = np.array(")), names)
    np.testing.assert_array_equal(names["stream"], STREAM)
    for other in (STREAM, *np.random.default_rng(0).standard_normal((20, 4))):  # what is shown is what is judged
        np.testing.assert_allclose(names["read"](other), read_edits(other))

    table = {row[0]: [float(entry) for entry in row[1:]] for row in rows if row[0] in "123456" and len(row) == 5}
    longest = max((size, lost) for row in table.values() for size, lost in (row[:2], row[2:]))
    assert longest == (1.06, catalogue()["residual.which_edit"].right["value"])
    assert min(min(row[0], row[2]) for row in table.values()) > 1 / 3  # "no edit is shorter than a third"

    plan = catalogue()["residual.plan"]
    example = next(cell for cell in cells if cell.startswith('{"blocks"'))
    assert verdict(plan, [eval(example)]).reason == "mistake"  # its form is right
    assert f"At most {plan.most} runs" in "\n".join(cells)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ([0, 0.2, 0, 0], [-9, -9, -9, -9]),
        ([-0.25, 0, 0, 0], [4, 2, -2, -4]),  # twice the stream
        ([-0.1, 0.1, 0, 0], [14, 13, 11, 10]),  # both at once: its pattern, and the same number everywhere
    ],
)
def test_other_short_and_long_edits_pass(short, long):
    assert verdict(catalogue()["residual.two_edits"], (short, long)).passed


def test_edits_that_miss_are_told_by_how_much():
    violation = catalogue()["residual.two_edits"].violation
    short = np.array([-0.1, 0.2, 0, 0])
    assert "0.40; at most 0.3" in violation(STREAM, np.array([0, 0.4, 0, 0]), np.full(4, 4.0))
    assert "`long` has length 2.00" in violation(STREAM, short, np.full(4, 1.0))
    assert "moves a probability by" in violation(STREAM, short, -2 * STREAM)


def test_who_wrote_adds_up_to_the_lens_of_the_whole_stream():
    exercise = catalogue()["residual.who_wrote"]
    for seed in SEEDS:
        for question in exercise.questions(seed):
            parts, gamma, table = map(torch.from_numpy, question[:3])
            whole = layer_norm(parts.sum(0), gamma, torch.zeros_like(gamma), question[3]) @ table.T
            np.testing.assert_allclose(exercise.reference(*question).sum(0), whole, atol=1e-9)


@torch.no_grad()
def test_the_tables_of_sheet_19_are_measured():
    _, rows = rows_of_sheet_19()
    printed = np.array([[float(entry) for entry in row[1:]] for row in rows if row[0] in "123456" and len(row) == 5])
    model, vocabularies = models.load("gpt-pre")
    measured = []
    for seed in range(3):
        inputs, labels, real = stream.draw_names(vocabularies["text"], 40, seed)
        parts = stream.sublayers(model)
        below, *edits = stream.catch(model, [model.input, *parts], inputs)
        right, found = stream.accuracy(model(inputs), labels, real), []
        for part, edit in zip(parts, edits, strict=True):
            with stream.replaced(part, lambda _, made: 0 * made):
                lost = right - stream.accuracy(model(inputs), labels, real)
            found.append(((edit[real].norm(dim=-1) / below[real].norm(dim=-1)).mean().item(), lost))
            below = below + edit
        measured.append(found)
    np.testing.assert_allclose(printed, np.median(measured, axis=0).reshape(6, 4), atol=0.008)
    reported = [row for row in rows if row[0] in ("trained", "untrained") and len(row) == 7]
    for blocks, lens, names, after, seed, _, share in reported:
        assert stream.reading(blocks, lens, names, int(after), int(seed)) == pytest.approx(float(share), abs=0.008)
    assert len(reported) == 2


def test_what_sheet_20_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("20_"))
    text = "\n".join(cell.source for cell in authoring.build(source).cells)
    by_hand, row, table, plan = (catalogue()[f"explain.{name}"] for name in ("by_hand", "twin", "verdict", "spare"))

    rows = re.findall(r"^\| \d \| ([\d.]+) \| \[(\d), (\d)\] \|$", text, re.MULTILINE)
    weights, *values = np.array(rows, float).T
    scores, values = torch.tensor(weights).log()[None, None], torch.tensor(np.array(values).T)[None]
    seen = torch.tensor([[True, True, True]]), torch.tensor([[False, True, True]])
    before, after = (scaled_dot_product_attention(torch.ones(1, 1, 1).double(), scores.mT, values, may)[0] for may in seen)
    contributions = torch.from_numpy(weights) * values[0].norm(dim=-1)
    np.testing.assert_allclose(by_hand.value, [*contributions, (after - before).norm()])

    given = np.array(re.search(r"the weights ([\d., ]+) and ([\d.]+), so", text).group(1).split(", "), float)
    np.testing.assert_allclose(GIVEN, [*given, 0.5])
    np.testing.assert_allclose(GIVEN @ VALUES, [1.1, 1.1])
    for other in ([0.35, 0.1, 0.1, 0.45, 0], [0.1, 0.35, 0.35, 0.2, 0], [0.225, 0.225, 0.225, 0.325, 0]):
        assert verdict(row, other).passed

    model, vocabularies = models.load("gpt-pre")
    encode, begin = vocabularies["text"].encode, vocabularies["text"].begin
    names = ("RIGHTWARDS HARPOON WITH BARB UP ABOVE RIGHTWARDS HARPOON WITH BARB DOWN",
             "BOX DRAWINGS LIGHT DIAGONAL MIDDLE LEFT TO UPPER CENTRE TO MIDDLE RIGHT")  # fmt: skip
    first, second = (torch.tensor([begin, *encode(name)]) for name in names)
    model, used = model.double(), {letter: [] for letter in "ABCDE"}
    rng = np.random.default_rng(0)
    others = {
        "A": lambda w, v: w,
        "B": twin_maps.twin,
        "C": lambda w, v: rng.permutation(w),
        "D": lambda w, v: used["B"][len(used["D"])],
        "E": lambda w, v: used["A"][len(used["E"])],
    }
    measured = {}
    for letter, other in others.items():
        tokens = second if letter in "DE" else first

        def noted(w, v, letter=letter, other=other):
            used[letter].append(other(w, v))
            return used[letter][-1]

        change = twin_maps.logits_with_other(model, tokens, noted) - model(tokens[None])[0, -1].detach()
        measured[letter] = f"{change.abs().max():.2f}", f"{used[letter][22][used['A'][22].argmax()]:.3f}"
    measured |= {letter: (measured[letter][0], "–") for letter in "DE"}
    printed = re.findall(r"^\| \*\*(\w)\*\* \| .* \| ([\d.]+) \| ([\d.]+|–) \|$", text, re.MULTILINE)
    assert {letter: (change, weight) for letter, change, weight in printed} == measured
    assert first[used["A"][22].argmax()] == encode("V")[0]
    assert float(measured["E"][0]) == table.right["value"]

    told = {
        name: re.findall(r"`\"?([\w ]+)\"?`", line)
        for name in plan.fields
        for line in text.splitlines()
        if f'`"{name}"`' in line
    }
    assert all(set(told[name][1:]) == set(plan.fields[name]) for name in ("head_1", "heads_2_to_4", "numbers"))
    example = next(c.source for c in authoring.build(source).cells if c.source.startswith('{"head_1"'))
    assert verdict(plan, [eval(example)]).reason == "mistake"  # its form is right


@pytest.mark.slow
def test_the_runs_of_sheet_20_tell_that_the_head_carries_something():
    for seed in range(3):
        alone, none, stood_in = (
            last_cross_attention(head_1, others, "unseen", seed)
            for head_1, others in (("working", "silenced"), ("silenced", "silenced"), ("silenced", "working"))
        )
        assert alone > 0.3 > 0.15 > none
        assert stood_in > 0.97


def test_what_sheet_21_says_of_its_exercises_is_so():
    (source,) = (source for source in course.sources("exercises") if source.stem.startswith("21_"))
    cells = [cell.source for cell in authoring.build(source).cells]
    text, names = "\n".join(cells), {"np": np}
    norms, near, lower, linear, side = by_lesson()["21"]

    tokens = [[3.0, -1, -3, 1], list(range(100)), [9.0, -3, -9, 3]]
    behind = [np.linalg.norm(layer_norm(torch.tensor(t), torch.ones(len(t)), torch.zeros(len(t)), 0.0)) for t in tokens[::2]]
    hundred = torch.nn.functional.layer_norm(torch.tensor(tokens[1]).float(), (100,), eps=0.0).norm()
    np.testing.assert_allclose(norms.value, [1, behind[0], hundred, behind[1]], rtol=1e-6)

    exec(next(cell for cell in cells if cell.startswith("def weights(")), names)
    for scores in np.random.default_rng(0).uniform(-5, 5, (200, 4)):  # what is shown is what is judged
        before, after = names["weights"](scores), names["weights"](scores / 2)
        farther = (np.abs(after - 1 / 4) - np.abs(before - 1 / 4)).max()
        assert verdict(near, scores.tolist()).passed == (farther >= 0.01)
        assert after.max() <= before.max()  # as the sheet says in the end
        assert after.min() >= before.min()
        two = [names["weights"](part)[0] for part in (scores[:2], scores[:2] / 2)]
        assert abs(two[1] - 1 / 2) <= abs(two[0] - 1 / 2)  # and, of two scores, a diagnosis

    exec(next(cell for cell in cells if cell.startswith("def loss_and_right(")), names)
    rng, passed, sure = np.random.default_rng(0), 0, 0
    for _ in range(300):
        a, b = rng.dirichlet([1, 1, 1], (2, 2)).clip(1e-3)
        a, b = (rows / rows.sum(1, keepdims=True) for rows in (a, b))
        (loss_a, right_a), (loss_b, right_b) = names["loss_and_right"](a), names["loss_and_right"](b)
        refutes = loss_b - loss_a >= 0.05 and right_a < right_b
        passed += refutes
        assert verdict(lower, (a, b)).passed == refutes
        sure += loss_a < np.log(2) / 2
        assert right_a == 2 or loss_a >= np.log(2) / 2  # as the sheet says afterwards
    assert 0 < passed < 100
    assert sure

    exec(next(cell for cell in cells if cell.startswith("def network(")), names)
    x = rng.standard_normal((5, 3))
    np.testing.assert_allclose(names["network"](2 * x), 2 * names["network"](x))
    assert not np.allclose(names["network"](-x), -names["network"](x))
    assert (len(linear.target.styles) + 1, len(linear.caught), len(linear.target.mistakes)) == (6, 10, 10)
    assert "six linear functions and with ten that are not" in text

    rows = {line[4]: [part.strip() for part in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("| **")}
    for row, positions in (("A", "none"), ("B", "sinusoidal"), ("C", "rotary"), ("D", "rotary")):
        moves = [moved_by_the_side(positions, seed, masked=rows[row][1] == "yes") for seed in range(3)]
        assert moves == pytest.approx([float(entry) for entry in rows[row][2:]], abs=0.006)
    assert side.right["value"] == min(float(entry) for entry in rows["B"][2:])


X_Y = np.random.default_rng(5).normal(size=(2, 5, 3))


@pytest.mark.parametrize("test", [lambda f: sums_at(1)(f) and sums_at(20)(f), as_a_matrix, mixtures])
def test_every_thorough_way_to_look_for_linearity_passes(test):
    assert verdict(catalogue()["reading.test_linear"], test).passed


@pytest.mark.parametrize(
    ("test", "missed"),
    [
        (lambda f: np.allclose(f(2 * X_Y[0]), 2 * f(X_Y[0])), "a network with ReLU"),
        (lambda f: np.allclose(f(-X_Y[0]), -f(X_Y[0])), "cubes"),
        (lambda f: sums_at(1)(f), "cut off at 6"),
        (lambda f: np.allclose(f(abs(X_Y[0]) + abs(X_Y[1])), f(abs(X_Y[0])) + f(abs(X_Y[1]))), "ReLU alone"),
    ],
)
def test_a_test_of_linearity_that_looks_at_less_lets_something_through(test, missed):
    exercise = catalogue()["reading.test_linear"]
    (broken,) = (m.answer for m in exercise.target.mistakes if m.name == missed)
    assert test(broken)
    assert 0 < verdict(exercise, test).score < 1


@pytest.mark.parametrize(
    ("models", "words"),
    [
        (([[0.45, 0.55, 0.0]] * 7, [[0.4, 0.3, 0.3]] * 7), "At most 6 will do."),
        (([[0.45, 0.55]], [[0.4, 0.6]]), "`a` should have shape (n, 3)"),
        (([[0.45, 0.55, 0.0]], [[0.4, 0.3, 0.3]] * 2), "with n = 1"),
    ],
)
def test_models_that_cannot_be_compared_are_told(models, words):
    assert words in verdict(catalogue()["reading.lower_loss"], models).message


@pytest.mark.parametrize(
    "models", [([[0.34, 0.66, 0]] * 2, [[0.9, 0.1, 0], [0.001, 0.5, 0.499]]), ([[0.48, 0.52, 0]], [[0.34, 0.33, 0.33]])]
)
def test_models_of_which_the_worse_is_right_more_often_pass(models):
    assert verdict(catalogue()["reading.lower_loss"], models).passed


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([25.0, 0.0, 0.0], "2 to 8 numbers between −20 and 20"),
        ([[1.0, 2.0, 3.0]], "`scores` should have shape (n,)"),
        ([1.0], "2 to 8"),
    ],
)
def test_scores_that_are_none_are_told(scores, words):
    assert words in verdict(catalogue()["reading.nearer"], scores).message
