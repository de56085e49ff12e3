"""The questions of lesson 01: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "01.recall.weighted_average",
        "What is the weighted average of 0 and 8, with weights 0.25 and 0.75?",
        (
            Choice("4", "That is the plain average, where both weigh the same. Here 0.25 × 0 + 0.75 × 8 = 6."),
            Choice("6", "Yes: 0.25 × 0 + 0.75 × 8. One of the readers below does exactly this with vectors."),
            Choice(
                "8",
                "The larger weight pulls the result towards 8, and the other still pulls a little towards 0: 0.25 "
                "× 0 + 0.75 × 8 = 6.",
            ),
        ),
        right="b",
        origin=("00",),
    ),
    Question(
        "01.recall.zero_slope",
        "A function has slope 0 at some place. You move its input a little. What happens to its result?",
        (
            Choice(
                "(Nearly) nothing",
                "Yes. A slope is the factor by which a small step is multiplied; times 0, nothing is left. "
                "Training uses such slopes, so where they are 0, it learns nothing.",
            ),
            Choice("It moves as much as the input", "That would be slope 1."),
            Choice("It becomes 0", "The *slope* is 0, not the result: the result stays what it is."),
        ),
        right="a",
        origin=("00",),
    ),
    Question(
        "01.fading",
        "How much of the first token is left after *fifty* further tokens?",
        (
            Choice(
                "about a third: 0.9 is close to 1",
                "A third is left after ten tokens, and a third of that after ten more. Fifty tokens are nearly "
                "five such steps down.",
            ),
            Choice(
                "about a tenth",
                "A tenth is left after 22 tokens, and a tenth of that after 22 more: that is a hundredth already, "
                "and there are six to go.",
            ),
            Choice(
                "less than a hundredth",
                "0.9 multiplied by itself fifty times is about 0.005. What shrinks by a factor at each step is gone soon.",
            ),
        ),
        right="c",
    ),
    Question(
        "01.recall",
        "Who learns to name the first of *twenty* tokens?",
        (
            Choice(
                "all three: the rule is simple, and 300 steps are enough to find it",
                "The rule is simple, and at five tokens all three found it. At twenty, two of them did not, with "
                "any seed. It is not the rule that has become harder, but the way to the first token.",
            ),
            Choice(
                "the LSTM and attention",
                "LSTMs were invented to remember for longer, and at ten tokens most of ours do. At twenty none "
                "did, as we set them up.",
            ),
            Choice(
                "attention alone",
                "It looks at the first token directly, however many stand between. The others have to carry it "
                "through all of them. Whether they *could* learn that is the next question.",
            ),
        ),
        right="c",
    ),
    Question(
        "01.gradient",
        "A text of 40 tokens. Which reader has the largest gradient at token 1?",
        (
            Choice(
                "all four about the same, since none has learned anything yet",
                "Nothing has been learned, and yet they differ by more than ten powers of ten: what decides is "
                "the path that the slope has to take, and the numbers that happen to stand along it at the start.",
            ),
            Choice(
                "attention: it alone reaches token 1 in one step",
                "It does reach token 1 in one step, and its line is level. But before training it gives each of "
                "40 tokens only about a fortieth of its weight. The LSTM with bias log T keeps more than that.",
            ),
            Choice(
                "the LSTM with bias log T",
                "Its gates keep nearly everything at each token, and of that more arrives than attention gives to "
                "one token of 40. Both lines are level, though, and that is what matters for learning.",
            ),
        ),
        right="c",
    ),
    Question(
        "01.layers",
        "65 tokens, kernel 3. How many layers from the first to the last?",
        (
            Choice(
                "7, since each layer doubles what has been reached",
                "It would, if each layer left gaps twice as wide as the one before; see the second line of the "
                "output. Plain layers all see only their next neighbours, and reach one place further each.",
            ),
            Choice(
                "22, since each layer covers three places, and 65 / 3 is 21.7",
                "A kernel of 3 looks at three places, but one of them is the middle, and the others lie on two "
                "sides. Towards the last token it reaches one place further a layer, not three.",
            ),
            Choice(
                "64, since each layer gets one place further",
                "One place further for each layer, and each layer waits for the one below: as many steps as in "
                "the recurrent network.",
            ),
        ),
        right="c",
    ),
    Question(
        "01.exit.lstm_claim",
        'Somebody writes: "LSTMs cannot remember anything for twenty tokens." What do you say?',
        (
            Choice(
                "It is so: we saw it fail with three seeds",
                "Three seeds of *one* way to start. The same network with other biases at the start answered at "
                "least 99 of 100 texts of 50 tokens.",
            ),
            Choice(
                "Ask how its forget gates started",
                "Yes. Where about half is kept at each token, next to nothing of token 1 is left, and next to no "
                "gradient leads back to it. Where T/(T+1) was kept, it learned.",
            ),
            Choice(
                "It is not so: with more training it would have learned",
                "Perhaps. But we have not shown that. In 300 steps it did not; what we did see is that hardly any "
                "gradient arrived.",
            ),
        ),
        right="b",
    ),
    Question(
        "01.exit.quicker",
        "In which sense is attention quicker than an RNN?",
        (
            Choice(
                "It needs fewer multiplications",
                "It needs more than an RNN at every length, ten times as many at 4096 tokens of 512 numbers.",
            ),
            Choice("In reading, fewer operations have to wait for others", "Yes: the chain does not grow with the text."),
            Choice(
                "It always takes fewer seconds",
                "It works more and waits less. Which of them counts depends on the machine and on the length.",
            ),
        ),
        right="b",
    ),
    Question(
        "01.exit.distances",
        "How far is the first of 1,000 tokens from the last: for an RNN, for convolutions with doubling gaps, for attention?",
        (
            Choice("999, 10, 1", "Yes. Doubling gaps reach 1 + 2 + 4 + … = 1,023 in ten layers."),
            Choice(
                "1,000, about 500, 1",
                "999 steps for the RNN. Doubling gaps reach twice as far with each layer: 1,023 after ten.",
            ),
            Choice(
                "999, 999, 1",
                "Plain convolutions of 3 take 999 layers. With doubling gaps, each layer reaches twice as far: "
                "1,023 after ten.",
            ),
        ),
        right="a",
    ),
]
