"""Stage B4: a GPT, from an embedding, positions, blocks, a final LayerNorm and an output layer."""

import numpy as np

from ..build_2_one_head.causal_head import linear
from ..kinds import Module
from ..toolkit import mistake, softmax
from .block import block_forward, under, within
from .block import shapes as block_shapes
from .parts import layer_norm, norm_shapes


def _positions(given, tokens):
    return given["positions.weight"][: tokens.shape[1]]


def _embed(given, tokens):
    return given["tokens.weight"][tokens]


def program(
    embed=_embed,
    positions=_positions,
    block=block_forward,
    norm=layer_norm,
    first=lambda normalise, x: x,
    order=range,
    step=lambda normalise, before, after: after,
    final=lambda normalise, x: normalise(x),
    last=lambda logits: logits,
):
    """A stack of blocks between an embedding and an output layer, with some of its parts replaced.

    ``normalise`` is the final norm. It is passed to the steps before, between and after the blocks.
    """

    def forward(given, tokens):
        def normalise(x):
            return norm(within(given, "final_norm"), x)

        x = first(normalise, embed(given, tokens) + positions(given, tokens))
        for number in order(given["num_layers"]):
            x = step(normalise, x, block(within(given, f"blocks.{number}"), x))
        return last(linear(given, "output", final(normalise, x)))

    return forward


def _tokens_times_positions(given, tokens):
    return _embed(given, tokens) * _positions(given, tokens)


def _positions_in_every_layer(given, tokens):
    x = _embed(given, tokens)
    for number in range(given["num_layers"]):
        x = block_forward(within(given, f"blocks.{number}"), x + _positions(given, tokens))
    return linear(given, "output", layer_norm(within(given, "final_norm"), x))


