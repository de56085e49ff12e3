"""What learners guess in lesson 21, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "21.slips",
        right="a",
        replies={
            "a": "Five, as we have sorted them. In the other 24 a name is exchanged, a condition left out, a mechanism made up. Going over "
            "the numbers alone does not find them.",
            "b": "It is five of 29, as we have sorted them. Going over the numbers finds these. But a sentence can be wrong with every "
            "number in it right.",
            "c": "It is five of 29, as we have sorted them. A slip can be pointed at. To see that a sentence leaves out its condition "
            "takes a question of its own.",
        },
    ),
    Prediction(
        "21.key_bias",
        right="b",
        replies={
            "a": "In the product they stand alike, but not in the softmax. It goes along the *keys* of one query. A key bias adds query × "
            "bias to each score of that row, the same to all. A query bias adds bias × key, and the keys differ.",
            "b": "A key bias adds query × bias to each score of the row, the same to all keys. That is the very case in which softmax takes "
            "it out.",
            "c": "Another query adds another number, −3 in place of 1. But within its row it is again the same for all keys, and each row "
            "has a softmax of its own.",
        },
    ),
    Prediction(
        "21.adam",
        right="c",
        replies={
            "a": "So it is with plain steps, the control. Adam divides by the root of the mean square of the gradients, and of a single "
            "gradient of 1000 that is 1000.",
            "b": "It does divide by a root. But it is the root of the *square*, so 1000 is divided by 1000, and not by 32.",
            "c": "1000 divided by the root of its square is 1, as is 1 divided by 1. At the first step Adam looks at the sign alone.",
        },
    ),
    Prediction(
        "21.unmasked",
        right="b",
        replies={
            "a": "Nothing is hidden from the last token itself. But the tokens before it see more without the mask, the last one among "
            "what they see. In the second layer it reads their vectors, and these have changed.",
            "b": "In the first layer the last token sees the same as ever, and only the others see more. In the second one it reads what has "
            "become of them.",
            "c": "Their vectors have changed when they *leave* the first layer. What the last token reads in it is what goes in, and "
            "that is the same.",
        },
    ),
]
