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


MISTAKES = (
    Mistake(
        "padding counted",
        "Your mean includes the padding, which has nothing to predict.",
        "Keep the positions where labels differ from pad, before you take the mean.",
        _real(_everywhere),
        variants=(_strict(_everywhere), _real(lambda labels, pad: labels >= 0)),
    ),
    Mistake(
        "divided by all positions",
        "You left the padding out of the sum, and divided by the number of all positions.",
        "By how many tokens must you divide?",
        _gathered(lambda costs, real: np.where(real, costs, 0).mean()),
    ),
    Mistake(
        "mean of means",
        "You took a mean for each text, and then the mean of these. So a token of a short text counts for more than one of a long text.",
        "One sum over all real tokens of the batch, one division.",
        _gathered(_rows_of_means),
    ),
    Mistake(
        "the sum",
        "This is the sum over the real tokens. A batch of twice as many would have twice the loss.",
        "Divide by their number.",
        _gathered(lambda costs, real: costs[real].sum()),
    ),
    Mistake(
        "divided by the number of texts",
        "You divided by the number of texts, so a longer text has a larger loss.",
        "How many labels are not pad?",
        _gathered(lambda costs, real: costs[real].sum() / len(costs)),
    ),
    Mistake(
        "softmax twice",
        "Softmax has been taken twice: your loss took probabilities for logits.",
        "From logits to −log p there is one softmax. If you call torch's cross_entropy: it takes it by itself.",
        _mean(lambda logits, labels: -at_labels(log_softmax(_probabilities(logits)), labels)),
    ),
    Mistake(
        "no logarithm",
        "This is a mean of probabilities, and no logarithm was taken. Mind that torch's nll_loss takes none either.",
        "What does a probability of ½ cost?",
        _mean(lambda logits, labels: -at_labels(_probabilities(logits), labels)),
        variants=(
            _mean(lambda logits, labels: at_labels(_probabilities(logits), labels)),
            _mean(lambda logits, labels: 1 - at_labels(_probabilities(logits), labels)),
        ),
    ),
    Mistake(
        "no softmax",
        "This is a mean of the logits themselves: no softmax was taken, so nothing says how the label's logit compares with the "
        "others.",
        "−log p of a label is log Σ exp(z) − z.",
        _mean(lambda logits, labels: -at_labels(logits, labels)),
        variants=(_mean(lambda logits, labels: at_labels(logits, labels)),),
    ),
    Mistake(
        "the mean first",
        "You took the mean of the probabilities, and then its logarithm. That is not the mean of the losses.",
        "A logarithm for each token, then the mean.",
        lambda logits, labels, pad: -np.log(at_labels(_probabilities(logits), labels)[labels != pad].mean()),
    ),
    Mistake(
        "the sign",
        "Your loss is negative, because the logarithm of a probability is.",
        "−log p.",
        _mean(lambda logits, labels: -_costs(logits, labels)),
    ),
    Mistake(
        "base 2",
        "Your logarithm has base 2.",
        "In this course, log is the natural one: np.log and torch.log.",
        _mean(lambda logits, labels: _costs(logits, labels) / np.log(2)),
        variants=(_mean(lambda logits, labels: _costs(logits, labels) / np.log(10)),),
    ),
    Mistake(
        "exp of large logits",
        "It is right for small logits. With logits near 900, or near −900, exp becomes infinite, or 0, and the loss with it.",
        "Subtract the largest logit of each row first, as in the softmax of lesson 02.",
        _mean(lambda logits, labels: np.log(np.exp(logits).sum(-1)) - at_labels(logits, labels)),
        variants=(
            _mean(lambda logits, labels: -at_labels(np.log(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)), labels)),
            _mean(lambda logits, labels: -np.log(at_labels(np.exp(logits) / np.exp(logits).sum(-1, keepdims=True), labels))),
        ),
    ),
    Mistake(
        "the largest of the whole batch",
        "You subtracted the largest logit of the whole array. A row that lies far below it as a whole becomes all zeros.",
        "The largest of each row: over the last axis, with that axis kept.",
        _mean(lambda logits, labels: np.log(np.exp(logits - logits.max()).sum(-1)) - at_labels(logits - logits.max(), labels)),
    ),
    Mistake(
        "the logarithm of 0",
        "It goes through the probability, and where that is too small for a number it becomes 0. Its logarithm is −∞, though the "
        "loss is 900 or so.",
        "As in exercise 3: never form p. −log p is log Σ exp(z) − z, once the largest is subtracted.",
        _mean(lambda logits, labels: -np.log(at_labels(_probabilities(logits), labels))),
        variants=(_mean(lambda logits, labels: -at_labels(np.log(_probabilities(logits)), labels)),),
    ),
    Mistake(
        "a little added inside the logarithm",
        "A tiny number keeps the logarithm from −∞, and puts another loss in its place: about 20 for one that is 900. So the model "
        "would be told that it could not get worse.",
        "Never form p. −log p is log Σ exp(z) − z, once the largest is subtracted.",
        _floored(1e-9),
        variants=(
            *(_floored(tiny) for tiny in (1e-12, 1e-10, 1e-8, 1e-15)),
            _mean(lambda logits, labels: -np.log(np.maximum(at_labels(_probabilities(logits), labels), 1e-12))),
        ),
    ),
    Mistake(
        "softmax over the tokens",
        "Your softmax runs along the tokens of a text, so the positions share one probability of 1.",
        "The vocabulary is the last axis.",
        _mean(lambda logits, labels: -at_labels(log_softmax(logits, axis=1), labels)),
    ),
    Mistake(
        "the most probable token",
        "You used the probability of the token that the model finds most probable, whatever the label is.",
        "Which of the v numbers belongs to the label?",
        _mean(lambda logits, labels: -log_softmax(logits).max(-1)),
    ),
    Mistake(
        "the share of errors",
        "This is the share of labels that are not the most probable token. It does not know how sure the model was.",
        "−log of the label's probability, for each label.",
        _mean(lambda logits, labels: 1.0 * (logits.argmax(-1) != labels)),
        variants=(_mean(lambda logits, labels: 1.0 * (logits.argmax(-1) == labels)),),
    ),
    Mistake(
        "divided by the vocabulary too",
        "You took the mean over the vocabulary as well, so the loss is too small by a factor of v.",
        "Over the vocabulary it is a sum: all terms except the label's are 0.",
        lambda logits, labels, pad: loss_of(logits, labels, pad) / logits.shape[-1],
    ),
    Mistake(
        "padding alone",
        "Your mean runs over the padding, and leaves the real tokens out.",
        "labels != pad is True at the real ones.",
        _real(lambda labels, pad: labels == pad),
        variants=(_strict(lambda labels, pad: labels == pad),),
    ),
    Mistake(
        "pad taken for 0",
        "It is right where pad is 0. Its id is an argument: it may be another token's, or −100, which is none.",
        "Use the name pad.",
        _real(_not_zero),
        variants=(_strict(_not_zero), _real(lambda labels, pad: labels > 0)),
    ),
    Mistake(
        "token 0 dropped",
        "You left out the labels that are 0 as well as the padding. Where pad is another id, 0 is a token like any other.",
        "Compare with pad, and with nothing else.",
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
