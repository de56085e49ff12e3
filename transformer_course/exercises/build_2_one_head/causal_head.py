"""Stage B2: one causal attention head as an ``nn.Module``."""

import numpy as np

from ..kinds import Module
from ..toolkit import mistake, normal, softmax


def linear(given, name, x):
    """The map of an ``nn.Linear`` with this name, with its bias if it has one."""
    return x @ given[f"{name}.weight"].T + given.get(f"{name}.bias", 0.0)


def scores_of(q, k):
    return q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-1])


def causal(scores):
    """The scores with -inf where a query would look at a later token."""
    return np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)


def program(score=scores_of, mask=causal, weigh=softmax, query="w_q", key="w_k", value="w_v"):
    """Causal attention with some of its steps replaced; a projection that is None is left out."""

    def forward(given, x):
        q, k, v = (x if name is None else linear(given, name, x) for name in (query, key, value))
        return weigh(mask(score(q, k))) @ v

    return forward


def _masked_afterwards(scores):
    return softmax(scores) * np.tri(*scores.shape[-2:])


def hidings(seen_in):
    """Three ways to hide the scores outside of ``seen_in(n)``: put -inf or -1e9 there, or add -1e9."""

    def seen(scores):
        return seen_in(scores.shape[-1]).astype(bool)

    return (
        lambda scores: np.where(seen(scores), scores, -np.inf),
        lambda scores: np.where(seen(scores), scores, -1e9),
        lambda scores: scores + np.where(seen(scores), 0.0, -1e9),
    )


def _raised(number):
    """Later scores changed by a number."""
    return lambda scores: scores + np.where(np.tri(*scores.shape[-2:], dtype=bool), 0.0, number)


def _filled(number):
    return lambda scores: np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, number)


def nan(scores):
    return np.full_like(scores, np.nan)


def over_queries(scores):
    return softmax(scores.swapaxes(-2, -1)).swapaxes(-2, -1)


def _weights_scaled(given, x):
    unscaled = program(score=lambda q, k: q @ k.swapaxes(-2, -1))
    return unscaled(given, x) / np.sqrt(given["d_head"])


def _draw(rng):
    def calls(d, *sizes):
        return [[normal(rng, b, n, d)] for b, n in sizes]

    return [  # the lengths go down and up again, so that nothing can be kept from an earlier call
        ({"d_model": 6, "d_head": 4}, calls(6, (2, 5), (3, 3), (1, 1), (4, 7))),
        ({"d_model": 3, "d_head": 8}, calls(3, (2, 4), (4, 2))),
        ({"d_model": 5, "d_head": 5}, calls(5, (3, 6),)),
    ]  # fmt: skip


