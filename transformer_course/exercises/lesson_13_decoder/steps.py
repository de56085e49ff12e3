"""An encoder layer and a decoder layer as functions of arrays, post-norm, some of whose steps can be replaced."""

from ..families.feed_forward import feed_forward
from ..families.multi_head import multi_head
from ..families.norm import layer_norm
from ..families.wiring import in_turn

EPS = 1e-5


def attention(weights, inputs, num_heads, mask, prefix="", **steps):
    """Multi-head attention; the matrices of cross-attention have a prefix."""
    return multi_head(lambda name, x: x @ weights[f"{prefix}{name}"], inputs, num_heads, mask, **steps)


def wired(x, weights, attentions, wire=in_turn, network=feed_forward, norm=layer_norm):
    """The layer of these attentions and a feed-forward network, with some of its parts replaced."""
    pairs = [(weights[f"gamma{number}"], weights[f"beta{number}"]) for number in range(1, len(attentions) + 2)]
    norms = [lambda y, own=own: norm(y, *own, EPS) for own in pairs]
    return wire("post", norms, [*attentions, lambda y: network(y, *(weights[name] for name in ("w1", "b1", "w2", "b2")))], x)


def encoder_layer(steps=None, **parts):
    """An encoder layer with some steps of its attention, or some of its parts, replaced."""

    def answer(x, weights, num_heads, mask):
        return wired(x, weights, [lambda y: attention(weights, (y, y, y), num_heads, mask, **steps or {})], **parts)

    return answer


def to_memory(attend, x, memory, mask, memory_mask):
    return attend(x, memory, memory, memory_mask)


def decoder_layer(
    own=None, cross=None, read=to_memory, modules=("self", "cross"), masks=lambda x, memory, *masks: masks, **parts
):
    """A decoder layer with some steps of its two attentions, or some of its parts, replaced."""

    def answer(x, memory, weights, num_heads, mask, memory_mask):
        masks_of_both = masks(x, memory, mask, memory_mask)
        first, second = ("cross_" if name == "cross" else "" for name in modules)

        def to_itself(y):
            return attention(weights, (y, y, y), num_heads, masks_of_both[0], first, **own or {})

        def attend(query, key, value, mask):
            return attention(weights, (query, key, value), num_heads, mask, second, **cross or {})

        def to_the_memory(y, change=lambda memory: memory):
            return read(attend, y, change(memory), *masks_of_both)

        return wired(x, weights, [to_itself, to_the_memory], **parts)

    return answer
