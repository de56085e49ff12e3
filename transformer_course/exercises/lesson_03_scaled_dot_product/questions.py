"""The questions of lesson 03: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "03.recall.two_points",
        "Two keys have scores 5 and 3. What is the ratio of their weights?",
        (
            Choice(
                "5 to 3",
                "Softmax takes exp first. Only the difference of 2 matters: adding 1 to a score multiplies the weight by e.",
            ),
            Choice("e² ≈ 7.4 to 1", "Yes: the difference is 2, and each step of 1 multiplies the weight by e."),
            Choice(
                "That depends on the other keys",
                "Each weight does, but not their *ratio*: both are divided by the same sum.",
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
                "The default LSTM had more and failed as well. With a different initial bias, and not one parameter "
                "more, it learned.",
            ),
            Choice(
                "Hardly any gradient reached that token",
                "Yes. What gets no gradient is not trained. Watch for the same problem below.",
            ),
            Choice(
                "It was not trained for long enough",
                "We did not try longer training. What we measured is the gradient: over 40 tokens, less than a "
                "millionth of a millionth of it arrived.",
            ),
        ),
        right="b",
        origin=("01",),
    ),
    Question(
        "03.recall.variance",
        "You multiply the numbers 4, 5 and 6 by 5. What happens to their variance, the mean squared distance from the mean?",
        (
            Choice(
                "Nothing, because the mean moves with them",
                "The mean does move, but each number is then five times as far from it.",
            ),
            Choice("It becomes 5 times as large", "The distances from the mean do. The variance squares them."),
            Choice(
                "It becomes 25 times as large",
                "Yes. And its square root, the *standard deviation*, becomes 5 times as large.",
            ),
        ),
        right="c",
        origin=("00",),
    ),
    Question(
        "03.back",
        "Suppose that *one* matrix W makes both the queries and the keys. It is not the identity. The query of *red* "
        "scores 5 with the key of *car*. What does the query of *car* score with the key of *red*?",
        (
            Choice(
                "5, whatever W is",
                "Yes. With one matrix, both scores are the dot product of the same two vectors: (red W) · (car W).",
            ),
            Choice(
                "that depends on W",
                "Then the two scores would have to come from different vectors. But both are the dot product of the "
                "same two vectors: (red W) · (car W).",
            ),
            Choice(
                "not 5, whatever W is",
                "The vectors *red* W and *car* W are different. But both scores multiply the same two, (red W) and (car "
                "W), in either order.",
            ),
        ),
        right="a",
    ),
    Question(
        "03.shape",
        "What is the shape of the output?",
        (
            Choice(
                "(2, 6)",
                "There is one row per query, so 2 is right. But the output is an average of values, and these have 5 "
                "numbers. The 6 disappeared when the tokens were multiplied by W_V.",
            ),
            Choice("(2, 5)", "Yes: one row per query, each an average of values, so as wide as a value."),
            Choice(
                "(3, 5)",
                "The width is right, since an average of values is as wide as they are. But each *query* gets one such "
                "average, and there are two queries.",
            ),
        ),
        right="b",
    ),
    Question(
        "03.spread",
        "Queries and keys get 256 numbers instead of 4, which is 64 times as many. By what factor does the standard "
        "deviation of the scores grow?",
        (
            Choice(
                "64",
                "It would, if all the products were always equal. But they are independent, and most of them cancel. The variance "
                "grows by 64, and the standard deviation by its square root, 8.",
            ),
            Choice(
                "16",
                "16 = √256 is the new standard deviation. At width 4 it was √4 = 2 already, so the factor is 8.",
            ),
            Choice(
                "8",
                "Yes: 64 times as many products give 64 times the variance, and √64 = 8 times the standard deviation.",
            ),
        ),
        right="c",
    ),
    Question(
        "03.slope",
        "A key has a weight of 0.999. Its score rises by 0.1. By how much does its weight rise?",
        (
            Choice(
                "by about 0.001, to 1",
                "It never reaches 1. The gap is 0.001, and raising the score by 0.1 closes about a tenth of it: 0.0001.",
            ),
            Choice("by about 0.0001", "Yes. The gap to 1 is 0.001, and raising the score by 0.1 closes about a tenth of it."),
            Choice(
                "by about 0.00001",
                "It rises ten times as much. The gap to 1 is 0.001, and raising the score by 0.1 closes about a tenth of it: "
                "0.0001.",
            ),
        ),
        right="b",
    ),
    Question(
        "03.training",
        "What happens without the division?",
        (
            Choice(
                "The model does not learn",
                'Most keys get hardly any gradient, but about a quarter can still be moved (see "Deeper"). That was '
                "enough here; it only took longer.",
            ),
            Choice(
                "It learns just as fast",
                "The model is free to make W_Q and W_K smaller itself, and we did not check whether it did. If it did, "
                "that saved no steps: learning took about twice as many.",
            ),
            Choice(
                "It learns more slowly",
                "Yes: it needs about twice as many steps. Starting saturated is slow, but not hopeless.",
            ),
        ),
        right="c",
    ),
    Question(
        "03.exit.one_matrix",
        "W_Q and W_K are the same matrix. What is then impossible?",
        (
            Choice("That a token attends mostly to itself", "It can, and often will: many vectors match themselves best."),
            Choice(
                "That token 1's query scores higher with token 2's key than token 2's query does with token 1's",
                "Yes: with one matrix, the score is the same in both directions.",
            ),
            Choice(
                "That the weights differ between the two directions",
                "They can, because each row is divided by its own sum. It is the *scores* that cannot differ.",
            ),
        ),
        right="b",
    ),
    Question(
        "03.exit.shapes",
        "5 tokens attend to 9 others, with d_model = 16, d_k = 4 and d_v = 12. What is the shape of the weight matrix, and "
        "what do all its entries sum to?",
        (
            Choice("5 × 9, and 5", "Yes: one row per query, and each of the five rows sums to 1."),
            Choice("5 × 12, and 5", "That is the shape of the output. A weight belongs to a query and a *key*."),
            Choice("5 × 9, and 1", "Each *row* sums to 1, and there are five rows."),
        ),
        right="a",
    ),
    Question(
        "03.exit.square_root",
        "Why do we divide the scores by √d_k, and not by d_k?",
        (
            Choice(
                "To make all scores smaller than 1",
                "Some are larger than 1 even then. It is their standard deviation that becomes 1.",
            ),
            Choice(
                "Variances add up, so the standard deviation of a sum grows with the square root",
                "Yes: the variance is d_k, the standard deviation √d_k.",
            ),
            Choice(
                "The square root is cheaper to compute",
                "It is a single number, computed once. Divided by d_k, the scores of wide vectors would shrink towards 0, "
                "and all weights would be nearly equal.",
            ),
        ),
        right="b",
    ),
]
