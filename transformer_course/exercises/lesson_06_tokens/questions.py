"""The questions of lesson 06: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "06.recall.head_cost",
        "Two heads share 32 columns. What does the second head cost, compared with one head of 32?",
        (
            Choice("Twice the parameters", "The columns are shared out, 16 and 16: as many as before."),
            Choice("Width: each head's queries and keys are half as wide", "Yes. And there is one more table of weights."),
            Choice("Nothing at all", "No further parameters; but narrower queries and keys, and one more table of weights."),
        ),
        right="b",
        origin=("05",),
    ),
    Question(
        "06.recall.spread",
        "Queries and keys hold independent numbers of standard deviation 1. How far do their dot products spread?",
        (
            Choice("About 1", "A dot product adds d_k products up; its spread grows with their number."),
            Choice("About √d_k", "Yes. The variances of d_k products add up to d_k."),
            Choice("About d_k", "d_k is the variance. The spread is its root."),
        ),
        right="b",
        origin=("03",),
    ),
    Question(
        "06.cls",
        "What does this translator's vocabulary make of `[CLS]`?",
        (
            Choice(
                "the id of its token for the beginning",
                "That would be so if [CLS] were another name for the beginning. A name means nothing by itself: "
                "this vocabulary does not hold it, so it gets the id of “unknown”.",
            ),
            Choice(
                'the id of "unknown", as for any word that it does not know',
                "It is not in this vocabulary, so to this model it is a word like any other that it does not know.",
            ),
            Choice(
                "an error, since it is no word",
                "Nothing is raised: what is not in the vocabulary becomes “unknown”. So a wrong special token "
                "goes in without a word.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.root",
        "What share is it?",
        (
            Choice(
                "about a half",
                "That would need words and positions of the same size. But this table starts at 1, not near 0, "
                "and times 11.3 its numbers spread by 11.3.",
            ),
            Choice(
                "about a third: a wave's squares are 0.5 on average, those of the table 1",
                "You have the squares right, 0.5 and 1, but for the factor. It multiplies each number of the "
                "table by √128, and so its square by 128: 0.5 of 128.5 is left.",
            ),
            Choice(
                "less than 1 %",
                "The factor multiplies the squares of the words by 128, from 1 to 128, and the positions keep their 0.5.",
            ),
        ),
        right="c",
    ),
    Question(
        "06.back",
        "Each of the 36 tokens at each of 20 positions makes 720 vectors. We do *not* take the position off. For "
        "how many is the nearest row that of another token?",
        (
            Choice(
                "none",
                "The shift is long enough to reach the border to many another token, but only its part *towards* "
                "that token counts. In 128 dimensions that part is small.",
            ),
            Choice(
                "about half: a shift of 8 is as long as half the way to another token",
                "It is as long as half the way, that is so. But only its part *towards* the other token counts, "
                "and in 128 dimensions that is small: the next cell measures it.",
            ),
            Choice(
                "all but those at position 0",
                "Position 0 is no exception: its row is 0, 1, 0, 1, …, and so a shift of length 8 as well. All "
                "720 are moved, and each is still nearest to its own token.",
            ),
        ),
        right="a",
    ),
    Question(
        "06.shuffled",
        "In the second sentence, `three` stands last and has `and` beside it. How does its output differ from "
        "that in the first?",
        (
            Choice(
                "it differs, since its neighbours have changed",
                "It sees the same tokens as before. That one of them stands beside it now is written nowhere: "
                "scores compare two vectors, and these hold no places.",
            ),
            Choice(
                "it differs, but only a little: the same words take part",
                "Not even a little, but for rounding. The same words take part, with the same weights: nothing in "
                "a score says where a token stands.",
            ),
            Choice(
                "it is the same",
                "The same query meets the same keys, so the weights are the same, and so is the sum of the values.",
            ),
        ),
        right="c",
    ),
    Question(
        "06.probes",
        "36 words, 20 positions, 64 dimensions. What do the probes read?",
        (
            Choice(
                "neither: a sum does not tell what was added",
                "A sum of two *numbers* does not tell. But here 64 numbers are added at once, and 36 words and 20 "
                "positions leave most directions free: what was added can nearly always be read.",
            ),
            Choice(
                "both, nearly always",
                "In 64 dimensions there is room for 36 words and 20 positions, in directions that hardly get in "
                "each other's way. Nobody had to arrange it.",
            ),
            Choice(
                "the word nearly always, the position hardly better than chance: it is the smaller one",
                "Smaller by a factor of 0.7 only, and a linear map can multiply. What matters is whether there "
                "are directions in which the words do not get in its way, and at width 64 there are.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.exit.dog_bites_man",
        'A model adds no positions and uses no mask. It is given "dog bites man" and "man bites dog". The outputs',
        (
            Choice("differ a little", "By rounding at most. The sums are the same."),
            Choice(
                "are the same three rows in another order", "Yes. Whatever reads them as a set gives the same answer for both."
            ),
            Choice(
                'are the same for "bites" only',
                'For "bites" as well; and "dog" has in the one sentence what "dog" has in the other.',
            ),
        ),
        right="b",
    ),
    Question(
        "06.exit.two_probes",
        "Two probes read word and position from one vector, almost without a fault. What does this show about training?",
        (
            Choice(
                "It made the two orthogonal",
                "A random table does as well, and trained ones were no more orthogonal than chance.",
            ),
            Choice("Nothing, before the same was tried without training", "Yes. Width was enough."),
            Choice(
                "It keeps the two in different dimensions",
                "Nobody arranges the axes. The probes find directions that lie askew.",
            ),
        ),
        right="b",
    ),
    Question(
        "06.exit.weak_probe",
        "A probe reads the position in 45 % of the cases, with a null of 5 %. So the vector",
        (
            Choice(
                "holds the position in about 45 % of the cases",
                "This one read so much. Another, fitted to the same waves in another way, read them all.",
            ),
            Choice(
                "does not hold it exactly, only roughly", "That may be; but a better reader may find it exactly, as ours did."
            ),
            Choice(
                "holds at least this much of it",
                "Yes. A probe's success above its null shows something; where it fails, it shows nothing by itself.",
            ),
        ),
        right="c",
    ),
]
