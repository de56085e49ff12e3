"""Sheet 11: one token through LayerNorm, by hand."""

import numpy as np

from ..exercise import in_order
from ..families import adapted
from ..families.norm import LAYER_NORM, OF_SEVERAL, layer_norm
from ..kinds import Number

X = np.array([2.0, 4.0, 5.0, 6.0, 8.0])
GAMMA, BETA = np.array([2.0, 1.0, 3.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0, 0.0, -1.0])


def _gives(norm):
    return norm(X, GAMMA, BETA, 0.0).tolist()


standardised = Number(
    id="layers.standardised",
    answer_name="outputs",
    prompt="The five outputs of LayerNorm for one token, with γ and β.",
    value=_gives(layer_norm),
    atol=0.01,
    why=(
        "LayerNorm subtracts the token's own mean and divides by its own standard deviation, and then γ and β set a new "
        "scale and offset."
    ),
    hints=(
        "Begin without γ and β. The mean of the five numbers is 5. How far is each of them from it?",
        "The squares of −3, −1, 0, 1 and 3 are 9, 1, 0, 1 and 9, and their mean is 20/5. Divide by the square root of that.",
        "That gives [−1.5, −0.5, 0, 0.5, 1.5]. Now multiply each number by its γ and add its β.",
    ),
    mistakes=adapted(
        [each for each in in_order(LAYER_NORM) if "ε" not in each.name and each.name not in OF_SEVERAL],
        _gives,
        but=("no average", "γ and β left out, and a different divisor"),  # which differ only by their ε
        inside="the variance",
    ),
)
