"""The questions of lesson 11: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "11.recall.zeros",
        "A sublayer f has a residual connection, and f gives zeros. What comes out?",
        (
            Choice("zeros", "That would be f alone. The input is added to it."),
            Choice(
                "the input x, as it was",
                "Yes: x + f(x), and f(x) is 0. The question comes back below, where a norm stands behind the sum.",
            ),
            Choice("half of x", "Nothing is halved: it is a sum, and no mean."),
        ),
        right="b",
        origin=("10",),
    ),
    Question(
        "11.recall.padding",
        "Why does a batch of texts need padding, and why a mask with it?",
        (
            Choice(
                "To bring the texts to one length; the mask keeps others from attending to what means nothing",
                "Yes. In attention, a mask mends that completely.",
            ),
            Choice("To hide the future", "That is the causal mask. Padding fills short texts up."),
            Choice("To make training faster; the mask is optional", "Without it, real tokens attend to padding."),
        ),
        right="a",
        origin=("04",),
    ),
    Question(
        "11.padded",
        "The batch gets 24 columns of padding, as it would if a long text joined it. No token of our sentence "
        "changes, nor does one of its company. How far do our sentence's vectors move behind BatchNorm, as a "
        "share of their length?",
        (
            Choice(
                "by more than their own length",
                "The tokens are the same, and only zeros have come. They make the variance small, and dividing by "
                "its root blows up all that is real.",
            ),
            Choice(
                "by a few per cent: zeros only pull the means towards 0",
                "It is true that the means move towards 0. But the variance falls as well: most of what is "
                "counted is now a zero, which does not stray at all.",
            ),
            Choice(
                "not at all: what has not changed comes out unchanged",
                "Nothing of the sentence has changed, but what it is measured against has: BatchNorm's mean and "
                "variance are those of all tokens in the batch, padding too.",
            ),
        ),
        right="a",
    ),
    Question(
        "11.company",
        "Padding no longer counts. Now our sentence stands in a batch with *other texts* than before. Whose "
        "vectors stay as they were?",
        (
            Choice(
                "those of both: with the mask, nothing foreign is left in the means",
                "The padding is out of the means. But the real tokens of the other texts are still in them, and "
                "those are others now.",
            ),
            Choice(
                "those of LayerNorm alone",
                "Its mean and variance are those of each token alone. Masked BatchNorm still asks the real tokens "
                "of the others.",
            ),
            Choice(
                "those of neither: every norm depends on the batch",
                "BatchNorm does, masked or not, while it trains. LayerNorm never looks at another token, so no "
                "batch can move it.",
            ),
        ),
        right="b",
    ),
    Question(
        "11.fast",
        "Learning rate 0.01, from the first step on, three seeds. What happens at twelve layers?",
        (
            Choice(
                "post-norm is stuck, and pre-norm learns",
                "At two layers post-norm learns too. At twelve, and with such steps from the beginning, post-norm "
                "with each seed gets no further than how frequent the letters are.",
            ),
            Choice(
                "pre-norm is stuck: nothing keeps its stream in bounds",
                "Its stream does grow, since nothing divides it. But every sublayer reads it through a norm, and "
                "another norm stands at the end; it learns with each seed.",
            ),
            Choice(
                "both learn: either way each sublayer has its norm",
                "At two layers post-norm learns too. A norm at each sublayer is not enough at twelve, with such "
                "steps: it matters where it stands.",
            ),
        ),
        right="a",
    ),
    Question(
        "11.gradient",
        "Twelve layers, before the first step. How large is the gradient of the first layer with post-norm, "
        "compared with pre-norm's?",
        (
            Choice(
                "less than a hundredth of it",
                "That is what happened in lesson 10 where the sum was missing. Here each sublayer has its sum, "
                "with post-norm too, and the gradients of both kinds are about as large.",
            ),
            Choice(
                "more than a hundred times as large",
                "Nothing explodes either: the norm after each sum keeps that from happening. Both are about as large.",
            ),
            Choice(
                "about as large, give or take a factor of 2",
                "So before the first step, this gradient does not say who will be stuck. The explanation must lie elsewhere.",
            ),
        ),
        right="c",
    ),
    Question(
        "11.exit.batchnorm",
        "Somebody leaves padding out of BatchNorm's means, and says that now each sentence is by itself. Is it?",
        (
            Choice("Yes, as with LayerNorm", "Padding has no say any more. The real tokens of the other texts have."),
            Choice("No: other texts still have a say in its means", "Yes. The mask cures the padding, and not the company."),
            Choice(
                "No: the padding still counts",
                "That is just what the mask prevents: masked, our sentence did not move with it.",
            ),
        ),
        right="b",
    ),
    Question(
        "11.exit.stuck",
        "A post-norm model of twelve layers, with torch's start and a rate of 0.01, is stuck. What would you try first?",
        (
            Choice(
                "More steps",
                "All its letters look alike already; the line in the picture is flat. (Three runs of 300 steps, "
                "not shown here, were still there.)",
            ),
            Choice(
                "A warm-up, or smaller steps", "Yes. Or pre-norm. What helps with Xavier's start, the sheet has you find out."
            ),
            Choice("A larger learning rate, to get out", "Large first steps are what got it there."),
        ),
        right="b",
    ),
]
