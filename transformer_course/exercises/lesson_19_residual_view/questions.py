"""The questions of lesson 19: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "19.recall.gpt_layer",
        "Which sublayers does a GPT's layer have?",
        (
            Choice(
                "Masked self-attention, cross-attention and a feed-forward network",
                "Cross-attention looks at an encoder's memory. A GPT has no encoder.",
            ),
            Choice(
                "Masked self-attention and a feed-forward network",
                "Yes. Such a layer is also called a block.",
            ),
            Choice(
                "A feed-forward network only",
                "A feed-forward network works on each token separately. With nothing else, no token could see any other.",
            ),
        ),
        right="b",
        origin=(
            "13",
            "18",
        ),
    ),
    Question(
        "19.recall.label",
        "A model reads `<begin> L E T`. What should it predict at position 2, where the input is E?",
        (
            Choice("E", "That is the input at this position."),
            Choice("T", "Yes: the label is the next token. Keep input and label apart today."),
            Choice("L", "L is the input one position earlier."),
        ),
        right="b",
        origin=("14",),
    ),
    Question(
        "19.recall.whiteboard",
        "A stream is like a whiteboard to which every sublayer adds. Where does this comparison break down?",
        (
            Choice(
                "Nowhere: what has been added stays visible",
                "It stays as a summand, but you may not be able to see it any more.",
            ),
            Choice(
                "All sublayers write over the same numbers, so one can undo what another wrote",
                "Yes. Under “Deeper”, you measure whether that happens.",
            ),
            Choice(
                "Only the first and the last addition can be read",
                "Each sublayer reads the whole stream, and today you do too.",
            ),
        ),
        right="b",
        origin=("10",),
    ),
    Question(
        "19.sizes",
        "Which block changes the stream of `gpt-pre` most, relative to the stream that it gets?",
        (
            Choice(
                "the first",
                "That would be so if later blocks made smaller and smaller corrections. The first block does change the "
                "stream by nearly its whole length, and the next ones by less, but the last one changes it most.",
            ),
            Choice(
                "the last",
                "It changes the stream by more than the stream's own length. Whether that matters for the answers is another question.",
            ),
            Choice(
                "none stands out",
                "Every block changes the stream by more than half of its length, and the last one by more "
                "than its whole length.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.bottom",
        "We apply the lens to the embeddings of `gpt-pre`, before any block has run. What does it read?",
        (
            Choice(
                "nothing: all letters are about equally likely",
                "That would be so if the stream matched no row of the output layer better than any other. This one matches one "
                "row very well.",
            ),
            Choice(
                "the letter that most often follows the input letter",
                "For that, the output layer would have to turn a letter into its most frequent successor. "
                "This one compares the stream with its own rows, and one of them is the input letter's "
                "embedding.",
            ),
            Choice(
                "the input letter itself, with near certainty",
                "Yes. The output layer asks which of its rows the stream resembles, and the stream is a multiple of one "
                "of these rows, with a position added.",
            ),
        ),
        right="c",
    ),
    Question(
        "19.prose",
        "We apply the lens to the embeddings of `prose`, before any block has run. What does it read?",
        (
            Choice(
                "the input token itself, as in `gpt-pre`",
                "In `gpt-pre`, one table is used at both ends. In `prose`, the rows of the output layer are not the embeddings. "
                "Nothing makes the embedding of a token similar to that token's own row.",
            ),
            Choice(
                "a token that often follows the input token",
                "Yes. With a table of its own, the output layer can match each embedding with the tokens that"
                " often come next, and training rewards it for that: for *is*, it reads *not*.",
            ),
            Choice(
                "the next token of this sentence",
                "Most of these predictions are wrong. One token alone does not say how this sentence goes on;"
                " for that, attention has to bring in the others.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.left_out",
        "`gpt-pre` predicts 79% of the labels correctly. Without which block does it lose most?",
        (
            Choice(
                "without block 1, where the lens reads almost no labels",
                "Yes: it loses more than half of all labels. What block 1 adds cannot be read with this lens, but the other five blocks build "
                "on it.",
            ),
            Choice(
                "without block 4, where the lens gains most",
                "The lens does gain most there. But block 4 may only make visible what others have found: without it, about 16% "
                "of the labels are lost, and without block 1 more than half.",
            ),
            Choice(
                "without block 6, whose output goes straight to the output layer",
                "Without block 6, the model loses the fewest: about 7% of the labels. After block 5, most answers are already there.",
            ),
        ),
        right="a",
    ),
    Question(
        "19.induction",
        "We remove the head of layer 1, which attends to the word just before. The head of layer 2 stays. Does copying still work?",
        (
            Choice(
                "yes, about as well as before",
                "The head of layer 2 would find the *same* word, because equal words have similar keys. But "
                "it has to attend to the word *after* it, and that is a different word. Only layer 1 can add "
                "to that word's stream what came before it.",
            ),
            Choice(
                "no, most of the right answers are lost",
                "Yes. The head of layer 2 looks for a word whose predecessor matches its own. Only the head of layer 1 "
                "writes the predecessor into the stream.",
            ),
            Choice(
                "nearly: it gets a little worse",
                "The positions cannot say exactly how far back to look: the piece has a different length from batch to "
                "batch, so the earlier copy is at different distances.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.control",
        "How often does the fitted lens read the label after block 2 of the untrained model?",
        (
            Choice(
                "about 3%",
                "The model has learned nothing, but it has not lost anything either. The letter and its "
                "position are still in the stream, and the map has learned what usually follows.",
            ),
            Choice(
                "about 30%",
                "Yes. The blocks know nothing, but the map finds what usually follows a letter. So training the blocks "
                "did not produce that part of the result.",
            ),
            Choice(
                "about 11%",
                "That would be so if the stream contained no information about the input, and the map had to "
                "name the most common letter everywhere. But the input letter is still in it, and different "
                "letters have different successors.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.exit.left_out",
        "Through the lens, a model's block 2 shows nothing of the answer. A colleague concludes that block 2 can be left "
        "out. What do you say?",
        (
            Choice(
                "Correct: what cannot be read is not used",
                "This lens cannot read it, but later blocks may use it. Our model loses about half of its right answers without its "
                "block 2.",
            ),
            Choice(
                "Leave it out, and measure",
                "Yes. What can be read and what is needed are two different questions, with two different measurements.",
            ),
            Choice(
                "First see whether the lens is certain there",
                "On the embeddings of `gpt-pre`, the lens was nearly certain, and wrong. Its certainty says little about what is needed.",
            ),
        ),
        right="b",
    ),
    Question(
        "19.exit.certain",
        "After block 1 of a model with a tied output layer, the lens gives a token a probability of 0.99. What do you know?",
        (
            Choice(
                "The model has already decided on its answer",
                "Later blocks can change it, and in `gpt-pre` they nearly always did.",
            ),
            Choice(
                "The stream there resembles that token's row in the output layer",
                "Yes, and no more. With a tied table, the input token's own row is a good candidate.",
            ),
            Choice("The blocks above are not needed", "Only leaving them out can show that."),
        ),
        right="b",
    ),
    Question(
        "19.deeper.fitted_lens",
        "A tuned lens reads 31% of the labels after block 1. How much of that is due to the block's training?",
        (
            Choice(
                "All of it: the logit lens reads almost no labels there",
                "Applied to the embeddings, where no block has run, the tuned lens already reads 22%.",
            ),
            Choice(
                "Only the part that a tuned lens cannot read from an untrained block as well",
                "Yes. An untrained block gives about 27%, so training accounts for about 4 percentage points.",
            ),
            Choice("Nothing, as the logit lens shows", "The logit lens cannot see past the input letter. A fitted one can."),
        ),
        right="b",
    ),
]
