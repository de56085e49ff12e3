"""What goes wrong in a loss. A piece is ``loss(logits, labels, pad, cost)``, with logits (b, n, v) and labels (b, n).

``cost(log_p, labels)`` is the exercise's cost of each token, (b, n), from the logarithms of the probabilities. The gap
``{log_p}`` in a hint is one sentence on how they are computed there; ``{shapes}`` may be one on a mean of too many numbers,
and ``{nll}`` on torch's `nll_loss`.
"""

from functools import partial

import numpy as np

from ..toolkit import softmax
from . import named, pairs, with_both


def log_softmax(logits, axis=-1):
    shifted = logits - logits.max(axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def at_labels(values, labels):
    """Of each row of values (b, n, v), the one at its label; a label that is no token picks the first."""
    return np.take_along_axis(values, np.maximum(labels, 0)[..., None], -1)[..., 0]


def of_label(log_p, labels):
    return -at_labels(log_p, labels)


def over_real(costs, real):
    return costs[real].mean()


def loss(logits, labels, pad, cost=of_label, log_p=log_softmax, mean=over_real, counts=np.not_equal, refuses=False):
    """The mean cost of the labels that count. It may refuse those that are no token, as some ways of indexing do."""
    real = counts(labels, pad)
    if refuses and (labels[real] < 0).any():
        raise IndexError("a label is outside the vocabulary")
    return mean(cost(log_p(logits), labels), real)


def _log_p(*logarithms):
    return [partial(loss, log_p=each) for each in logarithms]


def _mean(*means):
    return [partial(loss, mean=each) for each in means]


def _costs(*costs):
    """Other costs than the exercise's: ``costs(logits, labels)`` gives that of each token, (b, n)."""
    return [lambda z, labels, pad, cost, other=other: over_real(other(z, labels), labels != pad) for other in costs]


def _over(*rules):
    """The mean over other labels, ``counts(labels, pad)``, by an indexing that refuses what is no token and by another."""
    return [partial(loss, counts=counts, refuses=refuses) for counts in rules for refuses in (False, True)]


def _overflowing(z):
    return z - np.log(np.exp(z).sum(-1, keepdims=True))


def _log_of_the_sum(z, base):
    largest = z.max(-1, keepdims=True)
    return z - largest - np.log(np.exp(z - largest).sum(-1, keepdims=True)) / np.log(base)


def _ratio(z):
    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)


def _without_pad(logits, labels, pad, cost, refuses=False):
    if refuses and pad < 0:
        raise IndexError("the padding is outside the vocabulary")
    return loss(np.where(np.arange(logits.shape[-1]) == pad, -np.inf, logits), labels, pad, cost)


def _squares(values, labels):
    return (values - np.eye(values.shape[-1])[np.maximum(labels, 0)]) ** 2


TINY = (1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-15, 1e-300, np.finfo(float).tiny)
LIMITS = (10, 20, 30, 50, 100, 500, 700)

