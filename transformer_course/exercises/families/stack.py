"""What goes wrong around a stack of layers: in the vectors that enter it, between its layers, and in what comes out.

A piece of STACK is ``run(layers, norm, x)``, where each of the ``layers`` and the final norm is a function of vectors. One of
OUTPUT is ``last(logits)``; the gap ``{logits}`` says what gives them. One of POSITIONS is ``enter(rows, table, tokens)``:
``rows`` are the vectors of the ``tokens``, as they should be, and ``table(n)`` gives the vectors of the positions 0 to n − 1.
"""

import numpy as np

from ..toolkit import softmax


def run(layers, norm, x):
    for layer in layers:
        x = layer(x)
    return norm(x)


def without_norm(layers, norm, x):
    return run(layers, lambda x: x, x)


def _some(choose):
    """A stack of the layers that ``choose(layers)`` gives."""
    return lambda layers, norm, x: run(choose(layers), norm, x)


def _each(step, final=True):
    """A stack with ``step(layer, norm, x)`` for every layer, and with the final norm or without it."""

    def run_all(layers, norm, x):
        for layer in layers:
            x = step(layer, norm, x)
        return norm(x) if final else x

    return run_all


STACK = {
    "no final norm": (
        "The final norm is never used. The residual stream has grown from {layer} to {layer}, so it should be normalised "
        "before the output layer.",
        "Apply {norm} after the last {layer}.",
        without_norm,
    ),
    "norm in the wrong place": (
        "You normalise before the {layer}s. The final norm comes after the last {layer}.",
        "Apply {norm} after the loop.",
        lambda layers, norm, x: without_norm(layers, norm, norm(x)),
        lambda layers, norm, x: run(layers, norm, norm(x)),
    ),
    "norm after every layer": (
        "You apply the final norm after every {layer}, so the residual stream is rescaled again and again.",
        "Which lines are inside the loop? Apply {norm} once, after the last {layer}.",
        _each(lambda layer, norm, x: norm(layer(x)), final=False),
        _each(lambda layer, norm, x: norm(layer(x))),
        _each(lambda layer, norm, x: layer(norm(x)), final=False),
    ),
    "a residual connection around every layer": (
        "You add each {layer}'s output to its input. The {layer} has already done that itself, so the stream is counted "
        "twice.",
        "What does a {layer} return? Pass that on as it is.",
        _each(lambda layer, norm, x: x + layer(x)),
    ),
    "one layer used for all": (
        "Every round runs the same {layer}; the others are never used.",
        "Loop over {layers}.",
        _some(lambda layers: [layers[0]] * len(layers)),
        _some(lambda layers: [layers[-1]] * len(layers)),
    ),
    "only one layer": (
        "Only one of the {layer}s has an effect.",
        "Loop over {layers}, and assign what each returns to x: the next one needs it.",
        _some(lambda layers: layers[:1]),
        _some(lambda layers: layers[-1:]),
    ),
    "a layer left out": (
        "Your loop leaves out the first or the last {layer}.",
        "Loop over {layers}, from the first to the last.",
        _some(lambda layers: layers[:-1]),
        _some(lambda layers: layers[1:]),
    ),
    "no layers": (
        "None of the {layer}s has an effect.",
        "Loop over {layers}, and assign what each returns to x.",
        _some(lambda layers: []),
    ),
    "layers in reverse order": (
        "The {layer}s run in reverse order.",
        "Your loop should begin with {layer} 0.",
        _some(lambda layers: layers[::-1]),
    ),
}

OUTPUT = {
    "probabilities in place of logits": (
        "You return probabilities. The loss takes logits and applies the softmax itself; a second one would make all "
        "probabilities nearly equal, and the model would hardly learn.",
        "Return {logits}.",
        softmax,
        lambda logits: softmax(logits.swapaxes(1, -1)).swapaxes(1, -1),  # and along the tokens
    ),
    "logarithms of probabilities": (
        "You return log-probabilities. The loss is the same with them, but this class returns logits.",
        "Return {logits}.",
        lambda logits: np.log(softmax(logits)),
    ),
    "the most likely token": (
        "You return the id of the most likely token. Training and sampling need the logits of all tokens.",
        "Return {logits}.",
        lambda logits: logits.argmax(-1),
    ),
    "the last position only": (
        "You return logits for the last position only. In training every position predicts its next token.",
        "Return the logits of all positions, (b, n, v).",
        lambda logits: logits[:, -1],
        lambda logits: logits[:, -1:],
    ),
}