def _shapes(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
    layers = [under(f"blocks.{number}", block_shapes(d_model, num_heads, d_ff)) for number in range(num_layers)]
    return {
        "tokens.weight": (vocabulary_size, d_model),
        "positions.weight": (max_length, d_model),
        **{name: shape for layer in layers for name, shape in layer.items()},
        **under("final_norm", norm_shapes(d_model)),
        "output.weight": (vocabulary_size, d_model),
    }


def _draw(rng):
    def sizes(vocabulary_size, max_length, d_model, num_heads, num_layers, d_ff):
        return {"vocabulary_size": vocabulary_size, "max_length": max_length, "d_model": d_model, "num_heads": num_heads,
                "num_layers": num_layers, "d_ff": d_ff}  # fmt: skip

    return [
        (sizes(9, 8, 6, 3, 2, 7), [[rng.integers(0, 9, size)] for size in ((2, 5), (3, 3), (2, 8))]),
        (sizes(5, 4, 4, 2, 3, 8), [[rng.integers(0, 5, (3, 4))]]),
    ]


def _as_it_is(normalise, x):
    return x


def mistakes_of_a_stack(program):
    """The mistakes that concern the stack as a whole; ``program`` is the function above, or one like it for another model."""
    return (
        mistake(
            "scaled by √d_model",
            "You multiplied the tokens' vectors by √d_model, as the original Transformer does. This model does not.",
            "Use the rows of the table as they are.",
            program(embed=lambda given, tokens: _embed(given, tokens) * np.sqrt(given["d_model"])),
        ),
        mistake(
            "no final norm",
            "`final_norm` is never used. The residual stream has grown from block to block, so it should be normalised "
            "before the output layer.",
            "Apply it after the last block.",
            program(final=_as_it_is),
        ),
        mistake(
            "norm in the wrong place",
            "You normalise before the blocks. The final norm comes after the last block.",
            "Apply `self.final_norm` right before `self.output`.",
            program(first=lambda normalise, x: normalise(x), final=_as_it_is),
        ),
        mistake(
            "norm after every block",
            "You apply `final_norm` after every block, so the residual stream is rescaled again and again.",
            "Which lines are inside the loop? Apply it once, after the last block.",
            program(step=lambda normalise, before, after: normalise(after), final=_as_it_is),
            program(step=lambda normalise, before, after: normalise(after)),
        ),
        mistake(
            "a residual connection around every block",
            "You add each block's output to its input. The block has already done that itself, so the stream is counted "
            "twice.",
            "What does a block return? Pass that on as it is.",
            program(step=lambda normalise, before, after: before + after),
        ),
        mistake(
            "one block used for all",
            "Every layer runs the first block; the other blocks are never used.",
            "Loop over `self.blocks`.",
            program(order=lambda count: [0] * count),
        ),
        mistake(
            "only one block",
            "Only one of the blocks is used.",
            "Loop over `self.blocks`, and pass on what each returns: `x = block(x)`.",
            program(order=lambda count: [0]),
            program(order=lambda count: [count - 1]),
        ),
        mistake(
            "no blocks",
            "None of the blocks is used.",
            "Loop over `self.blocks`, and keep what each returns: `x = block(x)`.",
            program(order=lambda count: []),
        ),
        mistake(
            "blocks in reverse order",
            "The blocks run in reverse order.",
            "Block 0 comes first.",
            program(order=lambda count: range(count)[::-1]),
        ),
        mistake(
            "probabilities in place of logits",
            "You return probabilities. `cross_entropy` takes logits and applies the softmax itself.",
            "Return what `self.output` gives.",
            program(last=softmax),
        ),
        mistake(
            "logarithms of probabilities",
            "You return log-probabilities. The loss is the same with them, but this class returns logits.",
            "Return what `self.output` gives.",
            program(last=lambda logits: np.log(softmax(logits))),
        ),
        mistake(
            "the most likely character",
            "You return the id of the most likely character. Training and sampling need the logits of all characters.",
            "Return what `self.output` gives.",
            program(last=lambda logits: logits.argmax(-1)),
        ),
        mistake(
            "the last position only",
            "You return logits for the last position only. In training every position predicts its next character.",
            "Return the logits of all positions, (b, n, v).",
            program(last=lambda logits: logits[:, -1]),
            program(last=lambda logits: logits[:, -1:]),
        ),
    )


gpt = Module(
    id="build.gpt",
    answer_name="GPT",
    prompt="A GPT: tokens and positions, a stack of blocks, a final LayerNorm, and logits for the next character.",
    shapes=_shapes,
    reference=program(),
    draw=_draw,
    optional={"dropout": 0.5},
    why="Tokens and positions are added once, the blocks add to that sum, and the last matrix turns it into logits.",
    hints=(
        "Two tables, both nn.Embedding: `self.tokens` with a row per character, and `self.positions` with a row per "
        "position, up to max_length. Their rows are added.",
        "The blocks go into an nn.ModuleList, so that `parameters()` finds them: `nn.ModuleList(Block(…) for _ in "
        "range(num_layers))`. Each is a new object.",
        "In `forward`: tokens plus positions 0 … n − 1 (`torch.arange(n)`), then each block in turn, then `final_norm`, then "
        "`output`, an nn.Linear without bias.",
    ),
    mistakes=(
        mistake(
            "no positions",
            "The positions are never added, so the model can hardly tell the order of the characters.",
            "Add `self.positions(torch.arange(n))` to the tokens' vectors.",
            program(positions=lambda given, tokens: 0.0),
        ),
        mistake(
            "positions shifted",
            "Your positions begin at 1, so row 0 of the table is never used, and a sequence of length max_length has no "
            "row for its last position.",
            "`torch.arange(n)` begins at 0.",
            program(positions=lambda given, tokens: given["positions.weight"][np.arange(1, 1 + tokens.shape[1])]),
        ),
        mistake(
            "positions from the end",
            "You number the positions from the end of the table, or backwards. Position 0 is the first character.",
            "Use `torch.arange(n)`.",
            program(positions=lambda given, tokens: given["positions.weight"][-tokens.shape[1] :]),
            program(positions=lambda given, tokens: _positions(given, tokens)[::-1]),
        ),
        mistake(
            "all positions of the table",
            "You add all max_length rows of the positions' table, so a shorter sequence does not fit.",
            "How many tokens does this sequence have? Number the positions with its length n, `tokens.shape[1]`.",
            program(positions=lambda given, tokens: given["positions.weight"]),
        ),
        mistake(
            "positions counted by the batch",
            "You number the positions up to b, the number of sequences. Each of the n tokens of a sequence needs a position.",
            "`tokens` has shape (b, n): which of its axes counts the tokens?",
            program(positions=lambda given, tokens: given["positions.weight"][: len(tokens)]),
            program(positions=lambda given, tokens: given["positions.weight"][: len(tokens), None]),
        ),
        mistake(
            "positions looked up by token",
            "You look up the table of positions with the ids of the characters. Which row is needed depends on where a "
            "character is, not on which character it is.",
            "Pass `torch.arange(n)` to `self.positions`.",
            program(positions=lambda given, tokens: given["positions.weight"][tokens]),
        ),
        mistake(
            "one position for all",
            "Every character gets the same position.",
            "Pass `torch.arange(n)`, one number per position.",
            program(positions=lambda given, tokens: given["positions.weight"][tokens.shape[1] - 1]),
            program(positions=lambda given, tokens: given["positions.weight"][0]),
        ),
        mistake(
            "positions added in every layer",
            "You add the positions before every block. They stay in the residual stream, so once is enough.",
            "Add them before the loop.",
            _positions_in_every_layer,
        ),
        mistake(
            "positions multiplied",
            "You multiply the vectors of tokens and positions.",
            "Add them.",
            program(embed=_tokens_times_positions, positions=lambda given, tokens: 0.0),
        ),
        *mistakes_of_a_stack(program),
    ),
)
