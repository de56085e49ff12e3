"""The questions of lesson 10: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "10.recall.three_tokens",
        "A feed-forward network is given three tokens with exactly the same vector. What does it return?",
        (
            Choice("Three different vectors", "It does the same to each token, so the same input gives the same output."),
            Choice("The same vector three times", "Yes. Each token is processed separately, and in the same way."),
            Choice("One vector", "It always returns one vector per token."),
        ),
        right="b",
        origin=("09",),
    ),
    Question(
        "10.recall.three_further",
        "What turns the position row of token 50 into that of token 53?",
        (
            Choice(
                "A rotation of every hand by a fixed angle, wherever it starts",
                'Yes: one matrix for "three tokens further".',
            ),
            Choice("A matrix that works for position 50 only", "The same matrix maps 7 to 10."),
            Choice(
                "No matrix can do it, because sines are curved", "The matrix turns the tips of the hands, and that is linear."
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
                "It shrank step by step, to almost nothing",
                "Yes: each step multiplies it by another factor.",
            ),
            Choice(
                "It was divided equally among the tokens",
                "Then the first token would get one fortieth. It got less than a millionth of a millionth.",
            ),
            Choice("Nothing, until training began", "We measured it before training as well."),
        ),
        right="a",
        origin=("01",),
    ),
    Question(
        "10.gradient",
        "In a stack of 2 layers *without* residual connections, about 0.002 of the gradient arrives. How much arrives in a "
        "stack of 32 layers?",
        (
            Choice(
                "About 10⁻⁴, a sixteenth of that, since it is sixteen times as deep",
                "Then thirty more layers would cost less than the first two did. But each layer multiplies by its own factor: "
                "sixteen times the depth means roughly the sixteenth power.",
            ),
            Choice(
                "About 0.002 again: torch draws its parameters so that signals keep their size",
                "There are such initialisations for some networks. Here, each layer with torch's parameters costs a "
                'factor of about 14 to 22, and the factors multiply. (For larger parameters, see "Deeper".)',
            ),
            Choice(
                "Less than 10⁻³⁰, since each layer passes on only a fraction of what is left",
                "Yes, about 10⁻³⁷. Every layer multiplies by another factor, as every step of the RNN did in lesson 01.",
            ),
        ),
        right="c",
    ),
    Question(
        "10.silenced",
        "Which sublayers now read an input that has changed by more than a tenth of its length?",
        (
            Choice(
                "4 and all after it",
                "Yes. From there on, the output of 3 is missing from the stream, for every sublayer that reads it. "
                "Nothing changes below.",
            ),
            Choice(
                "Only 4, or 4 and 5",
                "That is the *other* stack, the one without residual connections: there the change fades within two "
                "sublayers. Here the stream carries on past the silent sublayer, but without what 3 would have added, "
                "and all later sublayers read that same stream.",
            ),
            Choice(
                "All eight",
                "All that come *later*. Sublayers 1, 2 and 3 read the stream before anything was left out. Only gradients flow "
                "downwards.",
            ),
        ),
        right="a",
    ),
    Question(
        "10.mended",
        "How well does the stack with a repaired gradient and *no* residual connections learn the task?",
        (
            Choice(
                "Perfectly",
                "The gradient arrives, and yet the accuracy stays below 0.25 for every seed. So something else is missing.",
            ),
            Choice(
                "Hardly at all",
                "Yes: its accuracy stays below 0.25 for every seed, although the gradient arrives. So something else is missing.",
            ),
            Choice(
                "About half of it",
                "Attention mixes each token with the others, and four layers mix mixtures of mixtures. Next "
                "to nothing is left of the token itself: the accuracy stays below 0.25 for every seed.",
            ),
        ),
        right="b",
    ),
    Question(
        "10.exit.sublayer_20",
        "In a stack of 24 sublayers with residual connections, sublayer 20 needs the output of sublayer 2. How does it get it?",
        (
            Choice(
                "From sublayer 19, which got it from 18, and so on",
                "None of them has to pass it on. That would be the stack without the plus sign.",
            ),
            Choice(
                "It is in the stream, unless another sublayer has wiped it out",
                "Yes: it was added there once, and sublayer 20 reads the sum of everything.",
            ),
            Choice("Through a connection from 2 to 20", "There is no connection for each pair. One stream serves them all."),
        ),
        right="b",
    ),
    Question(
        "10.exit.clever_start",
        "A colleague cures the vanishing gradient with a clever initialisation, and removes the residual connections "
        "from a deep stack. What do you measure first?",
        (
            Choice(
                "The gradient, at more depths", "Suppose that it arrives everywhere. Would the stack learn then? Ours did not."
            ),
            Choice(
                "How much the tokens of a sequence still differ at the top",
                "Yes. If they are all the same, even a perfect gradient cannot help.",
            ),
            Choice("The number of parameters", "Plus signs have no parameters."),
        ),
        right="b",
    ),
    Question(
        "10.note_2",
        "Suppose that only the feed-forward network has a plus sign, around itself. What does the layer output for the three "
        "tokens?",
        (
            Choice(
                "Three different vectors",
                "The plus sign adds what the network has *read*, and by then the three tokens were the same average. It keeps "
                "what is still there, but it comes one sublayer too late.",
            ),
            Choice(
                "The same vector three times",
                "Yes. Attention outputs the mean of all tokens, three times. The network does the same to each, and the sum is "
                "the same for each. From there on, nothing can tell the tokens apart.",
            ),
            Choice(
                "Two different vectors, one of them twice",
                "Token 3 was the sum of the others in the input. After attention with equal weights, it is the mean of all "
                "three, and so are the others.",
            ),
        ),
        right="b",
    ),
]
