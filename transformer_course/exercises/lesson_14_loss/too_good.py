"""Sheet 14: what a loss says, and what it does not.

The table was measured with `experiments.loss_variants.train_translator`, seed 0: with the shift, without it, with
probabilities passed as logits, and with padding counted. A test repeats the measurement.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

too_good = TwoTier(
    id="training.too_good",
    answer_name="verdict",
    prompt="Four trained models: what the two with the lowest losses have learned.",
    right={"claim": "c", "reason": "a", "value": 3.44},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.006,
    why=(
        "Losses can be compared only if both models predict the same labels from the same inputs, while the last column "
        "measures the task itself."
    ),
    hints=(
        "What must a model be able to do with its training numbers, if it knows the task, or knows them by heart?",
        "All four begin as the same model, and look at the same batch first. When do two of them have another loss then?",
        "For the value: look at the first step, which comes before anything is learned.",
    ),
    mistakes=(
        Mistake(
            "the lowest loss is the best",
            "A loss compares models that were asked the same. The last column says that B can do nothing of what A can.",
            "How much does B write correctly?",
            {"claim": "a"},
        ),
        Mistake(
            "overfitting",
            "A model that knows its training numbers by heart writes these at least. The last column is about just these, and B writes none.",
            "On which numbers was the last column measured?",
            {"claim": "b"},
        ),
        Mistake(
            "who writes has not copied",
            "By itself a model has no labels to find: what it writes it must know. D writes all 99 numbers.",
            "What do B and D find before them when they write by themselves?",
            {"claim": "d"},
        ),
        Mistake(
            "the loss alone as a reason",
            "The claim fits. But by this reason B would have learned the most.",
            "Which reason explains why B is so low and writes nothing?",
            {"reason": "b"},
        ),
        Mistake(
            "the loss decides a draw",
            "The claim fits. But the loss decides between A and D only if both were asked the same, and they were not.",
            "Same weights, same batch: what would the first loss of D be, if it were asked what A is asked?",
            {"reason": "c"},
        ),
        Mistake(
            "the start as a reason",
            "The claim fits. But C begins at 2.89 exactly, and hardly writes anything. Near log 18 begins any model whose logits are "
            "nearly equal, whatever it is asked.",
            "Which reason looks at what a model can do?",
            {"reason": "d"},
        ),
        Mistake(
            "the lower loss as the number",
            "Claim and reason are right. This number is lower than A's. But a better model would have a lower one as well, with the loss "
            "of A.",
            "Which number was taken before anything was learned?",
            {"value": 0.0105},
        ),
        Mistake(
            "the share as the number",
            "Claim and reason are right. This number shows that D has learned the task. A has the same one, so it does not tell the two "
            "losses apart.",
            "Which number was taken before anything was learned?",
            {"value": 1.0},
        ),
    ),
)
