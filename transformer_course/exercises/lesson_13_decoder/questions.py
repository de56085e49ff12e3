"""The questions of lesson 13: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "13.recall.encoder_output",
        "A source of five words has gone through the encoder. What comes out?",
        (
            Choice("One vector for the whole sentence", "One for each token. The decoder can pick among them."),
            Choice(
                "Five vectors, each of which depends on all five words",
                "Yes: there is no mask but the one for padding. Today these five are what the decoder looks at.",
            ),
            Choice(
                "Five vectors, each of which depends on the words before it",
                "That would be a causal mask. The encoder has none: the sentence is there as a whole.",
            ),
        ),
        right="b",
        origin=("12",),
    ),
    Question(
        "13.recall.residual",
        "What does a sublayer with a residual connection hand on?",
        (
            Choice("What it made", "Then whatever it did not copy would be lost."),
            Choice("What it read, plus what it made", "Yes, and with post-norm the sum is standardised."),
            Choice("The mean of the two", "It is a plain sum."),
        ),
        right="b",
        origin=("10",),
    ),
    Question(
        "13.recall.begin",
        "A text starts with `<begin>`. What for?",
        (
            Choice(
                "So that there is something to look at before the first word is written",
                "Yes. At that place the first word is asked for.",
            ),
            Choice("It brings all texts to one length", "That is padding, `<pad>`."),
            Choice("It stands for words that are not in the vocabulary", "That is `<unknown>`."),
        ),
        right="a",
        origin=("06",),
    ),
    Question(
        "13.swapped",
        "Somebody swaps the two sides: queries from the memory, keys and values from the decoder. What happens?",
        (
            Choice(
                "attention stops with an error, since 3 tokens cannot be compared with 2",
                "Attention has no need of equal lengths: n queries may meet m keys, whichever way round. It runs, "
                "and gives one row for each *source* token. The error comes a step later, at the sum.",
            ),
            Choice(
                "the weights come out transposed, and the output is the same",
                "The scores are transposed, that is so. But then each *source* token shares out its attention "
                "over the target, and takes home a mixture of target vectors: three rows, of other numbers.",
            ),
            Choice(
                "attention runs; only when its output is added to the stream does an error come",
                "It gives a row for each query, so three here, and a stream of two rows cannot take them. Had "
                "there been as many target tokens as source tokens, no error would have come at all.",
            ),
        ),
        right="c",
    ),
    Question(
        "13.source",
        "The *last* source token is changed. Which of the six outputs move?",
        (
            Choice(
                "all six",
                "The causal mask hides target tokens from each other. It has no word on the source, which was "
                "there as a whole before the first word of the target.",
            ),
            Choice(
                "outputs 4, 5 and 6: earlier places do not look that far",
                "The causal mask belongs to the self-attention, where places of the *target* are compared with "
                "each other. Place 4 of the source is neither before nor after place 2 of the target: the two "
                "have no common order.",
            ),
            Choice(
                "output 6 alone, since it comes last too",
                "Coming last in the source has nothing to do with coming last in the target. Each place of the "
                "target may look at all of the source.",
            ),
        ),
        right="a",
    ),
    Question(
        "13.alone",
        "The models *without* mask, alone: how many digits do they get right?",
        (
            Choice(
                "nearly all: the source is still there to be read",
                "The source is there, but they have hardly learned to read it: at five of six places they mostly "
                "copy the next token of the input. Alone, nothing stands there.",
            ),
            Choice(
                "none: each one needs the digit that comes after it",
                "Not quite none: the last digit is nearly always right, since behind the last place nothing ever "
                "stood to be peeked at. And at the others a guess is right now and then.",
            ),
            Choice(
                "some: between 15 and 60 in a hundred",
                "Taken together, it is about what one gets without ever looking at the source, more on one seed "
                "and less on two. On these two, most of it comes from a single place, the last one.",
            ),
        ),
        right="c",
    ),
    Question(
        "13.gpt",
        "What is in each of its layers?",
        (
            Choice(
                "three sublayers, with the text so far as memory",
                "The text so far does serve it, but through self-attention, in which queries, keys and values "
                "come from the same tokens. There is no second attention.",
            ),
            Choice(
                "two sublayers, self-attention with a causal mask and the feed-forward network",
                "Without an encoder there is nothing for a cross-attention to look at. You may have thought of an "
                "encoder layer with a mask, or of a decoder layer without its second attention. The next cell "
                "compares the two.",
            ),
            Choice(
                "three sublayers, with a cross-attention that is there and never called",
                "It would have parameters that nothing ever uses. In the code they are not there: each layer has "
                "one attention.",
            ),
        ),
        right="b",
    ),
    Question(
        "13.exit.shapes",
        "A target of 7 tokens and a source of 5, one head. Which shapes have the weights in the decoder's first "
        "and second attention?",
        (
            Choice("7 × 7 and 7 × 5", "Yes: target tokens ask in both; in the second, source tokens answer."),
            Choice(
                "7 × 7 and 5 × 7",
                "Then source tokens would ask, and the result would have five rows, which cannot be added to a "
                "stream of seven.",
            ),
            Choice("7 × 5 and 7 × 5", "The first attention is among the target's own tokens."),
        ),
        right="a",
    ),
    Question(
        "13.exit.leak",
        "A new translator has nearly no errors in training, measured with the right target at its input. Alone it "
        "writes nonsense. What do you look at first?",
        (
            Choice(
                "The causal mask: the influence map of its decoder",
                "Yes. Anything above the diagonal is an answer that lies on the table.",
            ),
            Choice("The learning rate", "It learned well enough what it was asked: perhaps to copy."),
            Choice(
                "The encoder",
                "It may be broken as well. But without a source, errors this low need a leak, so look at the mask first.",
            ),
        ),
        right="a",
    ),
]
