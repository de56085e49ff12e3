"""Stage B5: a whole Transformer, from two inputs, an encoder, a decoder and an output layer."""

from functools import partial

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..build_4_a_gpt.block import under, within
from ..build_4_a_gpt.parts import layer_norm, norm_shapes
from ..families import adapted
from ..families.mask import CAUSAL, causal_mask
from ..families.stack import OUTPUT, STACK, run, without_norm
from ..kinds import Method, Module
from . import steps
from .text_input import program as text_input
from .text_input import rows, text_vectors

PAD = 0
LAYERS = {"encoder": steps.encoder_layer(), "decoder": steps.decoder_layer()}


def padding(source):
    return (source != PAD)[:, None, :]


def _vectors(given, side, tokens, change=text_vectors):
    return change(within(given, side), tokens)


def _stack(given, name, x, *others, run=run):
    """The layers of a stack, one after another, then its final norm, if it has one."""

    def norm(y):
        return layer_norm(within(given, f"{name}.norm"), y) if f"{name}.norm.gamma" in given else y

    weights = [within(given, f"{name}.layers.{number}") for number in range(given["num_layers"])]
    return run([lambda y, own=own: LAYERS[name](own, y, *others) for own in weights], norm, x)


def encode(given, source, embed=_vectors, mask=padding, run=run):
    """The memory and its mask, with some of the encoder's steps replaced."""
    return _stack(given, "encoder", embed(given, "source", source), mask(source), run=run), padding(source)


def _causal(target):
    return causal_mask(target.shape[1])


def decode(given, target, memory, memory_mask, embed=_vectors, mask=_causal, run=run):
    """Logits, with some of the decoder's steps replaced."""
    x = _stack(given, "decoder", embed(given, "target", target), memory, mask(target), memory_mask, run=run)
    return linear(given, "output", x)


def program(encode=encode, decode=decode, last=lambda logits: logits):
    """A Transformer with some of its steps replaced."""

    def forward(given, source, target):
        given = {**given, **given["config"]}
        return last(decode(given, target, *encode(given, source)))

    return forward


def _roots(config):
    """The parameters that are the same as another one, which comes first."""
    target = "target.embedding.table"
    tied = {"output.weight": target} if config["tied"] else {}
    if config["target_vocabulary_size"] is None:
        tied = {target: "source.embedding.table", **dict.fromkeys(tied, "source.embedding.table")}
    return tied


def _shapes(config):
    d_model, source = config["d_model"], config["vocabulary_size"]
    target = config["target_vocabulary_size"] or source
    sizes = {name: config[name] for name in ("d_model", "num_heads", "d_ff")}
    shapes = {"source.embedding.table": (source, d_model), "target.embedding.table": (target, d_model)}
    for stack, layer_shapes in (("encoder", steps.encoder_shapes), ("decoder", steps.decoder_shapes)):
        for number in range(config["num_layers"]):
            shapes |= under(f"{stack}.layers.{number}", layer_shapes(**sizes))
        if config["norm"] == "pre":
            shapes |= under(f"{stack}.norm", norm_shapes(d_model))
    return {**shapes, "output.weight": (target, d_model)}


def _draw(rng):
    def config(d_model, num_heads, num_layers, d_ff, sizes, **choices):
        given = {"d_model": d_model, "num_heads": num_heads, "num_layers": num_layers, "d_ff": d_ff, "dropout": 0.5}
        source, target = sizes
        given |= {"norm": "pre", "final_norm": None, "max_length": 9}
        return {"config": {**given, "vocabulary_size": source, "target_vocabulary_size": target, "tied": False, **choices}}

    def ids(size, n, lengths):
        """Sequences of these lengths, padded on the right to n tokens."""
        return np.where(np.arange(n) < np.array(lengths)[:, None], rng.integers(1, size, (len(lengths), n)), PAD)

    def call(source, m, lengths, target, n, targets=None):
        return [ids(source, m, lengths), ids(target, n, targets or [n] * len(lengths))]

    return [
        (config(6, 3, 2, 7, (9, 8)), [call(9, 5, [5, 3], 8, 4), call(9, 4, [2, 4, 3], 8, 4), call(9, 3, [3], 8, 6)]),
        (config(4, 2, 1, 5, (6, 7), tied=True), [call(6, 3, [3, 1], 7, 4), call(6, 4, [4, 2, 3], 7, 5, [3, 5, 1])]),
        (config(4, 2, 2, 9, (7, None), norm="post", tied=True), [call(7, 4, [4, 2], 7, 3), call(7, 3, [1, 3], 7, 3, [2, 3])]),
    ]


def _with(**changes):
    """A Transformer with the same steps replaced in both of its stacks."""
    return program(encode=partial(encode, **changes), decode=partial(decode, **changes))


