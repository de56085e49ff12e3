"""Stage B5: what goes wrong in a whole Transformer: masks, the way through the two stacks, the inputs and the output."""

from functools import partial

import numpy as np

from ..toolkit import mistake, softmax
from .text_input import program as text_input
from .text_input import rows, waves
from .transformer_steps import causal, decode, encode, final_norm, linear, padding, program, run, vectors, within


def _nothing(tokens):
    return None


def _decode_without_memory_mask(given, target, memory, memory_mask, **changes):
    return decode(given, target, memory, None, **changes)


def _decode_without_masks(given, target, memory, memory_mask):
    return decode(given, target, memory, None, mask=_nothing)


def _decode_with_swapped_masks(given, target, memory, memory_mask):
    x = run(given, "decoder", vectors(given, "target", target), memory, memory_mask, causal(target.shape[1]))
    return linear(given, "output", x)


def _inverted_everywhere(given, source):
    memory, mask = encode(given, source, mask=lambda tokens: ~padding(tokens))
    return memory, ~mask


def _opposite_memory_mask(given, target, memory, memory_mask):
    return decode(given, target, memory, ~memory_mask)


def _causal_encoder(given, source):
    n = source.shape[1]
    return encode(given, source, mask=lambda tokens: causal(n) & padding(tokens))


def _flat_mask(given, source):
    memory, _ = encode(given, source, mask=lambda tokens: padding(tokens)[:, 0])
    return memory, padding(source)[:, 0]


MASKS = (
    mistake(
        "no causal mask",
        "The decoder gets no causal mask: each position sees the tokens after it. In training, the model would copy the "
        "answers.",
        "Make the mask in `decode`, from the length of `target`, and pass it to the decoder after the memory.",
        program(decode=partial(decode, mask=_nothing)),
    ),
    mistake(
        "causal mask upside down",
        "Each target position attends to itself and to later tokens: the causal mask is the wrong way round.",
        "`tril` keeps True on and below the diagonal.",
        program(decode=partial(decode, mask=lambda n: causal(n).T)),
        program(decode=partial(decode, mask=lambda n: ~causal(n))),
    ),
    mistake(
        "a token cannot see itself",
        "Your causal mask hides each token from itself. The first token then has nothing to attend to, and softmax gives NaN.",
        "`tril()` keeps the diagonal, `tril(-1)` does not.",
        program(decode=partial(decode, mask=lambda n: np.tri(n, k=-1, dtype=bool))),
    ),
    mistake(
        "the decoder gets no masks",
        "The layers of the decoder get neither of their two masks: they see later tokens, and the source's padding.",
        "`Stack.forward` passes on everything in `others`, `layer(x, *others)`. In `decode`, these are the memory and two "
        "masks.",
        program(decode=_decode_without_masks),
    ),
    mistake(
        "a mask without the axis of the queries",
        "Your padding mask has shape (b, m), and attention needs (b, 1, m), with one row for all queries. It still "
        "works for a single sentence.",
        "`source != 0` has shape (b, m). `.unsqueeze(1)`, or `[:, None]`, adds the axis.",
        program(encode=_flat_mask),
    ),
    mistake(
        "padding not hidden",
        "The source's padding is never hidden: the output for a sentence depends on the length of the other sentences in "
        "its batch.",
        "The mask is True where the source is not 0. Both the encoder and the decoder need it.",
        program(encode=partial(encode, mask=_nothing), decode=_decode_without_memory_mask),
    ),
    mistake(
        "padding hidden only in the encoder",
        "The memory mask is missing: the decoder attends to the source's padding. The memory has vectors there too.",
        "`encode` returns the mask, so that `decode` can pass it to the decoder, after the causal mask.",
        program(decode=_decode_without_memory_mask),
    ),
    mistake(
        "padding hidden only in the decoder",
        "The encoder gets no mask, so the source's real tokens attend to padding.",
        "`self.encoder` takes the vectors and the mask.",
        program(encode=partial(encode, mask=_nothing)),
    ),
    mistake(
        "padding mask inverted",
        "Your padding mask is the wrong way round: it hides the real tokens. Here True means “may attend”.",
        "It should be True where the source is *not* 0.",
        program(encode=_inverted_everywhere),
        program(encode=partial(encode, mask=lambda tokens: ~padding(tokens))),
        program(decode=_opposite_memory_mask),
    ),
    mistake(
        "masks swapped",
        "The decoder's two masks are swapped. If source and target have the same length, that raises no error.",
        "The decoder layer takes the memory, then the mask of the target, then that of the memory.",
        program(decode=_decode_with_swapped_masks),
    ),
    mistake(
        "a causal encoder",
        "Your encoder is causal. The source is there from the start, so each of its tokens may see all of them.",
        "The encoder needs only the padding mask.",
        program(encode=_causal_encoder),
        program(encode=lambda given, source: encode(given, source, mask=lambda tokens: causal(source.shape[1]))),
    ),
)


def _no_norm(given, stack, x):
    return x


def _norm_of_each_layer(given, stack, x, *others):
    for number in range(given["num_layers"]):
        x = final_norm(given, stack, run(given, stack, x, *others, order=lambda _, number=number: [number], norm=_no_norm))
    return x


def _encode_layer_by_layer(given, source):
    return _norm_of_each_layer(given, "encoder", vectors(given, "source", source), padding(source)), padding(source)


