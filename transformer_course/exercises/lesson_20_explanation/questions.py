"""The questions of lesson 20: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "20.recall.last_layer",
        "In a GPT with pre-norm, the output of the last layer's attention is added. To what?",
        (
            Choice(
                "to the token's vector from the embedding table",
                "That was the stream before the first layer. Every layer since then has added to it.",
            ),
            Choice(
                "to a stream to which all earlier layers have already added",
                "Yes. The embedding is only the first term of that sum.",
            ),
            Choice("to nothing: it replaces the stream", "Then there would be no residual connection (lesson 10)."),
        ),
        right="b",
        origin=("19",),
    ),
    Question(
        "20.recall.row",
        "In cross-attention, what does one row of weights belong to?",
        (
            Choice(
                "a token of the target; it says how the source tokens are mixed for it",
                "Yes: the queries come from the decoder, the keys and values from the memory.",
            ),
            Choice(
                "a token of the source; it says where its value goes",
                "That is a column. Each row belongs to one query, and sums to 1.",
            ),
            Choice("a head", "Each head has a whole matrix of weights."),
        ),
        right="a",
        origin=("13",),
    ),
    Question(
        "20.translator",
        "In what percentage of these rows is the word with the largest weight also the one that costs most to hide? "
        "(By chance, it would be about 10% of the rows.)",
        (
            Choice(
                "more than 95%",
                "You would expect that if the largest weight *were* the reason for each token. In about one row in five, a different word costs most. "
                "In most of those rows, hiding any word costs almost nothing; but a row still has a largest weight, because "
                "it always sums to 1.",
            ),
            Choice(
                "65% to 90%",
                "About 80%, while shuffled weights agree in about 10%. The map is a good pointer, but not a proof.",
            ),
            Choice(
                "20% to 40%",
                "It is far more. You may think that weights show where a head looks, not what it uses. But nothing from "
                "the source reaches the decoder except through cross-attention, and most vectors in the memory still "
                "mostly represent their own word.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.gpt",
        "In how many rows is the token with the largest weight also the one that costs most to hide?",
        (
            Choice(
                "fewer than 25%",
                "In 15 to 20% of the rows; by chance it would be 8%. There is a likely reason.",
            ),
            Choice(
                "about as many as in the translator",
                "It is only 15 to 20%. In the translator, one word was usually decisive. Here, a letter has "
                "passed through five layers before the last one, and also arrives through other positions.",
            ),
            Choice(
                "30% to 60%",
                "It is only 15 to 20%. The best layers of this GPT reach one row in three. The next cell "
                "gives a likely reason.",
            ),
        ),
        right="a",
    ),
    Question(
        "20.twin",
        "Is there another row of weights (none negative, and summing to 1) that gives exactly this output?",
        (
            Choice(
                "no, only this one",
                "The weights determine the output, but the output does not determine the weights. 0.5, 0 and 0.5 give "
                "0.5 · 2 = 1 as well.",
            ),
            Choice(
                "yes, but *car* keeps the largest weight in all of them",
                "Nothing forces the largest weight to stay. Take all 0.6 from *car*, and give half to *red* and half to "
                "*orange*: their values 0 and 2 have the mean 1, like *car*. The weights are then 0.5, 0 and 0.5.",
            ),
            Choice(
                "yes, and *car* may even have no weight at all",
                "For example 0.5, 0 and 0.5. The values 0 and 2 have the mean 1, so together they can replace *car*.",
            ),
        ),
        right="c",
    ),
    Question(
        "20.four",
        "All four heads are silenced at once. What fraction of the numbers is still translated correctly?",
        (
            Choice(
                "over 90%",
                "None of them is needed *while the other three are there*. The four together are the only cross-attention "
                "of this layer, and without it only about 10% are correct.",
            ),
            Choice(
                "under 20%", "About 10%. Each could be removed while the others were there; probably they stood in for it."
            ),
            Choice(
                "about half",
                "The two layers do not split the work so that each could do half of it on its own: only about"
                " 10% are correct.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.exit.largest_weight",
        "A head with values of width 8 attends to 20 tokens. Someone points at the largest weight: “This is the reason for the "
        "output.” What do you say?",
        (
            Choice(
                "That is right, because softmax put the weight there.",
                "Softmax did, but the output does not need exactly these weights: 20 > 8 + 1, so other rows give the same output.",
            ),
            Choice(
                "What happens when that token is hidden?",
                "Yes. The weight is a hint. Hiding the token is the test, with other tokens as a control.",
            ),
            Choice(
                "That is wrong, because weights have nothing to do with the output.",
                "They do: the head's output is the sum of weight times value, so most other weights give a different output.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.exit.silenced",
        "You silence a head, and nothing gets worse. What follows?",
        (
            Choice(
                "The head does nothing.",
                "Then all four heads of the translator's last cross-attention would do nothing, and together they are "
                "indispensable.",
            ),
            Choice(
                "The head is not needed as long as the others are there.",
                "Yes. Another head may stand in for it.",
            ),
            Choice(
                "The model could have been trained without this head.",
                "That is a different experiment: the other heads would then learn without it. This lesson does not run it.",
            ),
        ),
        right="b",
    ),
]
