"""The questions of lesson 03: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "03.recall.two_points",
        "Two keys have scores 5 and 3. How do their weights compare?",
        (
            Choice("5 to 3", "Softmax takes exp first. Only the difference of 2 counts: each point is a factor of e."),
            Choice("e² ≈ 7.4 to 1", "Yes: two points of score, two factors of e."),
            Choice(
                "That depends on the other keys", "Each weight does, but not their *ratio*: both are divided by the same sum."
            ),
        ),
        right="b",
        origin=("02",),
    ),
    Question(
        "03.recall.fading",
        "Why did the RNN not learn to keep the first of 20 tokens?",
        (
            Choice(
                "It had too few parameters",
                "The LSTM as it came had more, and failed as well; with another bias at the start and not one "
                "parameter more, it learned.",
            ),
            Choice("Hardly any gradient reached that token", "Yes. What has no slope is not trained. It comes back below."),
            Choice(
                "It was not trained for long enough",
                "Nobody tried for longer. What was measured is that hardly any gradient got there: over 40 "
                "tokens, less than a millionth of a millionth of it.",
            ),
        ),
        right="b",
        origin=("01",),
    ),
    Question(
        "03.recall.variance",
        "The numbers 4, 5, 6 are multiplied by 5. What happens to their variance?",
        (
            Choice("Nothing: the mean moves with them", "The mean moves, but they also stray five times as far from it."),
            Choice("It becomes 5 times as large", "The distances from the mean do. The variance takes their squares."),
            Choice("It becomes 25 times as large", "Yes; and the *standard deviation*, its square root, 5 times."),
        ),
        right="c",
        origin=("00",),
    ),
    Question(
        "03.symmetric",
        "We try it with *one* matrix W for both, as in lesson 02, but not the identity. The score of *red*'s "
        "query with *car*'s key comes out as 5. What is the score of *car*'s query with *red*'s key?",
        (
            Choice(
                "5 as well",
                "One matrix for both makes both scores the same dot product, (red W) · (car W), read from either side.",
            ),
            Choice(
                "whatever we like: we can choose W so that it is 0",
                "To make one score 0 and leave the other, they would have to be different numbers. But with one "
                "matrix both are (red W) · (car W), read from either side.",
            ),
            Choice(
                "another number, but not 0: query and key are different vectors",
                "They are different vectors, *red* W and *car* W. But both scores multiply the same two: (red W) "
                "· (car W), read from either side.",
            ),
        ),
        right="a",
    ),
    Question(
        "03.shape",
        "What shape will the output have?",
        (
            Choice(
                "(2, 6), like the tokens that came in",
                "There is a row for each query, so 2 is right. But what is mixed are the values, and these have 5 "
                "numbers. The 6 of the tokens went when they were multiplied by W_V.",
            ),
            Choice("(2, 5)", "A row for each query, as wide as the values: each output is a mixture of values."),
            Choice(
                "(3, 5), a row for each value",
                "A mixture of values is as wide as they are, so 5 is right. But there is one mixture for each "
                "*query*, and there are two of these.",
            ),
        ),
        right="b",
    ),
    Question(
        "03.spread",
        "Queries and keys of 256 numbers instead of 4, which is 64 times as many. How much further do the scores "
        "stray from 0?",
        (
            Choice(
                "64 times as far",
                "That would be so if all products had the same sign. With both signs most of it cancels, and what "
                "is left grows with the root: 8 times.",
            ),
            Choice(
                "16 times as far",
                "16 = √256 is how far the scores stray now. At a width of 4 they strayed by √4 = 2, so it is 8 times as far.",
            ),
            Choice(
                "8 times as far",
                "64 times as many products give 64 times the variance, and 8 = √64 times the standard deviation.",
            ),
        ),
        right="c",
    ),
    Question(
        "03.slope",
        "A key has a weight of 0.999. Its score rises by 0.1. By how much does its weight rise?",
        (
            Choice(
                "by about 0.001, which takes it to 1",
                "It never gets to 1. It has 0.001 to go, and 0.1 of score closes about a tenth of this gap: 0.0001.",
            ),
            Choice("by about 0.0001", "It has 0.001 to go until 1, and 0.1 of score closes about a tenth of that gap."),
            Choice(
                "by about 0.00001",
                "Ten times as much: it has 0.001 to go until 1, and 0.1 of score closes about a tenth of this gap, 0.0001.",
            ),
        ),
        right="b",
    ),
    Question(
        "03.training",
        "Without the division, training",
        (
            Choice(
                "stays where it is: with such slopes there is no way out",
                "For most keys there is hardly any slope, but a batch asks for many keys, and some of them happen "
                "to have one. Here that was enough of a way out, only a slower one. Other tasks may be less kind.",
            ),
            Choice(
                "does as well, since it can make W_Q and W_K smaller by itself",
                "It is free to do so, and we have not looked whether it did. In any case it was no quick way out: "
                "it took about twice as many steps.",
            ),
            Choice(
                "takes longer, and gets there",
                "It takes about twice as many steps here, and gets there. A saturated start is slow, not hopeless.",
            ),
        ),
        right="c",
    ),
    Question(
        "03.exit.one_matrix",
        "W_Q and W_K are the same matrix. What is then impossible?",
        (
            Choice("A token attending mostly to itself", "It can, and often will: each vector matches itself well."),
            Choice(
                "Token 1 scoring token 2 higher than token 2 scores token 1", "Yes: one matrix, one score for both directions."
            ),
            Choice(
                "Weights that differ between the two directions",
                "They can, since each row is divided by its own sum (lesson 02). It is the *scores* that cannot differ.",
            ),
        ),
        right="b",
    ),
    Question(
        "03.exit.shapes",
        "5 tokens attend to 9 others; d_model = 16, d_k = 4, d_v = 12. How large is the table of weights, and "
        "what does it sum to?",
        (
            Choice("5 × 9, and 5", "Yes: a row for each query, and each row sums to 1."),
            Choice("5 × 12, and 5", "That is the shape of the output. Weights belong to a query and a *key*."),
            Choice("5 × 9, and 1", "Each row sums to 1, and there are five."),
        ),
        right="a",
    ),
    Question(
        "03.exit.square_root",
        "Why is the score divided by √d_k, and not by d_k?",
        (
            Choice(
                "To make scores smaller than 1",
                "Some are larger than 1 all the same. What is brought to 1 is how far they stray.",
            ),
            Choice(
                "Variances add up, so the spread of a sum grows with the root", "Yes: variance d_k, standard deviation √d_k."
            ),
            Choice(
                "The root is cheaper to compute",
                "It is one number, computed once. With d_k, wide scores would shrink towards 0, and all weights "
                "would become alike.",
            ),
        ),
        right="b",
    ),
]
