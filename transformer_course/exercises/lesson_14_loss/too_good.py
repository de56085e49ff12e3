"""Sheet 14: what a loss says, and what it does not.

The table was measured with `experiments.loss_variants.train_translator`, seed 0: with the shift, without it, with
probabilities passed as logits, and with padding counted. A test repeats the measurement.
"""

from ..kinds import TwoTier

too_good = TwoTier(
    id="training.too_good",
    prompt="Four trained models: what the two with the lowest losses have learned.",
    right={"claim": "c", "reason": "a", "value": 3.44},
    why=(
        "Losses can be compared only if both models predict the same labels from the same inputs, while the last column "
        "measures the task itself."
    ),
    hints=(
        "What can a model do with its training numbers if it knows the task, or knows them by heart? Look at the last column.",
        "All four start as the same model, and see the same batch first. How can their first losses differ?",
        "For the value, look at the first step, before any model has learned anything.",
    ),
    mistakes={
        "the lowest loss is the best": (
            "You compared losses of models that had to predict different labels. The last column shows that B cannot do the "
            "task at all.",
            "What fraction does B translate correctly?",
            {"claim": "a"},
        ),
        "overfitting": (
            "A model that knew its training numbers by heart would at least translate those. The last column is measured on "
            "exactly those, and B gets none right.",
            "On which numbers was the last column measured?",
            {"claim": "b"},
        ),
        "who writes has not copied": (
            "A model that generates by itself has no labels to find in its inputs. D translates all 99 numbers, so it has "
            "learned the task.",
            "What are the inputs of B and D when they generate by themselves?",
            {"claim": "d"},
        ),
        "the loss alone as a reason": (
            "But if this were the reason, B would have learned the most.",
            "Which reason explains why B has so low a loss and translates nothing correctly?",
            "b",
        ),
        "the loss decides a draw": (
            "But the losses of A and D could be compared only if both had to predict the same labels, and they did not.",
            "Same weights, same batch: what would D's first loss be if it had to predict the same labels as A?",
            "c",
        ),
        "the start as a reason": (
            "But C starts at exactly 2.89, and translates almost nothing correctly. Any model whose logits are nearly equal "
            "starts near log 18, whatever its labels are.",
            "Which reason looks at what a model can do?",
            "d",
        ),
        "the lower loss as the number": (
            "This number is lower than A's. But a better model could have a lower number even if its loss were computed as "
            "A's is.",
            "Which number was taken before anything was learned?",
            0.0105,
        ),
        "the number of A": (
            "But 2.94 is A's number, and the question is about row D.",
            "Look at the same column in row D.",
            2.94,
        ),
        "the difference": (
            "But 0.5 is the difference between two numbers, 3.44 and 2.94. The question asks for one number from the table.",
            "Which of the two is in row D?",
            0.5,
        ),
        "the share as the number": (
            "This number shows that D has learned the task. A has the same number, so it does not tell the two losses apart.",
            "Which number was taken before anything was learned?",
            1.0,
        ),
    },
)
