"""Stage B5: the vectors that enter the encoder and the decoder, from ids."""

import numpy as np

from ..families import adapted, named, pairs
from ..families.positions import by_pairs, one_after_another
from ..families.stack import POSITIONS, SCALED
from ..kinds import Dropped, Module
from ..lesson_07_sinusoids.sinusoidal import sinusoidal as sine_waves
from ..toolkit import mistake


def rows(given, tokens):
    return given["embedding.table"][tokens]


def _root(given):
    return np.sqrt(given["embedding.table"].shape[1])


def program(scaled=lambda given, x: x * _root(given), enter=lambda rows, table, tokens: rows + table(tokens.shape[1])):
    """The input of a stack, with some of its steps replaced."""

    def forward(given, tokens):
        width = given["embedding.table"].shape[1]
        return enter(scaled(given, rows(given, tokens)), lambda n: sine_waves(n, width), tokens)

    return forward


def _combined(combine):
    def forward(given, tokens):
        table = given["embedding.table"]
        return combine(table[tokens], sine_waves(tokens.shape[1], table.shape[1]), _root(given))

    return forward


text_vectors = program()


text_input = Module(
    id="build.text_input",
    answer_name="TextInput",
    prompt="The vectors of a batch of ids: rows of a table, scaled, plus sine waves for the positions.",
    shapes=lambda vocabulary_size, d_model, dropout=0.0: {"embedding.table": (vocabulary_size, d_model)},
    reference=text_vectors,
    draw=lambda rng: [
        ({"vocabulary_size": 9, "d_model": 6}, [[rng.integers(0, 9, size)] for size in ((2, 5), (3, 3), (4, 1))]),
        ({"vocabulary_size": 7, "d_model": 8, "dropout": 0.5}, [[rng.integers(0, 7, (3, 4))]]),
    ],
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
        *adapted(SCALED, _combined, rows="`self.embedding.table[tokens]`"),
        *adapted(POSITIONS, lambda enter: program(enter=enter), positions="`sine_waves(n, self.d_model)`"),
        *adapted(
            pairs(
                lambda combine, enter: program(lambda given, x: combine(x, 0, _root(given)), enter),
                named(SCALED, "not multiplied", "divided"),
                named(POSITIONS, "no positions", "positions from 1", "positions along the batch"),
            ),
            lambda answer: answer,
            rows="`self.embedding.table[tokens]`",
            positions="`sine_waves(n, self.d_model)`",
        ),
        mistake(
            "all sines first",
            "You made waves of your own, with all sines before all cosines. Some programs do that. Here each sine has its "
            "cosine beside it, and the course's weights expect it there.",
            "Add `sine_waves(n, self.d_model)` as it is.",
            program(enter=lambda rows, table, tokens: rows + one_after_another(*by_pairs(table(tokens.shape[1])))),
        ),
    ),
)
