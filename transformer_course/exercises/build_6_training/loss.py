"""Stage B6: the cross-entropy with label smoothing, padding left out."""

from functools import partial

import numpy as np

from ..families import adapted, named, pairs
from ..families.loss import LOSS, NLL, PADDING, TWICE, log_softmax, loss, of_label
from ..kinds import Implement
from ..kinds.error_hints import ErrorHint
from ..toolkit import softmax


def _smoothed(log_p, labels, smoothing):
    return (1 - smoothing) * of_label(log_p, labels) - smoothing * log_p.mean(-1)


def _with(piece):
    """A loss that is wrong in a way that has nothing to do with smoothing."""
    return lambda logits, labels, pad, smoothing: piece(logits, labels, pad, partial(_smoothed, smoothing=smoothing))


smoothed = _with(loss)


def _to(target, divergence=False, loss=loss):
    """The loss for other probabilities, ``target(one-hot labels, ε, v, which is padding)``; or the divergence from them."""

    def answer(logits, labels, pad, smoothing):
        v = logits.shape[-1]
        wanted = target(np.eye(v)[labels], smoothing, v, np.arange(v) == pad)
        own = np.log(np.where(wanted > 0, wanted, 1)) if divergence else 0
        return loss(logits, labels, pad, lambda log_p, labels: (wanted * (own - log_p)).sum(-1))

    return answer


def _second(part, log_softmax=log_softmax):
    """The label's part of the cost, and another number, ``part(log_p)``, in place of the mean of −log p."""

    def answer(logits, labels, pad, smoothing):
        def cost(log_p, labels):
            return (1 - smoothing) * of_label(log_p, labels) + smoothing * part(log_p)

        return loss(logits, labels, pad, cost, log_softmax)

    return answer


def _even(label, eps, v, padding):
    return (1 - eps) * label + eps / v


def _over_others(label, eps, v, padding):
    return (1 - eps) * label + eps * (1 - label) / (v - 1)


def _without_padding(label, eps, v, padding):
    """As in the Annotated Transformer: ε is shared by all tokens but the label and the padding."""
    return (1 - eps) * label + eps * (1 - label) * ~padding / (v - 2)


