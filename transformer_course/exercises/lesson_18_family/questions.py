"""The questions of lesson 18: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "18.recall.vectors",
        "A GPT has read 20 tokens. A 21st comes. Which of the 20 vectors change?",
        (
            Choice(
                "All of them: each token sees all the others",
                "Not behind a causal mask. Keep this answer, though: soon it will be the right one, for another model.",
            ),
            Choice("None", "Yes: none of them sees the 21st. That is why keys and values can be kept."),
            Choice("The last one", "It stands before the 21st as well, and does not see it."),
        ),
        right="b",
        origin=("17",),
    ),
    Question(
        "18.recall.three",
        "A translator has 99 of 100 unseen numbers right. You try *three*. What do you expect?",
        (
            Choice(
                "That it is right: a short number is an easy one",
                "Numbers of one word went worst, since they were rare in training.",
            ),
            Choice(
                "That cannot be said: the score speaks for numbers drawn as in its test",
                "Yes. Today you ask of every score what it speaks for.",
            ),
            Choice("That it is right: *three* was in its training", "So it was, once, and it came out wrong."),
        ),
        right="b",
        origin=("15",),
    ),
    Question(
        "18.recall.pre_norm",
        "With pre-norm, what becomes of the stream on its way up?",
        (
            Choice(
                "It keeps its length: there is a norm at each sublayer",
                "Those rescale what a sublayer *reads*. So it would be with post-norm, where each sum is standardised.",
            ),
            Choice(
                "It grows round what stood there",
                "Yes: nothing rescales the sums. So one more LayerNorm closes the stack (lesson 12), in all "
                "models of this lesson.",
            ),
            Choice("What stood there is replaced", "A residual connection adds (lesson 10)."),
        ),
        right="b",
        origin=("11",),
    ),
    Question(
        "18.stacks",
        "We compare what the three hold in their stacks of layers: names and shapes of all parameters.",
        (
            Choice(
                "three different stacks: an encoder's, a decoder's, and one made for pictures",
                "Their names come from there: BERT from the encoder, GPT from the decoder, ViT from pictures. But "
                "all three are the same 34 arrays, name by name and shape by shape.",
            ),
            Choice(
                "GPT's layers have one attention more, since it comes from the decoder; the other two are the same",
                "The decoder's second attention reads a source. GPT has none, and without that attention a "
                "decoder's layer *is* an encoder's layer with another mask. A mask is no parameter.",
            ),
            Choice(
                "three times the same",
                "34 arrays, name by name and shape by shape. What distinguishes them are no parameters of the stack.",
            ),
        ),
        right="c",
    ),
    Question(
        "18.counting",
        "The GPTs see *all* words before. What do they need? (The next cell trains for half a minute or so.)",
        (
            Choice(
                "a little less than the best table: between 2.9 and 3.4 bits",
                "They are ahead of all tables, and by little: a name is short, and most of what can be known of "
                "its next word lies in the two before.",
            ),
            Choice(
                "far less: below 2.5 bits, half as many choices",
                "A bit less means twice the probability, for every word. There is not so much to be had: a name "
                "is short, and most of what can be known of its next word lies in the two before.",
            ),
            Choice(
                "more than the best table: 600 steps are too few",
                "600 steps are few, but enough to be ahead of the best table. A table has to see a beginning "
                "itself; a GPT can learn that SMALL and CAPITAL are followed by much the same.",
            ),
        ),
        right="a",
    ),
    Question(
        "18.writing",
        "And BERT's?",
        (
            Choice(
                "as many as GPT's, 75 or more: it has learned the same names, and it fills gaps even better",
                "It has read the same names, but has been asked far fewer questions about them, and when it "
                "begins to write none of the other words is there to help.",
            ),
            Choice(
                "between 50 and 75",
                "It has a probability for each gap, and that is far better than chance. Why it stays behind GPT, "
                "the next cells ask.",
            ),
            Choice(
                "below 30: it was never asked to begin a name",
                "It has learned which words stand near which, and each gap that it fills helps with the next. "
                "That brings it far above chance, though not up to GPT.",
            ),
        ),
        right="b",
    ),
    Question(
        "18.few",
        "Four labelled names of each category, forty in all. Who sorts unseen names best, in the median of three "
        "seeds? (A quarter of a minute.)",
        (
            Choice(
                "the pre-trained BERT: it has read ten thousand names already",
                "It has read them, but was never asked for a category: its head begins at random, and the vector "
                "that the head reads, that of the first token, was never asked for anything. The bag of words "
                "needs to learn no more than a few telling words.",
            ),
            Choice(
                "both BERTs alike: forty names are too few to train on",
                "Few they are for 0.2 million parameters. But there was a third in the race, and for a few "
                "telling words forty names are enough.",
            ),
            Choice(
                "the bag of words: one telling word is enough",
                "A category hangs on a few telling words, such as CAPITAL or DIGIT. The bag sees them at once; a "
                "BERT must first learn what to look at.",
            ),
        ),
        right="c",
    ),
    Question(
        "18.check.bert_as_gpt",
        "You have a trained BERT, and take its mask card away for a causal one, with nothing else changed. Can it "
        "now write like a GPT?",
        (
            Choice(
                "Yes: same block, same parameters, and now the mask fits",
                "The parameters would fit. But they were trained to say what stands *at* a position, not what "
                "comes next. The loss is a card of its own.",
            ),
            Choice("No: it needs cross-attention too", "GPT has none."),
            Choice(
                "No: it was never asked for the next token",
                "Yes. Mask and loss go together; it would have to be trained on. The next cell measures it.",
            ),
        ),
        right="c",
    ),
    Question(
        "18.exit.complaints",
        '"Our pre-trained model sorts complaints with 50 labels, and is right in 91 % of cases." What do you ask first?',
        (
            Choice(
                "What a bag of words gets with the same 50 labels",
                "Yes, and a fresh body, and three seeds. Only beside them does 91 % say something about pre-training.",
            ),
            Choice("How large the model is", "That says what it costs, not what it brings."),
            Choice("Which mask it has", "Worth knowing. But the claim is about a number, and a number needs a neighbour."),
        ),
        right="a",
    ),
]
