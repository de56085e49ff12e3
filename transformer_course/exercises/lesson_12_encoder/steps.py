"""An encoder layer and a decoder layer as functions of arrays, post-norm, some of whose steps can be replaced."""

from ..families import in_part
from ..families.feed_forward import FEED_FORWARD, feed_forward, network, sigmoid
from ..families.multi_head import multi_head
from ..families.norm import LAYER_NORM, layer_norm
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


def self_attention(x, weights, num_heads, mask, **steps):
    return attention(weights, (x, x, x), num_heads, mask, **steps)


def layer_of(attention=self_attention, **parts):
    """An encoder layer with another attention, or with some of its parts replaced."""

    def answer(x, weights, num_heads, mask):
        return wired(x, weights, [lambda y: attention(y, weights, num_heads, mask)], **parts)

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


def transposed(layer, *sets):
    """In a table, the mistake that a layer uses these sets of matrices the wrong way round."""

    def turned(names):
        def turn(value):
            return value | {name: value[name].T for name in names} if isinstance(value, dict) else value

        return lambda *given: layer(*map(turn, given))

    told = (
        "You transposed some or all of the matrices of attention. torch's own layers store theirs that way, but here they are "
        "used as they are, with the tokens on the left.",
        "Write x @ w_q and merged @ w_o, without .T.",
        *map(turned, sets),
    )
    return {"matrices transposed": told}


def above_six(question):
    """The same question with a hidden unit that is far above 0."""
    weights = next(value for value in question if isinstance(value, dict))
    weights["b1"][0] = 16
    return question


def mistakes_of_parts(layer):
    """What goes wrong in the feed-forward network and in the norms of a layer."""
    return {
        **in_part(
            "your feed-forward network",
            FEED_FORWARD,
            lambda network: layer(network=network),
            more={"GELU": (layer(network=network(lambda h: h * sigmoid(1.702 * h))),)},
            relu="np.maximum (in torch, torch.relu)",
        ),
        **in_part(
            "your LayerNorm",
            LAYER_NORM,
            lambda norm: layer(norm=norm),
            but=(
                "axis 1",
                "each x[i] as one vector",
                "no ε",
                "ε fixed",
                "ε as the smallest value",
                "ε added after the division",
            ),
            axis="`axis=-1`",
            keepdims="`keepdims=True` (in torch `keepdim=True`)",
            eps="1e-5",
            inside="`variance + 1e-5`",
        ),
        "your LayerNorm: a different ε": (
            "Your LayerNorm is right for vectors that vary a lot. Where a vector varies little, ε matters, and yours is not the "
            "one in the task.",
            "Add 1e-5 to the variance, inside the square root.",
            *(
                layer(norm=lambda x, gamma, beta, _, own=own: layer_norm(x, gamma, beta, own))
                for own in (0, 1e-6, 1e-8, 1e-12, 1e-4, 1e-3)
            ),
        ),
    }
