"""Sheet 14: what goes wrong in the mean cross-entropy of a batch."""

import numpy as np

from ..exercise import Mistake


def log_softmax(logits, axis=-1):
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def at_labels(values, labels):
    """Of each row of values (b, n, v), the one at its label; a label that is no token picks the first."""
    return np.take_along_axis(values, np.where(labels < 0, 0, labels)[..., None], -1)[..., 0]


def loss_of(logits, labels, pad):
    return -at_labels(log_softmax(logits), labels)[labels != pad].mean()


def _probabilities(logits):
    """By softmax as lesson 02 has it."""
    exponentials = np.exp(logits - logits.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def _mean(cost):
    """The mean over the real tokens of another cost than -log p: cost(logits, labels) (b, n)."""
    return lambda logits, labels, pad: cost(logits, labels)[labels != pad].mean()


def _times_the_mask(cost):
    """As ``_mean``, with the padding multiplied by 0: an infinite cost becomes nan there."""

    def answer(logits, labels, pad):
        real = labels != pad
        return (cost(logits, labels) * real).sum() / real.sum()

    return answer


def _costs(logits, labels):
    return -at_labels(log_softmax(logits), labels)


def _gathered(whole):
    """Another way from the costs (b, n) and what is real to one number: whole(costs, real)."""
    return lambda logits, labels, pad: whole(_costs(logits, labels), labels != pad)


def _real(which):
    """The mean over other positions: which(labels, pad)."""
    return lambda logits, labels, pad: _costs(logits, labels)[which(labels, pad)].mean()


def _rows_of_means(costs, real):
    return np.mean([row[some].mean() for row, some in zip(costs, real, strict=True) if some.any()])


def _strict(which):
    """As ``_real``, by an indexing that refuses a label that is no token."""

    def answer(logits, labels, pad):
        kept = which(labels, pad)
        if (labels[kept] < 0).any():
            raise IndexError("a label is outside the vocabulary")
        return _costs(logits, labels)[kept].mean()

    return answer


def _everywhere(labels, pad):
    return np.full(labels.shape, True)


def _not_zero(labels, pad):
    return labels != 0


def _shifted_again(logits, labels, pad):
    return loss_of(logits[:, :-1], labels[:, 1:], pad)


def _floored(tiny):
    return _mean(lambda logits, labels: -np.log(at_labels(_probabilities(logits), labels) + tiny))


def _clipped(tiny):
    return _mean(lambda logits, labels: -np.log(np.maximum(at_labels(_probabilities(logits), labels), tiny)))


def _without_the_padding_token(logits, labels, pad):
    """The logits of ``pad`` are −∞, if it is a token."""
    return loss_of(np.where(np.arange(logits.shape[-1]) == pad, -np.inf, logits), labels, pad)


def _without_column(logits, labels, pad):
    """As before, by an indexing that refuses a ``pad`` that is no token."""
    if pad < 0:
        raise IndexError("the padding is outside the vocabulary")
    return _without_the_padding_token(logits, labels, pad)


MISTAKES = (
    Mistake(
        "padding counted",
        "Your mean includes the padding, which has nothing to predict.",
        "Keep only the positions where the label is not `pad`, then take the mean.",
        _real(_everywhere),
        variants=(_strict(_everywhere), _real(lambda labels, pad: labels >= 0)),
    ),
    Mistake(
        "divided by all positions",
        "You left the padding out of the sum, but divided by the number of all positions.",
        "How many labels are in your sum? Divide by that number.",
        _gathered(lambda costs, real: np.where(real, costs, 0).mean()),
    ),
    Mistake(
        "mean of means",
        "You took a mean for each sequence, and then the mean of these. This gives the tokens of short sequences more weight.",
        "Add the losses of all labels in the batch that are not padding, then divide once.",
        _gathered(_rows_of_means),
    ),
    Mistake(
        "the sum",
        "You returned the sum over the labels that are not padding. A batch with twice as many labels would have twice the loss.",
        "Divide by the number of these labels.",
        _gathered(lambda costs, real: costs[real].sum()),
    ),
    Mistake(
        "divided by the number of texts",
        "You divided by the number of sequences, so longer sequences give a larger loss.",
        "How many labels are not `pad`? Divide by that number.",
        _gathered(lambda costs, real: costs[real].sum() / len(costs)),
    ),
    Mistake(
        "softmax twice",
        "You applied softmax twice: your loss treats probabilities as logits.",
        "Apply softmax once. torch's `cross_entropy` already includes it.",
        _mean(lambda logits, labels: -at_labels(log_softmax(_probabilities(logits)), labels)),
    ),
    Mistake(
        "no logarithm",
        "You took the mean of probabilities, without a logarithm. Note that torch's `nll_loss` does not take one either.",
        "What does a probability of ½ cost?",
        _mean(lambda logits, labels: -at_labels(_probabilities(logits), labels)),
        variants=(
            _mean(lambda logits, labels: at_labels(_probabilities(logits), labels)),
            _mean(lambda logits, labels: 1 - at_labels(_probabilities(logits), labels)),
        ),
    ),
    Mistake(
        "no softmax",
        "You took the mean of the logits themselves. Without softmax, the label's logit is not compared with the others.",
        "−log p of a label is log Σ exp(z) − z.",
        _mean(lambda logits, labels: -at_labels(logits, labels)),
        variants=(_mean(lambda logits, labels: at_labels(logits, labels)),),
    ),
    Mistake(
        "the mean first",
        "You took the mean of the probabilities, and then its logarithm. The loss is the mean of the logarithms.",
        "Take the logarithm for each token, then the mean.",
        lambda logits, labels, pad: -np.log(at_labels(_probabilities(logits), labels)[labels != pad].mean()),
    ),
    Mistake(
        "the sign",
        "Your loss is negative, because the logarithm of a probability is.",
        "Put a minus sign in front of the logarithm.",
        _mean(lambda logits, labels: -_costs(logits, labels)),
    ),
    Mistake(
        "base 2",
        "Your logarithm has base 2 or 10. In this course, log is the natural logarithm.",
        "`np.log` and `torch.log` are natural logarithms.",
        _mean(lambda logits, labels: _costs(logits, labels) / np.log(2)),
        variants=(_mean(lambda logits, labels: _costs(logits, labels) / np.log(10)),),
    ),
    Mistake(
        "exp of large logits",
        "Your function is right for small logits. For logits near 900 or −900, exp becomes infinite or 0, and the loss is not finite.",
        "Subtract the largest logit of each row first, as in the softmax of lesson 02.",
        _mean(lambda logits, labels: np.log(np.exp(logits).sum(-1)) - at_labels(logits, labels)),
        variants=(
            _mean(lambda logits, labels: -at_labels(np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)), labels)),
            _mean(lambda logits, labels: -np.log(at_labels(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True), labels))),
        ),
    ),
    Mistake(
        "the largest of the whole batch",
        "You subtracted the largest logit of the whole array. If a whole row is far below it, all its exponentials become 0.",
        "Take the maximum of each row: over the last axis, with `keepdims=True`.",
        _mean(lambda logits, labels: np.log(np.exp(logits - logits.max()).sum(-1)) - at_labels(logits - logits.max(), labels)),
    ),
    Mistake(
        "the logarithm of 0",
        "You compute the probability first. If it is too small to store, it becomes 0, and its logarithm is −∞, although the "
        "loss is about 900.",
        "Compute the loss without p, as in exercise 3: −log p is log Σ exp(z) − z, once the largest is subtracted.",
        _mean(lambda logits, labels: -np.log(at_labels(_probabilities(logits), labels))),
        variants=(
            _mean(lambda logits, labels: -at_labels(np.log(_probabilities(logits)), labels)),
            _times_the_mask(lambda logits, labels: -np.log(at_labels(_probabilities(logits), labels))),
        ),
    ),
    Mistake(
        "a little added inside the logarithm",
        "You kept the probability above 0 with a tiny number, to avoid log 0. But this caps the loss: at 28 if the number is 1e-12, "
        "at 691 if it is 1e-300. The loss should be 900, and a capped loss has almost no gradient.",
        "Compute the loss without p: −log p is log Σ exp(z) − z, once the largest is subtracted.",
        _floored(1e-9),
        variants=(
            *(_floored(tiny) for tiny in (1e-12, 1e-10, 1e-8, 1e-15, 1e-300)),
            *(_clipped(tiny) for tiny in (1e-12, 1e-10, 1e-9, 1e-8, 1e-15, 1e-300, np.finfo(float).tiny)),
        ),
    ),
    Mistake(
        "the padding token left out of softmax",
        "You removed the padding token from the softmax. It is a token of the vocabulary like any other, and a model may give it "
        "probability.",
        "Leave padding out of the mean, not out of softmax. Which labels tell you to skip a position?",
        _without_the_padding_token,
        variants=(_without_column,),
    ),
    Mistake(
        "softmax over the tokens",
        "Your softmax runs along the positions of a sequence, so the probabilities sum to 1 over positions, not over the vocabulary.",
        "The vocabulary is the last axis.",
        _mean(lambda logits, labels: -at_labels(log_softmax(logits, axis=1), labels)),
    ),
    Mistake(
        "the most probable token",
        "You used the probability of the token that the model finds most probable, whatever the label is.",
        "Pick the probability of the label from the v numbers of each row.",
        _mean(lambda logits, labels: -log_softmax(logits).max(-1)),
    ),
    Mistake(
        "all tokens of the vocabulary",
        "At each position, you took the mean of −log p over all tokens of the vocabulary, so your loss does not depend on the labels.",
        "Pick the probability of the label from the v numbers of each row.",
        _mean(lambda logits, labels: -log_softmax(logits).mean(-1)),
        variants=(_mean(lambda logits, labels: -log_softmax(logits).sum(-1)),),
    ),
    Mistake(
        "the share of errors",
        "You computed an error rate (or an accuracy). It ignores how sure the model was.",
        "For each label, compute −log of its probability.",
        _mean(lambda logits, labels: 1.0 * (logits.argmax(-1) != labels)),
        variants=(_mean(lambda logits, labels: 1.0 * (logits.argmax(-1) == labels)),),
    ),
    Mistake(
        "divided by the vocabulary too",
        "You took the mean over the vocabulary as well, so the loss is too small by a factor of v.",
        "Over the vocabulary, the cross-entropy is a sum in which only the label's term is not 0.",
        lambda logits, labels, pad: loss_of(logits, labels, pad) / logits.shape[-1],
    ),
    Mistake(
        "padding alone",
        "You took the mean over the padding, and left the other labels out.",
        "`labels != pad` is True where a label is not padding.",
        _real(lambda labels, pad: labels == pad),
        variants=(_strict(lambda labels, pad: labels == pad),),
    ),
    Mistake(
        "pad taken for 0",
        "Your function is right only if `pad` is 0. It is an argument: it may be a different id, or −100, which is not a token.",
        "Compare the labels with `pad`.",
        _real(_not_zero),
        variants=(_strict(_not_zero), _real(lambda labels, pad: labels > 0)),
    ),
    Mistake(
        "token 0 dropped",
        "You left out the labels that are 0 as well as the padding. If `pad` is a different id, 0 is a token like any other.",
        "Compare the labels with `pad`, and with nothing else.",
        _real(lambda labels, pad: (labels != pad) & (labels != 0)),
        variants=(_real(lambda labels, pad: (labels != pad) & (labels > 0)),),
    ),
    Mistake(
        "cut at the first padding",
        "You cut each row at its first padding. Padding may be anywhere in a row, and real labels may follow it.",
        "Select with labels != pad; do not count how long each row is.",
        _real(lambda labels, pad: ~np.maximum.accumulate(labels == pad, axis=1)),
    ),
    Mistake(
        "shifted once more",
        "You compared the logits of each position with the label of the next one. But exercise 2 has already shifted "
        "the labels.",
        "logits[i, t] belongs to labels[i, t].",
        _shifted_again,
    ),
)
