"""The questions of lesson 11: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "11.recall.zeros",
        "A sublayer f has a residual connection, and f outputs zeros. What is the result?",
        (
            Choice("zeros", "That would be f alone. The input is added to it."),
            Choice(
                "the input x, as it was",
                "Yes: x + f(x), and f(x) is 0.",
            ),
            Choice("half of x", "It is a sum and not a mean, so nothing is halved."),
        ),
        right="b",
        origin=("10",),
    ),
    Question(
        "11.recall.padding",
        "Why does a batch of texts need padding and a mask?",
        (
            Choice(
                "All texts of a batch need the same length; the mask keeps real tokens from attending to padding",
                "Yes. In attention, the mask removes the influence of padding completely.",
            ),
            Choice("To hide the future", "That is the causal mask. Padding fills up short texts."),
            Choice("To make training faster; the mask is optional", "Without it, real tokens attend to padding."),
        ),
        right="a",
        origin=("04",),
    ),
    Question(
        "11.padded",
        "Now the batch gets 24 more columns of padding, as if a long text joined it. No token of the two texts changes. How "
        "far do our sentence's vectors move after BatchNorm, as a fraction of their length?",
        (
            Choice(
                "by more than their own length",
                "Yes. Only zeros have been added. They make the variance small, and dividing by its square root makes all "
                "real tokens large.",
            ),
            Choice(
                "by a few percent",
                "The means move towards 0. But the variance falls as well, because most of the numbers are "
                "zeros now and do not vary at all. So the vectors move by more than their own length.",
            ),
            Choice(
                "not at all",
                "None of the sentence's numbers has changed, but BatchNorm's mean and variance have. They are computed over "
                "all tokens in the batch, padding included. The vectors move by more than their own length.",
            ),
        ),
        right="a",
    ),
    Question(
        "11.company",
        "Padding no longer counts. Now our sentence is in a batch with a *different text*. With which norm do our sentence's "
        "vectors stay the same?",
        (
            Choice(
                "with both",
                "The padding no longer counts. But the real tokens of the other text do, and these are different now.",
            ),
            Choice(
                "only with LayerNorm",
                "Yes. Each token has its own mean and variance. The means of masked BatchNorm still include the real tokens of "
                "the other text.",
            ),
            Choice(
                "with neither",
                "In training, BatchNorm depends on the batch, masked or not. LayerNorm never looks at another"
                " token, so no batch can change its result.",
            ),
        ),
        right="b",
    ),
    Question(
        "11.fast",
        "The learning rate is 0.01 from the first step on, with three seeds. What happens at twelve layers?",
        (
            Choice(
                "post-norm is stuck, and pre-norm learns",
                "Yes. With two layers post-norm learns too. With twelve, and such large steps from the "
                "beginning, it learns only the letter frequencies, for all three seeds.",
            ),
            Choice(
                "pre-norm is stuck, and post-norm learns",
                "Nothing rescales the stream of pre-norm, and it does grow. But every sublayer reads it "
                "through a norm, and so does the output, so pre-norm learns, for all three seeds. It is "
                "post-norm that is stuck.",
            ),
            Choice(
                "both learn",
                "With two layers, both learn. With twelve, and such large steps, it matters where the norm "
                "goes: post-norm is stuck, for all three seeds.",
            ),
        ),
        right="a",
    ),
    Question(
        "11.gradient",
        "With twelve layers, before the first step: how large is the gradient of the first layer with post-norm, compared "
        "with pre-norm?",
        (
            Choice(
                "less than a hundredth",
                "That happened in lesson 10, where the plus sign was missing. Here each sublayer has one, in post-norm too, and "
                "the gradients are about equally large.",
            ),
            Choice(
                "more than a hundred times as large",
                "Nothing explodes, because there is a norm after each sum. The gradients are about equally large.",
            ),
            Choice(
                "about equally large, up to a factor of 2",
                "Yes. So this gradient does not say which model will be stuck, and the explanation must lie elsewhere.",
            ),
        ),
        right="c",
    ),
    Question(
        "11.exit.batchnorm",
        "You leave padding out of BatchNorm's means and variances. Is the output for each sentence now independent of the others?",
        (
            Choice(
                "Yes, as in LayerNorm", "Padding no longer has any influence. The real tokens of the other texts still do."
            ),
            Choice(
                "No, other texts still influence it", "Yes. The mask removes the influence of padding, and of nothing else."
            ),
            Choice(
                "No, padding still influences it",
                "That is what the mask prevents: with it, more padding did not move our sentence.",
            ),
        ),
        right="b",
    ),
    Question(
        "11.exit.stuck",
        "A post-norm model with twelve layers and a learning rate of 0.01 is stuck. What would you try first?",
        (
            Choice(
                "More steps",
                "Three runs of 300 steps (not shown in the lesson) were still stuck.",
            ),
            Choice(
                "A warm-up, or smaller steps", "Yes, or pre-norm. (The sheet has a case in which a warm-up is not enough.)"
            ),
            Choice("A larger learning rate, to get out of there", "Large first steps are the cause."),
        ),
        right="b",
    ),
]
