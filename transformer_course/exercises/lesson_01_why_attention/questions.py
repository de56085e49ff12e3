"""The questions of lesson 01: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "01.recall.weighted_average",
        "What is the weighted average of 0 and 8, with weights 0.25 and 0.75?",
        (
            Choice("4", "That is the plain average, where both have the same weight. Here 0.25 × 0 + 0.75 × 8 = 6."),
            Choice("6", "Yes: 0.25 × 0 + 0.75 × 8. One of the models below does exactly this with vectors."),
            Choice(
                "8",
                "The 8 has the larger weight, but the 0 still pulls the result a little towards itself: 0.25 × 0 + 0.75 × 8 = 6.",
            ),
        ),
        right="b",
        origin=("00",),
    ),
    Question(
        "01.recall.zero_slope",
        "At a certain input, a function has *slope* 0: its result changes 0 times as much as its input. You change the "
        "input a little. What happens to the result?",
        (
            Choice(
                "(Almost) nothing",
                "Yes. The slope is the factor by which a small step is multiplied, and here that is 0. Training follows such "
                "slopes, so it learns nothing where they are 0.",
            ),
            Choice("It changes by as much as the input", "That would be a slope of 1."),
            Choice("It becomes 0", "The *slope* is 0, not the result. The result stays what it is."),
        ),
        right="a",
        origin=("00",),
    ),
    Question(
        "01.fading",
        "How much of the first token is left after *fifty* further tokens?",
        (
            Choice(
                "about a third",
                "A third is left after ten tokens, and a third of that after ten more. Fifty tokens are five such steps.",
            ),
            Choice(
                "about a tenth",
                "A tenth is left after 22 tokens, and a tenth of that after 22 more. That is a hundredth, with six more to go.",
            ),
            Choice(
                "less than a hundredth",
                "0.9 multiplied by itself fifty times is about 0.005. Anything that shrinks by a constant factor is soon "
                "gone.",
            ),
        ),
        right="c",
    ),
    Question(
        "01.recall",
        "Which models learn to name the first of *twenty* tokens?",
        (
            Choice(
                "attention alone",
                "It looks at the first token directly, however many come in between. The others have to carry it past every "
                "one of them. Whether they *could* learn to do that is the next question.",
            ),
            Choice(
                "the LSTM and attention",
                "LSTMs were invented to remember for longer, and at ten tokens most of ours do. At twenty none of them did, "
                "with the settings that we used.",
            ),
            Choice(
                "all three",
                "The rule is simple, and at five tokens all three found it. At twenty, two of them did not, whatever the seed. "
                "The rule has not become harder, but the way back to the first token has become longer.",
            ),
        ),
        right="a",
    ),
    Question(
        "01.gradient",
        "In a sequence of 40 tokens, which untrained model has the largest gradient at token 1?",
        (
            Choice(
                "all four have about the same",
                "They have learned nothing, yet they differ by more than ten powers of ten. The gradient depends on the path "
                "back to token 1, and on the random numbers along it.",
            ),
            Choice(
                "the LSTM with bias log T",
                "Its gates keep almost everything at each token, so more arrives than in attention, where each of 40 tokens "
                "gets about a fortieth. Both lines are nearly level, though, and that is what matters for learning.",
            ),
            Choice(
                "attention",
                "Attention reaches token 1 in one step, and its line is level. But before training it gives "
                "each of 40 tokens only about a fortieth of its weight. The LSTM with bias log T keeps more "
                "than that.",
            ),
        ),
        right="b",
    ),
    Question(
        "01.layers",
        "There are 65 tokens, and the kernel is 3. How many layers does it take to get from the first token to the last?",
        (
            Choice(
                "7, since each layer doubles the reach",
                "That would be true if the gaps of each layer were twice as wide as those of the layer "
                "before; see the second line of the output. Plain layers see only their direct neighbours, "
                "and each reaches one position further.",
            ),
            Choice(
                "22, since each layer covers three positions, and 65 / 3 is 21.7",
                "A kernel of 3 covers three positions, but one of them is in the middle, and the other two are on different "
                "sides. So each layer gets only one position closer to the last token.",
            ),
            Choice(
                "64, since each layer gets one position further",
                "Yes, and each layer waits for the one below it: that is as many steps as in the recurrent network.",
            ),
        ),
        right="c",
    ),
    Question(
        "01.exit.lstm_claim",
        'You read: "LSTMs cannot remember anything for twenty tokens." What would you reply?',
        (
            Choice(
                "That is true: we saw it fail with three seeds",
                "All three runs had the *same* kind of start. With other biases at the start, the same network was right for "
                "at least 99 of 100 sequences of 50 tokens.",
            ),
            Choice(
                "How did its forget gates start?",
                "Yes. When about half is kept at each token, almost nothing of token 1 is left, and almost no gradient leads "
                "back to it. When T/(T+1) was kept, the network learned.",
            ),
            Choice(
                "That is false: with more training it would have learned",
                "Perhaps, but we have not tested that. In 300 steps it did not learn, and we saw that almost no gradient "
                "arrived.",
            ),
        ),
        right="b",
    ),
    Question(
        "01.exit.quicker",
        "In what sense is attention quicker than an RNN?",
        (
            Choice(
                "It needs fewer multiplications",
                "In a Transformer it needs more than a plain RNN, because every token is compared with every other (see "
                '"Deeper").',
            ),
            Choice(
                "When it reads, fewer operations have to wait for each other",
                "Yes: the chain of operations does not grow with the sequence.",
            ),
            Choice(
                "It always takes fewer seconds",
                "It waits less, but it has more to do than a plain RNN. Which of the two matters more depends on the machine "
                "and on the length.",
            ),
        ),
        right="b",
    ),
    Question(
        "01.exit.distances",
        "An RNN has just read the first of 1,000 tokens. How many steps away is the last one, in the RNN and in attention?",
        (
            Choice("999 and 1", "Yes: the RNN takes one step for each of the other 999 tokens, attention takes one."),
            Choice(
                "1,000 and 1",
                "Almost: the first token is already in the state when you begin to count. Each of the 999 others is a step.",
            ),
            Choice(
                "999 and 999",
                "An RNN needs 999. In attention, the last token looks directly at the first, so it needs 1.",
            ),
        ),
        right="a",
    ),
]
