"""Notes on lesson 15, with something to say while the model trains."""

from .note import Note, Notes

NOTES: Notes = {
    "15 · The whole Transformer, trained: what has it learned?": Note(
        "Everybody can point at the encoder, the decoder and the attention between them.",
        (
            "You know the most important part by now: attention, with its mask.",
            "Soon you will train one of these models on your own laptop.",
        ),
        "Together, the boxes contain 935,424 numbers, and nearly all of them start at random.",
    ),
    "A task and an untrained model": Note(
        "Everybody can say why the words cannot be replaced one by one.",
        (
            "English counts in thousands, Chinese in ten-thousands.",
            "None of the test numbers is among the training numbers; the cell checks it.",
        ),
        "A model that has only memorised its examples could not do this task.",
    ),
    "The training loop": Note(
        "Everybody can read the five lines of the loop, and has watched the two accuracies.",
        (
            "Five lines, repeated 450 times: loss, clear, backward, clip, step.",
            "Before you run it: when nine out of ten tokens are correct, how many numbers are completely correct?",
        ),
        "A number is correct only if all its tokens are, so exact match rises later than token accuracy.",
        {
            "Why does the curve jump?": (
                "Each batch holds numbers of similar length, so the rare endings all land in the batches with the shortest "
                "numbers. The section after this one shows it."
            ),
            "How long does it take to train a real model?": "Weeks, on thousands of processors. The loop is the same.",
            "My laptop is too slow.": "Stop the cell with ■, remove the `#` in the cell below the reply, and run that one: it "
            "loads the trained model. Nothing after it needs your own run.",
        },
        meanwhile=(
            "Look at the samples below the curve: which digit does the model get right first, and which last? Then ask what "
            "a test on the training numbers would have shown."
        ),
    ),
    "Where does it fail?": Note(
        "Everybody can say what a score on unseen numbers tells you, and what it does not.",
        (
            "The model gets 99 of 100 unseen numbers right. Which ones will it get wrong?",
            "Guess: eight digits, three digits with a zero, or the numbers from 1 to 20?",
        ),
        "A test score tells you only about examples that are drawn in the same way as the test examples. Nearly all "
        "training numbers were long.",
        {
            "What do the wrong numerals say?": "一百一十 is 110, and 二二百二二二二 is not a number.",
            "Is that overfitting?": "No, it is right on numbers that it has never seen. It has rarely seen a number "
            "end so early.",
        },
    ),
    "Where does it look?": Note(
        "Everybody can say in which direction the dark cells of a trained attention map run, and why.",
        (
            "This model writes a date as year, month, day, from a text that begins with the day.",
            "Before you see its map: for which digit will it pay the least attention to the right characters? Then follow the "
            "dark cells.",
        ),
        "Before training, the map is nearly uniform; after it, the dark cells run from top right to bottom left, because the "
        "answer reverses the order. Nobody taught it that.",
        {
            "Is this what the model thinks?": "It is where it looks. To find out what decides its answer, change the text "
            "(the next section of the lesson).",
            "Why an average over heads?": "There are four, and they share the work. The parts under “Deeper” look at them one "
            "by one.",
        },
    ),
    "Change the source": Note(
        "Everybody can say what a change in the source shows that a map cannot.",
        (
            "A map cannot tell whether the model needs what it looks at.",
            "Change one digit of the year, and see whether the answer follows.",
        ),
        "An alignment shows where a model looks. To learn what decides its output, change the source.",
    ),
}
