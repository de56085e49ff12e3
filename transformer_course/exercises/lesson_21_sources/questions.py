"""The questions of lesson 21: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "21.recall.large_weight",
        "In a map of attention weights, a word has 0.9. Does that show that this word decided the output?",
        (
            Choice(
                "Yes: nine tenths of the output come from it",
                "It has nine tenths of the *weight*. How much its value contributes also depends on the value's length, "
                "and what becomes of the output depends on everything that follows.",
            ),
            Choice("No: hide the word, and see what is lost", "Yes. The weight is a hint, and this is how to test it."),
            Choice(
                "Only if the model is trained",
                "Even in a trained model, a large weight may make no difference to the output. It has to be tested.",
            ),
        ),
        right="b",
        origin=("20",),
    ),
    Question(
        "21.recall.one_thing_more",
        "A layer of a GPT is an encoder layer with one addition. What is it?",
        (
            Choice("Cross-attention", "A GPT has no encoder that it could look at."),
            Choice(
                "A causal mask",
                'Yes. The last part under "Deeper" shows what happens when you take it away again.',
            ),
            Choice("A shift of its vectors", "The labels are shifted relative to the inputs, but outside the model."),
        ),
        right="b",
        origin=("18",),
    ),
    Question(
        "21.recall.low_loss",
        "The loss of a model is nearly 0. What does that tell you?",
        (
            Choice(
                "It predicts the labels that it was given",
                "Yes. Whether these were the right labels is a different question. A test can also ask the wrong question.",
            ),
            Choice(
                "It has learned the task",
                "Without the shift, the loss was nearly 0 too, and then the model could not write anything.",
            ),
            Choice(
                "Nothing: only what it writes counts",
                "It does tell you something, but only about the labels that the loss was computed with.",
            ),
        ),
        right="a",
        origin=("14",),
    ),
    Question(
        "21.smallest",
        "What is the shortest text that could show that claim 1 is false?",
        (
            Choice(
                "one token: *red*",
                "One token has a single weight, and softmax makes it 1. The claim predicts 1, but so does its opposite, "
                "“each row sums to 1”. However often you run this case, it cannot tell them apart.",
            ),
            Choice(
                "two tokens: *red car*",
                "With one token, there is a single weight, and it is 1 whether the claim is true or not. With two, the claim "
                "predicts 1. Two rows that each sum to 1 predict 2, and 2 comes out.",
            ),
            Choice(
                "any text that a trained model reads",
                "Training changes how a row distributes its weight, but not its sum, which softmax fixes. Two"
                " untrained tokens are enough: the claim predicts 1, and 2 comes out.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.can_fail",
        "Which of these changes gives claim 2 a chance to fail?",
        (
            Choice(
                "texts of 2000 tokens",
                "The output gets 2000 rows, but so does the input. As long as the values are as wide as the input, every text "
                "agrees, short or long.",
            ),
            Choice(
                "queries, keys and values from 8 × 8 matrices",
                "The numbers change, but values from an 8 × 8 matrix are as wide as the input, and so is the output.",
            ),
            Choice(
                "values from an 8 × 5 matrix",
                "The output is a weighted sum of values, so it is as wide as they are. Only here do the claim (as wide "
                "as the input, 8) and its opposite (as wide as the values, 5) predict different sizes.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.apart",
        "At positions 3, 6 and 25, how far is the tip of the fastest hand from where it is at position 0? "
        "Sort the positions, starting with the one where the tip is furthest away.",
        (
            Choice(
                "25, 6, 3",
                "This is what the claim predicts. But 25 positions are nearly four full turns, so the hand is almost back where "
                "it started. Position 3 is nearly half a turn away, which is as far as the tip can get.",
            ),
            Choice(
                "3, 6, 25",
                "By position 3 the hand has made nearly half a turn, by 6 nearly a whole turn, and by 25 nearly four turns. After "
                "whole turns it is back where it started, and 25 is the closest to that.",
            ),
            Choice(
                "6, 3, 25",
                "You are right that 25 is the closest, after nearly four full turns. But 6 is nearly one full turn, so the tip is "
                "almost back. Position 3 is nearly half a turn away, which is as far as the tip can get.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.slips",
        "How many of the 29 errors are slips?",
        (
            Choice(
                "about five",
                "We count five. In the other 24, names are mixed up, a condition is left out, or what is true of a part is said "
                "of the whole. If you only go over the numbers, you will not find these.",
            ),
            Choice(
                "about half",
                "We count five of 29. You find those by going over the numbers. But a sentence can be wrong even if every number "
                "in it is right.",
            ),
            Choice(
                "nearly all",
                "We count five of 29. Anyone can point at a slip. To see that a sentence leaves out its condition, you need a test.",
            ),
        ),
        right="a",
    ),
    Question(
        "21.key_bias",
        "After what you have just seen: is the second claim true?",
        (
            Choice(
                "no, for no query",
                "Queries and keys have the same role in the dot product, but not in the softmax, which goes "
                "along the *keys* of one query. A key bias adds query · bias to each score of the row, always"
                " the same number. A query bias adds bias · key, and the keys differ.",
            ),
            Choice(
                "yes, for every query",
                "A key bias adds query · bias to each score of the row. This is the same number for all keys, so softmax removes "
                "it.",
            ),
            Choice(
                "only for some queries",
                "With a different query, a different number is added, for example −3 in place of 1. But within its row, it is "
                "again the same for all keys, and each row has a softmax of its own.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.check.thousand_passes",
        "How is this possible?",
        (
            Choice(
                "The biases are too small to make a difference", "They are drawn from the same distribution as the queries."
            ),
            Choice("The first claim is true for width 8", "It failed above at width 8, with all three seeds."),
            Choice(
                "All five keys are equal",
                "Yes. So all scores of a row are equal too, and the weights are 1/5 for any query. The claim predicts 1/5, and so "
                "does its opposite: here, b · key is the same for every key.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.adam",
        "How many times larger is Adam's first step if the gradient is 1000 instead of 1?",
        (
            Choice(
                "1000 times",
                "The step is proportional to the gradient in plain gradient descent, the control. Adam "
                "divides by the square root of the mean squared gradient, and for a single gradient of 1000, "
                "that is 1000.",
            ),
            Choice(
                "about 32 times",
                "That is the square root of 1000. Adam does divide by a square root, but it is that of the "
                "*squared* gradient. So 1000 is divided by 1000, and not by 32.",
            ),
            Choice(
                "not at all larger",
                "1000 divided by the square root of its square is 1, and so is 1 divided by 1. In the first step, only the sign of "
                "the gradient matters.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.unmasked",
        "Compare the vector of the last token with the mask and without it.",
        (
            Choice(
                "It is the same with one layer and with two.",
                "Nothing is hidden from the last token itself. But without the mask, the tokens before it see more, including the "
                "last one. In the second layer, the last token reads their vectors, and these have changed.",
            ),
            Choice(
                "It is the same with one layer, but not with two.",
                "In the first layer, the last token reads the same inputs in both cases, and only the others see more. In the "
                "second layer, it reads their vectors, which have changed.",
            ),
            Choice(
                "It differs with one layer already.",
                "The vectors of the other tokens have changed when they *leave* the first layer. In that "
                "layer, the last token still reads the inputs, and these are the same.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.exit.dropout",
        "“Dropout makes a model smaller.” Someone counts the parameters with dropout and without, finds the same number, and "
        "calls the sentence false. What do you say?",
        (
            Choice(
                "Well done: this test could have failed",
                "It refutes one reading of the sentence. But is it the one that was meant? “Smaller” could also mean that fewer "
                "numbers take part in each training step.",
            ),
            Choice(
                "First ask what “smaller” means, and what would be different if the sentence were false",
                "Yes. Until that is clear, no result can count against the sentence.",
            ),
            Choice(
                "The parameters should be counted in a larger model",
                "Dropout has no parameters, however large the model is.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.exit.counterexample",
        "“Attention cannot tell two equal tokens apart, because it knows no positions.” What is the strongest evidence against "
        "this?",
        (
            Choice(
                "A trained model with position encodings tells them apart",
                "The sentence is about attention without positions.",
            ),
            Choice(
                "Without positions and without a mask, two equal tokens get equal outputs in a thousand random texts",
                "This agrees with the sentence. For attention without a mask, you can even prove it.",
            ),
            Choice(
                "Without positions, but with a causal mask, two equal tokens get different outputs in one text",
                "Yes: one counterexample is enough. It also shows which condition was left out.",
            ),
        ),
        right="c",
    ),
]
