"""The questions of lesson 04: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "04.recall.row_sums",
        "Three tables: the scores, the weights, the outputs. Whose rows must sum to 1?",
        (
            Choice("Those of the scores", "Scores may be any numbers. Softmax makes weights of them."),
            Choice("Those of the weights", "Yes: each query shares out 1 among all keys."),
            Choice("Those of the outputs", "An output is a mixture of values; its numbers sum to whatever they do."),
        ),
        right="b",
        origin=("03",),
    ),
    Question(
        "04.recall.three_points",
        "A key's score falls by 3. By what is its share divided, compared with the other keys' shares?",
        (
            Choice("3", "Each *point* of score is a factor of e, so three points are e · e · e."),
            Choice("About 20", "Yes: e³ = 20.1. And however far the score falls, on paper the share never becomes 0."),
            Choice(
                "It becomes 0",
                "On paper exp is never 0, however low the score: three points lower is a share about 20 times smaller.",
            ),
        ),
        right="b",
        origin=("02",),
    ),
    Question(
        "04.recall.convolutions",
        "How many layers do convolutions of 3 need to carry something over 64 places?",
        (
            Choice("64", "Yes: one place further for each layer. Today, too, you ask what reaches what."),
            Choice("1", "That is attention. A convolution of 3 sees a token and its two neighbours."),
            Choice("22", "A kernel of 3 reaches *one* place further on each side."),
        ),
        right="a",
        origin=("01",),
    ),
    Question(
        "04.row",
        "What weights should token 2 have?",
        (
            Choice(
                "the softmax of scores 0, 1, 1, with the last weight then set to 0",
                "Its share of token 3 is 0, as it should be. But the row sums to 0.5777, and not to 1. We come back to this.",
            ),
            Choice(
                "the softmax of scores 0, 1, 0: the forbidden score is set to 0",
                "A score of 0 forbids nothing: exp(0) = 1 is a share like any other, and token 3 would get 0.2119.",
            ),
            Choice(
                "the softmax of scores 0, 1, and 0 for token 3",
                "1 is shared out between scores 0 and 1, one point apart, so by a factor of e.",
            ),
        ),
        right="c",
    ),
    Question(
        "04.late",
        "Token 3 is replaced by another one. With weights that are set to 0 *after* softmax, can the output of "
        "token 1 change?",
        (
            Choice(
                "yes, when token 3's score with token 1 changes",
                "Token 3 stands in the sum that the weights were divided by, before its own was crossed out. So "
                "the output follows its score: with [1, 5] the score is 1 as before, and nothing moves.",
            ),
            Choice(
                "yes, when the new token 3 is a longer vector than the old one",
                "[1, 5] is much longer, and nothing moves; [0.5, 0] is shorter, and the output moves. What counts "
                "is the score with token 1, for it stands in the sum below the fraction bar.",
            ),
            Choice(
                "no, its weight for token 3 is 0",
                "Its weight is 0 *now*. But before it was crossed out, it stood in the sum that all other weights "
                "were divided by, and they have kept the trace.",
            ),
        ),
        right="a",
    ),
    Question(
        "04.padding",
        "Which shape will the padding mask have? (An axis of length 1 is stretched to fit.)",
        (
            Choice(
                "(2, 1, 4)",
                "One row of keys for each text. The middle axis is stretched over all queries: what is padding "
                "for one is padding for all.",
            ),
            Choice(
                "(2, 4, 1)",
                "This would say which *queries* are real. But it is as a key that padding does harm: there it "
                "takes a share of every real token's attention.",
            ),
            Choice(
                "(4, 4)",
                "One table for all texts would have to fit all their lengths at once. Each text needs a mask of its own.",
            ),
        ),
        right="a",
    ),
    Question(
        "04.conventions",
        "With this mask, does either of them look ahead?",
        (
            Choice(
                "neither of them",
                'One would hope so. But in nn.MultiheadAttention, True means "may not look", and with a causal '
                "mask it looks only ahead.",
            ),
            Choice(
                "both",
                'The function does not: for it, True means "may look", as in this course. The module reads it the other way.',
            ),
            Choice("the module alone", 'For nn.MultiheadAttention, True means "may not look". It needs the mask\'s opposite.'),
            Choice(
                "the function alone",
                'For the function, True means "may look", as in this course. It is the module that reads it the other way.',
            ),
        ),
        right="c",
    ),
    Question(
        "04.dropout",
        "With p = 0.25, the weights of a row after dropout",
        (
            Choice(
                "sum to 0.75 on average",
                "That is what would be left if nothing made up for it. Dividing the others by 0.75 brings the "
                "average back to 1.",
            ),
            Choice(
                "sum to 1 on average, but not in each draw",
                "A fixed factor of 1/(1−p) makes up for what is lost on average. In a single draw of three "
                "weights the sum may be 0, or 4/3, or one of a few sums between.",
            ),
            Choice(
                "sum to 1 in each draw, since the division makes up for what is missing",
                "It is a fixed division by 1−p, however many were set to 0 in this draw. So it makes up for them "
                "on average, and not each time.",
            ),
        ),
        right="b",
    ),
    Question(
        "04.exit.zeros_above",
        "In a table of weights, all cells above the diagonal are 0. What does this show?",
        (
            Choice(
                "That no output depends on a later token",
                "The weights masked after softmax had those zeros too, and every output depended on everything.",
            ),
            Choice("Nothing yet: change each token and see which outputs move", "Yes, each token and every output."),
            Choice("That the rows sum to 1", "Not even that: masked after softmax, they do not."),
        ),
        right="b",
    ),
    Question(
        "04.exit.padding_shape",
        "In a batch of 8 texts with up to 20 tokens, which shape has a padding mask, and whom does it concern?",
        (
            Choice(
                "(8, 20, 1), the queries",
                "Then real tokens would still look at padding, and the rows of padding would have no key at all.",
            ),
            Choice("(8, 1, 20), the keys", "Yes: one row for each text, which holds for all its queries."),
            Choice("(20, 20), both", "One table for all texts cannot know how long each of them is."),
        ),
        right="b",
    ),
    Question(
        "04.exit.low_score",
        "A program uses −1e9 in place of −∞. When does it go wrong without a word?",
        (
            Choice(
                "When a query may look at no key at all", "Yes: its weights are then spread evenly over everything forbidden."
            ),
            Choice(
                "When allowed scores are large",
                "Large ones only make the difference larger. Only allowed scores near −1e9 themselves could do harm.",
            ),
            Choice("With masked_fill in float16", "There it goes wrong with an error, so at least not without a word."),
        ),
        right="a",
    ),
]
