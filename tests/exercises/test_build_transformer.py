"""Stage B5's classes as learners write them in torch: each mistake is named, each right style accepted."""

import pytest
import torch
from examining import SEEDS, solved, verdict
from torch import nn
from torch.nn import functional as F

from transformer_course.exercises import catalogue

NAMES = ("encoder_layer", "decoder_layer", "text_input", "transformer", "shift")
ENCODER, DECODER, INPUT, TRANSFORMER, SHIFT = (catalogue()[f"build.{name}"] for name in NAMES)
SEEDS = SEEDS[:2]  # the catalogue's mistakes are tried on all of them


def assert_named(exercise, answer, mistake):
    for seed in SEEDS:
        seen = verdict(exercise, answer, seed)
        assert (seen.mistake, seen.passed) == (mistake, mistake is None), seen.message


def encoder(forward, residual=None):
    """The solved encoder layer with another ``forward``, or with another way to add a sublayer's output."""
    right = solved(ENCODER)

    class Layer(right):
        def __init__(self, *sizes, **choices):
            super().__init__(*sizes, **choices)
            if residual is not None:
                for part in (self.attention_residual, self.feed_forward_residual):
                    part.forward = residual.__get__(part)

    if forward is not None:
        Layer.forward = forward
    return Layer


def attended(layer, mask):
    return lambda y: layer.self_attention(y, y, y, mask)


def by_hand(layer, x, mask=None):
    """Right, without calling the residual connections."""
    first, second = layer.attention_residual, layer.feed_forward_residual
    if first.order == "post":
        x = first.norm(x + first.dropout(layer.self_attention(x, x, x, mask)))
        return second.norm(x + second.dropout(layer.feed_forward(x)))
    y = first.norm(x)
    x = x + first.dropout(layer.self_attention(y, y, y, mask))
    return x + second.dropout(layer.feed_forward(second.norm(x)))


def in_order(residual, x, f, dropout_of_sum=lambda x: x, dropout_of_input=lambda x: x):
    """A residual connection whose dropout is elsewhere, or missing."""
    if residual.order == "pre":
        return dropout_of_sum(x + f(dropout_of_input(residual.norm(x))))
    return residual.norm(dropout_of_sum(x + f(dropout_of_input(x))))


def reading_x(inputs):
    def forward(layer, x, mask=None):
        x = layer.attention_residual(x, lambda y, x=x: layer.self_attention(*inputs(x, y), mask))
        return layer.feed_forward_residual(x, layer.feed_forward)

    return forward


class DropoutNotPassedOn(solved(ENCODER)):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        super().__init__(d_model, num_heads, d_ff, norm=norm)


def no_sum(residual, x, sublayer):
    return sublayer(residual.norm(x)) if residual.order == "pre" else residual.norm(sublayer(x))


@pytest.mark.parametrize(
    ("forward", "residual", "mistake"),
    [
        (by_hand, None, None),
        (None, lambda r, x, sublayer: x + r.dropout(sublayer(r.norm(x))), "always pre-norm"),
        (None, lambda r, x, sublayer: r.norm(x + r.dropout(sublayer(x))), "always post-norm"),
        (None, lambda r, x, sublayer: x + r.norm(sublayer(x)) if r.order == "post" else x + sublayer(r.norm(x)),
         "the output normalised"),
        (None, no_sum, "no residual connections"),
        (None, in_order, "dropout elsewhere"),
        (None, lambda r, x, f: in_order(r, x, f, dropout_of_sum=r.dropout), "dropout elsewhere"),
        (None, lambda r, x, f: in_order(r, x, f, dropout_of_input=r.dropout), "dropout elsewhere"),
        (reading_x(lambda x, y: (x, x, x)), None, "attention without the norm"),
        (reading_x(lambda x, y: (y, x, x)), None, "attention without the norm"),
        (reading_x(lambda x, y: (y, y, x)), None, "attention without the norm"),
        (None, lambda r, x, f: x + F.dropout(f(r.norm(x)), 0.5) if r.order == "pre" else r.norm(x + f(x)),
         "random in eval mode"),
        (lambda s, x, mask=None: s.feed_forward_residual(s.attention_residual(x, attended(s, None)), s.feed_forward), None,
         "mask ignored"),
    ],
)  # fmt: skip
def test_encoder_layers(forward, residual, mistake):
    assert_named(ENCODER, encoder(forward, residual), mistake)


