"""Stage B4: a GPT, from an embedding, positions, blocks, a final LayerNorm and an output layer."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..exercise import parameters
from ..families import adapted
from ..families.stack import OUTPUT, POSITIONS, STACK, run
from ..kinds import Module
from .block import block_forward, under, within
from .block import shapes as block_shapes
from .parts import layer_norm, norm_shapes


def token_rows(given, tokens):
    return given["tokens.weight"][tokens]


def _table(given):
    """The first rows of the table of positions. A missing row is an error, as in torch; a slice would just be shorter."""
    return lambda n: given["positions.weight"][np.arange(n)]


def _with_positions(enter=lambda rows, table, tokens: rows + table(tokens.shape[1])):
    return lambda given, tokens: enter(token_rows(given, tokens), _table(given), tokens)


def program(vectors=_with_positions(), block=block_forward, norm=layer_norm, run=run, last=lambda logits: logits):  # noqa: B008
    """A stack of blocks between an embedding and an output layer, with some of its parts replaced."""

    def forward(given, tokens):
        blocks = [
            lambda x, number=number: block(within(given, f"blocks.{number}"), x) for number in range(given["num_layers"])
        ]
        x = run(blocks, lambda x: norm(within(given, "final_norm"), x), vectors(given, tokens))
        return last(linear(given, "output", x))

    return forward


def _rows_of_the_table(choose):
    """The tokens' vectors plus ``choose(table of positions, tokens)``."""
    return program(vectors=lambda given, tokens: token_rows(given, tokens) + choose(given["positions.weight"], tokens))


def stack_shapes(vocabulary_size, d_model, num_layers, block, norm):
    """The shapes in a model whose blocks and final norm have these."""
    return {
        "tokens.weight": (vocabulary_size, d_model),
        **{f"blocks.{number}.{name}": shape for number in range(num_layers) for name, shape in block.items()},
        **under("final_norm", norm),
        "output.weight": (vocabulary_size, d_model),
    }


def _shapes(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
    block = block_shapes(d_model, num_heads, d_ff)
    stack = stack_shapes(vocabulary_size, d_model, num_layers, block, norm_shapes(d_model))
    return {**stack, "positions.weight": (max_length, d_model)}


def sizes_of(shapes, *sizes):
    """Sizes by the names that ``shapes`` has for them."""
    return dict(zip(parameters(shapes), sizes, strict=True))


def two_models(shapes, first, second):
    """Draw the calls of models of these sizes: one of 9 tokens, and one of 5, where each id is a position too."""
    return lambda rng: [
        (sizes_of(shapes, *first), [[rng.integers(0, 9, size)] for size in ((2, 5), (3, 3), (2, 8))]),
        (sizes_of(shapes, *second), [[rng.integers(0, 5, (3, 4))]]),
    ]


def mistakes_of_a_stack(program):
    """The mistakes that concern the stack as a whole; ``program`` is the function above, or one like it for another model."""
    return {
        "scaled by √d_model": (
            "You multiplied the tokens' vectors by √d_model, as the original Transformer does. This model does not.",
            "Use the rows of the table as they are.",
            lambda given, tokens: program()(
                {**given, "tokens.weight": given["tokens.weight"] * given["d_model"] ** 0.5}, tokens
            ),
        ),
        **adapted(STACK, lambda run: program(run=run), layer="block", layers="`self.blocks`", norm="`self.final_norm`"),
        **adapted(OUTPUT, lambda last: program(last=last), logits="what `self.output` gives"),
    }


gpt = Module(
    id="build.gpt",
    answer_name="GPT",
    prompt="A GPT: tokens and positions, a stack of blocks, a final LayerNorm, and logits for the next character.",
    shapes=_shapes,
    reference=program(),
    draw=two_models(_shapes, (9, 8, 6, 3, 2, 7), (5, 6, 4, 2, 3, 8)),
    optional={"dropout": 0.5},
    why="Tokens and positions are added once, the blocks add to that sum, and the last matrix turns it into logits.",
    hints=(
        "Two tables, both nn.Embedding: `self.tokens` with a row per character, and `self.positions` with a row per "
        "position, up to max_length. Their rows are added.",
        "The blocks go into an nn.ModuleList, so that `parameters()` finds them: `nn.ModuleList(Block(…) for _ in "
        "range(num_layers))`. Each is a new object.",
        "In `forward`: tokens plus positions 0 … n − 1 (`torch.arange(n, device=tokens.device)`), then each "
        "block in turn, then `final_norm`, then `output`, an nn.Linear without bias.",
    ),
    mistakes={
        **adapted(
            POSITIONS,
            lambda enter: program(vectors=_with_positions(enter)),
            positions="`self.positions(torch.arange(n, device=tokens.device))`",
        ),
        "positions from the end of the table": (
            "You number the positions from the end of the table. Position 0 is the first character.",
            "Use `torch.arange(n, device=tokens.device)`.",
            _rows_of_the_table(lambda table, tokens: table[-tokens.shape[1] :]),
        ),
        "all positions of the table": (
            "You add all max_length rows of the positions' table, so a shorter sequence does not fit.",
            "How many tokens does this sequence have? Number the positions with its length n, `tokens.shape[1]`.",
            _rows_of_the_table(lambda table, tokens: table),
        ),
        "positions added in every layer": (
            "You add the positions before every block. They stay in the residual stream, so once is enough.",
            "Add them before the loop.",
            lambda given, tokens: program(
                vectors=token_rows, block=lambda inside, x: block_forward(inside, x + _table(given)(tokens.shape[1]))
            )(given, tokens),
        ),
        **mistakes_of_a_stack(program),
    },
)
