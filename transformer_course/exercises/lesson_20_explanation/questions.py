"""The questions of lesson 20: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "20.recall.last_layer",
        "In a GPT with pre-norm, what does the last layer's attention add to?",
        (
            Choice(
                "To the token's vector, as it comes from the embedding table",
                "That was several layers ago. Each of them has added something since.",
            ),
            Choice(
                "To a stream to which all earlier layers have added",
                "Yes. Keep that in mind when a weight of the last layer seems to point at a single token.",
            ),
            Choice("To nothing: it replaces the stream", "Then there would be no residual connection (lesson 10)."),
        ),
        right="b",
        origin=("19",),
    ),
    Question(
        "20.recall.row",
        "In cross-attention, what does one row of weights belong to?",
        (
            Choice(
                "a target token: it says which source tokens are mixed for it",
                "Yes. Queries come from the decoder, keys and values from the memory.",
            ),
            Choice(
                "a source token: it says where its value goes",
                "That is a column. Each row sums to 1, because each query distributes its attention.",
            ),
            Choice("a head", "Each head has a whole table of such rows."),
        ),
        right="a",
        origin=("13",),
    ),
    Question(
        "20.translator",
        "In how many of these rows is the word with the largest weight also the one that costs most to hide? (By chance, it "
        "would be about one row in ten.)",
        (
            Choice(
                "in nearly all: more than 95 of 100",
                "In about one row of five, hiding another word costs most. In most of these rows no word matters much, but some "
                "word has the largest weight all the same, because a row of weights always sums to 1.",
            ),
            Choice(
                "in most: 65 to 90 of 100",
                "Yes, in about four of five. Shuffled weights agree in one of ten. The weights are a good pointer, but no proof.",
            ),
            Choice(
                "in 20 to 40 of 100: the weights are only where it looks, not what it uses",
                "It is far more. The source reaches the decoder only through cross-attention, and most vectors in the memory still "
                "stand for their own word. So mostly, the model uses what it looks at.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.gpt",
        "In how many rows are the two the same token?",
        (
            Choice(
                "hardly more often than by chance: fewer than 25 of 100",
                "Yes, in about 15 of 100. By the last layer, the vector at a letter's position is a mixture of many letters.",
            ),
            Choice(
                "about as often as in the translator",
                "In the translator, one word usually decided. Here, five layers have mixed the letters before the last one looks, "
                "and a letter can also arrive through other positions.",
            ),
            Choice(
                "in 30 to 60 of 100: less often, because several letters matter, but far above chance",
                "That is true of layers 2 and 3, as you will see below. The last layer looks at *positions*, and the vectors there "
                "no longer stand for one letter.",
            ),
        ),
        right="a",
    ),
    Question(
        "20.twin",
        "Are there other weights (none negative, with sum 1) that give exactly this output?",
        (
            Choice(
                "no: different weights give a different output",
                "Weights determine the output, but not the other way round. For example, 0.5, 0 and 0.5 also give 0.5 · 2 = 1.",
            ),
            Choice(
                "yes, but token 2 always keeps the largest weight",
                "Take the 0.6 from token 2, and give half of it to each of the others, whose values 0 and 2 have the mean 1. You get "
                "0.5, 0 and 0.5. Nothing forces the largest weight to stay.",
            ),
            Choice(
                "yes, and token 2 may even get nothing",
                "Yes: 0.5, 0 and 0.5. The values 0 and 2 have the mean 1, so together they can replace token 2.",
            ),
        ),
        right="c",
    ),
    Question(
        "20.four",
        "All four are silenced at once. What fraction of the 200 numbers is still correct?",
        (
            Choice(
                "over 90 of 100, because none of them is needed",
                "None of them is needed *while the other three are there*. Without all four, this layer has no cross-attention, and "
                "about one number in ten is still correct.",
            ),
            Choice("under 20 of 100", "Yes, about one in ten. Each could go because the others stood in for it."),
            Choice(
                "about half, because the layer before also has a cross-attention",
                "The two layers do not divide the work so that each can do half of it alone. About one number in ten is still correct.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.exit.largest_weight",
        "A head of width 8 looks at 20 tokens. Somebody says that the token with the largest weight is the reason for the output. "
        "What do you say?",
        (
            Choice(
                "That is right, because the output is mostly that token's value",
                "Other weights can give the same output, since 20 > 8 + 1. And a large weight on a short value adds little.",
            ),
            Choice(
                "What happens if you hide that token?",
                "Yes. The weight is a hint. Hiding the token is the test, with other tokens as a control.",
            ),
            Choice(
                "That is wrong, because weights have nothing to do with the output",
                "Shuffle them, and the output changes a lot.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.exit.silenced",
        "A head was silenced, and nothing got worse. What follows?",
        (
            Choice(
                "It does nothing",
                "Then the same would be true of all four heads of the translator's last cross-attention. Together, they are "
                "indispensable.",
            ),
            Choice("It is not needed as long as the others are there", "Yes. Another head may stand in for it."),
            Choice(
                "The model could have been trained without it",
                "That is another experiment, in which the other heads learn without it. We have not done it.",
            ),
        ),
        right="b",
    ),
]
