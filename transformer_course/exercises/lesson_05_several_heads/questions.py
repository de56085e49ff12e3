"""The questions of lesson 05: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "05.recall.mask",
        "You want some weights of a row to be 0. Where does the −∞ go?",
        (
            Choice(
                "Into the scores, before softmax",
                "Yes. If you masked after softmax, the forbidden keys would still be in the sum in the denominator.",
            ),
            Choice("Into the weights", "A weight of −∞ would make the output infinite. The weights *become* 0."),
            Choice("Into the values", "Then every average with a positive weight on them would be infinite."),
        ),
        right="a",
        origin=("04",),
    ),
    Question(
        "05.recall.width",
        "W_V has shape d_model × d_v. How wide is the output of attention?",
        (
            Choice("d_model", "Only if d_v = d_model."),
            Choice("d_v", "Yes: outputs are averages of values."),
            Choice("d_k", "Queries and keys have width d_k. They only determine the weights."),
        ),
        right="b",
        origin=("03",),
    ),
    Question(
        "05.recall.scores",
        "Let *red* = [1, 0], *car* = [0, 1] and *orange* = [1, 1], with the identity for all matrices. What are the "
        "unscaled scores of *orange* with the three?",
        (
            Choice("1, 1, 2", "Yes. Today you meet them again, divided by √2."),
            Choice("1, 1, 1", "Its score with itself is 1 × 1 + 1 × 1 = 2."),
            Choice("0, 0, 2", "It shares the first coordinate with *red*: 1 × 1 + 1 × 0 = 1."),
        ),
        right="a",
        origin=("02",),
    ),
    Question(
        "05.w_o",
        "What is the shape of W_O?",
        (
            Choice(
                "3 × 3",
                "That would fit if the two heads together had 3 numbers. But each has 2, and W_O has to take all four.",
            ),
            Choice("4 × 3", "Yes: two heads of 2 numbers make 4, and a token has 3."),
            Choice(
                "2 × 3",
                "Each head has its own rows in W_O, one for each of its numbers: 2 and 2 make 4.",
            ),
        ),
        right="b",
    ),
    Question(
        "05.reshape",
        "`Q.reshape(2, 3, 2)` has this shape. Does it hold the queries of the two heads?",
        (
            Choice(
                "yes: it has the same twelve numbers, in the right shape",
                "It has the right numbers in the wrong places. `reshape` reads row by row, so the first half holds "
                "*red* and half of *car*, and the second holds the rest of *car* and all of *orange*.",
            ),
            Choice(
                "no: each half of it holds the numbers of one and a half tokens",
                "Yes. `reshape` reads row by row. The first half holds all of *red* and part of *car*, with both heads' columns, and "
                "the second half holds the rest.",
            ),
            Choice(
                "only those of head 1, since it starts with the same numbers",
                "Only the first row is right. The second row is the *second half of red*, which belongs to head 2. It "
                "should be the first half of *car*.",
            ),
        ),
        right="b",
    ),
    Question(
        "05.neighbours",
        "What will the model with *one* head learn?",
        (
            Choice(
                "to attend to both neighbours, half and half, and to name both",
                "It does attend to both, nearly half and half. But both answers are read from the same average, and only one "
                "of them comes out right.",
            ),
            Choice(
                "to attend to one neighbour, and to name that one",
                "It does name only one. But it attends to both: nearly always, its two most likely tokens are the two "
                "neighbours. Only the one with the larger weight is named.",
            ),
            Choice(
                "to attend to both neighbours, but to name only one",
                "Yes. It finds both tokens. But both answers are read from the same average, and only the neighbour with the "
                "larger weight is named.",
            ),
            Choice(
                "to attend to both neighbours, but to name neither",
                "It does attend to both. But the two weights are not quite equal, and training makes use of that: the "
                "neighbour with the larger weight comes out right.",
            ),
        ),
        right="c",
    ),
    Question(
        "05.cost",
        "A layer with $d_\\text{model} = 512$ gets eight heads of width 64 in place of one of width 512. The sequence has 100 "
        "tokens. Which of these grows?",
        (
            Choice(
                "the number of parameters",
                "It would, if all eight heads had the full width. Here they share it: 8 × 64 columns are the same 512.",
            ),
            Choice(
                "the number of multiplications for all scores",
                "There are eight times as many scores, but each takes an eighth of the multiplications.",
            ),
            Choice(
                "the number of attention weights",
                "Yes. Each head has its own n × n weights, however narrow it is. The other two stay the same, because the "
                "heads share the width.",
            ),
        ),
        right="c",
    ),
    Question(
        "05.mask",
        "Which heads get the mask of their own sequence?",
        (
            Choice(
                "all four heads",
                "The shapes fit by accident. Shapes are aligned from the right, so the mask's axis of "
                "sequences meets the scores' axis of heads.",
            ),
            Choice(
                "both heads of sequence 1, and none of sequence 2",
                "That would be so if the mask of sequence 1 were used everywhere. But shapes are aligned from the right, so the mask's "
                "axis of sequences meets the scores' axis of heads: head 1 always gets the mask of sequence 1, and head 2 that "
                "of sequence 2.",
            ),
            Choice(
                "head 1 of sequence 1, and head 2 of sequence 2",
                "Yes. Shapes are aligned from the right, so the mask's axis of sequences meets the scores' axis of "
                "heads. In every sequence, head 1 gets the mask of sequence 1, and head 2 that of sequence 2. So two of "
                "the four heads are right, by accident.",
            ),
        ),
        right="c",
    ),
    Question(
        "05.exit.w_o",
        "Four heads with d_v = 5 in a model of width 12. What is the shape of W_O?",
        (
            Choice("12 × 12", "For that, h · d_v would have to be d_model. Here h · d_v = 20."),
            Choice("20 × 12", "Yes: from the concatenated heads to the width of the model."),
            Choice("5 × 12", "W_O gets all heads at once: 4 · 5 = 20 numbers per token."),
        ),
        right="b",
    ),
    Question(
        "05.exit.reshape",
        "Your program turns (n, h·d_k) into (h, n, d_k) with a single reshape. All shapes are right. How can you find the bug?",
        (
            Choice("By printing more shapes", "They are all right."),
            Choice(
                "By comparing numbers: head 1 must hold the first d_k columns",
                "Yes. Use at least two tokens and two heads: with a single token or a single head, both ways agree.",
            ),
            Choice(
                "By waiting: training will fail",
                "It need not. You have built a different model, and it may learn something too.",
            ),
        ),
        right="b",
    ),
    Question(
        "05.exit.one_head",
        '"One head cannot attend to two tokens." What would you answer?',
        (
            Choice("That is true, we measured it", "We measured the opposite: it attended to both, nearly half and half."),
            Choice(
                "It can, but a linear map could not read both from one average",
                "Yes. With a second layer or a nonlinearity, one head named both.",
            ),
            Choice(
                "It can, if it is trained for longer",
                'It attends to both already. What failed was naming both. (Longer training does not change that; see "Deeper".)',
            ),
        ),
        right="b",
    ),
]
