"""The questions of lesson 21: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "21.recall.large_weight",
        "In a map of attention weights, a word has 0.9. Does that show that this word decided the output?",
        (
            Choice(
                "Yes: nine tenths of the output are its own",
                "Nine tenths of the *weights* are. How much a value brings depends on its length too, and what "
                "then becomes of the output on all that follows.",
            ),
            Choice("No: hide the word, and see what is lost", "Yes. The weight is a hint, and that is its test."),
            Choice("Only if the map is one of a trained model", "Training does not turn a weight into a cause."),
        ),
        right="b",
        origin=("20",),
    ),
    Question(
        "21.recall.one_thing_more",
        "The layer of a GPT is the encoder's layer with one thing more. Which?",
        (
            Choice("Cross-attention", "There is no encoder that it could look at."),
            Choice("A causal mask", "Yes. Today we take it away again."),
            Choice("A shift of its vectors", "What is shifted are inputs against labels, outside of the model."),
        ),
        right="b",
        origin=("18",),
    ),
    Question(
        "21.recall.low_loss",
        "A model's loss is nearly 0. What does that say?",
        (
            Choice(
                "That it can answer what it was asked",
                "Yes, and not that it was asked the right question. Runs can be asked the wrong question too.",
            ),
            Choice("That it has learned the task", "So it seemed without the shift, and then it wrote nothing."),
            Choice("Nothing: only what it writes counts", "It says something about the question that was asked."),
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
                "Five, as we have sorted them. In the other 24 a name is exchanged, a condition left out, a "
                "mechanism made up. Going over the numbers alone does not find them.",
            ),
            Choice(
                "about half",
                "It is five of 29, as we have sorted them. Going over the numbers finds these. But a sentence can "
                "be wrong with every number in it right.",
            ),
            Choice(
                "nearly all",
                "It is five of 29, as we have sorted them. A slip can be pointed at. To see that a sentence "
                "leaves out its condition takes a question of its own.",
            ),
        ),
        right="a",
    ),
    Question(
        "21.key_bias",
        "After what you have just seen: is that so?",
        (
            Choice(
                "no: queries and keys stand in the product alike, so what fails for one fails for the other",
                "In the product they stand alike, but not in the softmax. It goes along the *keys* of one query. "
                "A key bias adds query × bias to each score of that row, the same to all. A query bias adds bias "
                "× key, and the keys differ.",
            ),
            Choice(
                "yes, for every query",
                "A key bias adds query × bias to each score of the row, the same to all keys. That is the very "
                "case in which softmax takes it out.",
            ),
            Choice(
                "only if the query is 1, as in our case; another query would notice",
                "Another query adds another number, −3 in place of 1. But within its row it is again the same for "
                "all keys, and each row has a softmax of its own.",
            ),
        ),
        right="b",
    ),
    Question(
        "21.check.thousand_passes",
        "How can this be?",
        (
            Choice("The biases are too small to show", "They are drawn as large as the queries."),
            Choice("Claim 1 is true for 8 dimensions", "Above, 8 wide, it failed with three seeds of three."),
            Choice(
                "All five keys are alike",
                "Yes. Then all scores of a row are alike too, and the weights are 1/5 for any query. The claim "
                "foretells 1/5, and so does its opposite: b · key is the same for every key, which is claim 1's "
                "condition, and no draw leaves it.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.adam",
        "How many times as large is Adam's step for the gradient 1000, compared with that for 1?",
        (
            Choice(
                "1000 times: a step goes with its gradient",
                "So it is with plain steps, the control. Adam divides by the root of the mean square of the "
                "gradients, and of a single gradient of 1000 that is 1000.",
            ),
            Choice(
                "about 32 times, the root of 1000, since Adam divides by a root",
                "It does divide by a root. But it is the root of the *square*, so 1000 is divided by 1000, and not by 32.",
            ),
            Choice(
                "just as large: both weights take the same step",
                "1000 divided by the root of its square is 1, as is 1 divided by 1. At the first step Adam looks "
                "at the sign alone.",
            ),
        ),
        right="c",
    ),
    Question(
        "21.unmasked",
        "The vector of the last token, with and without the mask:",
        (
            Choice(
                "it is the same in stacks of one layer and of two: to its right there is nothing that could be hidden",
                "Nothing is hidden from the last token itself. But the tokens before it see more without the "
                "mask, the last one among what they see. In the second layer it reads their vectors, and these "
                "have changed.",
            ),
            Choice(
                "with one layer it is the same, with two it is not",
                "In the first layer the last token sees the same as ever, and only the others see more. In the "
                "second one it reads what has become of them.",
            ),
            Choice(
                "it differs with one layer already, since the others' vectors do",
                "Their vectors have changed when they *leave* the first layer. What the last token reads in it is "
                "what goes in, and that is the same.",
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
                "Well done: a trial that could have failed",
                'It spoke against one reading of the sentence. But is it the one that was meant? "Smaller" could '
                "also mean that fewer numbers take part in each step.",
            ),
            Choice(
                'First ask what "smaller" shall mean, and what would be seen then',
                "Yes: without step 2 there is nothing that a run could come out against.",
            ),
            Choice("It should be counted on a larger model", "Dropout has no parameters, whatever the model's size."),
        ),
        right="b",
    ),
    Question(
        "21.exit.counterexample",
        'Which of these says most against "attention cannot tell repeated tokens apart, as it has no positions"?',
        (
            Choice("A trained model with positions tells them apart", "The sentence is about attention without."),
            Choice(
                "Without positions and mask, two equal tokens get equal outputs, in a thousand draws",
                "That speaks for it; for unmasked attention it can even be proved.",
            ),
            Choice(
                "Without positions, but with a causal mask, two equal tokens get different outputs once",
                "Yes: once is enough. And it says which condition was left out.",
            ),
        ),
        right="c",
    ),
]