causal_head = Module(
    id="build.causal_head",
    answer_name="CausalHead",
    prompt="One causal attention head as an nn.Module: three projections, the scale, the mask, and the weighted average.",
    shapes=lambda d_model, d_head: {f"{name}.weight": (d_head, d_model) for name in ("w_q", "w_k", "w_v")},
    reference=program(),
    draw=_draw,
    why="Masked scores become weights of exactly 0, so no output depends on a later token, for any length.",
    hints=(
        "In `__init__`, call `super().__init__()`, then assign three nn.Linear layers from d_model to d_head, without "
        "bias, to `self.w_q`, `self.w_k` and `self.w_v`.",
        "In `forward`, compute queries, keys and values, then the scores `q @ k.transpose(-2, -1)`, divided by the square "
        "root of the width of a query.",
        "Make a boolean mask with `torch.ones(n, n, dtype=torch.bool).tril()`, where n is the length of this input. Fill the "
        "scores with -inf where it is False (`masked_fill`), then take the softmax over the last axis.",
    ),
    mistakes=(
        mistake(
            "no mask",
            "Each token attends to all tokens, later ones too. In training the model would see the characters that it should "
            "predict.",
            "Before the softmax, set the scores of later tokens to -inf.",
            program(mask=lambda scores: scores),
        ),
        mistake(
            "the mask upside down",
            "Each token attends to itself and to later tokens: the mask is the wrong way round. It hides the past and "
            "shows the future.",
            "`tril` keeps the part below the diagonal. Where it is True, the score stays.",
            *(program(mask=mask) for mask in hidings(lambda n: np.tri(n).T)),
        ),
        mistake(
            "the mask inverted",
            "The mask is the wrong way round: it hides the past and the token itself, and shows only the future. The last "
            "token then has nothing to attend to.",
            "`masked_fill` fills where its mask is True. Where should that be?",
            *(program(mask=mask) for mask in hidings(lambda n: 1 - np.tri(n))),
        ),
        mistake(
            "a token does not see itself",
            "Each token attends only to earlier tokens, not to itself. The first token then has nothing to attend to.",
            "Keep the diagonal in the mask: a token may see itself.",
            *(program(mask=mask) for mask in hidings(lambda n: np.tri(n, k=-1))),
        ),
        mistake(
            "sees one token ahead",
            "Each token also attends to the next one, which is the very token that it has to predict. In training the model "
            "would copy it.",
            "Print the mask. In its first row, only one score may stay.",
            *(program(mask=mask) for mask in hidings(lambda n: np.tri(n, k=1))),
        ),
        mistake(
            "NaN everywhere",
            "Every number of the output is NaN. Most likely the mask hides all scores, or it is multiplied by infinity: "
            "0 · inf is NaN.",
            "Print the mask. Then use `masked_fill`, which puts -inf where its mask is True, and leaves the other scores as "
            "they are.",
            program(mask=nan),
        ),
        mistake(
            "+inf in place of -inf",
            "You set the masked scores to +inf. Softmax then divides infinity by infinity, and the result is NaN.",
            "Hidden scores should become -inf, because exp(-inf) is 0.",
            program(mask=_filled(np.inf)),
        ),
        mistake(
            "no softmax",
            "You multiply the values by the scores. Without a softmax, these are not weights: they can be negative, and a row "
            "does not sum to 1.",
            "Take the softmax of the masked scores, along the last axis.",
            program(mask=_filled(0.0), weigh=lambda scores: scores),
            program(weigh=lambda scores: scores),
            program(mask=lambda scores: scores, weigh=lambda scores: scores),
        ),
        mistake(
            "masked scores set to 0",
            "You set the masked scores to 0. Softmax turns a score of 0 into exp(0) = 1, so later tokens still get weight.",
            "Use -inf: exp(-inf) is 0.",
            program(mask=_filled(0.0)),
        ),
        mistake(
            "masked scores not low enough",
            "You hide later tokens with a number that is not low enough. Its exponential is far from 0, so they still get "
            "weight.",
            "Use -inf: exp(-inf) is 0.",
            *(program(mask=_filled(low)) for low in (-1.0, -2.0, -5.0)),
            *(program(mask=_raised(low)) for low in (-1.0, -2.0, -5.0)),
        ),
        mistake(
            "masked after the softmax",
            "You masked the weights after the softmax. What is left of each row no longer sums to 1, because later tokens "
            "were included in the sum.",
            "Mask the scores, then take the softmax.",
            program(mask=lambda scores: scores, weigh=_masked_afterwards),
        ),
        mistake(
            "not scaled",
            "The scores are not scaled. With wide heads they grow large, and softmax puts almost all weight on one token.",
            "Divide the scores by the square root of d_head.",
            program(score=lambda q, k: q @ k.swapaxes(-2, -1)),
        ),
        mistake(
            "divided by √d_model",
            "You divided by √d_model. Each dot product has only d_head terms, so that is not the right scale.",
            "Divide by the square root of the width of a query.",
            lambda given, x: program(score=lambda q, k: q @ k.swapaxes(-2, -1) / np.sqrt(given["d_model"]))(given, x),
        ),
        mistake(
            "divided by d_head",
            "You divided the scores by d_head. But the standard deviation of a dot product grows only with the square root of "
            "the width.",
            "Divide by `d_head ** 0.5`.",
            program(score=lambda q, k: q @ k.swapaxes(-2, -1) / q.shape[-1]),
        ),
        mistake(
            "divided by √n",
            "You divided by √n, the square root of the sequence length. The scale should depend on the width of a head, so "
            "that it is the same for every text.",
            "Divide by the square root of the width of a query.",
            program(score=lambda q, k: q @ k.swapaxes(-2, -1) / np.sqrt(q.shape[-2])),
        ),
        mistake(
            "the weights scaled",
            "You divided after the softmax. The weights of a row then no longer sum to 1, and the scores are as large as "
            "before.",
            "Divide the scores, then mask them, then take the softmax.",
            _weights_scaled,
        ),
        mistake(
            "multiplied by the root",
            "You multiplied the scores by √d_head. That makes them larger, but the scale is there to keep them small.",
            "Divide by the square root.",
            program(score=lambda q, k: q @ k.swapaxes(-2, -1) * np.sqrt(q.shape[-1])),
        ),
        mistake(
            "softmax over the queries",
            "The softmax runs over the queries, so the columns of the weights sum to 1, but the rows do not.",
            "Each query spreads its weight over the keys, along the last axis: `dim=-1`.",
            program(weigh=over_queries),
        ),
        mistake(
            "softmax over the batch",
            "The softmax runs over the batch, the first axis. Different sequences then compete for weight.",
            "Each query spreads its weight over the keys, along the last axis: `dim=-1`.",
            program(weigh=lambda scores: softmax(scores.swapaxes(0, -1)).swapaxes(0, -1)),
        ),
        mistake(
            "the weights transposed",
            "You transposed the weights before the product with the values, so row i holds the weights that *other* tokens "
            "give to token i.",
            "Multiply the weights by the values as they are.",
            program(weigh=lambda scores: softmax(scores).swapaxes(-2, -1)),
        ),
        mistake(
            "queries and keys swapped",
            "Queries and keys are swapped: row i of your scores compares the key of token i with all queries. It should "
            "compare the query of token i with all keys.",
            "The scores are q @ kᵀ.",
            program(query="w_k", key="w_q"),
        ),
        mistake(
            "keys made with w_q",
            "You compute the keys with `w_q`, as you do the queries, so `w_k` is never used.",
            "Queries, keys and values each have their own projection.",
            program(key="w_q"),
        ),
        mistake(
            "values made with w_k",
            "You average the keys, not the values, so `w_v` is never used.",
            "Multiply the weights by the output of `self.w_v`.",
            program(value="w_k"),
        ),
        mistake(
            "values not projected",
            "You average the inputs themselves. A head averages their values, `self.w_v(x)`.",
            "Multiply the weights by the output of `self.w_v`.",
            program(value=None),
        ),
        mistake(
            "keys reshaped, not transposed",
            "You reshaped the keys to (b, d_head, n). The shape fits, but the numbers are in the wrong places: a reshape "
            "does not swap axes.",
            "Use `k.transpose(-2, -1)`.",
            program(score=lambda q, k: q @ k.reshape(len(k), k.shape[2], k.shape[1]) / np.sqrt(q.shape[-1])),
        ),
    ),
)
