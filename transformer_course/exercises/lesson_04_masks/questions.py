"""The questions of lesson 04: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "04.recall.row_sums",
        "Attention has scores, weights and outputs. Whose rows must sum to 1?",
        (
            Choice("Those of the scores", "Scores may be any numbers. Softmax turns them into weights."),
            Choice("Those of the weights", "Yes: each query distributes a total of 1 over all keys."),
            Choice("Those of the outputs", "An output is an average of values. Its numbers can sum to anything."),
        ),
        right="b",
        origin=("03",),
    ),
    Question(
        "04.recall.three_points",
        "The score of a key falls by 3. By what factor does its weight fall, compared with the weights of the other keys?",
        (
            Choice("3", "If the score falls by 1, the weight falls by a factor of e. A fall of 3 means e · e · e."),
            Choice("About 20", "Yes: e³ = 20.1. And however far the score falls, on paper the weight never becomes 0."),
            Choice(
                "It becomes 0",
                "On paper, exp is never 0, however low the score. If the score is 3 lower, the weight is about 20 times "
                "smaller.",
            ),
        ),
        right="b",
        origin=("02",),
    ),
    Question(
        "04.recall.price",
        "In attention, the first token of a text reaches the last in one step. What is the price?",
        (
            Choice(
                "Every token has to be compared with every other",
                "Yes. Today you decide which of these comparisons are allowed.",
            ),
            Choice("More parameters than an LSTM has", "In our memory test, attention had only about half as many."),
            Choice("It has to be told which token matters", "Training found that out by itself."),
        ),
        right="a",
        origin=("01",),
    ),
    Question(
        "04.row",
        "*car* has scores 0, 1 and 1, but it may not look at *orange*. What should its weights be?",
        (
            Choice(
                "the softmax of 0, 1, 1, after which the last weight is set to 0",
                "Its weight for *orange* is 0, as it should be. But the row sums to 0.5777 instead of 1.",
            ),
            Choice(
                "the softmax of 0, 1, 0, where the forbidden score is set to 0",
                "A score of 0 forbids nothing: exp(0) = 1 is like any other exponential, and *orange* would get 0.2119.",
            ),
            Choice(
                "the softmax of only 0 and 1, and a weight of 0 for *orange*",
                "Yes. *red* and *car* share the whole weight. Their scores differ by 1, so their weights differ by a factor "
                "of e.",
            ),
        ),
        right="c",
    ),
    Question(
        "04.late",
        "Forbidden weights are set to 0 *after* softmax. You replace token 3 with a different one. Can the "
        "output of *red* change?",
        (
            Choice(
                "yes, if the new token 3 has a different score with *red*",
                "Yes. All the weights were divided by a sum that included token 3; only then was its own "
                "weight deleted. So the output depends on its score. Put [1, 5] in its place, and the score "
                "is still 1, so nothing changes.",
            ),
            Choice(
                "yes, if the new token 3 is a longer vector",
                "[1, 5] is much longer, but nothing changes. [0.5, 0] is shorter, and the output changes. What matters is the "
                "score with *red*, because it is in the sum in the denominator.",
            ),
            Choice(
                "no, whatever the new token 3 is",
                "The weight is 0 *now*. But before it was deleted, all the other weights were divided by a "
                "sum that included token 3, and they still depend on it.",
            ),
        ),
        right="a",
    ),
    Question(
        "04.padding",
        "What is the shape of the padding mask? (An axis of length 1 is stretched to fit.)",
        (
            Choice(
                "(2, 1, 4)",
                "Yes: one row of keys per sequence. The middle axis is stretched over all queries, because what is padding "
                "for one query is padding for all.",
            ),
            Choice(
                "(2, 4, 1)",
                "This would say which *queries* are real. But padding does harm as a key: there it takes some of every real "
                "token's attention.",
            ),
            Choice(
                "(4, 4)",
                "A single mask would have to fit sequences of all lengths at once. Each sequence needs its own.",
            ),
        ),
        right="a",
    ),
    Question(
        "04.calls",
        "Given this mask, which of the two looks ahead?",
        (
            Choice(
                "neither",
                'That would be nice. But in nn.MultiheadAttention, True means "may not look". With a causal mask it looks *only* '
                "ahead.",
            ),
            Choice(
                "both",
                'The function does not: its True means "may look", as in this course. Only the module reads it the '
                "other way round.",
            ),
            Choice(
                "only the module",
                'Yes. For nn.MultiheadAttention, True means "may not look". It needs the opposite of our mask.',
            ),
            Choice(
                "only the function",
                'It is the other way round. For the function, True means "may look", as in this course. The module reads it as '
                '"may not look".',
            ),
        ),
        right="c",
    ),
    Question(
        "04.dropout",
        "With p = 0.25, what do the weights of a row sum to after dropout?",
        (
            Choice(
                "to 0.75 on average",
                "That would be so without the division. Dividing the kept weights by 0.75 brings the average back to 1.",
            ),
            Choice(
                "to 1 on average, but not in each draw",
                "Yes. The fixed factor of 1/(1−p) makes up for the missing weights on average. In a single draw of three "
                "weights, the sum may be 0, or 4/3, or one of a few values in between.",
            ),
            Choice(
                "to 1 in each draw",
                "The factor 1/(1−p) is fixed, however many weights were set to 0 in this draw. So it makes up for them on "
                "average, but not each time.",
            ),
        ),
        right="b",
    ),
    Question(
        "04.exit.zeros_above",
        "In a weight matrix, all cells above the diagonal are 0. What does this show?",
        (
            Choice(
                "That no output depends on a later token",
                "The weights that were masked after softmax had the same zeros, but outputs depended on later tokens.",
            ),
            Choice(
                "Nothing yet: change each token, and see which outputs change",
                "Yes: change every token in turn, and look at every output.",
            ),
            Choice("That the rows sum to 1", "Not even that. If you mask after softmax, they don't."),
        ),
        right="b",
    ),
    Question(
        "04.exit.padding_shape",
        "A batch has 8 sequences of up to 20 tokens. What is the shape of its padding mask, and does it concern queries or keys?",
        (
            Choice(
                "(8, 20, 1), queries",
                "Then real tokens would still look at padding, and the rows of padding would have no key at all.",
            ),
            Choice("(8, 1, 20), keys", "Yes: one row per sequence, which holds for all its queries."),
            Choice("(20, 20), both", "A single mask cannot know how long each sequence is."),
        ),
        right="b",
    ),
    Question(
        "04.exit.two_meanings",
        "You pass this course's causal mask to nn.MultiheadAttention. How could you notice the mistake?",
        (
            Choice("torch raises an error", "It does not: both meanings of True have the same shape and type."),
            Choice(
                "Every row of weights sums to something other than 1",
                "Every row that has a key left sums to 1. Only the last row, which has none, is `nan`.",
            ),
            Choice(
                "An influence map shows that outputs depend on later tokens",
                'Yes. The module reads True as "may not look", so it looks only ahead.',
            ),
        ),
        right="c",
    ),
    Question(
        "04.deeper.low_score",
        "A program uses −1e9 in place of −∞. When does it go wrong silently?",
        (
            Choice(
                "When a query may look at no key at all",
                "Yes: its weights are then spread evenly over everything that is forbidden.",
            ),
            Choice(
                "When the allowed scores are large",
                "That only makes the difference larger. Only allowed scores near −1e9 could do harm.",
            ),
            Choice("With masked_fill in float16", "There it raises an error, so at least it is not silent."),
        ),
        right="a",
    ),
]
