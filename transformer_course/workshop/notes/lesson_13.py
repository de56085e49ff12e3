"""Notes on lesson 13."""

from .note import Note, Notes

NOTES: Notes = {
    "13 · The decoder: what may a word know while it is being written?": Note(
        "Everybody can point at the decoder's three sublayers on the map.",
        (
            "The encoder had the whole sentence. The decoder has to write one that does not exist yet.",
            "There is only one new box in it.",
        ),
        "You have met all the parts on the map. What changes is which tokens look at which.",
    ),
    "Cross-attention by hand": Note(
        "Everybody can say where the queries, the keys and the values come from.",
        (
            "The decoder asks, and the source answers.",
            "Fill in the row of the second target token on paper.",
        ),
        "Queries come from the decoder, keys and values from the memory. So there is one output per target token.",
        {
            "What if you swap them?": (
                "Then there would be one output per source token, and it would not fit into the decoder's stream. This "
                "section's prediction asks exactly that."
            ),
        },
    ),
    "The layer, step by step": Note(
        "Everybody can read the shapes of the three steps.",
        (
            "We connect torch's parts ourselves, and compare the result with the whole layer.",
            "Follow the shape of the stream: does it ever change?",
        ),
        "Every layer of the stack looks at the same memory, and none of them changes it.",
    ),
    "Who can see whom?": Note(
        "Everybody can read an influence map of a decoder.",
        (
            "Change one token, and see which outputs change. You know this test from lesson 04.",
            "Before you run the second map: which source tokens can the first position see?",
        ),
        "A position sees the target up to itself, and the whole source.",
        {
            "May every position see the whole source?": "Yes. It is given, and nothing in it has to be predicted.",
        },
    ),
    "Training with and without the mask": Note(
        "Everybody can say why a good training loss proves nothing here.",
        (
            "We leave the mask out and train. The loss will look very good.",
            "What happens when the model generates on its own?",
        ),
        "Without the mask it learns to copy the answer from its input, but the answer is not there when it generates.",
        {
            "What is teacher forcing?": "In training, the decoder gets the correct tokens so far, not its own.",
        },
    ),
    "An alignment that nobody taught": Note(
        "Everybody can read the right-hand map: which English word does each character look at?",
        (
            "This model was trained on whole translations, never on pairs of words.",
            "Read the right-hand map from the top. Which word stands for two of the digits?",
        ),
        "A map shows where a model looks. It does not yet show why it answers as it does.",
    ),
}
