"""Two hours: lessons 26 and 27, from a predictor to an assistant, and learning from rewards."""

from transformer_course.course.part import EXIT

from ..activity import EXPLAIN
from ..sessions import Break, Lead, Plan, Practise, Talk
from .talks_and_breaks import CARDS, CLOSING, TICKET

AFTER_PRETRAINING = Plan(
    name="after-pretraining",
    title="After pretraining: from a predictor to an assistant, and learning from rewards",
    audience="People who have trained a small GPT, in a course or by themselves, and know what its loss and its labels are.",
    handouts=(CARDS,),
    ready=("00.ready.dot_product", "00.ready.matrix_shape", "00.ready.exp", "00.ready.axis"),
    items=(
        Talk(
            title="Opening: who taught it to answer?",
            minutes=5,
            does={EXPLAIN: 3},
            slide="A model has read a library, and predicts the next token.\n\n*Which month is 24 July 2031 in?*\n\n**Tell a "
            "neighbour:** what will it write after this question, and what would you show it so that it answers?",
            note="Before you start, put a set of voting cards at each place, and let everybody open the course as they come "
            "in: the command is on the slide after the map. Say who you are. Read the question on the slide, "
            "and let neighbours tell each other what a model writes that has only read texts, then what they would show it "
            "(three minutes).\n\nNext, show the two questions "
            "of this workshop.\n\nThen show [the map](for-you/slides.html#/the-map): it will not change. All that changes "
            "today is what the model is shown, and what its loss looks at. Explain how you will work: guess, run, explain to "
            "each other. Wrong guesses are welcome.",
        ),
        Lead(
            lesson="26",
            cut=("forgetting", "lora"),
            run_silently=("asking", "format"),
            stop=EXIT,
            skip_questions=("26.exit.lora", "26.exit.masked"),
            note="Run the cells of “Asking a predictor” as the answer to the opening's question: the model goes on with the "
            "text, and never stops. With those of “A conversation as tokens”, say: “The model reads one row, so who speaks "
            "is in the row, as a token that nobody can type.” In “2,000 examples”, start the training together, and guess "
            "while it runs. “Does the mask matter?” is the heart of this lesson; its control is recorded, and nothing trains "
            "there. The last take-away is about a part that is left out. Say what it measured: bits per character of "
            "documentation rise from 1.56 to about as many as a guess needs. If you are behind, end the exercise early: "
            "it can be finished at home.",
        ),
        Practise(
            lesson="26",
            exercises=("assistant.labels",),
            if_time=("assistant.trap",),
            note="In pairs: one types, the other says what to type. It is the masked line of the lesson, for a batch and for "
            "conversations of several turns. A pair that has nothing after four minutes unfolds the first hint. Exercise 1, "
            "which shows why “everything after the mark” is wrong, is for pairs who finish early.",
        ),
        Break(title="Break", minutes=5),
        Lead(
            lesson="27",
            cut=("rate",),
            stop=EXIT,
            skip_if_late="another-judge",
            skip_questions=("27.exit.pass",),
            note="Start the first training before you explain pass@k, and the second as soon as everybody has guessed. The "
            "loss is read once, from the table; its “Your turn” is where it is understood.",
        ),
        TICKET,
        CLOSING,
    ),
)
