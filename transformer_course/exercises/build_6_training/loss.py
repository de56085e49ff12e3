"""Stage B6: the cross-entropy with label smoothing, padding left out."""

import numpy as np

from ..kinds import Implement
from ..kinds.error_hints import ErrorHint
from ..toolkit import mistake, softmax


def _log_softmax(logits, axis=-1):
    shifted = logits - logits.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def _at_labels(values, labels):
    return np.take_along_axis(values, labels[..., None], -1)[..., 0]


def _costs(values, labels, smoothing):
    """The cost of each token, from its log-probabilities."""
    return -(1 - smoothing) * _at_labels(values, labels) - smoothing * values.mean(-1)


def _loss(logits, labels, pad, smoothing):
    return _costs(_log_softmax(logits), labels, smoothing)[labels != pad].mean()


def _with(costs):
    """The mean over the real tokens of other costs: costs(log-probabilities, labels, smoothing)."""
    return lambda logits, labels, pad, smoothing: costs(_log_softmax(logits), labels, smoothing)[labels != pad].mean()


def _others_only(values, labels, smoothing):
    right, size = _at_labels(values, labels), values.shape[-1]
    return -(1 - smoothing) * right - smoothing * (values.sum(-1) - right) / (size - 1)


def _others_evenly(values, labels, smoothing):
    """The label gets 1 - ε, and each other token ε divided by the whole vocabulary."""
    right, size = _at_labels(values, labels), values.shape[-1]
    return -(1 - smoothing) * right - smoothing * (values.sum(-1) - right) / size


def _smoothed_everywhere(logits, labels, pad, smoothing):
    """The share of ε is averaged over the padding too."""
    values = _log_softmax(logits)
    of_label = _at_labels(values, labels)[labels != pad].mean()
    return -(1 - smoothing) * of_label - smoothing * values.mean()


def _underflowing(logits, labels, pad, smoothing):
    with np.errstate(divide="ignore"):
        return _costs(np.log(softmax(logits)), labels, smoothing)[labels != pad].mean()


def _without_pad(logits, labels, pad, smoothing):
    """The padding token gets no share of ε."""
    values = _log_softmax(logits)
    tokens = [token for token in range(values.shape[-1]) if token != pad]
    costs = -(1 - smoothing) * _at_labels(values, labels) - smoothing * values[..., tokens].mean(-1)
    return costs[labels != pad].mean()


def _log_of_the_mean(logits, labels, pad, smoothing):
    """The logarithm of the mean probability, which is always 1/v."""
    with np.errstate(divide="ignore"):
        of_label = np.log(_at_labels(softmax(logits), labels))
    costs = -(1 - smoothing) * of_label - smoothing * np.log(softmax(logits).mean(-1))
    return costs[labels != pad].mean()


def _mean_of_rows(logits, labels, pad, smoothing):
    costs, real = _costs(_log_softmax(logits), labels, smoothing), labels != pad
    return np.mean([row[kept].mean() for row, kept in zip(costs, real, strict=True)])


