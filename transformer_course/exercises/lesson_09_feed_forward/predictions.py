"""What learners guess in lesson 09, and the reply to each guess."""

from ..catalogue import Prediction

PREDICTIONS = [
    Prediction(
        "09.layers",
        right="c",
        replies={
            "a": "A matrix and a bias turn the mixtures 0, ½, ½, 1 into points on one straight line over them. The middle would have to "
            "be 1 while both ends are 0; a straight line has its middle half way between its ends.",
            "b": "To compare and then to decide sounds like two steps. But each step is a matrix, and two matrices in a row are one "
            "matrix: the second layer decides nothing that the first could not.",
            "c": "Not even 32 layers. All of it together is one matrix and a constant, and gives the two sums alike, where 2 and 0 are "
            "asked for.",
        },
    ),
    Prediction(
        "09.after",
        right="a",
        replies={
            "a": "Bent before, each token knows only of itself, and the mixture adds up what each has become. Bent after, something new "
            "can happen to the *two together*.",
            "b": "Something bends, but always one bit that knows nothing of the other. So [0, 1] and [1, 0] together hold the same bent "
            "bits as [0, 0] and [1, 1], and with weights of one half they come to the same sum.",
            "c": "Length does not help. Whatever a bit has become, however long, it has become the same in every row where it stands, "
            "and the mixture only adds: the two sums stay the same.",
        },
    ),
    Prediction(
        "09.parameters",
        right="a",
        replies={
            "a": "Two matrices of 512 × 2048 against four of 512 × 512: 8 d² against 4 d². In a layer of the paper's encoder, two "
            "thirds of the parameters are the FFN's.",
            "b": "Four matrices, but each is only 512 × 512. The two of the FFN are 512 × 2048 and back: each is as large as all four.",
            "c": "Heads share the width among them (lesson 05): eight heads of 64 columns are one matrix of 512, and cost nothing "
            "more.",
        },
    ),
    Prediction(
        "09.two_heads",
        right="b",
        replies={
            "a": "That was shown for weights that stay the same for all four rows. Here each row of bits makes weights of its own, and "
            "so each row gets another mixture.",
            "b": "One head takes the larger bit, the other the smaller one, and the matrix subtracts. What bends here "
            "are the weights: they depend on the bits.",
            "c": "½ for all is what remains when the weights are fixed. Here they depend on the bits, and the scores of 20 make them "
            "sharp: the answers are right to four digits.",
        },
    ),
]
