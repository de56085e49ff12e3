"""What learners guess in lesson 01, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "01.fading",
        right="c",
        replies={
            "a": "A third is left after ten tokens, and a third of that after ten more. Fifty tokens are nearly five such steps down.",
            "b": "A tenth is left after 22 tokens, and a tenth of that after 22 more: that is a hundredth already, and there are six "
            "to go.",
            "c": "0.9 multiplied by itself fifty times is about 0.005. What shrinks by a factor at each step is gone soon.",
        },
    ),
    Prediction(
        "01.recall",
        right="c",
        replies={
            "a": "The rule is simple, and at five tokens all three found it. At twenty, two of them did not, with any seed. It is not "
            "the rule that has become harder, but the way to the first token.",
            "b": "LSTMs were invented to remember for longer, and at ten tokens most of ours do. At twenty none did, as we "
            "set them up.",
            "c": "It looks at the first token directly, however many stand between. The others have to carry it through all of "
            "them. Whether they *could* learn that is the next question.",
        },
    ),
    Prediction(
        "01.gradient",
        right="c",
        replies={
            "a": "Nothing has been learned, and yet they differ by more than ten powers of ten: what decides is the path that the slope "
            "has to take, and the numbers that happen to stand along it at the start.",
            "b": "It does reach token 1 in one step, and its line is level. But before training it gives each of 40 tokens only about a "
            "fortieth of its weight. The LSTM with bias log T keeps more than that.",
            "c": "Its gates keep nearly everything at each token, and of that more arrives than attention gives to one token of 40. "
            "Both lines are level, though, and that is what matters for learning.",
        },
    ),
    Prediction(
        "01.layers",
        right="c",
        replies={
            "a": "It would, if each layer left gaps twice as wide as the one before; see the second line of the output. Plain layers all see only "
            "their next neighbours, and reach one place further each.",
            "b": "A kernel of 3 looks at three places, but one of them is the middle, and the others lie on two sides. "
            "Towards the last token it reaches one place further a layer, not three.",
            "c": "One place further for each layer, and each layer waits for the one below: as many steps as in the recurrent network.",
        },
    ),
]