# A piece is ``combine(rows, positions, root)``, with the root of d_model.
SCALED = {
    "not multiplied": (
        "The rows and the positions are right, but you left out the factor √d_model. Without it, the rows are small, and the "
        "positions drown them out.",
        "Multiply {rows} by √d_model first. d_model is the width of the table.",
        lambda rows, positions, root: rows + positions,
    ),
    "divided": (
        "You divided by √d_model, as attention does with its scores. That makes the rows smaller.",
        "Multiply by √d_model. The rows should become larger.",
        lambda rows, positions, root: rows / root + positions,
    ),
    "without the root": (
        "You multiplied by d_model itself, so the rows are far too large.",
        "Take the square root of d_model, for example with ** 0.5.",
        lambda rows, positions, root: rows * root**2 + positions,
    ),
    "positions multiplied too": (
        "You multiplied the sum by √d_model, so the positions were multiplied as well.",
        "Multiply {rows} first, and add the positions after that.",
        lambda rows, positions, root: (rows + positions) * root,
    ),
    "positions multiplied instead": (
        "You multiplied the positions instead of the rows of the table.",
        "Multiply {rows}, and add the positions as they are.",
        lambda rows, positions, root: rows + positions * root,
    ),
}

POSITIONS = {
    "no positions": (
        "The positions are never added, so the model can hardly tell the order of the tokens.",
        "Add {positions}.",
        lambda rows, table, tokens: rows,
    ),
    "positions from 1": (
        "Your positions begin at 1. The first token has position 0.",
        "Add {positions}, which begins at 0.",
        lambda rows, table, tokens: rows + table(tokens.shape[-1] + 1)[1:],
    ),
    "positions backwards": (
        "Your positions run backwards: the last token gets the vector of position 0.",
        "Add {positions}. Its first row belongs to the first token.",
        lambda rows, table, tokens: rows + table(tokens.shape[-1])[::-1],
    ),
    "positions counted by the batch": (
        "You number the positions up to b, the number of sequences. Each of the n tokens of a sequence needs a position.",
        "For a batch, `tokens` has shape (b, n): which of its axes counts the tokens?",
        lambda rows, table, tokens: rows + table(len(tokens)),
    ),
    "positions along the batch": (
        "All tokens of a sequence get the same position, and each sequence its own: your positions are along the batch.",
        "For a batch, `tokens` has shape (b, n). Which of the two axes holds the positions?",
        lambda rows, table, tokens: rows + table(len(tokens)).reshape(len(tokens), *[1] * (tokens.ndim - 1), -1),
    ),
    "counted on from text to text": (
        "You went on counting from one sequence to the next: the second begins where the first ended.",
        "Each sequence begins at position 0: the same rows are added to all sequences of the batch.",
        lambda rows, table, tokens: rows + table(tokens.size).reshape(rows.shape),
    ),
    "positions looked up by token": (
        "You look up the positions with the ids of the tokens. So the same token gets the same position everywhere, and the "
        "order is lost.",
        "Which position do the tokens in the first column have?",
        lambda rows, table, tokens: rows + table(tokens.max() + 1)[tokens],
    ),
    "one position for all": (
        "Every token gets the same position.",
        "Add all n rows of {positions}, one for each token.",
        lambda rows, table, tokens: rows + table(tokens.shape[-1])[-1],
        lambda rows, table, tokens: rows + table(tokens.shape[-1])[0],
    ),
    "positions multiplied": (
        "You multiply the vectors of tokens and positions. Where a number of the position is 0, nothing is left of the token.",
        "Add them.",
        lambda rows, table, tokens: rows * table(tokens.shape[-1]),
    ),
    "positions added twice": (
        "You add the positions twice.",
        "Once is enough: they stay in the residual stream.",
        lambda rows, table, tokens: rows + 2 * table(tokens.shape[-1]),
    ),
}
