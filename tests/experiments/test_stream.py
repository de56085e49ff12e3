"""The residual stream of the shipped models: captured, replaced, and decoded with lenses."""

import itertools

import pytest
import torch

from transformer_course import models
from transformer_course.data import character_names, python_docs
from transformer_course.experiments.stream import (
    accuracy,
    affine_map,
    capture_outputs,
    draw_names,
    draw_paragraphs,
    logit_lens,
    reading,
    replaced,
    streams,
    sublayers,
    tuned_lens,
    untrained_copy,
)


@pytest.fixture(scope="module")
def gpt_pre():
    model, vocabularies = models.load("gpt-pre")
    return model, vocabularies["text"]


def test_names_are_drawn_unseen_or_seen_and_padding_asks_for_nothing(gpt_pre):
    _, text = gpt_pre
    drawn = {}
    for seen, part in ((False, character_names().test), (True, character_names().train)):
        inputs, labels, real = draw_names(text, 20, seed=1, seen=seen)
        assert torch.equal(real, labels != text.pad)
        assert (inputs[:, 0] == text.begin).all()
        read_back = {"".join(text.tokens[i] for i in row[mask][:-1]) for row, mask in zip(labels, real, strict=True)}
        assert len(read_back) == 20
        assert read_back <= {name for name, _ in part}
        assert (torch.where(real, labels, text.end).amax(-1) >= text.end).all()
        drawn[seen] = inputs
    again = draw_names(text, 20, seed=1)[0]
    assert torch.equal(again, drawn[False])
    assert not torch.equal(draw_names(text, 20, seed=2)[1][:, :5], again[:, 1:6])


@torch.no_grad()
def test_what_is_caught_is_what_came_out_in_the_order_that_was_asked(gpt_pre):
    model, text = gpt_pre
    inputs, _, _ = draw_names(text, 3, seed=0)
    seven, edits = streams(model, inputs), capture_outputs(model, sublayers(model), inputs)
    assert (len(seven), len(edits)) == (7, 12)
    torch.testing.assert_close(seven[0], model.input(inputs))
    torch.testing.assert_close(seven[1] - seven[0], edits[0] + edits[1], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(logit_lens(model, seven[-1]), model(inputs))
    assert torch.equal(capture_outputs(model, sublayers(model)[::-1], inputs)[0], edits[-1])
    assert not any(part._forward_hooks for part in model.modules())


@torch.no_grad()
def test_a_part_is_replaced_within_its_block_alone(gpt_pre):
    model, text = gpt_pre
    inputs, _, _ = draw_names(text, 3, seed=0)
    whole, seven = model(inputs), streams(model, inputs)
    with replaced(model.stack.layers[0], lambda below, above: below):
        torch.testing.assert_close(streams(model, inputs)[1], seven[0])
        assert not torch.allclose(model(inputs), whole)
    with pytest.raises(ZeroDivisionError), replaced(model.stack.layers[0], lambda below, above: 1 / 0):
        model(inputs)
    assert torch.equal(model(inputs), whole)


def test_an_affine_map_finds_a_matrix_and_a_bias_even_where_few_rows_differ():
    generator = torch.Generator().manual_seed(0)
    x, matrix, bias = (torch.randn(*shape, generator=generator) for shape in ((50, 4), (4, 3), (3,)))
    torch.testing.assert_close(affine_map(x, x @ matrix + bias)(x[:5]), x[:5] @ matrix + bias, atol=1e-4, rtol=1e-4)
    few = x[:2].repeat(20, 1)
    torch.testing.assert_close(affine_map(few, few @ matrix)(few), few @ matrix, atol=1e-3, rtol=1e-3)


@torch.no_grad()
@pytest.mark.slow
def test_a_fitted_lens_reads_more_than_the_plain_one_and_its_controls_less(gpt_pre):
    model, text = gpt_pre
    inputs, labels, real = draw_names(text, 40, seed=5)
    seven = streams(model, inputs)
    plain = [accuracy(logit_lens(model, stream), labels, real) for stream in seven]
    tuned = [accuracy(lens(stream), labels, real) for lens, stream in zip(tuned_lens(model, text, 5), seven, strict=True)]
    assert plain[2] < 0.1 < 0.3 < tuned[2] < tuned[6]
    assert tuned[6] == pytest.approx(plain[6], abs=0.01)  # the best map from the last stream to itself is the identity
    of_the_copy = zip(tuned_lens(model, text, 5, untrained=True), streams(untrained_copy(model, 5), inputs), strict=True)
    bottom, *_, untrained, _, _ = (lens(stream) for lens, stream in of_the_copy)
    assert accuracy(bottom, labels, real) == pytest.approx(
        tuned[0], abs=0.02
    )  # before the first block, both have the same information
    assert 0.2 < accuracy(untrained, labels, real) < tuned[4] - 0.2
    assert reading("trained", "tuned", "others", 2, 5) == pytest.approx(tuned[2], abs=1e-6)
    assert reading("trained", "plain", "others", 6, 5) == pytest.approx(plain[6], abs=1e-6)
    assert reading("untrained", "tuned", "others", 4, 5) == pytest.approx(accuracy(untrained, labels, real), abs=1e-6)
    assert reading("trained", "tuned", "fitted", 2, 5) > tuned[2]


def test_a_new_twin_leaves_the_random_numbers_as_they_were(gpt_pre):
    model, _ = gpt_pre
    torch.manual_seed(3)
    first = torch.rand(1)
    torch.manual_seed(3)
    one, other = untrained_copy(model, 0), untrained_copy(model, 1)
    assert torch.equal(torch.rand(1), first)
    assert not torch.equal(one.output.weight, other.output.weight)
    assert one.config == model.config


@torch.no_grad()
def test_what_lesson_19_shows_of_the_shipped_models(gpt_pre):
    model, text = gpt_pre
    inputs, labels, real = draw_names(text, 40, seed=4)
    seven = streams(model, inputs)
    assert accuracy(logit_lens(model, seven[0]), inputs, real) > 0.9  # on the embeddings, the lens reads the input
    right, lost = accuracy(model(inputs), labels, real), []
    for block in model.stack.layers:
        with replaced(block, lambda below, above: below):
            lost.append(right - accuracy(model(inputs), labels, real))
    assert lost[0] > 0.4 > 0.15 > lost[5]
    shares = [((b - a)[real].norm(dim=-1) / a[real].norm(dim=-1)).mean() for a, b in itertools.pairwise(seven)]
    assert max(shares) == shares[5] > 0.9
    left = (seven[6] * seven[0]).sum(-1)[real] / (seven[0] ** 2).sum(-1)[real]
    assert left.mean().abs() < 0.2


@pytest.mark.slow
def test_paragraphs_are_unseen_and_begin_with_a_new_line():
    def tokens_of(text):
        return list(text.encode())

    inputs, labels, real = draw_paragraphs(tokens_of, 6, seed=1, length=30)
    assert inputs.shape == labels.shape == (6, 30)
    assert real.all()
    assert torch.equal(inputs[:, 1:], labels[:, :-1])
    docs = python_docs()
    for row in inputs:
        begin = bytes(row.tolist()).decode()
        assert begin[0] == "\n"
        assert begin in "\n" + docs.test
    assert len(set(map(tuple, inputs.tolist()))) > 1
    assert not torch.equal(draw_paragraphs(tokens_of, 6, seed=2, length=30)[0], inputs)
    sentence = "Test whether a path is a regular"  # in the lesson
    assert sentence in docs.test
    assert sentence not in docs.train
