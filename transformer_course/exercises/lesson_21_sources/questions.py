"""The questions of lesson 21: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "21.recall.large_weight",
        "In a map of attention weights, a word has 0.9. Does that show that this word decided the output?",
        (
            Choice(
                "Yes: nine tenths of the output come from it",
                "It has nine tenths of the *weight*. How much it contributes also depends on the length of its value, and whether that "
                "matters depends on everything that follows.",
            ),
            Choice("No. Hide the word, and see what is lost", "Yes. The weight is a hint, and this is its test."),
            Choice("Only if the model is trained", "Training does not turn a weight into a cause."),
        ),
        right="b",
        origin=("20",),
    ),
    Question(
        "21.recall.one_thing_more",
        "A GPT's layer is an encoder layer with one addition. Which?",
        (
            Choice("Cross-attention", "A GPT has no encoder to look at."),
            Choice("A causal mask", 'Yes. Under "Deeper", we take it away again.'),
            Choice("A shift of its vectors", "The inputs are shifted against the labels, but outside the model."),
        ),
        right="b",
        origin=("18",),
    ),
    Question(
        "21.recall.low_loss",
        "A model's loss is nearly 0. What does that tell you?",
        (
            Choice(
                "That it can answer what it was asked",
                "Yes. It does not tell you that it was asked the right question. The same is true of a test.",
            ),
            Choice(
                "That it has learned the task",
                "It seemed so without the shift in lesson 14, and then it wrote nothing useful.",
            ),
            Choice("Nothing: only what it writes counts", "It does tell you something about the question that was asked."),
        ),
        right="a",
        origin=("14",),
    ),
    Question(
        "21.slips",
        "How many of the 29 are slips?",
        (
            Choice(
                "about five",
                "Yes: five, as we sorted them. In the other 24, names are confused, a condition is left out, or a mechanism does not "
                "exist. Repeating the calculation does not find them.",
            ),
            Choice(
                "about half",
                "It is five of 29, as we sorted them. Repeating the calculation finds these. But a sentence can be wrong although every "
                "number in it is right.",
            ),
            Choice(
                "nearly all",
                "It is five of 29, as we sorted them. You can point at a slip. To notice that a sentence leaves out its condition, you "
                "have to ask for it.",
            ),
        ),
        right="a",
    ),
    Question(
        "21.key_bias",
        "After what you have just seen, is this claim true?",
        (
            Choice(
                "no, because queries and keys play the same part in a dot product",
                "In the dot product they do, but not in the softmax, which is taken over the *keys* of one query. A key bias adds "
                "query · bias to every score of that row. A query bias adds bias · key, and the keys differ.",
            ),
            Choice(
                "yes, for every query",
                "Yes. A key bias adds query · bias to each score of the row, the same number for all keys, and that changes no "
                "weight.",
            ),
            Choice(
                "only if the query is 1, as in our case",
                "Another query adds another number, such as −3 instead of 1. But within its row, this number is again the same for all "
                "keys, and each row has its own softmax.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.check.thousand_passes",
        "How is that possible?",
        (
            Choice("The biases are too small", "They are as large as the queries."),
            Choice("Claim 1 is true for width 8", "Above, with width 8, it failed for all three seeds."),
            Choice(
                "All five keys are equal",
                "Yes. Then all scores of a row are equal, and the weights are 1/5 for any query. The claim predicts 1/5, and so does its "
                "opposite. Since b · key is the same for every key, the condition under which claim 1 is true is always met.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.adam",
        "Adam takes one step. How much further does the weight with gradient 1000 move than the one with gradient 1?",
        (
            Choice(
                "1000 times as far",
                "That is true of plain steps, the control. Adam divides by the square root of the mean square of the gradients. For a "
                "single gradient of 1000, that is 1000.",
            ),
            Choice(
                "about 32 times as far, because 32² ≈ 1000",
                "Adam does divide by a square root. But it is the root of the *square*, so 1000 is divided by 1000, not by 32.",
            ),
            Choice(
                "no further: both weights take the same step",
                "Yes. 1000 divided by the root of its square is 1, and so is 1 divided by 1. At the first step, only the sign "
                "matters.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.unmasked",
        "Is the last token's vector the same with and without the mask?",
        (
            Choice(
                "yes, with one layer and with two, because nothing comes after it",
                "Nothing is hidden from the last token itself. But without the mask, the tokens before it see more. In the second layer, "
                "it reads their vectors, and those have changed.",
            ),
            Choice(
                "with one layer it is, with two layers it is not",
                "Yes. In the first layer, the last token sees what it always sees, and only the others see more. In the second layer, it "
                "reads their changed vectors.",
            ),
            Choice(
                "no, not even with one layer, because the others' vectors change",
                "Their vectors have changed when they *leave* the first layer. In that layer, the last token reads the inputs, and those "
                "are the same.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.exit.dropout",
        '"Dropout makes a model smaller." Somebody counts the parameters with dropout and without, finds the same '
        "number, and calls the sentence false. What do you say?",
        (
            Choice(
                "Well done: this test could have failed",
                'It refutes one meaning of the sentence. But is it the one that was meant? "Smaller" could also mean that fewer '
                "numbers take part in each step.",
            ),
            Choice(
                'First ask what "smaller" means here, and what it predicts',
                "Yes. Without step 2, no test can come out against the sentence.",
            ),
            Choice(
                "The parameters of a larger model should be counted",
                "Dropout has no parameters, whatever the size of the model.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.exit.counterexample",
        'Which of these speaks most against "attention cannot tell repeated tokens apart, because it has no positions"?',
        (
            Choice("A trained model with positions tells them apart", "The sentence is about attention without positions."),
            Choice(
                "Without positions and mask, two equal tokens get equal outputs, in a thousand draws",
                "That speaks for the sentence. For attention without a mask, it can even be proved.",
            ),
            Choice(
                "Without positions, but with a causal mask, two equal tokens get different outputs once",
                "Yes. Once is enough, and it shows which condition was left out.",
            ),
        ),
        right="c",
    ),
]
