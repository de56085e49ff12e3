"""Notes on lesson 04."""

from .note import Note, Notes

NOTES: Notes = {
    "04 · Masks: how do you keep a token from looking where it must not?": Note(
        "Everybody remembers that a row of weights sums to 1, and that no weight is exactly 0.",
        (
            "So far every token looks at every token, and sometimes that is cheating.",
            "Today you forbid it, and find out whether it worked.",
        ),
        "What matters is where in the calculation the mask goes, and how you test it.",
    ),
    "Predicting the next token": Note(
        "Everybody can compute a masked row by hand.",
        (
            "A model that learns to predict the next word must not see it.",
            "Car has scores 0, 1 and 1, but the last token is forbidden. Which weights should it get?",
        ),
        "Set the forbidden scores to −∞ before softmax. Then everything is as if that token were not there.",
        {
            "What is the box with ÷√d_k?": "A division that keeps the scores small (lesson 03).",
            "What is a tensor?": "An array of PyTorch. In this lesson it behaves like one of NumPy's.",
            "Why is the next token there at all?": "In training, the model gets a finished text and makes all its predictions "
            "in one pass. That is what makes a Transformer fast to train.",
            "Why may a token look at itself?": "It is already written. If it could not, the first token would have nothing to "
            "look at.",
        },
    ),
    "The other place for a mask": Note(
        "Everybody can say why zeros in the weights do not prove that nothing leaks, and which test does.",
        (
            "Here every forbidden weight is 0 as well, so it looks right.",
            "We change the last token. Will the first output change?",
        ),
        "Do not look at the weights. Change a token, and see which outputs change.",
        {
            "How do I read the second figure?": (
                "A dark cell means that the output in its row changes when the token in its column changes. You can skip "
                "the code. With two layers, a leak into one row of the first layer reaches that row and all later ones in "
                "the second."
            ),
            "Could we divide each row by its new sum?": "On paper, yes: the old sum cancels. On a computer it can go wrong, "
            "and the sheet asks where.",
        },
    ),
    "Padding": Note(
        "Everybody can say what a padding mask contains, and give its shape.",
        (
            "Sentences in a batch have different lengths, so short ones are padded with a token that means nothing.",
            "No token should look at it. What shape must the mask have?",
        ),
        "One row of keys per sequence: (b, 1, m). Combine masks with *and*.",
        {
            "What about the rows of the padding itself?": "They have outputs too, but nobody uses them. If you mask such a "
            "row completely, softmax divides 0 by 0.",
        },
    ),
    "Two ways to call attention": Note(
        "Everybody knows that True means opposite things in torch's function and in its module.",
        (
            "torch has two versions of attention, and we pass the same mask to both.",
            "Which of the two will look ahead?",
        ),
        "In this course True means “may look”. Elsewhere, look it up, or check with an influence map.",
    ),
}
