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
            Choice("Its output", "Then any part of the input that the sublayer didn't copy would be lost."),
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
                "attention raises an error",
                "Attention does not need equal lengths: any number of queries can meet any number of keys. It"
                " runs and returns one row for each *source* token. The error comes one step later, at the "
                "sum.",
            ),
            Choice(
                "the output has the same values as before",
                "The scores are transposed, but the softmax now runs over the target. Each *source* token "
                "gets a weighted average of target vectors: three rows with different numbers.",
            ),
            Choice(
                "attention runs, but adding its output to the residual stream raises an error",
                "Attention returns one row per query, so three rows here, and they cannot be added to a stream of two "
                "rows. With as many source tokens as target tokens, there would have been no error at all.",
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
                "outputs 4, 5 and 6",
                "The causal mask belongs to self-attention, which compares positions of the *target*. Source "
                "position 4 is neither before nor after target position 2: the two sequences share no order.",
            ),
            Choice(
                "only output 6",
                "Being last in the source has nothing to do with being last in the target. Every target position "
                "can look at the whole source.",
            ),
        ),
        right="a",
    ),
    Question(
        "13.alone",
        "What percentage of the digits do the models *without* a mask get right when they are free-running, and read "
        "their own output?",
        (
            Choice(
                "more than 90%",
                "The source is there, but the models have not learned to use it. At five of the six positions they "
                "mostly copy the next input token, and when a model generates by itself, there is no next token yet.",
            ),
            Choice(
                "less than 10%",
                "For two of our three models, that is true at each of the first four positions. But the last digit is "
                "nearly always right: at the last position there was never a next token to copy, so the models had to "
                "read the source.",
            ),
            Choice(
                "between 15% and 60%",
                "One of our models gets above the baseline. The other two stay below it, and most of their correct digits "
                "come from the last position.",
            ),
        ),
        right="c",
    ),
    Question(
        "13.gpt",
        "What is in each layer of this GPT?",
        (
            Choice(
                "three sublayers, with the text so far as memory",
                "The model does use the text so far, but through self-attention: queries, keys and values come from "
                "the same tokens. There is no second attention.",
            ),
            Choice(
                "two sublayers, self-attention with a causal mask and the feed-forward network",
                "Without an encoder, cross-attention would have nothing to look at. You may have thought of an "
                "encoder layer with a mask, or of a decoder layer without its second attention. The next cell "
                "compares the two.",
            ),
            Choice(
                "three sublayers, with a cross-attention that is there but never called",
                "Its parameters would never be used. The code has no such parameters: each layer has only one attention.",
            ),
        ),
        right="b",
    ),
    Question(
        "13.exit.shapes",
        "The target has 7 tokens, the source has 5, and there is one head. What are the shapes of the weights in the "
        "decoder's first and second attention?",
        (
            Choice(
                "7 × 7 and 7 × 5",
                "Yes: the queries are target tokens in both. In the second attention, the keys are source tokens.",
            ),
            Choice(
                "7 × 7 and 5 × 7",
                "Then the queries of the second attention would be source tokens. The output would have five rows, "
                "which cannot be added to a stream of seven.",
            ),
            Choice(
                "7 × 5 and 7 × 5",
                "The first attention is self-attention: queries and keys are both target tokens.",
            ),
        ),
        right="a",
    ),
    Question(
        "13.exit.leak",
        "A new translator makes almost no errors in training, where it is teacher-forced. When it generates by itself, "
        "it writes nonsense. What do you check first?",
        (
            Choice(
                "The causal mask: the influence map of its decoder",
                "Yes. If anything above the diagonal is not 0, the model can see the answers.",
            ),
            Choice("The learning rate", "Training went well. The question is what the model learned: perhaps to copy."),
            Choice(
                "The encoder",
                "A broken encoder would make it hard to translate in training too. Errors this low suggest that the "
                "answers leak in, so check the mask first.",
            ),
        ),
        right="a",
    ),
]