LOSS = {
    "the sum": (
        "Your loss is the sum over all labels that count. A batch with twice as many labels would have twice the loss, and a "
        "gradient twice as long.",
        "Divide by the number of these labels.{shapes}",
        *_mean(lambda costs, real: costs[real].sum()),
    ),
    "divided by another size": (
        "You divided the sum by the number of sequences, or by their length. So the loss grows with the size of the batch.",
        "How many labels are in your sum? Divide by that number.",
        *_mean(lambda costs, real: costs[real].sum() / len(costs), lambda costs, real: costs[real].sum() / costs.shape[1]),
    ),
    "no mean": (
        "You return the cost of each token. The loss is a single number, their mean.",
        "End with `.mean()`.",
        *_mean(lambda costs, real: costs[real], lambda costs, real: costs, lambda costs, real: np.where(real, costs, 0)),
        *_mean(lambda costs, real: costs.reshape(-1), lambda costs, real: np.where(real, costs, 0).reshape(-1)),
    ),
    "softmax twice": (
        "You applied softmax twice: your loss treats probabilities as logits. The second softmax makes all probabilities "
        "nearly equal, and the gradient small.",
        "torch's `log_softmax` and `cross_entropy` take logits: they include a softmax.",
        *_log_p(lambda z: log_softmax(softmax(z))),
    ),
    "no logarithm": (
        "You used probabilities where their logarithms belong. With a logarithm, a confident mistake costs far more.{nll}",
        "What does a probability of ½ cost?",
        *_log_p(softmax, lambda z: -softmax(z), lambda z: softmax(z) - 1),
    ),
    "no softmax": (
        "You used the logits themselves. They are not logarithms of probabilities: without softmax, the label's logit is not "
        "compared with the others.",
        "{log_p}",
        *_log_p(lambda z: z, lambda z: -z),
    ),
    "the mean first": (
        "You took the mean of the probabilities, and then its logarithm. The loss is the mean of the logarithms.",
        "Take the logarithm for each token, then the mean.",
        lambda logits, labels, pad, cost: -np.log(over_real(at_labels(softmax(logits), labels), labels != pad)),
    ),
    "the sign": (
        "Your loss is negative, because the logarithm of a probability is. Training would go the wrong way.",
        "Put a minus sign in front of the logarithm.",
        *_log_p(lambda z: -log_softmax(z)),
    ),
    "base 2": (
        "Your logarithm has base 2 or 10, or you converted the loss to bits. In this course, log is the natural logarithm, "
        "and a loss is in nats.",
        "`np.log` and `torch.log` are natural logarithms, and `cross_entropy` uses one too.",
        *_log_p(lambda z: log_softmax(z) / np.log(2), lambda z: log_softmax(z) / np.log(10)),
        *_log_p(*(partial(_log_of_the_sum, base=base) for base in (2, 10))),
    ),
    "exp of large logits": (
        "Your function is right for small logits. Where logits are near 1000 or −1000, exp becomes infinite or 0, and the "
        "loss is not finite.",
        "Subtract the largest logit of each row first. That changes no probability.",
        *_log_p(_overflowing, lambda z: np.log(_ratio(z))),
        *_log_p(*(lambda z, tiny=tiny: np.log(np.maximum(_ratio(z), tiny)) for tiny in TINY)),
    ),
    "the largest subtracted in one place": (
        "You subtracted the largest logit inside exp, but not from the label's logit. So the loss is off by the largest "
        "logit.",
        "Subtract it from all logits of the row first, and use the new ones in both places.",
        *_log_p(lambda z: z + log_softmax(z) - (z - z.max(-1, keepdims=True))),
    ),
    "no logarithm of the sum": (
        "You added up the exponentials, but did not take the logarithm of the sum.",
        "{log_p}",
        *_log_p(lambda z: z - z.max(-1, keepdims=True) - np.exp(z - z.max(-1, keepdims=True)).sum(-1, keepdims=True)),
    ),
    "the largest of the whole batch": (
        "You subtracted the largest logit of the whole array. If a whole row is far below it, all its exponentials become 0.",
        "Take the maximum of each row, over the last axis.",
        *_log_p(lambda z: _overflowing(z - z.max()), lambda z: np.log(_ratio(z - z.max()))),
    ),
    "the logarithm of 0": (
        "You compute the probability first. If it is too small to store, such as e^−900, it becomes 0, and its logarithm is "
        "−∞, although the loss is about 900.",
        "Compute the logarithm without the probability. {log_p}",
        *_log_p(lambda z: np.log(softmax(z))),
        partial(loss, log_p=lambda z: np.log(softmax(z)), mean=lambda costs, real: (costs * real).sum() / real.sum()),
    ),
    "a little added inside the logarithm": (
        "You kept the probability above 0 with a tiny number, to avoid log 0. But this caps the loss: at 28 if the number is "
        "1e-12, at 691 if it is 1e-300. Here a label can cost 900, and a capped loss has almost no gradient.",
        "Compute the logarithm without the probability. {log_p}",
        *_log_p(*(lambda z, tiny=tiny: np.log(softmax(z) + tiny) for tiny in TINY)),
        *_log_p(*(lambda z, tiny=tiny: np.log(np.maximum(softmax(z), tiny)) for tiny in TINY)),
    ),
    "clipped": (
        "You clipped the logits, or the cost of a token. Anything beyond the limit counts as the limit itself, and has no "
        "gradient. Here a label can cost 900.",
        "Subtract the largest logit of each row: then nothing overflows, and nothing has to be clipped.",
        *_log_p(*(lambda z, most=most: log_softmax(z.clip(-most, most)) for most in LIMITS)),
        *_log_p(*(lambda z, most=most: log_softmax((z - z.max(-1, keepdims=True)).clip(-most)) for most in LIMITS)),
        *_log_p(*(lambda z, most=most: log_softmax(z).clip(-most) for most in LIMITS)),
    ),
    "softmax over the tokens": (
        "Your softmax runs along the positions of a sequence, along the batch, or over everything. The probabilities should "
        "sum to 1 over the vocabulary.",
        "The vocabulary is the last axis.",
        *_log_p(*(partial(log_softmax, axis=axis) for axis in (1, 0, None))),
    ),
    "the most probable token": (
        "You used the probability of the token that the model finds most probable, whatever the label is.",
        "Pick the probability of the label from the v numbers of each row.",
        *_costs(lambda z, labels: -log_softmax(z).max(-1)),
    ),
    "all tokens of the vocabulary": (
        "At each position, you used −log p of all tokens of the vocabulary, so your loss does not depend on the labels.",
        "Pick the probability of the label from the v numbers of each row.",
        *_costs(lambda z, labels: -log_softmax(z).mean(-1), lambda z, labels: -log_softmax(z).sum(-1)),
    ),
    "the share of errors": (
        "You computed an error rate (or an accuracy). It ignores how sure the model was, and has no gradient.",
        "For each label, compute −log of its probability.",
        *_costs(lambda z, labels: 1.0 * (z.argmax(-1) != labels), lambda z, labels: 1.0 * (z.argmax(-1) == labels)),
    ),
    "the squared error": (
        "Your loss is the squared difference between one-hot labels and logits or probabilities. A model is measured by its "
        "cross-entropy, so that is the loss which it should learn to lower.",
        "{log_p}",
        *_costs(
            *(lambda z, labels, of=of: _squares(of(z), labels).mean(-1) for of in (softmax, lambda z: z)),
            *(lambda z, labels, of=of: _squares(of(z), labels).sum(-1) for of in (softmax, lambda z: z)),
        ),
    ),
    "divided by the vocabulary too": (
        "You took the mean over the vocabulary as well, so the loss is too small by a factor of v.",
        "Over the vocabulary, the cross-entropy is a sum in which only the label's term is not 0.",
        lambda logits, labels, pad, cost: loss(logits, labels, pad, cost) / logits.shape[-1],
    ),
    "logits and labels in a different order": (
        "Your logits and labels are not in the same order: one of them was transposed before it was flattened. Each "
        "prediction is compared with the label of a different token.",
        "`logits.reshape(-1, v)` and `labels.reshape(-1)` go through the batch in the same order.",
        lambda logits, labels, pad, cost: loss(logits.swapaxes(0, 1).reshape(logits.shape), labels, pad, cost),
        lambda logits, labels, pad, cost: loss(logits, labels.T.reshape(labels.shape), pad, cost),
    ),
    "reshaped, not transposed": (
        "`cross_entropy` takes axis 1 of the logits for the vocabulary. Logits (b, n, v) fit only if n = v, and then those of "
        "different tokens get mixed. So do logits reshaped to (b, v, n), because a reshape swaps no axes.",
        "Join the first two axes, or swap the last two with a transpose, such as `.mT` or `swapaxes(1, 2)`.",
        lambda z, labels, pad, cost: loss(z.reshape(len(z), z.shape[2], -1).swapaxes(1, 2), labels, pad, cost),
    ),
    "shifted once more": (
        "You compared the logits of each position with the label of the next one, or of the one before. But the labels are "
        "already shifted.",
        "`logits[i, t]` belongs to `labels[i, t]`.",
        lambda logits, labels, pad, cost: loss(logits[:, :-1], labels[:, 1:], pad, cost),
        lambda logits, labels, pad, cost: loss(logits[:, 1:], labels[:, :-1], pad, cost),
    ),
}