def test_dropout_that_the_layer_does_not_pass_on_is_found():
    assert_named(ENCODER, DropoutNotPassedOn, "dropout elsewhere")


def decoder(cross=None, order=("self", "cross", "network"), own=None):
    """A decoder layer with some of its steps replaced, as a learner might write it."""

    class Layer(solved(DECODER)):
        def forward(self, x, memory, mask=None, memory_mask=None):
            attend = cross or (lambda s, y, memory, mask, memory_mask: s.cross_attention(y, memory, memory, memory_mask))
            steps = {
                "self": (self.self_attention_residual, lambda y: self.self_attention(y, y, y, mask)),
                "cross": (self.cross_attention_residual, lambda y: attend(self, y, memory, mask, memory_mask)),
                "network": (self.feed_forward_residual, self.feed_forward),
            }
            for name in order:
                residual, sublayer = steps[name]
                x = residual(x, sublayer)
            return x

    return Layer


class WithoutLambda(solved(DECODER)):
    """Right, with named functions in place of lambdas."""

    def forward(self, x, memory, mask=None, memory_mask=None):
        def to_itself(y):
            return self.self_attention(y, y, y, mask=mask)

        def to_memory(y):
            return self.cross_attention(query=y, key=memory, value=memory, mask=memory_mask)

        x = self.self_attention_residual(x, to_itself)
        x = self.cross_attention_residual(x, sublayer=to_memory)
        return self.feed_forward_residual(x, lambda y: self.feed_forward(y))


class OneResidual(solved(DECODER)):
    def __init__(self, *sizes, **choices):
        super().__init__(*sizes, **choices)
        self.cross_attention_residual = self.self_attention_residual


class NormNotPassedOn(solved(DECODER)):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        super().__init__(d_model, num_heads, d_ff, dropout)


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (decoder(), None),
        (WithoutLambda, None),
        (decoder(lambda s, y, memory, mask, memory_mask: s.cross_attention(memory, y, y, memory_mask)), "sources swapped"),
        (decoder(lambda s, y, memory, mask, memory_mask: s.cross_attention(memory, y, y)), "sources swapped"),
        (decoder(lambda s, y, memory, mask, memory_mask: s.cross_attention(y, memory, memory)), "no memory mask"),
        (decoder(lambda s, y, memory, mask, memory_mask: s.cross_attention(y, y, y, mask)), "cross-attention to the target"),
        (decoder(lambda s, y, memory, mask, memory_mask: s.cross_attention(y, memory, y, memory_mask)),
         "keys and values from different sides"),
        (decoder(lambda s, y, memory, mask, memory_mask: s.cross_attention(y, memory, memory, mask)), "one mask for both"),
        (decoder(lambda s, y, memory, mask, memory_mask: s.self_attention(y, memory, memory, memory_mask)),
         "the same attention twice"),
        (decoder(order=("cross", "self", "network")), "cross-attention first"),
        (decoder(order=("self", "network", "cross")), "feed-forward network too early"),
        (decoder(order=("self", "cross")), "no feed-forward network"),
        (OneResidual, "one object used twice"),
        (NormNotPassedOn, "always pre-norm"),
    ],
)  # fmt: skip
def test_decoder_layers(answer, mistake):
    assert_named(DECODER, answer, mistake)


class Solved(solved(TRANSFORMER)):
    pass


def transformer(**methods):
    return type("Transformer", (Solved,), methods)


class OwnTables(nn.Module):
    """Right, with a table in a module of its own in place of a ParameterDict."""

    class Table(nn.Module):
        def __init__(self, vocabulary_size, d_model):
            super().__init__()
            self.table = nn.Parameter(torch.randn(vocabulary_size, d_model))

    def __init__(self, vocabulary_size, d_model, dropout=0.0):
        super().__init__()
        self.embedding, self.dropout = self.Table(vocabulary_size, d_model), nn.Dropout(dropout)

    def forward(self, tokens):
        (b, n), d = tokens.shape, self.embedding.table.shape[1]
        angles = torch.arange(n).unsqueeze(1) * torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(1e4)) / d))
        waves = torch.zeros(b, n, d)
        waves[..., 0::2], waves[..., 1::2] = angles.sin(), angles.cos()
        return self.dropout(F.embedding(tokens, self.embedding.table) * d**0.5 + waves)


