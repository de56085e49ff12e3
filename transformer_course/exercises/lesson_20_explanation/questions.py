"""The questions of lesson 20: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "20.recall.last_layer",
        "In a GPT with pre-norm, what does the last layer's attention add to?",
        (
            Choice(
                "To the vector of the token, as the table has it",
                "That was several layers ago. All of them have added to it since.",
            ),
            Choice(
                "To a stream into which all layers below have written already",
                "Yes. Keep that in mind when a weight of the last layer seems to point at one token.",
            ),
            Choice("To nothing: it replaces the stream", "Then there would be no residual connection (lesson 10)."),
        ),
        right="b",
        origin=("19",),
    ),
    Question(
        "20.recall.row",
        "In cross-attention, one row of weights belongs to",
        (
            Choice(
                "a token of the target; it says which source tokens are mixed for it",
                "Yes: queries from the decoder, keys and values from the memory.",
            ),
            Choice(
                "a token of the source; it says where its value goes",
                "That is a column. Rows sum to 1: each query shares out its attention.",
            ),
            Choice("a head", "Each head has a whole table of them."),
        ),
        right="a",
        origin=("13",),
    ),
    Question(
        "20.translator",
        "In how many of these rows is the word with the largest weight also the one whose hiding costs most? "
        "(By chance: in about one of ten.)",
        (
            Choice(
                "in nearly all: more than 95 of 100",
                "That would be true of a map that *is* the cause. About one row in five has another word as the "
                "dearest. In most of these no word matters, and a row of weights has a largest one all the same: "
                "it always sums to 1.",
            ),
            Choice(
                "in most: 65 to 90 of 100",
                "About four in five, and what is shuffled agrees in one of ten. A good pointer, and not a proof.",
            ),
            Choice(
                "in 20 to 40 of 100: the weights are only where it looks, not what it uses",
                "It is far more. Nothing of the source reaches the decoder but through cross-attention, and most "
                "vectors in the memory still stand for their own word: where it looks is, mostly, what it uses.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.gpt",
        "In how many rows is it the same token?",
        (
            Choice(
                "hardly more often than by chance: fewer than 25 of 100",
                "About 15 of 100, where chance gives 8. What stands at a letter's place in the last layer has "
                "long been mixed from many letters.",
            ),
            Choice(
                "about as often as in the translator",
                "There, mostly one word decided. Here a letter has travelled through five layers before the last "
                "one looks, and arrives by way of other places too.",
            ),
            Choice(
                "in 30 to 60 of 100: less often than there, since more letters have a say, but far above chance",
                "So it is in layers 2 and 3, as you will see below, where about one row in three agrees. The last "
                "layer looks at *places*, and what stands there is no longer one letter.",
            ),
        ),
        right="a",
    ),
    Question(
        "20.twin",
        "Is there another row of weights (not negative, with the sum 1) that gives exactly this output?",
        (
            Choice(
                "no: the weights make the output, so another row makes another output",
                "The weights make the output, but not the other way round: many rows make the same one. 0.5, 0 "
                "and 0.5 give 0.5 · 2 = 1 as well.",
            ),
            Choice(
                "yes, but in each of them token 2, with its 0.6, keeps the largest weight",
                "Take 0.3 from token 2 twice over, half to its left and half to its right, where the values 0 and "
                "2 have the mean 1: 0.5, 0 and 0.5. Nothing forces the largest weight to stay.",
            ),
            Choice(
                "yes, and token 2 may even get nothing",
                "0.5, 0 and 0.5. The values 0 and 2 have the mean 1, and can stand in for token 2 altogether.",
            ),
        ),
        right="c",
    ),
    Question(
        "20.four",
        "All four go at once, and bring zeros. What share is still right?",
        (
            Choice(
                "over 90 of 100: we have just seen that none of them is needed",
                "None of them is needed *while the other three are there*. All four together are the only "
                "cross-attention of this layer, and about one number in ten is left.",
            ),
            Choice("under 20 of 100", "About one in ten is left. Each could go because the others stood in for it."),
            Choice(
                "about half: the cross-attention of the layer before does half of the work",
                "The two layers do not share the work so that each can do half alone: about one number in ten is left.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.exit.largest_weight",
        "A head of width 8 looks at 20 tokens. Somebody shows you the largest weight as the reason for the output.",
        (
            Choice(
                "Right: softmax has put it there",
                "It has, and yet the output does not depend on just these weights: 20 > 8 + 1, so there are other "
                "rows with the same output.",
            ),
            Choice(
                "I ask what happens when that token is hidden",
                "Yes. The weight is a hint; taking away is the test, with other tokens as a control.",
            ),
            Choice(
                "Wrong: weights have nothing to do with the output",
                "Shuffle them, or borrow those of another text, and the output changes very much.",
            ),
        ),
        right="b",
    ),
    Question(
        "20.exit.silenced",
        "A head was silenced, and nothing got worse. So it",
        (
            Choice(
                "does nothing",
                "In the translator's last cross-attention that would hold for all four, and together they are indispensable.",
            ),
            Choice("is not needed as long as the others are there", "Yes. Another head may stand in for it."),
            Choice(
                "could be left out before training as well",
                "That is another experiment: then the others would learn without it. It has not been made here.",
            ),
        ),
        right="b",
    ),
]