def _draw(rng):
    def batch(b, n, v, pad, smoothing):
        logits = np.round(16 * rng.standard_normal((b, n, v))) / 8
        labels = rng.choice([token for token in range(v) if token != pad], (b, n))
        for row, length in enumerate(np.resize([n, 1, n // 2 + 1], b)):
            labels[row, length:] = pad
        return [logits, labels, pad, smoothing]

    logits = np.array([[[2.0, 1.0, 0.0], [0.0, 1.0, 4.0], [1.0, 1.0, 1.0]]])
    small = [logits, np.array([[1, 2, 0]]), 0, 0.25]
    extreme = [np.array([[[0.0, -900.0, 1.0], [2.0, 0.0, -900.0]]]), np.array([[1, 2]]), 0, 0.25]
    return [small, extreme, batch(3, 4, 6, 0, 0.25), batch(2, 5, 3, 2, 0.5), batch(4, 3, 7, 1, 0.125), batch(2, 3, 5, 0, 0.0)]


smoothed_loss = Implement(
    id="build.smoothed_loss",
    answer_name="smoothed_loss",
    prompt="The mean cross-entropy of a batch with label smoothing, over its real tokens.",
    reference=_loss,
    draw=_draw,
    differentiable=True,
    error_hints=(
        ErrorHint(
            r"The shape of the mask|same number of dimensions|does not broadcast",
            "`gather` needs as many rows in `log_p` as there are labels. Index both with the mask first: `log_p[real]` has "
            "shape (N, v), and `labels[real]` has shape (N,).",
        ),
    ),
    why="The target is a distribution now, and the cross-entropy sums its probabilities times −log p over all tokens.",
    hints=(
        "Begin without smoothing. `logits.log_softmax(-1)` gives log p for each token, of shape (b, n, v). "
        "`real = labels != pad` tells you which positions count, and indexing with it, `log_p[real]`, keeps those rows: "
        "(N, v).",
        "The log-probability of each label: `log_p.gather(-1, labels[:, None])[:, 0]`, with the `log_p` and `labels` that you "
        "kept, both with N rows. The share ε is spread evenly, so its part of the cost uses the mean of `log_p` over the "
        "vocabulary, `log_p.mean(-1)`.",
        "The cost of a token is −(1 − ε) times the label's log p, minus ε times the mean log p. Return the mean of the costs.",
    ),
    mistakes=(
        mistake(
            "padding counted",
            "Your mean includes the padding. The model would be trained to predict it.",
            "Keep only the positions where `labels != pad`.",
            lambda logits, labels, pad, smoothing: _costs(_log_softmax(logits), labels, smoothing).mean(),
        ),
        mistake(
            "padding in the smoothing",
            "You left the padding out of the label's part, but not out of the part with ε.",
            "Keep the real positions before you compute either part.",
            _smoothed_everywhere,
        ),
        mistake(
            "a softmax that underflows",
            "You took the logarithm of a softmax. A probability such as e^−900 is rounded to 0, and its logarithm is −∞.",
            "`log_softmax` computes log p directly.",
            _underflowing,
        ),
        mistake(
            "divided by all positions",
            "You left the padding out of the sum, but divided by the number of all positions.",
            "Divide by the number of real tokens.",
            lambda logits, labels, pad, smoothing: np.where(
                labels != pad, _costs(_log_softmax(logits), labels, smoothing), 0
            ).mean(),
        ),
        mistake(
            "no mean",
            "You return the cost of each token. The loss is a single number, their mean.",
            "End with `.mean()`.",
            lambda logits, labels, pad, smoothing: _costs(_log_softmax(logits), labels, smoothing)[labels != pad],
            lambda logits, labels, pad, smoothing: _costs(_log_softmax(logits), labels, smoothing),
        ),
        mistake(
            "the sum",
            "This is the sum of the costs of all real tokens, so with N of them it is N times the loss.",
            "Divide by N. If your code does that already, print the shapes: (N, 1) minus (N,) has the shape (N, N).",
            lambda logits, labels, pad, smoothing: _costs(_log_softmax(logits), labels, smoothing)[labels != pad].sum(),
        ),
        mistake(
            "pad taken for 0",
            "You leave out the label 0. The padding's id is an argument, `pad`, and need not be 0.",
            "Compare with `pad`.",
            lambda logits, labels, pad, smoothing: _loss(logits, labels, 0, smoothing),
        ),
        mistake(
            "no smoothing",
            "Your loss has no smoothing: the label gets all of the probability.",
            "Give the label 1 − ε, and spread ε evenly over the vocabulary.",
            _with(lambda values, labels, smoothing: -_at_labels(values, labels)),
        ),
        mistake(
            "the label weakened alone",
            "You gave the label 1 − ε, but the share ε went nowhere. The probabilities of the target no longer sum to 1.",
            "Spread ε evenly over the vocabulary.",
            _with(lambda values, labels, smoothing: -(1 - smoothing) * _at_labels(values, labels)),
        ),
        mistake(
            "the label at full weight",
            "You added the smoothing to the whole cost of the label. The probabilities of the target then sum to 1 + ε.",
            "Multiply the label's part by 1 − ε.",
            _with(lambda values, labels, smoothing: -_at_labels(values, labels) - smoothing * values.mean(-1)),
        ),
        mistake(
            "the shares swapped",
            "You gave the label ε, and spread 1 − ε over the vocabulary.",
            "ε is the small share. Which part should be large?",
            _with(lambda values, labels, smoothing: _costs(values, labels, 1 - smoothing)),
        ),
        mistake(
            "spread over the other tokens",
            "You spread ε over all tokens but the label. That is one definition of label smoothing. Here, as in torch, the "
            "label gets its share too.",
            "Use the mean of `log_p` over the whole vocabulary.",
            _with(_others_only),
            _with(_others_evenly),
        ),
        mistake(
            "no share for the padding token",
            "You spread ε over all tokens but `pad`. The padding token belongs to the vocabulary, so it gets its share as "
            "well.",
            "Leave out positions where the label is `pad`, not a column of the logits.",
            _without_pad,
        ),
        mistake(
            "ε with the wrong sign",
            "The part with ε has the wrong sign, so the loss falls if the other tokens become *less* probable.",
            "Both parts of the cost are minus a log-probability.",
            _with(
                lambda values, labels, smoothing: -(1 - smoothing) * _at_labels(values, labels) + smoothing * values.mean(-1)
            ),
        ),
        mistake(
            "ε to each token",
            "You gave ε to each token of the vocabulary. It is ε in all, spread over v tokens.",
            "Use the mean over the vocabulary in place of the sum.",
            _with(
                lambda values, labels, smoothing: -(1 - smoothing) * _at_labels(values, labels) - smoothing * values.sum(-1)
            ),
        ),
        mistake(
            "a second part without the logits",
            "The part with ε is the same number whatever the logits are, so it changes no gradient.",
            "Its cost is minus the mean of log p over the vocabulary.",
            _with(lambda values, labels, smoothing: -(1 - smoothing) * _at_labels(values, labels) + smoothing),
            _with(lambda values, labels, smoothing: -(1 - smoothing) * _at_labels(values, labels) - smoothing),
            _with(
                lambda values, labels, smoothing: (
                    -(1 - smoothing) * _at_labels(values, labels) + smoothing * np.log(values.shape[-1])
                )
            ),
            _log_of_the_mean,
        ),
        mistake(
            "a mean per row",
            "You took the mean of each sequence, and then the mean of these. So tokens of short sequences have more weight.",
            "Add up the costs of all real tokens of the batch, then divide once.",
            _mean_of_rows,
        ),
        mistake(
            "the sign",
            "Your loss is negative. The cost is *minus* the logarithm, so training would go the wrong way.",
            "The cost is −log p.",
            lambda *given: -_loss(*given),
        ),
        mistake(
            "no logarithm",
            "You used probabilities where their logarithms belong.",
            "Use `log_softmax`.",
            lambda logits, labels, pad, smoothing: _costs(softmax(logits), labels, smoothing)[labels != pad].mean(),
            lambda logits, labels, pad, smoothing: -_costs(softmax(logits), labels, smoothing)[labels != pad].mean(),
        ),
        mistake(
            "softmax twice",
            "You applied softmax before a function that applies one itself.",
            "`log_softmax` and `cross_entropy` both take logits.",
            lambda logits, labels, pad, smoothing: _loss(softmax(logits), labels, pad, smoothing),
        ),
        mistake(
            "no softmax",
            "You used the logits themselves. They are not log-probabilities: their exponentials do not sum to 1.",
            "Use `logits.log_softmax(-1)`.",
            lambda logits, labels, pad, smoothing: _costs(logits, labels, smoothing)[labels != pad].mean(),
        ),
        mistake(
            "softmax over the positions",
            "Your softmax runs over the positions of a sequence. It should run over the vocabulary.",
            "The vocabulary is the last axis: `log_softmax(-1)`.",
            lambda logits, labels, pad, smoothing: _costs(_log_softmax(logits, axis=1), labels, smoothing)[
                labels != pad
            ].mean(),
        ),
    ),
)
