"""The questions of lesson 10: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "10.recall.three_tokens",
        "A feed-forward network is given three tokens with exactly the same vector. What does it return?",
        (
            Choice("Three different vectors", "It does the same to each token, so from the same it makes the same."),
            Choice("Three times the same vector", "Yes. Tokens do not meet there, and each gets the same treatment."),
            Choice("One vector", "One for each token, always."),
        ),
        right="b",
        origin=("09",),
    ),
    Question(
        "10.recall.three_further",
        "The row of position 50 is to become the row of position 53. What does it take?",
        (
            Choice(
                "A turn of every hand, by angles that are the same at any start", 'Yes: one matrix for "three tokens further".'
            ),
            Choice("A matrix that belongs to position 50", "The same matrix leads from 7 to 10."),
            Choice(
                "It cannot be done by a matrix: sines are bent",
                "The matrix turns the tips of the hands, and to turn is linear.",
            ),
        ),
        right="a",
        origin=("07",),
    ),
    Question(
        "10.recall.forty_steps",
        "What happened to the gradient on its way through forty steps of an RNN?",
        (
            Choice(
                "It shrank step by step, down to almost nothing",
                "Yes: each step multiplies it once more. A stack of layers is a row of steps too.",
            ),
            Choice(
                "It was shared out among the tokens",
                "Sharing would leave the first token a fortieth. It got less than a millionth of a millionth.",
            ),
            Choice("Nothing, until training began", "It was measured before training as well."),
        ),
        right="a",
        origin=("01",),
    ),
    Question(
        "10.note_2",
        "What does note 2's layer give for the three tokens?",
        (
            Choice(
                "three different vectors: the addition in the second sublayer keeps the tokens apart",
                "It adds what it *read*, and by then the three tokens were the same mixture. The addition keeps "
                "what is still there; it comes one sublayer too late.",
            ),
            Choice(
                "three times the same vector",
                "Attention handed on the mean of all tokens, three times. The network does the same to each, and "
                "adds the same to each: from there on nothing can tell the tokens apart.",
            ),
            Choice(
                "two that are the same, and a third: token 3 is the sum of the others",
                "Token 3 was the sum of the others when it came in. Behind attention with equal weights, it is "
                "the mean of all three, like the others.",
            ),
        ),
        right="b",
    ),
    Question(
        "10.gradient",
        "In a stack of 2 layers *without* residual connections, about 0.002 of the gradient arrives. And in one of 32?",
        (
            Choice(
                "about 10⁻⁴, a sixteenth of that: it is sixteen times as deep",
                "Then thirty further layers would take less than the first two did. But each takes its share of "
                "what is left: the factors multiply, and sixteen times as deep is about the power of sixteen.",
            ),
            Choice(
                "about 0.002 again: torch draws parameters in such a way that signals keep their size",
                "For some networks there are such starts. torch's takes a factor of 10 to 40 at each layer here, "
                "and the factors multiply. (The larger start below loses less at each layer, and falls as well.)",
            ),
            Choice(
                "less than 10⁻³⁰: each layer takes its share of what is left",
                "About 10⁻³⁷. Every layer multiplies by its factor once more, as every step of the RNN did in lesson 01.",
            ),
        ),
        right="c",
    ),
    Question(
        "10.silenced",
        "Which sublayers now read something else than before, by more than a tenth of its length?",
        (
            Choice(
                "4 and all after it",
                "What 3 would have added is missing in the stream from there on, for all who read it. Below, "
                "nothing has changed.",
            ),
            Choice(
                "only 4, or 4 and 5: the residual carries the stream past the gap",
                "That is the *other* stack, the one without: there it fades within two sublayers. The residual "
                "carries the stream past the gap, but a stream in which the addition of 3 is missing, for 8 as "
                "for 4: all read the same one.",
            ),
            Choice(
                "all eight: it is one stream",
                "All that come *after*. 1, 2 and 3 read the stream before anything was left out; nothing flows "
                "downwards but gradients.",
            ),
        ),
        right="a",
    ),
    Question(
        "10.mended",
        "What does the stack with mended gradient and *no* residual connections learn?",
        (
            Choice(
                "all of it: the gradient was what was missing",
                "The gradient arrives, and the stack learns hardly anything: below 0.25 with each seed. So a "
                "second thing is missing; see below.",
            ),
            Choice(
                "hardly anything",
                "Below 0.25 with each seed, although the gradient arrives. Something else is missing; see below.",
            ),
            Choice(
                "about half: attention mixes each token's kind with those of others",
                "Attention mixes, that is so. But four layers mix mixtures of mixtures, and of what was a token's "
                "own next to nothing is left: it stays below 0.25 with each seed.",
            ),
        ),
        right="b",
    ),
    Question(
        "10.exit.sublayer_20",
        "In a stack of 24 sublayers with residual connections, sublayer 20 needs what sublayer 2 found out. How "
        "does it get it?",
        (
            Choice(
                "From sublayer 19, which got it from 18, and so on",
                "None of them has to pass it on. That would be the stack without the plus sign.",
            ),
            Choice(
                "It stands in the stream, unless somebody wiped it out",
                "Yes: it was added there once, and what 20 reads is the sum of everything.",
            ),
            Choice("Through a connection from 2 to 20", "There is none for each pair. One stream serves all."),
        ),
        right="b",
    ),
    Question(
        "10.exit.clever_start",
        "Somebody mends the vanishing gradient by a clever start, and takes the residual connections out of a "
        "deep stack. What do you measure first?",
        (
            Choice("The gradient, at more depths", "Say that it arrives everywhere. Would it then learn? Ours did not."),
            Choice(
                "How different the tokens of a text still are at the top",
                "Yes. Where they are all the same, a gradient has nothing to work on.",
            ),
            Choice("The number of parameters", "A plus sign has none."),
        ),
        right="b",
    ),
]
