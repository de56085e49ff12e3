"""The questions of lesson 06: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "06.recall.head_cost",
        "Two heads divide 32 columns between them. What do you pay for the second head, compared with one head of width 32?",
        (
            Choice("Twice as many parameters", "The heads get 16 columns each. Together, that is as many as before."),
            Choice(
                "Width: the queries and keys of each head are half as wide",
                "Yes. And there is one more table of attention weights to compute.",
            ),
            Choice(
                "Nothing at all",
                "There are no extra parameters. But queries and keys are narrower, and there is one more table of weights.",
            ),
        ),
        right="b",
        origin=("05",),
    ),
    Question(
        "06.recall.spread",
        "Queries and keys contain independent numbers with standard deviation 1. What is the standard deviation of their "
        "dot products?",
        (
            Choice("About 1", "A dot product is a sum of d_k products, and the more there are, the more it varies."),
            Choice("About √d_k", "Yes. The variances of the d_k products add up to d_k."),
            Choice("About d_k", "d_k is the variance. The standard deviation is its square root."),
        ),
        right="b",
        origin=("03",),
    ),
    Question(
        "06.pairs",
        "What does the tokenizer make of *father*?",
        (
            Choice(
                "`<unknown>`",
                "A tokenizer made of whole words would do that. This one starts from single bytes, so it can cut any word.",
            ),
            Choice(
                "`f a t h e r`",
                "Merges are rules about neighbouring pieces, and apply in any word: t + h, then th + e.",
            ),
            Choice(
                "`f a the r`",
                "Yes. The merges are applied in the order in which they were learned, in any word: t + h, then th + e. "
                "The tokenizer does not ask whether *the* makes sense here.",
            ),
            Choice(
                "`fath er`",
                "Byte-pair encoding knows nothing about grammar. It only counts how often two pieces are neighbours. Neither "
                "*fath* nor *er* was merged.",
            ),
        ),
        right="c",
    ),
    Question(
        "06.root",
        "The table's numbers are drawn with standard deviation 1 and multiplied by 11.3, then sinusoids are added. What "
        "fraction of the squares comes from the positions?",
        (
            Choice(
                "about a half",
                "For that, words and positions would have to be of the same size. But this table starts with a standard "
                "deviation of 1, and the factor raises it to 11.3. So positions account for less than 1%.",
            ),
            Choice(
                "about a third",
                "Without the factor that would be right: the squares of sines and cosines are 0.5 on average, and the table's "
                "are 1. But the factor multiplies each number of the table by √128, and so its square by 128. That leaves 0.5 of "
                "128.5, less than 1%.",
            ),
            Choice(
                "less than 1%",
                "Yes. The factor raises the average square of the words from 1 to 128, and positions keep their 0.5.",
            ),
        ),
        right="c",
    ),
    Question(
        "06.back",
        "With 36 tokens at 20 positions, there are 720 sums. We do *not* subtract the position. For how many sums is the "
        "nearest row that of a different token?",
        (
            Choice(
                "none",
                "Yes. The shift is about as long as half the distance to another token, but only its part *towards* that "
                "token counts. In "
                "128 dimensions that part is small.",
            ),
            Choice(
                "about half",
                "A shift of 8 is about half as long as the distance between two tokens. But only its part "
                "*towards* the other token counts, and in 128 dimensions that part is small. The next cell "
                "measures it.",
            ),
            Choice(
                "all except those at position 0",
                "Position 0 is no exception: its row is 0, 1, 0, 1, …, a shift of length 8 like the others. All 720 sums are "
                "moved, and each is still nearest to its own token.",
            ),
        ),
        right="a",
    ),
    Question(
        "06.shuffled",
        "In the first sentence, *three* comes first, before *hundred*. In the second it comes last, after *and*. How do the "
        "two outputs for *three* differ?",
        (
            Choice(
                "clearly",
                "It sees the same four tokens as before. Nothing tells attention which tokens are neighbours now: a "
                "score compares two vectors, and these vectors do not say where they are.",
            ),
            Choice(
                "a little",
                "They do not differ even a little, apart from rounding. A score compares two vectors, and without "
                "positions these say nothing about distance.",
            ),
            Choice(
                "not at all",
                "Yes. The same query meets the same keys, so the weights are the same, and so is the weighted sum of the values.",
            ),
        ),
        right="c",
    ),
    Question(
        "06.probes",
        "There are 36 words and 20 positions, and the vectors have 64 numbers. What do the two probes read from unseen sums?",
        (
            Choice(
                "neither word nor position",
                "A sum of two *numbers* does not say what was added. But here 64 numbers are added at once, "
                "and in 64 dimensions 36 words and 20 positions have room to be told apart. Both can nearly "
                "always be read.",
            ),
            Choice(
                "both, nearly always",
                "Yes. 64 dimensions have room for 36 words and 20 positions in directions that hardly interfere with "
                "each other, although nobody arranged it that way.",
            ),
            Choice(
                "nearly always the word, but hardly ever the position",
                "The position is the smaller part, but only by a factor of 0.7, and a linear map can "
                "multiply. What matters is whether there are directions in which words do not interfere with "
                "it. At width 64 there are, and both can be read.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.cls",
        "What does this translator's vocabulary make of `[CLS]`?",
        (
            Choice(
                "the id of its begin token",
                "That would be right if [CLS] were another name for it. But a vocabulary knows only the names that it contains, "
                "and this one is not among them. It gets the id of `<unknown>`.",
            ),
            Choice(
                "the id of `<unknown>`",
                "Yes. To this model, it is one more unknown word.",
            ),
            Choice(
                "an error is raised",
                "There is no error: whatever is not in the vocabulary becomes `<unknown>`. So a wrong special token is a silent "
                "bug.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.exit.dog_bites_man",
        'A model adds no positions and uses no mask. It reads "dog bites man", then "man bites dog". Its outputs',
        (
            Choice("differ a little", "At most by rounding. All the sums have the same terms."),
            Choice(
                "are the same three rows in a different order",
                "Yes. Any later step that ignores the order gives the same answer for both.",
            ),
            Choice(
                'are the same for "bites", but not for the other two',
                'The output for "bites" is the same. So is the output for "dog", although "dog" is first in one sentence and '
                "last in the other.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.exit.two_probes",
        "Two probes read word and position from the same vectors of a trained model, almost without errors. What does that "
        "show about its training?",
        (
            Choice(
                "Training made the two orthogonal",
                "Probes can read them from random vectors as well, which nobody has made orthogonal.",
            ),
            Choice("Nothing, until you try the same without training", "Yes. In this lesson, width was enough."),
            Choice(
                "Training keeps the two in different dimensions",
                "The probes do not need that. They find directions that use all dimensions at once.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.exit.weak_probe",
        "A probe reads the position correctly in 45% of the cases; its null is 5%. So the vector",
        (
            Choice(
                "contains the position in about 45% of the cases",
                "45% is what this probe can read. A different probe may read more from the same vector.",
            ),
            Choice(
                "does not contain the exact position, only a rough one",
                "Perhaps. But a better probe may still find it exactly.",
            ),
            Choice(
                "contains at least this much about the position",
                "Yes. Accuracy above the null shows that something is there. A failure shows nothing by itself.",
            ),
        ),
        right="c",
    ),
]
