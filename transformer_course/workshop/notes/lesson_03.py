"""Notes on lesson 03."""

from .note import Note, Notes

NOTES: Notes = {
    "03 · Queries, keys, values, and the scale: why three projections, and why scale the scores?": Note(
        "Everybody remembers how softmax turns scores into weights.",
        (
            "In lesson 02 tokens could only find tokens like themselves.",
            "Today red finds car, although they have nothing in common.",
        ),
        "Two things are new: three matrices that the model learns, and one number that the scores are divided by.",
    ),
    "A red car": Note(
        "Everybody can say what a query, a key and a value are, each in one sentence.",
        (
            "Red is looking for a thing, and car is looking for its colour.",
            "Can one matrix do that? Guess before you run it.",
        ),
        "With one matrix, scores are the same in both directions. With two, each token has one vector to look with and "
        "another to be found by.",
        {
            "Why do we need V as well?": "What makes a token easy to find need not be what it has to say. In the last table "
            "of this section, the keys do not contain the message at all.",
            "Is it like a dictionary in Python?": "Nearly. A dictionary returns one entry or none. Attention always returns a "
            "weighted average of all values.",
        },
    ),
    "Two tokens look at three": Note(
        "Everybody can give the shapes of Q, K, V, weights and output for n queries and m keys.",
        (
            "The words that look need not be the words that are looked at.",
            "Write down the shape of the output before you click.",
        ),
        "One row per query, as wide as a value. Only Q and K must have the same width.",
        {
            "When does this happen?": "When a translator looks at its source sentence (lesson 13).",
        },
    ),
    "Longer vectors": Note(
        "Everybody can say why scores are divided by √d_k, and not by d_k.",
        (
            "Real vectors have 64 numbers or more, and a score adds up 64 products.",
            "How large does such a sum become? Guess before you run the cell.",
        ),
        "The variances add up to d_k, so scores have a standard deviation of √d_k. Divide the scores by √d_k, and the "
        "standard deviation is 1 at every width.",
        {
            "Why is a saturated softmax bad?": "If one weight is nearly 1, a small change in the scores makes almost "
            "no difference, so almost no gradient comes back.",
            "Do the random numbers matter?": "For one picture, yes. That is why the cell below it shows twelve seeds.",
        },
    ),
    "Does training suffer?": Note(
        "Everybody can say what was measured, and what was not.",
        (
            "We train the same small model with and without the division, three times each.",
            "Will it fail, learn just as fast, or take longer? Commit to a guess before you run the cell.",
        ),
        "If softmax is saturated at the start, training takes more steps. It still works, at least for this task.",
    ),
}
