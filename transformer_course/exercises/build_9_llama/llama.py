"""Stage B9: a Llama, whose stack is that of the GPT, with other parts and without a table of positions."""

from functools import partial

from ..build_4_a_gpt.block import in_block, part, under
from ..build_4_a_gpt.block import program as block_program
from ..build_4_a_gpt.gpt import mistakes_of_a_stack, stack_shapes, token_rows, two_models
from ..build_4_a_gpt.gpt import program as stack_program
from ..families import adapted
from ..kinds import Module
from ..kinds.module_faults import Fault
from .grouped_attention import grouped_attention
from .grouped_attention import shapes as attention_shapes
from .rms_norm import rms_norm
from .rms_norm import shapes as norm_shapes
from .swiglu import shapes as network_shapes
from .swiglu import swiglu


def _block(**replaced):
    """A block of the Llama with some of its parts replaced."""
    parts = {
        "attention": grouped_attention,
        "network": part("feed_forward", swiglu),
        "norms": (part("norm_1", rms_norm), part("norm_2", rms_norm)),
    }
    return block_program(**parts | replaced)


program = partial(stack_program, vectors=token_rows, block=_block(), norm=rms_norm)


def _shapes(vocabulary_size, d_model, num_heads, num_groups, num_layers, d_ff):
    block = {
        **under("norm_1", norm_shapes(d_model)),
        **under("attention", attention_shapes(d_model, num_heads, num_groups)),
        **under("norm_2", norm_shapes(d_model)),
        **under("feed_forward", network_shapes(d_model, d_ff)),
    }
    return stack_shapes(vocabulary_size, d_model, num_layers, block, norm_shapes(d_model))


llama = Module(
    id="build.llama",
    answer_name="Llama",
    prompt="A Llama: a stack of blocks with RMSNorm, grouped attention and SwiGLU, and no table of positions.",
    shapes=_shapes,
    reference=program(),
    draw=two_models(_shapes, (9, 8, 4, 2, 2, 7), (5, 6, 3, 1, 3, 8)),
    leftovers={
        r"norm.*\.(beta|bias)$": Fault(
            "a norm not replaced",
            "`{parameter}` is there, so this norm is not an `RMSNorm`.",
            "`RMSNorm(d_model)` makes both norms of `LlamaBlock`, of which `self.blocks` consists, and `self.final_norm`.",
        ),
        r"attention\..*bias$": Fault(
            "attention not replaced",
            "`{parameter}` is there, so `attention` is still the `MultiHeadAttention` of `Block`, or a layer of your "
            "`GroupedAttention` has a bias.",
            "In `LlamaBlock`, after `super().__init__`, assign a `GroupedAttention` to `self.attention`.",
        ),
        r"feed_forward\.w_[12]\.": Fault(
            "the feed-forward network not replaced",
            "`{parameter}` is there, so `feed_forward` is still the `FeedForward` of `Block`.",
            "In `LlamaBlock`, after `super().__init__`, assign a `SwiGLU` to `self.feed_forward`.",
        ),
        r"^positions": Fault(
            "the table of positions left in",
            "`{parameter}` is there: your Llama still has the table of positions. The rotation takes its place.",
            "Leave it out, in `__init__` and in `forward`.",
        ),
    },
    why="The block's forward pass is that of your GPT: each sublayer adds to the residual stream, whatever its parts are.",
    hints=(
        "In `LlamaBlock`, assign the four new parts under the names of the old ones: `norm_1`, `attention`, `norm_2` and "
        "`feed_forward`. Its `forward` is inherited from `Block`.",
        "`Llama` is like your `GPT`, but without `positions`. Its blocks are `LlamaBlock`, its final norm is `RMSNorm`.",
        "In `forward`: the rows of `tokens`, each block in turn, `final_norm`, then `output`, an nn.Linear without bias.",
    ),
    mistakes={
        **mistakes_of_a_stack(program),
        "no causal mask": (
            "The blocks look into the future: attention gets no mask.",
            "The `forward` of `Block` passes a causal mask. If you wrote your own, pass one as well.",
            program(block=_block(causal=lambda n: None)),
        ),
        **adapted(
            in_block(copy="The `forward` of `Block` does all this already."),
            lambda wire: program(block=_block(wire=wire)),
            but=("the layer's input added at the end",),
        ),
    },
)
