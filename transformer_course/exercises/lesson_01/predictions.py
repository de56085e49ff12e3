"""What learners guess in lesson 01, and what each guess is told."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "01.fading",
        right="c",
        replies={
            "a": "Nine tenths are kept at *each* token. After two that is 0.81, after three 0.729: each takes its tenth of what "
            "the last one left. After fifty, half a percent remains.",
            "b": "It is down to a half after only 7 tokens, and then to half of that after 7 more. Fifty tokens are seven such "
            "halvings: 1/128 and a little less.",
            "c": "0.9 multiplied by itself fifty times is about 0.005. What shrinks by a factor at each step is gone soon.",
        },
    ),
    Prediction(
        "01.recall",
        right="c",
        replies={
            "a": "Training did not save them. As you will see below, at 20 tokens hardly any of the slopes that training follows "
            "lead back to the first token.",
            "b": "LSTMs were invented to remember for longer, and at 10 tokens this one mostly does. But with the settings that it "
            "comes with, 20 were too many. Keep your faith in it a little longer, though.",
            "c": "It looks at the first token directly, however many stand between. The others had to carry it through all of "
            "them. Whether they *could* have is the next question.",
        },
    ),
    Prediction(
        "01.keep",
        right="b",
        replies={
            "a": "It fades with every token, but by so little that it comes out even: the longer the text, the less each token "
            "takes. For any length about 0.37 is left, which is 1/e.",
            "b": "50/51 to the power 50 is 0.37, and it is nearly the same for every length: (T/(T+1))^T comes close to 1/e. That "
            "is why the bias is chosen so.",
            "c": "50/51 is what *one* token lets through. Fifty of them multiply up: about 0.37 is left. Much less than all, and "
            "very much more than 0.5 to the power 50.",
        },
    ),
    Prediction(
        "01.gradient",
        right="b",
        replies={
            "a": "By the same amount would be a straight line on an ordinary axis, and it would arrive at 0 at some token. "
            "Here it is straight on an axis of factors: a slope is multiplied once more at every token it passes.",
            "b": "Going back through a token multiplies the slope once more, just as going forward multiplies the state. The same factor at "
            "each step is a straight line on an axis of factors.",
            "c": "No training has taken place yet, and the line falls all the same: each token that the slope passes "
            "multiplies it once more. That is why training never finds token 1.",
        },
    ),
    Prediction(
        "01.layers",
        right="c",
        replies={
            "a": "That is what it takes when each layer leaves gaps twice as wide as the one before. Plain layers all see only "
            "their next neighbours, and reach one place further each.",
            "b": "A kernel of 3 looks at three places, but one of them is the middle, and the others lie on two sides. "
            "Towards the last token it reaches one place further a layer, not three.",
            "c": "One place further for each layer: as slow as the recurrent network, though without its queue.",
        },
    ),
]