def untied(self, config):
    Solved.__init__(self, config)
    self.output = nn.Linear(*reversed(self.output.weight.shape), bias=False)


def numbers_copied(self, config):
    untied(self, config)
    if config.tied:
        self.output.weight.data = self.target.embedding.table.data.clone()


def output_first(self, config):
    """Right: torch lists the tied parameter under the name that comes first."""
    Solved.__init__(self, config)
    parts = {name: self._modules.pop(name) for name in ("source", "target", "encoder", "decoder")}
    self._modules.update(parts)


def always_tied(self, config):
    Solved.__init__(self, config)
    self.output.weight = self.target.embedding.table


def tied_to_the_source(self, config):
    Solved.__init__(self, config)
    if config.tied:
        self.output.weight = self.source.embedding.table


def with_nn_embedding(self, config):
    Solved.__init__(self, config)
    self.source.embedding = nn.Embedding(config.vocabulary_size, config.d_model)


def decode(change):
    return lambda self, target, memory, memory_mask=None: Solved.decode(self, *change(target, memory, memory_mask))


def decode_with(mask):
    """``decode`` with another mask for the target, made from the square of ones."""

    def decode(self, target, memory, memory_mask=None):
        square = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool)
        return self.output(self.decoder(self.target(target), memory, mask(square), memory_mask))

    return decode


def padding_of_the_target_too(self, target, memory, memory_mask=None):
    """Right: real tokens come before padding, so the causal mask has hidden it already."""
    mask = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril() & (target != 0).unsqueeze(1)
    return self.output(self.decoder(self.target(target), memory, mask, memory_mask))


def encode(hidden=lambda self, source: (source != 0)[:, None], seen=lambda mask: mask):
    def encode(self, source):
        mask = hidden(self, source)
        return self.encoder(self.source(source), seen(mask)), mask

    return encode


def vectors_of_the_source(self, source):
    return self.source(source), (source != 0).unsqueeze(1)


@pytest.mark.parametrize(
    ("methods", "mistake"),
    [
        ({}, None),
        ({"__init__": output_first}, None),
        ({"encode": encode()}, None),
        ({"decode": padding_of_the_target_too}, None),
        ({"__init__": untied}, "tables not tied"),
        ({"__init__": numbers_copied}, "tables not tied"),
        ({"__init__": always_tied}, "one object used twice"),
        ({"__init__": with_nn_embedding}, "other parameter names"),
        ({"decode": decode(lambda target, memory, mask: (target, memory))}, "padding hidden only in the encoder"),
        ({"encode": encode(seen=lambda mask: None)}, "padding hidden only in the decoder"),
        ({"encode": encode(lambda self, source: (source == 0)[:, None])}, "padding mask inverted"),
        ({"encode": encode(lambda self, source: source != 0)}, "a mask without the axis of the queries"),
        ({"__init__": tied_to_the_source}, "one object used twice"),
        ({"decode": decode_with(lambda square: None)}, "no causal mask"),
        ({"decode": decode_with(torch.triu)}, "causal mask upside down"),
        ({"decode": decode_with(lambda square: square.tril(-1))}, "a token cannot see itself"),
        ({"encode": vectors_of_the_source}, "no encoder"),
        ({"forward": lambda self, source, target: self.decode(source, *self.encode(target))}, "source and target swapped"),
        ({"forward": lambda self, source, target: Solved.forward(self, source, target[:, :-1])}, "shifted again"),
        ({"forward": lambda self, source, target: Solved.forward(self, source, target[:, 1:])}, "shifted the wrong way"),
        ({"forward": lambda self, source, target: Solved.forward(self, source, target).softmax(-1)},
         "probabilities in place of logits"),
        ({"decode": lambda self, target, memory, mask=None: Solved.decode(self, target, memory, mask)[:, -1]},
         "the last position only"),
    ],
)  # fmt: skip
def test_transformers(methods, mistake):
    assert_named(TRANSFORMER, transformer(**methods), mistake)


def everything_in_forward(self, source, target):
    return Solved.decode(self, target, *Solved.encode(self, source))