def _masked(mask):
    """A Transformer whose encoder gets the mask ``mask(source)``."""
    return program(encode=partial(encode, mask=mask))


def _nothing(tokens):
    return None


def _decoded(change=lambda mask: mask, **changes):
    """Decoding with another mask of the memory."""
    return lambda given, target, memory, mask: decode(given, target, memory, change(mask), **changes)


def _masked_everywhere(mask):
    """A Transformer whose encoder and decoder get the mask ``mask(source)``."""
    return program(encode=lambda given, source: (encode(given, source, mask=mask)[0], mask(source)))


MASKS = {
    "no causal mask": (
        "The decoder gets no causal mask: each position sees the tokens after it. In training, the model would copy the "
        "answers.",
        "Make the mask in `decode`, from the length of `target`, and pass it to the decoder after the memory.",
        program(decode=_decoded(mask=_nothing)),
    ),
    **adapted(
        CAUSAL,
        lambda causal: program(decode=_decoded(mask=lambda target: causal(target.shape[1]))),
        but=("everything allowed",),
    ),
    "the decoder gets no masks": (
        "The layers of the decoder get neither of their two masks: they see later tokens, and the source's padding.",
        "`Stack.forward` passes on everything in `others`, `layer(x, *others)`. In `decode`, these are the memory and two "
        "masks.",
        program(decode=_decoded(_nothing, mask=_nothing)),
    ),
    "a mask without the axis of the queries": (
        "Your padding mask has shape (b, m), and attention needs (b, 1, m), with one row for all queries. It still "
        "works for a single sentence.",
        "`source != 0` has shape (b, m). `.unsqueeze(1)`, or `[:, None]`, adds the axis.",
        _masked_everywhere(lambda source: padding(source)[:, 0]),
    ),
    "padding mask on the queries": (
        "Your padding mask has shape (b, m, 1): it hides everything from the queries at padding, and nothing from the others. "
        "So the real tokens attend to padding.",
        "The last axis of a mask belongs to the keys, as in the scores. Where does the new axis of length 1 belong?",
        _masked_everywhere(lambda source: padding(source).swapaxes(1, 2)),
        _masked(lambda source: padding(source).swapaxes(1, 2)),
    ),
    "padded targets see nothing": (
        "Your mask of the target hides every key from the queries at padding. A softmax over nothing is NaN, in the rows of "
        "padding first, and with a second layer in all of them.",
        "The causal mask is enough: nobody reads the rows of padding. If you hide padding as well, hide it as keys, "
        "`(target != 0)[:, None, :]`, so that each row keeps one.",
        program(decode=_decoded(mask=lambda target: _causal(target) & padding(target).swapaxes(1, 2))),
    ),
    "padding not hidden": (
        "The source's padding is never hidden: the output for a sentence depends on the length of the other sentences in "
        "its batch.",
        "The mask is True where the source is not 0. Both the encoder and the decoder need it.",
        program(encode=partial(encode, mask=_nothing), decode=_decoded(_nothing)),
    ),
    "padding hidden only in the encoder": (
        "The memory mask is missing: the decoder attends to the source's padding. The memory has vectors there too.",
        "`encode` returns the mask, so that `decode` can pass it to the decoder, after the causal mask.",
        program(decode=_decoded(_nothing)),
    ),
    "padding hidden only in the decoder": (
        "The encoder gets no mask, so the source's real tokens attend to padding.",
        "`self.encoder` takes the vectors and the mask.",
        _masked(_nothing),
    ),
    "padding mask inverted": (
        "Your padding mask is the wrong way round: it hides the real tokens. Here True means “may attend”.",
        "It should be True where the source is *not* 0.",
        _masked_everywhere(lambda source: ~padding(source)),
        _masked(lambda source: ~padding(source)),
        program(decode=_decoded(np.logical_not)),
    ),
    "masks swapped": (
        "The decoder's two masks are swapped. If source and target have the same length, that raises no error.",
        "The decoder layer takes the memory, then the mask of the target, then that of the memory.",
        program(decode=lambda given, target, memory, own: decode(given, target, memory, _causal(target), mask=lambda _: own)),
    ),
    "a causal encoder": (
        "Your encoder is causal. The source is there from the start, so each of its tokens may see all of them.",
        "The encoder needs only the padding mask.",
        _masked(lambda source: causal_mask(source.shape[1]) & padding(source)),
        _masked(lambda source: causal_mask(source.shape[1])),
    ),
}


def _right(first):
    return lambda target: np.concatenate([np.full_like(target[:, :1], first), target[:, :-1]], axis=1)


