"""Notes on lesson 00, which opens every workshop."""

from .note import Note, Notes

NOTES: Notes = {
    "00 · Start here: what will you build, and how will you learn?": Note(
        "Everybody has lesson 00 open in a browser.",
        (
            "Open a terminal in the folder that contains .venv, and type the command on the slide.",
            "If something goes wrong, raise a hand: helpers are walking round.",
        ),
        "Nobody repairs a laptop now. If one fails, its owner joins a neighbour or uses a page from if-a-laptop-fails.",
        {
            "It says that there is no such folder.": "The folder for-learners has to be next to .venv. Put it there, and type "
            "the command again.",
        },
    ),
    "Try one": Note(
        "Everybody has run a cell, and has seen a model translate.",
        (
            "Click into the cell and press Shift + Enter.",
            "Then change the number, and see whether the model can still do it.",
        ),
        "The table shows which English words the model looked at for each character. Today is about where such numbers come "
        "from.",
        {
            "Is this ChatGPT?": "It is the same kind of model, with about a million parameters instead of hundreds of "
            "billions. It knows numbers and nothing else.",
            "I see empty boxes.": "Your computer has no Chinese font. In this lesson, the value is printed below each "
            "character. In lesson 15, ask a neighbour.",
        },
    ),
    "How a lesson works: predict, run, explain": Note(
        "Everybody has guessed once, and has seen that the reply depends on the guess.",
        (
            "Before each experiment you commit to a guess. Your click stays on your laptop; then we vote, all at once.",
            "A wrong guess is useful: people remember an answer better after getting it wrong first.",
        ),
        "Run the question, click, and only then run the next cell.",
        {
            "I see no buttons.": "The notebook is not trusted yet: choose Trust Notebook in the command palette (View → "
            "Activate Command Palette). Or click a choice, which unfolds it."
        },
    ),
    "How an exercise works: answer, check": Note(
        "Everybody has given a wrong answer on purpose, and has read what the check says.",
        (
            "Enter the wrong answer first, 5, and read the message.",
            "A check knows the mistakes that people make, so a wrong answer costs you nothing.",
        ),
        "A weighted average is not the plain average. You will need weighted averages throughout.",
        {
            "Can anybody see how often I was wrong?": "No. Only passes are stored, and only on your own computer.",
        },
    ),
}
