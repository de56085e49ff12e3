"""Stage B5's classes as learners write them in torch: right in each style, and wrong in ways that NumPy has not."""

import torch
from examining import solved, told, verdict
from torch import nn
from torch.nn import functional as F

from transformer_course.exercises import catalogue

NAMES = ("encoder_layer", "decoder_layer", "text_input", "transformer", "shift")
ENCODER, DECODER, INPUT, TRANSFORMER, SHIFT = (catalogue()[f"build.{name}"] for name in NAMES)


def encoder(forward=None, residual=None):
    """The solved encoder layer with another ``forward``, or with another way to add a sublayer's output."""

    class Layer(solved(ENCODER)):
        def __init__(self, *sizes, **choices):
            super().__init__(*sizes, **choices)
            if residual is not None:
                for part in (self.attention_residual, self.feed_forward_residual):
                    part.forward = residual.__get__(part)

    if forward is not None:
        Layer.forward = forward
    return Layer


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


class DropoutNotPassedOn(solved(ENCODER)):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm="pre"):
        super().__init__(d_model, num_heads, d_ff, norm=norm)


def without_dropout(self, tokens):
    return self.eval() and solved(INPUT).forward(self, tokens)


def test_dropout_that_is_missing_or_elsewhere_is_named():
    wrong = {
        "no dropout": (ENCODER, encoder(residual=in_order)),
        "dropout of the sum": (ENCODER, encoder(residual=lambda r, x, f: in_order(r, x, f, dropout_of_sum=r.dropout))),
        "dropout of the input": (ENCODER, encoder(residual=lambda r, x, f: in_order(r, x, f, dropout_of_input=r.dropout))),
        "not passed on": (ENCODER, DropoutNotPassedOn),
        "switched off": (INPUT, type("TextInput", (solved(INPUT),), {"forward": without_dropout})),
    }
    assert {name: verdict(*each).mistake for name, each in wrong.items()} == dict.fromkeys(wrong, "dropout elsewhere")


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
        n, d = tokens.shape[1], self.embedding.table.shape[1]
        turns = torch.exp(torch.arange(0, d, 2, device=tokens.device) * (-torch.log(torch.tensor(1e4)) / d))
        angles = torch.arange(n, device=tokens.device).unsqueeze(1) * turns
        waves = torch.zeros(n, d, dtype=self.embedding.table.dtype, device=tokens.device)
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


def test_tables_that_are_tied_or_not_as_the_config_asks_are_named():
    wrong = {
        untied: "tables not tied",
        numbers_copied: "tables not tied",
        always_tied: "one object used twice",
        tied_to_the_source: "one object used twice",
    }
    assert {init: verdict(TRANSFORMER, transformer(__init__=init)).mistake for init in wrong} == wrong


def padding_of_the_target_too(self, target, memory, memory_mask=None):
    """Right: real tokens come before padding, so the causal mask has hidden it already."""
    n = target.shape[1]
    mask = torch.ones(n, n, dtype=torch.bool, device=target.device).tril() & (target != 0).unsqueeze(1)
    return self.output(self.decoder(self.target(target), memory, mask, memory_mask))


def blind_queries(filled):
    """Queries at padding get ``filled`` numbers: right where these are finite, since nobody reads them."""

    def decode(self, target, memory, memory_mask=None):
        logits = Solved.decode(self, target, memory, memory_mask)
        return logits.masked_fill((target == 0)[..., None], filled)

    return decode


def test_rows_of_padding_must_be_finite():
    seen = verdict(TRANSFORMER, transformer(decode=blind_queries(float("nan"))))
    assert not seen.passed
    assert "NaN" in seen.message


def encode(self, source):
    """Right, with the mask made by another index."""
    mask = (source != 0)[:, None]
    return self.encoder(self.source(source), mask), mask


class OneHot(solved(INPUT)):
    """Right, though in float32 alone."""

    def forward(self, tokens):
        rows = F.one_hot(tokens, len(self.embedding.table)).float() @ self.embedding.table
        waves = solved(INPUT).forward(self, torch.zeros_like(tokens)) - self.embedding.table[0] * self.d_model**0.5
        return self.dropout(rows * self.d_model**0.5 + waves)


def by_padding(targets, begin=1):
    return F.pad(targets, (1, 0), value=begin)[:, :-1], targets


def test_right_answers_pass_in_every_style():
    right = {
        "an encoder layer without residual connections": (ENCODER, encoder(by_hand)),
        "a decoder layer with named functions": (DECODER, WithoutLambda),
        "a text input with a table of its own": (INPUT, OwnTables),
        "a text input that needs float32": (INPUT, OneHot),
        "the output layer before the others": (TRANSFORMER, transformer(__init__=output_first)),
        "the mask by another index": (TRANSFORMER, transformer(encode=encode)),
        "the padding of the target hidden too": (TRANSFORMER, transformer(decode=padding_of_the_target_too)),
        "its queries blind, but with numbers": (TRANSFORMER, transformer(decode=blind_queries(0.0))),
        "a shift by padding": (SHIFT, by_padding),
    }
    assert {name for name, (exercise, answer) in right.items() if verdict(exercise, answer) != exercise.passed()} == set()


def everything_in_forward(self, source, target):
    return Solved.decode(self, target, *Solved.encode(self, source))


def unwritten(self, *given):
    raise NotImplementedError


def memory_alone(self, source):
    return Solved.encode(self, source)[0]


def mask_first(self, source):
    return Solved.encode(self, source)[::-1]


def flat_mask(self, source):
    return Solved.encode(self, source)[0], source != 0


def memory_first(self, memory, target, mask=None):
    return self.target(target)


def without_memory_mask(self, target, memory, memory_mask=None):
    return Solved.decode(self, target, memory)


def test_the_methods_that_decoding_calls_are_tried_too(snapshot):
    changes = {
        "encode not written": {"encode": unwritten},
        "decode not written": {"decode": unwritten},
        "encode returns the memory alone": {"encode": memory_alone},
        "encode returns the mask first": {"encode": mask_first},
        "encode returns a mask without the axis of the queries": {"encode": flat_mask},
        "decode takes the memory first": {"decode": memory_first},
        "decode ignores the mask of the memory": {"decode": without_memory_mask},
    }
    wrong = {name: transformer(forward=everything_in_forward, **change) for name, change in changes.items()}
    assert {verdict(TRANSFORMER, answer).score for answer in wrong.values()} == {0.5}
    assert {name: told(TRANSFORMER.id, answer) for name, answer in wrong.items()} == snapshot


class DoublePrecision(solved(INPUT)):
    def forward(self, tokens):
        return super().forward(tokens).double()


def arrays(targets, begin=1):
    return [each.numpy() for each in by_padding(targets, begin)]


def on_the_processor(targets, begin=1):
    return torch.cat([torch.full((len(targets), 1), begin), targets[:, :-1]], dim=1), targets


def test_other_answers_are_described(snapshot):
    assert verdict(SHIFT, arrays).score == 0.5
    assert verdict(SHIFT, on_the_processor).mistake == "a tensor on another device"
    assert {
        "the logits twice as large": told(TRANSFORMER.id, transformer(forward=lambda *given: 2 * Solved.forward(*given))),
        "double precision": told(INPUT.id, DoublePrecision),
        "arrays in place of tensors": told(SHIFT.id, arrays),
        "ids that are floats": told(SHIFT.id, lambda targets, begin=1: (by_padding(targets.double(), begin)[0], targets)),
    } == snapshot