def _decode_layer_by_layer(given, target, memory, memory_mask):
    x = vectors(given, "target", target)
    x = _norm_of_each_layer(given, "decoder", x, memory, causal(target.shape[1]), memory_mask)
    return linear(given, "output", x)


def _source_vectors(given, source):
    return vectors(given, "source", source), padding(source)


def _target_encoded(given, source, target):
    given = {**given, **given["config"]}
    return decode(given, source, *encode(given, target))


def _only(number):
    """The stacks run only this layer."""

    def order(count):
        return [range(count)[number]]

    return program(encode=partial(encode, order=order), decode=partial(decode, order=order))


def _reversed(count):
    return range(count)[::-1]


STACKS = (
    mistake(
        "no final norm",
        "A stack returns its last layer's output as it is. With pre-norm, nothing has normalised the residual stream by "
        "then, so a final LayerNorm is needed.",
        "`Stack.forward` should end with `self.norm`.",
        program(encode=partial(encode, norm=_no_norm), decode=partial(decode, norm=_no_norm)),
        program(encode=partial(encode, norm=_no_norm)),
        program(decode=partial(decode, norm=_no_norm)),
    ),
    mistake(
        "norm after every layer",
        "You apply the final norm after every layer, so the residual stream is rescaled again and again.",
        "Which lines of `Stack.forward` are inside the loop?",
        program(encode=_encode_layer_by_layer, decode=_decode_layer_by_layer),
    ),
    mistake(
        "only one layer",
        "Only one layer of each stack has an effect.",
        "In the loop, each layer gets what the previous one returned: `x = layer(x, …)`.",
        _only(0),
        _only(-1),
    ),
    mistake(
        "layers in reverse order",
        "The layers run in reverse order.",
        "Layer 0 comes first.",
        program(encode=partial(encode, order=_reversed), decode=partial(decode, order=_reversed)),
    ),
    mistake(
        "no encoder",
        "The decoder gets the vectors of the source tokens as its memory. The encoder is never used.",
        "`encode` should return what `self.encoder` returns.",
        program(encode=_source_vectors),
    ),
    mistake(
        "source and target swapped",
        "Source and target are swapped: you encode the target and decode the source.",
        "The source goes into `encode`, the target into `decode`.",
        _target_encoded,
    ),
)


def _embedded(**changes):
    """Both inputs with some of their steps replaced."""

    def embed(given, side, tokens):
        return text_input(**changes)(within(given, side), tokens)

    return program(encode=partial(encode, embed=embed), decode=partial(decode, embed=embed))


def _rows_alone(given, side, tokens):
    return rows(within(given, side), tokens)


def _one_table(given, side, tokens):
    return vectors(given, "source", tokens)


def _shifted(change):
    """The target is shifted in ``forward``, although it comes shifted already."""

    def forward(given, target, *others):
        return decode(given, change(target), *others)

    return program(decode=forward)


def _right(first):
    return lambda target: np.concatenate([np.full_like(target[:, :1], first), target[:, :-1]], axis=1)


def _left(target):
    return np.concatenate([target[:, 1:], np.zeros_like(target[:, :1])], axis=1)


ENDS = (
    mistake(
        "√d_model forgotten",
        "The rows of the tables are not multiplied by √d_model, so they are small compared with the waves.",
        "Does `Transformer` use your `TextInput`?",
        _embedded(scaled=lambda given, x: x),
        program(encode=partial(encode, embed=_rows_alone), decode=partial(decode, embed=_rows_alone)),
    ),
    mistake(
        "no positions",
        "The waves are missing from the source, from the target, or from both.",
        "Does `Transformer` use your `TextInput`, on both sides?",
        _embedded(positions=lambda given, tokens: 0 * waves(given, tokens)),
    ),
    mistake(
        "the target through the source's table",
        "The target's ids are looked up in the source's table. Unless they share a vocabulary, the same id is a different "
        "token.",
        "`encode` uses `self.source`, `decode` uses `self.target`.",
        program(decode=partial(decode, embed=_one_table)),
    ),
    mistake(
        "shifted again",
        "You shift the target inside the model. `target` is already shifted: it begins with `<begin>`.",
        "Use `target` as it is.",
        _shifted(_right(1)),
        _shifted(_right(0)),
        _shifted(lambda target: target[:, :-1]),
    ),
    mistake(
        "shifted the wrong way",
        "You shift the target to the left, so each position gets the token that it should predict.",
        "Use `target` as it is: it is already shifted.",
        _shifted(_left),
        _shifted(lambda target: np.roll(target, -1, axis=1)),
        _shifted(lambda target: target[:, 1:]),
    ),
    mistake(
        "probabilities in place of logits",
        "You return probabilities. The loss takes logits and applies the softmax itself.",
        "Return what `self.output` gives.",
        program(last=softmax),
    ),
    mistake(
        "the last position only",
        "You return logits for the last position only. In training every position predicts its next token.",
        "Return the logits of all positions, (b, n, v).",
        program(last=lambda logits: logits[:, -1]),
        program(last=lambda logits: logits[:, -1:]),
    ),
    mistake(
        "no output layer",
        "You return the decoder's vectors, (b, n, d_model). The output layer turns them into one score per token.",
        "Apply `self.output`.",
        lambda given, source, target: _decoded(given, source, target),
    ),
)


def _decoded(given, source, target):
    given = {**given, **given["config"]}
    memory, mask = encode(given, source)
    return run(given, "decoder", vectors(given, "target", target), memory, causal(target.shape[1]), mask)


MISTAKES = (*MASKS, *STACKS, *ENDS)
