"""The questions of lesson 09: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "09.recall.row_50",
        "Positions 0 to 19 have rows in a learned table that were trained; the table has 80 rows. What does the "
        "model know of position 50?",
        (
            Choice(
                "What it knows of position 19, a little worse",
                "A learned row has nothing to do with its neighbours unless training made it so, and row 50 was "
                "never trained.",
            ),
            Choice("Nothing: its row is as it was at the start", "Yes. A table knows the rows that it was trained on."),
            Choice("That it stands in the second half of the table", "Nothing in a table says which row comes after which."),
        ),
        right="b",
        origin=("08",),
    ),
    Question(
        "09.recall.shuffled",
        "Attention without mask and positions reads a text, and then the same text shuffled. Its outputs are",
        (
            Choice("the same vectors, in the new order", "Yes. Attention alone takes a text for a set of tokens."),
            Choice(
                "the same vectors, in the old order",
                "Then an output would stay behind when its token moves. It moves along with it.",
            ),
            Choice(
                "other vectors: each token has other neighbours",
                "It mixes all of them, wherever they stand. Nothing in it knows who is next to whom.",
            ),
        ),
        right="a",
        origin=("06",),
    ),
    Question(
        "09.recall.triangle",
        "Three values are the corners of a triangle. Where can attention's outputs lie?",
        (
            Choice("Anywhere", "Weights are not negative and sum to 1: an output lies between the values."),
            Choice(
                "Inside the triangle, its edges included",
                "Yes. The triangle is called the **hull** of the three values. Today something leaves it.",
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
                "one, if the matrix after the mixture is well chosen",
                "A matrix and a bias turn the mixtures 0, ½, ½, 1 into points on one straight line over them. The "
                "middle would have to be 1 while both ends are 0; a straight line has its middle half way between "
                "its ends.",
            ),
            Choice(
                "two: one to compare, one to decide",
                "To compare and then to decide sounds like two steps. But each step is a matrix, and two matrices "
                "in a row are one matrix: the second layer decides nothing that the first could not.",
            ),
            Choice(
                "no number of layers is enough",
                "Not even 32 layers. All of it together is one matrix and a constant, and gives the two sums "
                "alike, where 2 and 0 are asked for.",
            ),
        ),
        right="c",
    ),
    Question(
        "09.after",
        "Can such a layer, with a matrix behind it, answer 0, 1, 1, 0?",
        (
            Choice(
                "no, however long the vectors are",
                "Bent before, each token knows only of itself, and the mixture adds up what each has become. Bent "
                "after, something new can happen to the *two together*.",
            ),
            Choice(
                "yes: something bends, and it does not matter where",
                "Something bends, but always one bit that knows nothing of the other. So [0, 1] and [1, 0] "
                "together hold the same bent bits as [0, 0] and [1, 1], and with weights of one half they come to "
                "the same sum.",
            ),
            Choice(
                "yes, once the vectors are long enough",
                "Length does not help. Whatever a bit has become, however long, it has become the same in every "
                "row where it stands, and the mixture only adds: the two sums stay the same.",
            ),
        ),
        right="a",
    ),
    Question(
        "09.parameters",
        "In the paper's model, $d_\\text{model} = 512$, there are 8 heads, and $d_\\text{ff} = 2048$. Of one "
        "attention and one FFN, which has more parameters?",
        (
            Choice(
                "the FFN, about twice as many",
                "Two matrices of 512 × 2048 against four of 512 × 512: 8 d² against 4 d². In a layer of the "
                "paper's encoder, two thirds of the parameters are the FFN's.",
            ),
            Choice(
                "attention: it has four matrices, the FFN only two",
                "Four matrices, but each is only 512 × 512. The two of the FFN are 512 × 2048 and back: each is "
                "as large as all four.",
            ),
            Choice(
                "attention: it has eight heads, and each has matrices of its own",
                "Heads share the width among them (lesson 05): eight heads of 64 columns are one matrix of 512, "
                "and cost nothing more.",
            ),
        ),
        right="a",
    ),
    Question(
        "09.two_heads",
        "No FFN, no bend. One layer with *two heads*; a matrix puts together what they bring; and now the weights "
        "come from the bits themselves, by softmax. Can it answer 0, 1, 1, 0?",
        (
            Choice(
                "no: outputs are mixtures, a matrix follows, and what is linear cannot do it",
                "That was shown for weights that stay the same for all four rows. Here each row of bits makes "
                "weights of its own, and so each row gets another mixture.",
            ),
            Choice(
                "yes, as exactly as you like: which bit a head takes can depend on the bits",
                "One head takes the larger bit, the other the smaller one, and the matrix subtracts. What bends "
                "here are the weights: they depend on the bits.",
            ),
            Choice(
                "only approximately: somewhere near ½ for all four rows",
                "½ for all is what remains when the weights are fixed. Here they depend on the bits, and the "
                "scores of 20 make them sharp: the answers are right to four digits.",
            ),
        ),
        right="b",
    ),
    Question(
        "09.exit.without_relu",
        "A network 4 → 16 → 4 without its bend. Which smaller thing does exactly the same?",
        (
            Choice("A network 4 → 4 → 4 with a bend", "That bends, and the one without does not."),
            Choice("One 4 × 4 matrix and one bias", "Yes: W₁W₂, and b₁W₂ + b₂."),
            Choice(
                "Nothing: 16 hidden numbers hold more",
                "They hold no more than the four numbers that came in, mixed in sixteen ways.",
            ),
        ),
        right="b",
    ),
    Question(
        "09.exit.linear",
        '"Without the FFN, a Transformer is linear." What would you answer?',
        (
            Choice(
                "True: attention only mixes",
                "It mixes with weights that depend on what it mixes. Two heads told whether two bits differ.",
            ),
            Choice(
                "True for fixed weights; weights that come from the content bend too",
                "Yes. And in our trial, hinges learned quickly what three layers of attention did not learn in 300 steps.",
            ),
            Choice(
                "False: the FFN plays no part",
                "With the bend it learned six bits, with the same parameters and no bend it did not.",
            ),
        ),
        right="b",
    ),
]
