"""The questions of lesson 18: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "18.recall.vectors",
        "A GPT has read 20 tokens, and now reads a 21st. Which of the 20 vectors change?",
        (
            Choice(
                "All of them: each token sees all the others",
                "Not with a causal mask. But keep this answer in mind: today you meet a model for which it is right.",
            ),
            Choice("None", "Yes: none of them sees the 21st. That is why keys and values can be kept in a cache."),
            Choice("The last one", "It comes before the 21st too, so it does not see it."),
        ),
        right="b",
        origin=("17",),
    ),
    Question(
        "18.recall.three",
        "A translator gets 99% of unseen numbers right. You give it *three*. What do you expect?",
        (
            Choice(
                "A right answer: a short number is easy",
                "Single-word numbers were the ones that it got wrong most often, because they were rare in training.",
            ),
            Choice(
                "You can't tell from the score: it holds only for numbers drawn like those in its test",
                "Yes. Today, ask of every score which data it holds for.",
            ),
            Choice("A right answer: *three* was in the training data", "It was, once, and it still came out wrong."),
        ),
        right="b",
        origin=("15",),
    ),
    Question(
        "18.recall.pre_norm",
        "With pre-norm, how does the residual stream change on its way up?",
        (
            Choice(
                "It keeps its length, because each sublayer has a norm",
                "Those norms rescale what a sublayer *reads*. With post-norm, each sum would be rescaled.",
            ),
            Choice(
                "It usually grows, because every sublayer adds to it",
                "Yes: nothing rescales the sums. That is why a final LayerNorm follows the stack (lesson 12).",
            ),
            Choice("Each sublayer replaces it", "A residual connection adds to it (lesson 10)."),
        ),
        right="b",
        origin=("11",),
    ),
    Question(
        "18.stacks",
        "We list the parameters of the three stacks, with their names and shapes. What do we find?",
        (
            Choice(
                "Three different stacks",
                "BERT is called an encoder, GPT a decoder, and ViT is for images. But all three have the same 34 arrays, "
                "with the same names and shapes.",
            ),
            Choice(
                "Two: GPT's layers have one attention more",
                "The decoder's second attention reads a source, and GPT has no source. Without that attention, a "
                "decoder layer *is* an encoder layer with a different mask, and a mask has no parameters.",
            ),
            Choice(
                "One: the same stack three times",
                "Yes: 34 arrays, with the same names and shapes. The differences between the three must be elsewhere.",
            ),
        ),
        right="c",
    ),
    Question(
        "18.writing",
        "What percentage of the pairs in BERT's names are known?",
        (
            Choice(
                "75% or more",
                "BERT learned from the same names as GPT. But when it begins to write, none of the other "
                "words is there to help, and the next cells show how few labels it got in training.",
            ),
            Choice(
                "Between 50 and 75%",
                "Yes: far more than in random words, but fewer than in GPT's names. The next cells look for the reason.",
            ),
            Choice(
                "Below 50%",
                "BERT was never trained to write the beginning of a name. But it has learned which words "
                "occur near which, and each gap that it fills helps it with the next. So it gets far above "
                "random words, but not as far as GPT.",
            ),
        ),
        right="b",
    ),
    Question(
        "18.counting",
        "GPT sees *all* the earlier words. How many bits per word does it need?",
        (
            Choice(
                "A little less than the best table: between 2.9 and 3.4",
                "Yes. A name is short, and most of what can be known about its next word is in the two words before it.",
            ),
            Choice(
                "Much less: below 2.5",
                "One bit less would mean twice the probability, on average, for every word. But a name is short, and most "
                "of what can be known about its next word is in the two words before it.",
            ),
            Choice(
                "More than the best table: above 3.4",
                "600 steps are not many, but they are enough to get ahead of the best table. A table can only"
                " use groups of words that it has seen; a GPT can learn that SMALL and CAPITAL are followed "
                "by similar words.",
            ),
        ),
        right="a",
    ),
    Question(
        "18.texts",
        "Where is the Transformer far ahead of the best table?",
        (
            Choice(
                "On the documentation, but not on the numbers",
                "Real sentences do have long contexts. But much of this text is repeated word for word, and "
                "that is exactly what a table counts. On the numbers, the table has to guess.",
            ),
            Choice(
                "On the numbers, but not on the documentation",
                "Yes. The translator hardly ever hesitates, while the table has to guess. On the documentation, the "
                "table is even a little better than a GPT of this size.",
            ),
            Choice(
                "On both",
                "A Transformer does see much more than three tokens, and on the numbers that settles it. But "
                "on the documentation the last few tokens reveal so much that a table is even a little better"
                " than a GPT of this size.",
            ),
            Choice(
                "On neither, as with the names",
                "You are right about the documentation. But on the numbers the table has to guess, and the "
                "translator hardly ever hesitates.",
            ),
        ),
        right="b",
    ),
    Question(
        "18.few",
        "With four labelled names per category, forty in all, which of the three is best on unseen names?",
        (
            Choice(
                "The pre-trained BERT",
                "It has read ten thousand names, but it was never asked for a category. Its head begins with random "
                "parameters, and pre-training never used the vector of the first token. The bag of words needs only a "
                "few telling words.",
            ),
            Choice(
                "None: all three are about equally bad",
                "Forty names are few for the 0.14 million parameters of a BERT. But a bag of words needs only"
                " a few telling words, and forty names are enough to learn these.",
            ),
            Choice(
                "The bag of words",
                "Yes. A category depends on a few telling words, such as CAPITAL or DIGIT. The bag of words sees them "
                "at once, while a BERT must first learn which words matter.",
            ),
        ),
        right="c",
    ),
    Question(
        "18.check.bert_as_gpt",
        "You take a trained BERT and give it a causal mask. You change nothing else. Can it now write like a GPT?",
        (
            Choice(
                "Yes: it has the same block and the same parameters, and now the mask fits",
                "The parameters fit. But they were trained to predict the word *at* a position, not the next one.",
            ),
            Choice("No: it also needs cross-attention", "GPT has none."),
            Choice(
                "No: it was never trained to predict the next token",
                "Yes. The mask and the loss have to fit each other. The first part under Deeper measures what happens.",
            ),
        ),
        right="c",
    ),
    Question(
        "18.exit.complaints",
        '"Our model has learned from 50 labelled complaints, and sorts 91% of new ones correctly." What do you ask first?',
        (
            Choice(
                "What a simple method gets with the same 50 labels",
                "Yes. 91% tells you something about the model only if you know the score of something simple.",
            ),
            Choice("How large the model is", "That says what it costs, not what it is good for."),
            Choice("Which mask it has", "That is worth knowing. But the claim is about a number, which needs a comparison."),
        ),
        right="a",
    ),
]
