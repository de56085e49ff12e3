"""Stage B5: the vectors that enter the encoder and the decoder, from ids."""

import numpy as np

from ..kinds import Dropped, Module
from ..lesson_07_sinusoids.sinusoidal import sinusoidal as sine_waves
from ..toolkit import mistake


def rows(given, tokens):
    return given["embedding.table"][tokens]


def _root(given):
    return np.sqrt(given["embedding.table"].shape[1])


def waves(given, tokens):
    return sine_waves(tokens.shape[1], given["embedding.table"].shape[1])


def _waves_of_the_batch(given, tokens):
    return sine_waves(len(tokens), given["embedding.table"].shape[1])


def program(scaled=lambda given, x: x * _root(given), positions=waves):
    """The input of a stack, with some of its steps replaced."""
    return lambda given, tokens: scaled(given, rows(given, tokens)) + positions(given, tokens)


text_vectors = program()


def _shapes(vocabulary_size, d_model, dropout=0.0):
    return {"embedding.table": (vocabulary_size, d_model)}


def _draw(rng):
    return [
        ({"vocabulary_size": 9, "d_model": 6}, [[rng.integers(0, 9, size)] for size in ((2, 5), (3, 3), (4, 1))]),
        ({"vocabulary_size": 7, "d_model": 8, "dropout": 0.5}, [[rng.integers(0, 7, (3, 4))]]),
    ]


text_input = Module(
    id="build.text_input",
    answer_name="TextInput",
    prompt="The vectors of a batch of ids: rows of a table, scaled, plus sine waves for the positions.",
    shapes=_shapes,
    reference=text_vectors,
    draw=_draw,
    dropped=Dropped(
        lambda given, tokens: np.zeros((*tokens.shape, given["embedding.table"].shape[1])),
        "every number of the output should become 0",
        "Dropout goes around the sum of rows and waves: `self.dropout(…)`.",
    ),
    why="The same table serves every position, so only the waves tell the model where a token is.",
    hints=(
        "The table is `self.embedding.table`. Indexing works with a tensor of ids: `self.embedding.table[tokens]` has shape "
        "(b, n, d_model).",
        "Multiply these rows by `self.d_model ** 0.5`, and only then add the waves.",
        "`sine_waves(n, self.d_model)` has shape (n, d_model), so it can be added to every sequence of the batch. n is "
        "`tokens.shape[1]`. Dropout goes around the sum.",
    ),
    mistakes=(
        mistake(
            "not scaled",
            "The rows are not multiplied by √d_model. They are small, and the waves would drown them out.",
            "Multiply by `self.d_model ** 0.5` before you add the waves.",
            program(scaled=lambda given, x: x),
        ),
        mistake(
            "divided by √d_model",
            "You divided by √d_model. That is for the scores of attention; here the rows should become larger.",
            "Multiply.",
            program(scaled=lambda given, x: x / _root(given)),
        ),
        mistake(
            "times d_model",
            "You multiplied by d_model itself.",
            "Take its square root.",
            program(scaled=lambda given, x: x * _root(given) ** 2),
        ),
        mistake(
            "positions scaled too",
            "You multiplied the sum by √d_model, including the waves.",
            "Scale the rows first, then add the waves.",
            lambda given, tokens: (rows(given, tokens) + waves(given, tokens)) * _root(given),
        ),
        mistake(
            "no positions",
            "The waves are never added, so the model cannot tell the order of the tokens.",
            "Add `sine_waves(n, self.d_model)`.",
            program(positions=lambda given, tokens: 0.0),
        ),
        mistake(
            "positions counted by the batch",
            "You took n from the wrong axis: `tokens` has shape (b, n).",
            "`tokens.shape[1]` is the number of tokens of each sequence.",
            program(positions=_waves_of_the_batch),
        ),
        mistake(
            "positions along the batch",
            "All tokens of a sequence get the same wave, and each sequence another one: your positions are along the batch.",
            "`tokens` has shape (b, n). Which of the two axes holds the positions?",
            program(positions=lambda given, tokens: _waves_of_the_batch(given, tokens)[:, None]),
        ),
        mistake(
            "waves chosen by ids",
            "The wave of a token depends on its id. So the same token gets the same wave everywhere, and the order is lost.",
            "Which position do the tokens in the first column have?",
            program(positions=lambda given, tokens: sine_waves(*given["embedding.table"].shape)[tokens]),
        ),
        mistake(
            "positions from 1",
            "Your positions begin at 1. The first token has position 0.",
            "`sine_waves(n, …)` returns the waves of the positions 0 to n − 1.",
            program(
                positions=lambda given, tokens: sine_waves(tokens.shape[1] + 1, given["embedding.table"].shape[1])[1:],
            ),
        ),
        mistake(
            "positions backwards",
            "Your positions run backwards: the last token gets the wave of position 0.",
            "The first row that `sine_waves` returns belongs to the first token.",
            program(positions=lambda given, tokens: waves(given, tokens)[::-1]),
        ),
        mistake(
            "multiplied by the waves",
            "You multiply the rows by the waves. Where a wave is 0, nothing is left of the token.",
            "Add them.",
            lambda given, tokens: rows(given, tokens) * _root(given) * waves(given, tokens),
        ),
        mistake(
            "one position for all",
            "Every token gets the same position.",
            "`sine_waves` returns one row per position: add all n of them.",
            program(positions=lambda given, tokens: waves(given, tokens)[-1]),
            program(positions=lambda given, tokens: waves(given, tokens)[0]),
        ),
    ),
)
