"""The questions of lesson 13: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "13.recall.encoder_output",
        "A five-word source goes through the encoder. What comes out?",
        (
            Choice("One vector for the whole sentence", "There is one per token, so the decoder can choose among them."),
            Choice(
                "Five vectors, each depending on all five words",
                "Yes: the encoder masks nothing but padding. Today the decoder looks at these five vectors.",
            ),
            Choice(
                "Five vectors, each depending only on the words before it",
                "That would need a causal mask. The encoder has none: it sees the whole sentence at once.",
            ),
        ),
        right="b",
        origin=("12",),
    ),
    Question(
        "13.recall.residual",
        "What does a sublayer with a residual connection pass on?",
        (
            Choice("Its output", "Then anything it didn't copy would be lost."),
            Choice("Its input plus its output", "Yes, and with post-norm the sum is then normalised."),
            Choice("The average of the two", "Nothing is averaged; it is a plain sum."),
        ),
        right="b",
        origin=("10",),
    ),
    Question(
        "13.recall.begin",
        "Why does a sequence start with `<begin>`?",
        (
            Choice(
                "So that there is something to look at before the first word is written",
                "Yes. At that position the model predicts the first word.",
            ),
            Choice("To make all sequences the same length", "That is what `<pad>` is for."),
            Choice("To replace words that are not in the vocabulary", "That is `<unknown>`."),
        ),
        right="a",
        origin=("06",),
    ),
    Question(
        "13.swapped",
        "Suppose you swap the two inputs, so that the queries come from the memory, and the keys and values from the "
        "decoder. What happens?",
        (
            Choice(
                "attention raises an error, because 3 tokens cannot be compared with 2",
                "Attention does not need equal lengths: any number of queries can meet any number of keys. It runs "
                "and returns one row for each *source* token. The error comes one step later, at the sum.",
            ),
            Choice(
                "the weights come out transposed, and the output is the same",
                "The scores are transposed, but the softmax now runs over the target. Each *source* token gets a "
                "weighted average of target vectors: three rows with different numbers.",
            ),
            Choice(
                "attention runs; the error comes only when its output is added to the stream",
                "Attention returns one row per query, so three rows here, and they cannot be added to a stream of "
                "two rows. With equally many source and target tokens there would have been no error at all.",
            ),
        ),
        right="c",
    ),
    Question(
        "13.source",
        "We change the *last* source token. Which of the six outputs change?",
        (
            Choice(
                "all six",
                "The causal mask hides target tokens from each other. It does not apply to the source, which was "
                "complete before the first target word was written.",
            ),
            Choice(
                "outputs 4, 5 and 6; earlier positions do not look that far",
                "The causal mask belongs to self-attention, which compares positions of the *target*. Source "
                "position 4 is neither before nor after target position 2: the two sequences share no order.",
            ),
            Choice(
                "only output 6, since it comes last too",
                "Being last in the source has nothing to do with being last in the target. Every target position "
                "can look at the whole source.",
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