def unwritten(self, *given):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("methods", "words"),
    [
        ({"forward": everything_in_forward, "encode": unwritten}, "`encode` is not written yet"),
        ({"forward": everything_in_forward, "decode": unwritten}, "`decode` is not written yet"),
        ({"forward": everything_in_forward, "encode": lambda self, source: Solved.encode(self, source)[0]},
         "`encode(source)` should return the memory and its mask, and it returned one tensor"),
        ({"forward": everything_in_forward, "encode": lambda self, source: Solved.encode(self, source)[::-1]},
         "`encode(source)` returns its values in another order"),
        ({"forward": everything_in_forward, "encode": lambda self, source: (Solved.encode(self, source)[0], source != 0)},
         "the shape of its mask is (2, 5), where (2, 1, 5) is expected"),
        ({"forward": everything_in_forward, "decode": lambda self, memory, target, mask=None: self.target(target)},
         "`decode(target, memory, memory_mask)` raised IndexError"),
        ({"forward": everything_in_forward, "decode": decode(lambda target, memory, mask: (target, memory))},
         "the numbers of the logits that `decode(target, memory, memory_mask)` returns are wrong"),
    ],
)  # fmt: skip
def test_the_methods_that_decoding_calls_are_tried_too(methods, words):
    seen = verdict(TRANSFORMER, transformer(**methods))
    assert (seen.passed, seen.score) == (False, 0.5)
    assert words in seen.message


def test_a_wrong_transformer_can_be_built_again_from_the_message():
    seen = verdict(TRANSFORMER, transformer(forward=lambda *given: 2 * Solved.forward(*given)))
    assert "`Transformer(TransformerConfig(d_model=6, num_heads=3, num_layers=2, d_ff=7, dropout=0.5, norm='pre'" in (
        seen.message
    )
    assert "source of shape (2, 5) and target of shape (2, 4)" in seen.message


def test_a_text_input_with_a_table_of_its_own_passes():
    assert_named(INPUT, OwnTables, None)


class OneHot(solved(INPUT)):
    """Right, though in float32 alone."""

    def forward(self, tokens):
        rows = F.one_hot(tokens, len(self.embedding.table)).float() @ self.embedding.table
        waves = solved(INPUT).forward(self, torch.zeros_like(tokens)) - self.embedding.table[0] * self.d_model**0.5
        return self.dropout(rows * self.d_model**0.5 + waves)


def test_a_text_input_that_needs_float32_passes():
    assert_named(INPUT, OneHot, None)


class DoublePrecision(solved(INPUT)):
    def forward(self, tokens):
        return super().forward(tokens).double()


class NoDropout(solved(INPUT)):
    def forward(self, tokens):
        return self.eval() and super().forward(tokens)


@pytest.mark.parametrize(("answer", "mistake"), [(DoublePrecision, "another precision"), (NoDropout, "dropout elsewhere")])
def test_text_inputs(answer, mistake):
    assert_named(INPUT, answer, mistake)


def test_the_shift_returns_tensors():
    seen = verdict(SHIFT, lambda targets, begin=1: [each.numpy() for each in (F.pad(targets, (1, -1), value=begin), targets)])
    assert (seen.passed, seen.score) == (False, 0.5)
    assert "you return NumPy arrays" in seen.message


def test_ids_are_integers():
    seen = verdict(SHIFT, lambda targets, begin=1: (F.pad(targets.double(), (1, 0), value=begin)[:, :-1], targets))
    assert not seen.passed
    assert seen.message == "The inputs have the right values, but they are floats, and an id has to be an integer."


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda targets, begin=1: (F.pad(targets, (1, 0), value=begin)[:, :-1], targets), None),
        (lambda targets, begin=1: (targets[:, :-1], targets[:, 1:]), "begin is missing"),
        (lambda targets, begin=1: (targets.roll(-1, 1), targets), "shifted the wrong way"),
        (lambda targets, begin: (F.pad(targets, (1, 0), value=begin)[:, :-1], targets), "begin has no default"),
        (lambda targets, begin=0: (F.pad(targets, (1, 0), value=begin)[:, :-1], targets), "begin has another default"),
    ],
)
def test_shifts(answer, mistake):
    assert_named(SHIFT, answer, mistake)
