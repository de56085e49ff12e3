"""The questions of lesson 12: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "12.recall.post_norm",
        "Where does the norm stand in post-norm, the original's order?",
        (
            Choice("LayerNorm(x + f(x))", "Yes: behind the sum. So it rescales the stream itself."),
            Choice("x + f(LayerNorm(x))", "That is pre-norm. There the stream is never rescaled."),
            Choice("x + LayerNorm(f(x))", "That is neither of the two orders of lesson 11."),
        ),
        right="a",
        origin=("11",),
    ),
    Question(
        "12.recall.feed_forward",
        "What does a token learn of the others in a feed-forward network?",
        (
            Choice("What their mean is", "There is no mean in it. Each token goes through by itself."),
            Choice("Nothing: it is alone there", "Yes. Keep it in mind for the experiment."),
            Choice("What its neighbours are", "Neighbours play no part in it."),
        ),
        right="b",
        origin=("09",),
    ),
    Question(
        "12.recall.head_width",
        "Two heads, d_model = 6. How wide are the queries of one head, usually?",
        (
            Choice("6", "All heads together are that wide."),
            Choice("3", "Yes: the columns are shared out."),
            Choice("12", "That would be twice the width of the token. The width is shared out, not multiplied."),
        ),
        right="b",
        origin=("05",),
    ),
    Question(
        "12.spread",
        "At the bottom, one vector of the seven differs. And after the *first* of the six layers?",
        (
            Choice(
                "three or four: those that attend to the changed word; the others do not look at it",
                "Softmax gives no weight of exactly 0. A token may attend to another very little, but unless a "
                "mask forbids it, never not at all.",
            ),
            Choice(
                "two, that one and its neighbour: with each layer the change gets one word further",
                "That would be a convolution, which sees a token and its neighbours. In attention there is no "
                "near and far: the last word's weights have an entry for the first one too.",
            ),
            Choice(
                "all seven",
                "Each of the seven shares out its attention among all, the changed word included. No weight is exactly 0.",
            ),
        ),
        right="c",
    ),
    Question(
        "12.padding",
        "Which cells stay light, 0?",
        (
            Choice(
                "the two columns of padding, but for the two cells where a place meets itself",
                "Masked are the keys, which are the columns. But a place's own vector goes past attention by the "
                "residual connection, and no mask stands in its way.",
            ),
            Choice(
                "the two columns of padding, from top to bottom",
                "Nearly. Look at the two cells on the diagonal: a place's own vector goes past attention by the "
                "residual connection, and no mask stands in its way.",
            ),
            Choice(
                "the two columns and the two rows of padding",
                "The rows are outputs. Places of padding have queries too, and take from the real tokens: nothing "
                "forbids it, and nobody reads it.",
            ),
        ),
        right="a",
    ),
    Question(
        "12.shuffled",
        "With the memory as it is, 196 are right. And with its vectors shuffled?",
        (
            Choice(
                "hardly any: the digits come out in the wrong order",
                "The decoder attends to these vectors, and attention does not know in which order they lie "
                "(lesson 06). Where a word stood was added at the bottom, and is in its vector still.",
            ),
            Choice(
                "as many as before",
                "To attention, the memory is a set. Where each word stood is written in its vector, and not in "
                "the place where the vector lies.",
            ),
            Choice(
                "about half: short numbers survive it",
                "A number of one word has nothing to shuffle; but longer ones lose nothing either. Where a word "
                "stood is written in its vector.",
            ),
        ),
        right="b",
    ),
    Question(
        "12.each_layer",
        "How many of the 200 numbers does it get right?",
        (
            Choice(
                "next to none, as with the mean: the first layer's vectors are other vectors than those it knows",
                "Other vectors they are, but not strange ones: the second layer only adds to what the first has "
                "made (lesson 10). In this model it is enough that one of the decoder's two layers gets what it "
                "knows.",
            ),
            Choice(
                "about half: one of two decoder layers gets what it knows",
                "There is no such sharing out, a half for each layer. In this model it is enough that one of the "
                "two gets what it knows, whichever it is.",
            ),
            Choice(
                "nearly as many as before",
                "Two fewer than before. The second layer only adds to what the first has made, and in this model "
                "it is enough that one of the decoder's two layers gets that. Do not take it for a rule: see the "
                "dates.",
            ),
        ),
        right="c",
    ),
    Question(
        "12.exit.memory",
        "A text of 9 tokens, d_model = 512, six layers. What is the decoder given?",
        (
            Choice("512 numbers", "That would be one context vector. There is one for each token."),
            Choice("9 × 512 numbers", "Yes: a vector for each token, from the last layer."),
            Choice("6 × 9 × 512 numbers", "That would be every layer's output. Only the last one's leaves the stack."),
        ),
        right="b",
    ),
    Question(
        "12.exit.padding",
        "Six layers, and the padding mask is forgotten in the second one only. Which real vectors move with the "
        "padding at the top?",
        (
            Choice(
                "None: four more layers mask it",
                "They mask the places of padding. By then, what has come in sits in real tokens.",
            ),
            Choice("All of them", "Yes. In the second layer each of them heard of it, and what has come in stays in."),
            Choice("Those next to the padding", "In attention there is no near and far."),
        ),
        right="b",
    ),
]
