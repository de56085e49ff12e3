"""The questions of lesson 09: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "09.recall.row_50",
        "A learned table has 80 rows, and rows 0 to 19 were trained. What does the model know about position 50?",
        (
            Choice(
                "What it knows about position 19, only less precisely",
                "A learned row has nothing to do with its neighbours unless training made it so, and row 50 was "
                "never trained.",
            ),
            Choice(
                "Nothing: its row still has its original random numbers", "Yes. A table knows only the rows that were trained."
            ),
            Choice("That it is in the second half of the table", "Nothing in a table says which row comes after which."),
        ),
        right="b",
        origin=("08",),
    ),
    Question(
        "09.recall.shuffled",
        "Attention without a mask or positions reads a text, and then the same text shuffled. Its outputs are",
        (
            Choice(
                "the same vectors, in the new order", "Yes. Without positions, attention treats a text as a set of tokens."
            ),
            Choice(
                "the same vectors, in the old order",
                "Then each output would stay where it was when its token moved. In fact, it moves with the token.",
            ),
            Choice(
                "different vectors: each token has different neighbours",
                "Each output is a weighted average of all tokens, wherever they are. Attention does not know which are neighbours.",
            ),
        ),
        right="a",
        origin=("06",),
    ),
    Question(
        "09.recall.triangle",
        "Three values are the corners of a triangle. Where can attention's outputs lie?",
        (
            Choice("Anywhere", "The weights are not negative and sum to 1, so an output lies between the values."),
            Choice(
                "Inside the triangle, its edges included",
                "Yes. The triangle is called the **convex hull** of the three values.",
            ),
        ),
        right="b",
        origin=("02",),
    ),
    Question(
        "09.layers",
        "How many such layers does it take to answer 0, 1, 1, 0?",
        (
            Choice(
                "One is enough",
                "A matrix and a bias turn the averages 0, ½, ½, 1 into points on a straight line. The line would have "
                "to be 0 at both ends and 1 in the middle. The middle of a straight line is halfway between its ends.",
            ),
            Choice(
                "Two, and no fewer",
                "Comparing and then deciding sounds like two steps. But each step is a matrix, and two matrices in a "
                "row are equivalent to one: the second layer can do nothing that the first could not.",
            ),
            Choice(
                "No number is enough",
                "Not even 32 layers. Together they are one matrix and a constant, so both sums are equal. They should be 2 and 0.",
            ),
        ),
        right="c",
    ),
    Question(
        "09.after",
        "Can such a layer, followed by a matrix, answer 0, 1, 1, 0?",
        (
            Choice(
                "No, however long the vectors are",
                "If ReLU comes first, it sees each bit by itself, and the average only adds up the results. If it comes after the "
                "average, it sees *both bits together*.",
            ),
            Choice(
                "Yes, for vectors of any length",
                "There is a nonlinearity, but it always sees a single bit, without the other. So [0, 1] and "
                "[1, 0] together contain the same vectors as [0, 0] and [1, 1], and with weights of one half,"
                " they have the same sum.",
            ),
            Choice(
                "Yes, once the vectors are long enough",
                "Length does not help. Whatever vector a bit becomes, it is the same vector in every row that contains the bit, "
                "and the average only adds. The two sums stay equal.",
            ),
        ),
        right="a",
    ),
    Question(
        "09.parameters",
        "In the model of the original Transformer paper, $d_\\text{model} = 512$, there are 8 heads, and "
        "$d_\\text{ff} = 2048$. Which has more parameters, one attention or one FFN?",
        (
            Choice(
                "The FFN: it is four times as wide inside",
                "It has about twice as many: two matrices of 512 × 2048 against four of 512 × 512, or 8 d² against 4 d².",
            ),
            Choice(
                "Attention: it has four matrices, the FFN only two",
                "It has four matrices, but each is only 512 × 512. The FFN's two are 512 × 2048 and 2048 × 512: each is as "
                "large as all four together.",
            ),
            Choice(
                "Attention: it has eight heads, and each has matrices of its own",
                "The heads share the width (lesson 05): eight heads of 64 columns make one matrix of 512 columns, and add no "
                "parameters.",
            ),
        ),
        right="a",
    ),
    Question(
        "09.two_heads",
        "There is no FFN and no activation function. One layer has *two heads*, followed by a matrix, and the weights now come "
        "from the bits, by softmax. Can it answer 0, 1, 1, 0?",
        (
            Choice(
                "No: outputs are averages, a matrix follows, and nothing linear can do it",
                "That was shown for weights that are the same for all four rows. Here each row of bits has its own weights.",
            ),
            Choice(
                "Yes, as exactly as you like: which bit a head picks can depend on the bits",
                "One head picks the larger bit, the other the smaller one, and the matrix subtracts. The weights are the "
                "nonlinear part, because they depend on the bits.",
            ),
            Choice(
                "Only approximately: somewhere near ½ for all four rows",
                "½ for all rows is the best you can do with fixed weights. Here they depend on the bits. With scores of "
                "±20, nearly all the weight is on one bit, and the answers are right to four decimal places.",
            ),
        ),
        right="b",
    ),
    Question(
        "09.exit.without_relu",
        "You remove the activation function from a network 4 → 16 → 4. Which smaller network computes exactly the same "
        "function?",
        (
            Choice("A network 4 → 4 → 4 with ReLU", "That is not linear, and the network without ReLU is."),
            Choice("One 4 × 4 matrix and one bias", "Yes: W₁W₂, and b₁W₂ + b₂."),
            Choice(
                "Nothing: 16 hidden units contain more",
                "They contain no more than the four numbers that came in, combined in sixteen ways.",
            ),
        ),
        right="b",
    ),
    Question(
        "09.exit.linear",
        '"Without the FFN, a Transformer is linear." What do you answer?',
        (
            Choice(
                "True: attention only averages",
                "With fixed weights, yes. But real attention computes its weights from the tokens, and that is a nonlinearity.",
            ),
            Choice(
                "True for fixed weights; weights that come from the tokens are nonlinear too",
                "Yes. The FFN is not the only nonlinearity, but it is the one that works on each token separately.",
            ),
            Choice(
                "False: without the FFN nothing changes",
                "A lot changes: with fixed weights, no stack of attention and matrices can tell whether two bits differ.",
            ),
        ),
        right="b",
    ),
]
