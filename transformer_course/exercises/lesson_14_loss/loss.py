"""Sheet 14: the mean cross-entropy of a batch, padding left out."""

import numpy as np

from ..families import adapted
from ..families.loss import LOSS, NLL, PADDING, TWICE, loss, of_label
from ..kinds import Implement, Property


def _draw(rng):
    def batch(b, n, v, pad, level=0, lengths=()):
        """Logits in steps of 1/8 about a level, and texts of different lengths."""
        logits = level + np.round(24 * rng.standard_normal((b, n, v))) / 8
        tokens = [token for token in range(v) if token != pad]
        labels = rng.choice(tokens, (b, n))
        labels[0, 0] = tokens[0]  # 0 is a token like any other, unless it is the padding
        for row, length in enumerate(np.resize(lengths or [n, 1, n // 2 + 1], b)):
            labels[row, length:] = pad
        return [logits, labels, pad]

    one_above = batch(3, 5, 4, 0)  # one logit 900 above the others, and mostly not the label's
    one_above[0] -= one_above[0].max(axis=-1, keepdims=True)
    one_above[0] = np.where(one_above[0] < 0, one_above[0] - 900, 0)
    far_below = batch(2, 7, 3, 0, level=-900)
    far_below[0][0, 0] += 1800  # one row far above the others, as a whole
    scattered = batch(4, 3, 7, -100)
    scattered[1][0, 0] = scattered[1][3, 1] = -100  # not on the right alone
    scattered[0][0, 1, scattered[1][0, 1]] -= 30  # what follows padding costs far more than the rest
    return [
        batch(3, 4, 7, 6),
        scattered,
        far_below,
        one_above,
        batch(2, 3, 5, 4, level=900, lengths=[3]),  # no padding
        batch(3, 4, 5, 2, lengths=[2, 0, 4]),  # a sequence of padding alone
    ]


def _in_loops(logits, labels, pad):
    total, count = 0.0, 0
    for rows, asked in zip(np.asarray(logits, float), labels, strict=True):
        for row, label in zip(rows, asked, strict=True):
            if label != pad:
                total += row.max() + np.log(sum(np.exp(z - row.max()) for z in row)) - row[int(label)]
                count += 1
    return total / count


def _flat(logits, labels, pad):
    rows, asked = logits.reshape(-1, logits.shape[-1]), labels.reshape(-1)
    rows, asked = rows[asked != pad], asked[asked != pad]
    return np.float32(np.mean(np.logaddexp.reduce(rows, axis=1) - rows[np.arange(len(rows)), asked]))


batch_loss = Implement(
    id="training.loss",
    answer_name="loss",
    prompt="The mean cross-entropy of a batch without its padding, from logits that may be large.",
    reference=lambda logits, labels, pad: loss(logits, labels, pad),
    draw=_draw,
    alternatives=(_in_loops, _flat),
    properties=(
        Property("A loss is minus the logarithm of a probability, and never negative.", lambda result, *given: result >= 0),
    ),
    why=(
        "Selecting the real labels first keeps padding out of both the sum and the count, and subtracting the maximum "
        "keeps exp from overflowing."
    ),
    hints=(
        "−log p of a label is log Σ exp(z) − z, where the last z is the label's logit. This still holds after you subtract "
        "the largest logit of the row from all of them.",
        "`real = labels != pad` is True where a label is not padding. Then `logits[real]`, (N, v), and `labels[real]`, (N,), "
        "leave the padding out before you compute anything.",
        "`rows[np.arange(len(rows)), asked]` picks the label's logit from each row. Subtract it from the logarithm of the "
        "row's sum of exponentials, and take the mean.",
    ),
    mistakes=adapted(
        {**LOSS, **PADDING, **TWICE},
        lambda loss: lambda logits, labels, pad: loss(logits, labels, pad, of_label),
        log_p="−log p of a label is log Σ exp(z) − z, once the largest logit of its row is subtracted from all.",
        nll=NLL,
        shapes="",
    ),
)
