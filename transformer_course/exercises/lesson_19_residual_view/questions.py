"""The questions of lesson 19: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "19.recall.gpt_layer",
        "What is left of the decoder's layer in a GPT?",
        (
            Choice("All three sublayers", "Cross-attention looks at an encoder's memory. A GPT has no encoder."),
            Choice(
                "Masked self-attention and the feed-forward network",
                "Yes. Such a layer is also called a block. The model reads a text up to here, and says what comes next.",
            ),
            Choice("The feed-forward network", "Then no letter would hear of another."),
        ),
        right="b",
        origin=(
            "13",
            "18",
        ),
    ),
    Question(
        "19.recall.label",
        "A model reads `begin L E T`. What is it asked at position 2, where E goes in?",
        (
            Choice("E", "That is what goes in there."),
            Choice("T", "Yes: what comes next. Keep the two apart today, what goes in and what is asked."),
            Choice("L", "That stands behind it."),
        ),
        right="b",
        origin=("14",),
    ),
    Question(
        "19.recall.whiteboard",
        "A stream is like a whiteboard to which every sublayer adds. Where does the picture break?",
        (
            Choice("Nowhere: what is added stays", "As a summand it does. But can it still be seen?"),
            Choice(
                "All write over the same numbers, so one can undo what another wrote",
                "Yes. Today you measure whether that happens.",
            ),
            Choice("Only the first and the last can be read", "Each sublayer reads all of it, and today you do too."),
        ),
        right="b",
        origin=("10",),
    ),
    Question(
        "19.sizes",
        "Which block changes the stream of `gpt-pre` most, as a share of what it finds there?",
        (
            Choice(
                "the first; the further up, the less is left to correct",
                "So it would be if each block corrected what the ones below left wrong. The first does change the "
                "stream by nearly its whole length, and the next ones by less; but the last one by more than any.",
            ),
            Choice(
                "the last",
                "By more than the stream's whole length. What all that is good for, you will see: do not conclude "
                "from the size yet.",
            ),
            Choice(
                "none stands out: each changes it by about a tenth",
                "That is note 5's picture, “a little”. None of the six is below half of the stream, and one exceeds it.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.bottom",
        "We hold it up to the stream of `gpt-pre` at the very bottom, where no block has worked yet. What does it read?",
        (
            Choice(
                "nothing: all letters are about equally likely",
                "So it would be for a stream that fits no row of the output layer better than any other. This one "
                "fits a certain row very well.",
            ),
            Choice(
                "what most often follows the letter that stands there; for that one need not look at the others",
                "To turn a letter into its most frequent successor takes a map from one to the other, and no "
                "block has worked yet. The output layer alone compares the stream with its own rows.",
            ),
            Choice(
                "the letter that stands there itself, and nearly with certainty",
                "The output layer asks which row the stream resembles, and at the bottom the stream is such a "
                "row, but for the position.",
            ),
        ),
        right="c",
    ),
    Question(
        "19.left_out",
        "`gpt-pre` is right for about 78 places in a hundred. Without which block does it lose most?",
        (
            Choice(
                "without block 1, after which the lens sees nothing of the answer",
                "More than half of all places are lost without it. What the lens cannot read there is what the "
                "other five build on.",
            ),
            Choice(
                "without block 4, after which the lens has gained most",
                "The lens gains most there. But block 4 may make visible what others have found: without it, "
                "about 15 places in a hundred are lost, and without block 1 more than 50.",
            ),
            Choice(
                "without block 6, which changes the stream most",
                "It changes most, and costs the fewest right letters: about 6 places in a hundred. An edit can be "
                "large and hardly change which letter is likeliest.",
            ),
        ),
        right="a",
    ),
    Question(
        "19.control",
        "How often is this right after block 2 of the untrained model?",
        (
            Choice(
                "for about 3 places in a hundred: it has learned nothing, so there is nothing to read",
                "It has learned nothing, but it has not lost anything either: the letter and its place are still "
                "in the stream, and the map has learned what usually follows.",
            ),
            Choice(
                "for about 30",
                "The blocks know nothing, and yet the map finds what usually follows a letter. That much of a "
                "fitted reading is not what training has made of the blocks.",
            ),
            Choice(
                "for about 11: the commonest letter, for all places",
                "So it would be if the stream told nothing at all. But the letter that goes in is still in it, "
                "and some letters follow others more often.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.exit.left_out",
        "Through the lens, a model's block 2 shows nothing of the answer. Somebody concludes that block 2 may be left out.",
        (
            Choice(
                "Right: what it does cannot be read",
                "Not through this lens. Ours lost about half of its right answers without that block.",
            ),
            Choice(
                "Leave it out, and measure",
                "Yes. What can be read, and what is needed, are two questions with two measurements.",
            ),
            Choice("Look first how large its edits are", "Large edits may change few letters: those of block 6 did."),
        ),
        right="b",
    ),
    Question(
        "19.exit.fitted_lens",
        "A fitted lens reads the next letter after block 1 for 31 places in a hundred. How much of that is the block's doing?",
        (
            Choice(
                "All of it: before the block there was nothing",
                "A fit reads 22 in a hundred at the bottom, where no block has worked.",
            ),
            Choice("What an untrained block does not give as well", "Yes: of 31, an untrained block gives about 27 as well."),
            Choice("Nothing, as the plain lens shows", "The plain lens cannot see past the letter that goes in."),
        ),
        right="b",
    ),
]