def _draw(rng):
    def batch(b, n, v, pad, smoothing):
        logits = np.round(16 * rng.standard_normal((b, n, v))) / 8
        labels = rng.choice([token for token in range(v) if token != pad], (b, n))
        for row, length in enumerate(np.resize([n, 1, n // 2 + 1], b)):
            labels[row, length:] = pad
        return [logits, labels, pad, smoothing]

    def two_labels(*rows):
        return [np.array([rows]), np.array([[1, 2]]), 0, 0.25]

    logits = np.array([[[2.0, 1.0, 0.0], [0.0, 1.0, 4.0], [1.0, 1.0, 1.0]]])
    small = [logits, np.array([[1, 2, 0]]), 0, 0.25]
    extreme = two_labels([0.0, -900.0, 1.0], [2.0, 0.0, -900.0])
    large = two_labels([1000.0, 1001.0, 999.0], [1000.0, 1002.0, 1001.0])
    far_apart = two_labels([1000.0, 1001.0, 999.0], [-1000.0, -1002.0, -1001.0])
    batches = batch(3, 4, 6, 0, 0.25), batch(2, 5, 3, 2, 0.5), batch(4, 3, 7, 1, 0.125), batch(2, 3, 5, 0, 0.0)
    return [small, extreme, large, far_apart, *batches]


OFTEN = "padding counted", "divided by all positions", "mean of means"
SHARES = {
    "no smoothing": (
        "Your loss has no smoothing: the label gets all of the probability.",
        "Give the label 1 − ε, and spread ε evenly over the vocabulary.",
        lambda label, eps, v, padding: label,
    ),
    "the label weakened alone": (
        "You gave the label 1 − ε, but the share ε went nowhere. The probabilities of the target no longer sum to 1.",
        "Spread ε evenly over the vocabulary.",
        lambda label, eps, v, padding: (1 - eps) * label,
    ),
    "the label at full weight": (
        "You added the smoothing to the whole cost of the label. The probabilities of the target then sum to 1 + ε.",
        "Multiply the label's part by 1 − ε.",
        lambda label, eps, v, padding: label + eps / v,
    ),
    "spread over the other tokens": (
        "You spread ε over all tokens but the label. That is one definition of label smoothing. Here, as in torch, the "
        "label gets its share too.",
        "Use the mean of `log_p` over the whole vocabulary.",
        _over_others,
        lambda label, eps, v, padding: (1 - eps) * label + eps * (1 - label) / v,
    ),
    "ε to each token": (
        "You gave ε to each token of the vocabulary. It is ε in all, spread over v tokens.",
        "Use the mean over the vocabulary in place of the sum.",
        lambda label, eps, v, padding: (1 - eps) * label + eps,
    ),
}

smoothed_loss = Implement(
    id="build.smoothed_loss",
    answer_name="smoothed_loss",
    prompt="The mean cross-entropy of a batch with label smoothing, over its real tokens.",
    reference=smoothed,
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
    mistakes={
        **adapted(
            {**LOSS, **PADDING, **TWICE},
            _with,
            but=("cut at the first padding",),
            log_p="`logits.log_softmax(-1)` gives log p.",
            nll=NLL,
            shapes=" If your code does that already, print the shapes: (N, 1) minus (N,) has the shape (N, N).",
        ),
        "padding in the smoothing": (
            "You left the padding out of the label's part, but not out of the part with ε.",
            "Keep the real positions before you compute either part.",
            _second(lambda log_p: -log_p.mean()),
        ),
        **adapted(SHARES, _to),
        **adapted(pairs(lambda target, loss: _to(target, loss=loss), SHARES, named(PADDING, *OFTEN)), lambda answer: answer),
        "the shares swapped": (
            "You gave the label ε, and spread 1 − ε over the vocabulary.",
            "ε is the small share. Which part should be large?",
            _to(lambda label, eps, v, padding: _even(label, 1 - eps, v, padding)),
        ),
        "no share for the padding token": (
            "You spread ε over all tokens but `pad`. The padding token belongs to the vocabulary, so it gets its share as "
            "well.",
            "Leave out positions where the label is `pad`, not a column of the logits.",
            _to(lambda label, eps, v, padding: (1 - eps) * label + eps * ~padding / (v - 1)),
            _to(lambda label, eps, v, padding: (1 - eps) * label + eps * ~padding / v),
        ),
        "no share for the label and the padding token": (
            "You divided ε by v − 2, and gave nothing of it to the label and to `pad`, as the Annotated Transformer does. "
            "Here, as in torch, ε is spread over the whole vocabulary.",
            "Use the mean of `log_p` over the whole vocabulary. Leave out positions where the label is `pad`, but no column.",
            _to(_without_padding),
            _to(lambda label, eps, v, padding: (1 - eps) * label + eps * (1 - label) / (v - 2)),
        ),
        "the divergence": (
            "You computed the Kullback-Leibler divergence from the target, as torch's `kl_div` does. That is the "
            "cross-entropy minus the entropy of the target, which does not depend on the logits: the gradient is the same, "
            "but the loss is not.",
            "The cost of a token is −log p, weighted with the target's probabilities. Subtract nothing from it.",
            *(_to(target, divergence=True) for target in (_even, _over_others, _without_padding)),
        ),
        "ε with the wrong sign": (
            "The part with ε has the wrong sign, so the loss falls if the other tokens become *less* probable.",
            "Both parts of the cost are minus a log-probability.",
            _to(lambda label, eps, v, padding: (1 - eps) * label - eps / v),
        ),
        "a second part without the logits": (
            "The part with ε is the same number whatever the logits are, so it changes no gradient.",
            "Its cost is minus the mean of log p over the vocabulary.",
            _second(lambda log_p: 1),
            _second(lambda log_p: -1),
            _second(lambda log_p: np.log(log_p.shape[-1])),
            _second(lambda log_p: np.log(log_p.shape[-1]), lambda logits: np.log(softmax(logits))),
        ),
    },
)
