"""Sheet 14: what a loss says, and what it does not.

The table was measured with `experiments.asking.train_writer`, seed 0: with the shift, without it, and with probabilities
handed over as logits. A test measures again.
"""

from ..exercise import Mistake
from ..kinds import TwoTier

too_good = TwoTier(
    id="training.too_good",
    answer="verdict",
    asks="Three trained models: what the one with the lowest loss has learned.",
    minutes=5,
    right={"claim": "c", "reason": "b", "value": 0.0},
    choices={"claim": "abcd", "reason": "abcd"},
    atol=0.0005,
    hints=(
        "What must a model be able to do with its training numbers, if it knows them by heart?",
        "Row B finds its labels nearly without fault while it trains, and writes nothing right. What had it then that it has not now?",
        "For the value: look at the last column.",
    ),
    mistakes=(
        Mistake(
            "the lowest loss is the best",
            "A loss compares models that were asked the same. The last column says that B cannot do what A can.",
            "How much does B write rightly?",
            {"claim": "a"},
        ),
        Mistake(
            "overfitting",
            "A model that knows its training numbers by heart writes these at least. The last column is about just these, and B writes none.",
            "On which numbers was the last column measured?",
            {"claim": "b"},
        ),
        Mistake(
            "not learned yet",
            "Its loss is nearly 0: of what it was asked there is nothing left to learn. More steps of the same question would lead nowhere.",
            "What could it be asked, if it finds every label and can write none?",
            {"claim": "d"},
        ),
        Mistake(
            "the loss alone as a reason",
            "The claim fits. But a low loss alone is what a good model has as well.",
            "Which reason sets the loss beside something else?",
            {"reason": "a"},
        ),
        Mistake(
            "the start as a reason",
            "The claim fits. The start of B is as it should be: before the first step no model knows how to copy either. So it shows nothing "
            "about the question.",
            "Which reason sets the loss beside something else?",
            {"reason": "c"},
        ),
        Mistake(
            "the comparison with C as a reason",
            "The claim fits. C writes hardly anything as well, but it has a high loss to show for it. Its fault is another: it was scored "
            "on probabilities in place of logits.",
            "Which reason speaks of the loss of B?",
            {"reason": "d"},
        ),
        Mistake(
            "the lowest loss as the number",
            "Claim and reason are right. This number is why B looks so good. Asked for is the one that rules out that it knows its numbers "
            "by heart.",
            "The last column.",
            {"value": 0.0015},
        ),
    ),
)