PADDING = {
    "padding counted": (
        "Your mean includes the padding, so the model would be trained to predict it.",
        "Keep only the positions where the label is not padding, then take the mean.",
        *_over(lambda labels, pad: labels == labels, lambda labels, pad: labels >= 0),
    ),
    "divided by all positions": (
        "Your sum has only the labels that count, but you divided it by the number of all positions.",
        "How many labels are in your sum? Divide by that number.",
        *_mean(lambda costs, real: np.where(real, costs, 0).mean()),
    ),
    "mean of means": (
        "You took a mean for each sequence, and then the mean of these. This gives the tokens of short sequences more weight.",
        "Add the losses of all labels in the batch that count, then divide once.",
        *_mean(lambda costs, real: np.mean([row[kept].mean() for row, kept in zip(costs, real, strict=True) if kept.any()])),
        *_mean(*(lambda costs, real, n=n: np.mean((costs * real).sum(1) / np.maximum(real.sum(1), n)) for n in (1, 0))),
    ),
    "the padding token left out of softmax": (
        "You removed the padding token from the softmax. It is a token of the vocabulary like any other, and a model may give "
        "it probability.",
        "Leave padding out of the mean, not out of softmax. Which labels tell you to skip a position?",
        _without_pad,
        partial(_without_pad, refuses=True),
    ),
    "padding alone": (
        "You took the mean over the padding, and left the other labels out.",
        "`labels != pad` is True where a label is not padding.",
        *_over(lambda labels, pad: labels == pad),
    ),
    "0 taken for padding": (
        "You left out the labels that are 0, whatever `pad` is. If it is a different id, 0 is a token like any other.",
        "Compare the labels with `pad`, and with nothing else.",
        *_over(lambda labels, pad: labels != 0, lambda labels, pad: labels > 0),
        *_over(lambda labels, pad: (labels != pad) & (labels != 0), lambda labels, pad: (labels != pad) & (labels > 0)),
    ),
    "cut at the first padding": (
        "You cut each row at its first padding, or after as many positions as it has real labels. But padding may be anywhere "
        "in a row, and real labels may follow it.",
        "Select with `labels != pad`; do not count how long each row is.",
        *_over(lambda labels, pad: ~np.maximum.accumulate(labels == pad, axis=1)),
        *_over(lambda labels, pad: np.arange(labels.shape[1]) < (labels != pad).sum(1, keepdims=True)),
    ),
}

_BESIDE = "the sum", "divided by another size", "softmax twice", "no logarithm", "no softmax", "the sign", "base 2"
_UNSTABLE = "exp of large logits", "the logarithm of 0"
# What people do who have not thought of the padding yet, and do something else as well.
TWICE = pairs(with_both, named(LOSS, *_BESIDE, *_UNSTABLE), named(PADDING, "padding counted"))

ONLY_FAR_APART = "the largest of the whole batch", "the logarithm of 0", "a little added inside the logarithm", "clipped"
NLL = " Note that torch's `nll_loss` does not take one either."