def _left(target):
    return np.concatenate([target[:, 1:], np.zeros_like(target[:, :1])], axis=1)


def _shifted(change):
    """The target is shifted in ``forward``, although it comes shifted already."""
    return program(decode=lambda given, target, *others: decode(given, change(target), *others))


INPUTS = {
    "no encoder": (
        "The decoder gets the vectors of the source tokens as its memory. The encoder is never used.",
        "`encode` should return what `self.encoder` returns.",
        program(encode=lambda given, source: (_vectors(given, "source", source), padding(source))),
    ),
    "source and target swapped": (
        "Source and target are swapped: you encode the target and decode the source.",
        "The source goes into `encode`, the target into `decode`.",
        lambda given, source, target: program()(given, target, source),
    ),
    "√d_model forgotten": (
        "The rows of the tables are not multiplied by √d_model, so they are small compared with the waves.",
        "Does `Transformer` use your `TextInput`?",
        _with(embed=partial(_vectors, change=text_input(scaled=lambda given, x: x))),
        _with(embed=partial(_vectors, change=rows)),
    ),
    "no positions": (
        "The waves are missing from the source and from the target.",
        "Does `Transformer` use your `TextInput`, on both sides?",
        _with(embed=partial(_vectors, change=text_input(enter=lambda rows, table, tokens: rows))),
    ),
    "the target through the source's table": (
        "The target's ids are looked up in the source's table. Unless they share a vocabulary, the same id is a different "
        "token.",
        "`encode` uses `self.source`, `decode` uses `self.target`.",
        program(decode=_decoded(embed=lambda given, side, tokens: _vectors(given, "source", tokens))),
    ),
    "shifted again": (
        "You shift the target inside the model. `target` is already shifted: it begins with `<begin>`.",
        "Use `target` as it is.",
        *map(_shifted, (_right(1), _right(0), lambda target: target[:, :-1])),
    ),
    "shifted the wrong way": (
        "You shift the target to the left, so each position gets the token that it should predict.",
        "Use `target` as it is: it is already shifted.",
        *map(_shifted, (_left, lambda target: np.roll(target, -1, axis=1), lambda target: target[:, 1:])),
    ),
    "no output layer": (
        "You return the decoder's vectors, (b, n, d_model). The output layer turns them into one score per token.",
        "Apply `self.output`.",
        lambda given, *texts: program()({**given, "output.weight": np.eye(given["config"]["d_model"])}, *texts),
    ),
}


def _encode(given, source):
    return encode({**given, **given["config"]}, source)


METHODS = (
    Method(
        "encode",
        takes=("source",),
        gives=("the memory", "its mask"),
        used="Decoding calls it once, and hands both to `decode`.",
        inputs=lambda given, source, target: [source],
        reference=_encode,
    ),
    Method(
        "decode",
        takes=("target", "memory", "memory_mask"),
        gives=("the logits",),
        used="Decoding calls it for every new token.",
        inputs=lambda given, source, target: [target, *_encode(given, source[::-1].copy())],  # not those encoded last
        reference=lambda given, *inputs: [decode({**given, **given["config"]}, *inputs)],
    ),
)

transformer = Module(
    id="build.transformer",
    answer_name="Transformer",
    prompt="A whole Transformer: it takes a source and a target, and returns logits for the token after each target token.",
    shapes=_shapes,
    tied=_roots,
    reference=program(),
    draw=_draw,
    unread=lambda source, target: target == PAD,
    why="The encoder runs once per source, every decoder layer reads its output, and the masks decide who sees what.",
    hints=(
        "`Stack.forward`: pass x through each layer in turn, with everything in `others`, `x = layer(x, *others)`. Then "
        "apply the norm.",
        "`encode`: the mask is True where the source is not padding, `source != 0`, with an axis for the queries in the "
        "middle: (b, 1, m). The encoder gets the vectors of the source and this mask. Return its output and the mask.",
        "`decode`: the decoder gets the vectors of the target, the memory, a causal mask (n, n) and the memory's mask, in "
        "this order. The output layer turns its result into logits.",
        "`forward` is `self.decode(target, *self.encode(source))`. To tie two modules' parameters, assign one to the other: "
        "`self.output.weight = self.target.embedding.table`.",
    ),
    mistakes={
        **MASKS,
        **adapted(
            STACK,
            lambda run: _with(run=run),
            more={
                "no final norm": (
                    program(encode=partial(encode, run=without_norm)),
                    program(decode=partial(decode, run=without_norm)),
                ),
            },
            layer="layer",
            layers="`self.layers`",
            norm="`self.norm`",
        ),
        **INPUTS,
        **adapted(OUTPUT, lambda last: program(last=last), logits="what `self.output` gives"),
    },
    methods=METHODS,
)
