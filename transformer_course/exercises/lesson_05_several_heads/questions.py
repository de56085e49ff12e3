"""The questions of lesson 05: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "05.recall.mask",
        "A row of weights is masked: where does the −∞ go?",
        (
            Choice(
                "Into the scores, before softmax",
                "Yes. Masked after softmax, the forbidden keys are still in the sum below the fraction bar.",
            ),
            Choice("Into the weights", "A weight of −∞ would make the output infinite. The weights *become* 0."),
            Choice("Into the values", "Then every mixture with a share of them is infinite."),
        ),
        right="a",
        origin=("04",),
    ),
    Question(
        "05.recall.width",
        "W_V has shape d_model × d_v. How wide is the output?",
        (
            Choice("d_model", "Only if d_v = d_model."),
            Choice("d_v", "Yes: outputs are mixtures of values."),
            Choice("d_k", "Queries and keys have width d_k. They make the weights, and are gone after that."),
        ),
        right="b",
        origin=("03",),
    ),
    Question(
        "05.recall.scores",
        "Three tokens [1, 0], [0, 1], [1, 1], unscaled, all matrices the identity. The scores of token 3 are",
        (
            Choice("1, 1, 2", "Yes. Today you meet them again, divided by √2."),
            Choice("1, 1, 1", "With itself it scores 1 × 1 + 1 × 1 = 2."),
            Choice("0, 0, 2", "With token 1 it shares the first coordinate: 1 × 1 + 1 × 0 = 1."),
        ),
        right="a",
        origin=("02",),
    ),
    Question(
        "05.w_o",
        "What shape does W_O have?",
        (
            Choice(
                "3 × 3, that is, d_model × d_model",
                "That would fit if the heads together were 3 wide. But two heads of 2 numbers are 4, and W_O has "
                "to take all four.",
            ),
            Choice("4 × 3", "Two heads of 2 numbers side by side make 4, and the tokens have 3."),
            Choice(
                "2 × 3, used for both heads",
                "Each head has rows of its own in W_O, as many as it brings numbers: 2 and 2 make 4.",
            ),
        ),
        right="b",
    ),
    Question(
        "05.reshape",
        "`Q.reshape(2, 3, 2)` has this shape. Does it hold the two heads' queries?",
        (
            Choice(
                "yes, both: the same twelve numbers, in the right shape",
                "The right shape and the right numbers, in the wrong places. What should be one head's part of "
                "every token is every number of some tokens.",
            ),
            Choice(
                "neither: each part gets some of the tokens, with all their columns",
                "It cuts the numbers where they lie, row by row. So each part gets one and a half tokens with all "
                "their columns, and not all tokens with half of their columns.",
            ),
            Choice(
                "head 1's, since it starts with the same numbers; not head 2's",
                "Only its first row is right. Its second row is the *second half of token 1*, which belongs to "
                "head 2, where the first half of token 2 should be.",
            ),
        ),
        right="b",
    ),
    Question(
        "05.neighbours",
        "What does the model with *one* head learn?",
        (
            Choice(
                "to attend to both neighbours, half and half, and name both",
                "It does attend to both, nearly half and half. But both answers are read off one and the same "
                "mixture, and only one of them comes out right.",
            ),
            Choice(
                "to attend to one of them, and name that one",
                "It does name only one of them. But it attends to both: which two they are can nearly always be "
                "read off. What it cannot do is name the one with the smaller share alone.",
            ),
            Choice(
                "to attend to both, and name one of them",
                "It finds both, and which two they are can be read off. Yet it names only one of them: both "
                "answers are read off one and the same mixture.",
            ),
        ),
        right="c",
    ),
    Question(
        "05.cost",
        "A layer with $d_\\text{model} = 512$ gets eight heads of width 64 instead of one of width 512, for a text "
        "of 100 tokens. Which of these grows?",
        (
            Choice(
                "the parameters",
                "Eight heads of the full width would have eight times as many. Here they share the width: 8 × 64 "
                "columns are the same 512.",
            ),
            Choice(
                "the multiplications that it takes to make all scores",
                "There are eight times as many scores, and each is made of an eighth of the products. That comes out even.",
            ),
            Choice(
                "the weights that have to be kept",
                "Each head has a table of its own, n × n, however narrow it is. Parameters and these "
                "multiplications stay as they were, since the heads share the width.",
            ),
        ),
        right="c",
    ),
    Question(
        "05.mask",
        "Which heads of which texts get the mask of their own text?",
        (
            Choice(
                "all four, since the shapes fit",
                "The shapes fit, but wrongly: lined up from the right, the mask's first axis, the texts, comes to "
                "lie on the heads.",
            ),
            Choice(
                "both heads of text 1, and none of text 2",
                "It is not that text 1's mask goes everywhere: lined up from the right, the mask's first axis, "
                "the texts, lies on the heads. Head 1 gets text 1's mask in both texts, and head 2 that of text "
                "2.",
            ),
            Choice(
                "head 1 of text 1, and head 2 of text 2",
                "Lined up from the right, the mask's first axis, the texts, lies on the heads. So head 1 gets "
                "text 1's mask, and head 2 text 2's, in every text. Two of four are right by accident.",
            ),
        ),
        right="c",
    ),
    Question(
        "05.exit.w_o",
        "Four heads with d_v = 5 in a model of width 12. What shape has W_O?",
        (
            Choice("12 × 12", "That needs h · d_v = d_model. Here h · d_v = 20."),
            Choice("20 × 12", "Yes: from the heads side by side to the width of the model."),
            Choice("5 × 12", "W_O gets all heads at once, side by side: 4 · 5 = 20 numbers for each token."),
        ),
        right="b",
    ),
    Question(
        "05.exit.reshape",
        "Somebody turns (n, h·d_k) into (h, n, d_k) by one reshape, and all shapes are right. How do you find the fault?",
        (
            Choice("By looking at more shapes", "They are all right."),
            Choice(
                "By comparing numbers: head 1 must be the first d_k columns",
                "Yes. With one token or one head even that shows nothing, since then both ways agree.",
            ),
            Choice("Training will fail", "It need not: what comes out is another model, and that may learn something too."),
        ),
        right="b",
    ),
    Question(
        "05.exit.one_head",
        '"One head cannot attend to two things." What would you answer?',
        (
            Choice("True, we have measured it", "We have measured the opposite: it attended to both, nearly half and half."),
            Choice(
                "It can; what failed was to read both off one mixture",
                "Yes: with a linear map, in one layer. Depth or a bend helped.",
            ),
            Choice(
                "It can, if it is trained for longer",
                "It does so already. And three times as long did not help it to name both.",
            ),
        ),
        right="b",
    ),
]
