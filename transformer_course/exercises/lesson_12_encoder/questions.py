"""The questions of lesson 12: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "12.recall.post_norm",
        "Where is the LayerNorm in post-norm, the order of the original Transformer?",
        (
            Choice("LayerNorm(x + f(x))", "Yes, after the sum. So it rescales the residual stream itself."),
            Choice("x + f(LayerNorm(x))", "That is pre-norm. It never rescales the residual stream."),
            Choice("x + LayerNorm(f(x))", "This is neither of the two orders of lesson 11."),
        ),
        right="a",
        origin=("11",),
    ),
    Question(
        "12.recall.feed_forward",
        "In a feed-forward network, what does a token learn about the other tokens?",
        (
            Choice("Their mean", "Nothing is averaged there. Each token is processed separately."),
            Choice("Nothing", "Yes: each token is processed separately."),
            Choice("Which tokens are next to it", "Neighbours play no part: each token is processed separately."),
        ),
        right="b",
        origin=("09",),
    ),
    Question(
        "12.recall.head_width",
        "With two heads and d_model = 6, how wide are the queries of one head, usually?",
        (
            Choice("6", "That is the width of both heads together."),
            Choice("3", "Yes: the heads divide the columns among them."),
            Choice("12", "That would be twice the width of a token. The heads divide the columns among them."),
        ),
        right="b",
        origin=("05",),
    ),
    Question(
        "12.spread",
        "One of the seven input vectors differs. How many differ after the *first* of the six layers?",
        (
            Choice(
                "Three or four",
                "Softmax gives no weight of exactly 0. A token may attend to another one only a little, but unless a mask "
                "forbids it, the weight is never 0.",
            ),
            Choice(
                "Two",
                "That would be a convolution, which sees a token and its neighbours, and reaches one token further with "
                "each layer. Attention has no notion of distance: the last word has a weight for the first one too.",
            ),
            Choice(
                "All seven",
                "Yes. Each of the seven tokens has a weight for every word, the new one included, and softmax never "
                "makes a weight exactly 0.",
            ),
        ),
        right="c",
    ),
    Question(
        "12.padding",
        "The padding is masked in both layers. Which cells of the influence map are 0?",
        (
            Choice(
                "The two columns of padding, except on the diagonal",
                "Yes. The mask is on the keys, which are the columns. But the residual connection takes a position's own "
                "vector around attention, and no mask stops that.",
            ),
            Choice(
                "The two columns of padding, from top to bottom",
                "Almost. Look at the two cells on the diagonal: the residual connection takes a position's own vector around "
                "attention, and no mask stops that.",
            ),
            Choice(
                "The two columns and the two rows of padding",
                "The columns are right, except for two cells. But the rows are outputs. Padding positions have queries too, "
                "and nothing stops these from attending to the real tokens.",
            ),
        ),
        right="a",
    ),
    Question(
        "12.shuffled",
        "With the memory as it is, 196 of 200 are correct. How many are correct with its vectors in a random order?",
        (
            Choice(
                "Hardly any",
                "The decoder attends to these vectors, and attention ignores their order (lesson 06). The position of each "
                "word was added to its embedding, and is still in its vector.",
            ),
            Choice(
                "As many as before",
                "Yes, 196. To attention, the memory is a set. The position of each word is in the vector itself, not in the "
                "order of the vectors.",
            ),
            Choice(
                "About half",
                "Only one-word numbers have nothing to shuffle. But longer numbers lose nothing either, because the "
                "position of each word is in its vector.",
            ),
        ),
        right="b",
    ),
    Question(
        "12.each_layer",
        "Connected layer by layer, how many of the 200 numbers does the translator get right?",
        (
            Choice(
                "Hardly any",
                "The decoder was not trained on the first layer's vectors, but they are not very different: the second "
                "encoder layer only adds to the first one's output (lesson 10). In this model it is enough if one "
                "decoder layer gets the vectors that it knows.",
            ),
            Choice(
                "About half",
                "The two decoder layers do not each do half of the work. In this model it is enough if one of them gets the "
                "vectors that it knows, whichever it is.",
            ),
            Choice(
                "Nearly as many as before",
                "Yes, two fewer. The second encoder layer only adds to the first one's output, and in this model it is "
                "enough if one decoder layer gets the sum. This is not a rule, as the next model shows.",
            ),
        ),
        right="c",
    ),
    Question(
        "12.exit.memory",
        "An encoder of six layers with d_model = 512 reads a sentence of 9 tokens. What does it pass to the decoder?",
        (
            Choice("512 numbers", "That would be one context vector. The memory has one vector per token."),
            Choice("9 × 512 numbers", "Yes: one vector per token, from the last layer."),
            Choice(
                "6 × 9 × 512 numbers",
                "That would be the output of every layer. Only the last layer's output leaves the stack.",
            ),
        ),
        right="b",
    ),
    Question(
        "12.exit.padding",
        "In an encoder of six layers, only the second one was run without the padding mask. Which real tokens of the output "
        "depend on the padding?",
        (
            Choice(
                "None: four more layers mask it",
                "They mask the padding. But by then, what has come in is part of the real tokens' vectors.",
            ),
            Choice(
                "All of them", "Yes. In the second layer each of them attends to the padding, and what has come in stays in."
            ),
            Choice("Those next to the padding", "Attention has no notion of distance."),
        ),
        right="b",
    ),
]
