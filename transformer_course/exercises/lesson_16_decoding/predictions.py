"""What learners guess in lesson 16, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "16.apart",
        right="b",
        replies={
            "a": "Position 5 is just where they still agree: its logits come from the right beginning, and only the choice was wrong. "
            "Behind it the most probable token is the same again, but its logits are not: another digit stands in what is read.",
            "c": "In reading, the later tokens are there, but the mask hides them. A position sees what it would see in writing, as long as "
            "the beginnings are the same.",
            "b": "Up to position 5 both have the same beginning, and the mask hides the rest. The wrong digit is chosen at 5, and read "
            "from 6 on.",
        },
    ),
    Prediction(
        "16.one_error",
        right="c",
        replies={
            "a": "It is true that it never saw a wrong beginning. But no later token needs the wrong digit, and nearly all come out right, "
            "in all three draws. Errors pile up only where they are needed further on.",
            "b": "The other way round. A digit looks like the content, and a unit like mere form. But the unit is what tells the model "
            "where in the number it is.",
            "c": "The next tokens need the unit, to know where the number is to go on, and not the digit, which is done with.",
            "d": "The source is still there. But where in it to go on, the model reads from what it has written, and the wrong unit points "
            "to another place.",
        },
    ),
    Prediction(
        "16.passes",
        right="a",
        replies={
            "b": "So it is in training, where the target is known. In writing, each token has to be there before the next one can be asked "
            "for.",
            "a": "The source is read once, in parallel. Each of the ten tokens needs a pass of its own, since it depends on the one before.",
            "c": "The target grows with each token, but the source does not: its memory is computed once, and all ten passes look at "
            "it.",
        },
    ),
    Prediction(
        "16.empty",
        right="c",
        replies={
            "a": "Each letter has its probability, and a name's is the product of some twenty or thirty: about e⁻¹⁶ for one in the middle. "
            "The empty name has a single factor, and a very small one, about e⁻¹⁰, is enough.",
            "b": "Far fewer. A name's probability is a product of some twenty or thirty factors, the empty one has a single factor.",
            "c": "A product of some twenty or thirty factors, none above 1, against a single one. So the empty name beats nearly all, though it "
            "never occurred: the model leaves it a little, as it does everything.",
        },
    ),
]
