"""The questions of lesson 08: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "08.recall.third_before",
        "For sinusoids, is there one matrix W_Q with which each query scores highest with the third token before it?",
        (
            Choice(
                "No, each position needs its own",
                "Three tokens back turns each hand by the same angle, wherever it stands, and a turn is a matrix.",
            ),
            Choice(
                "Yes, one for the whole text",
                "Yes. Lesson 07 found it by least squares, and left open whether training finds it.",
            ),
            Choice("Yes, and for random rows too", "There the fitted matrix was of no use for new queries."),
        ),
        right="b",
        origin=("07",),
    ),
    Question(
        "08.recall.reach",
        "A text of 80 tokens, with a causal mask. What can reach the output at position 12?",
        (
            Choice("All 80 tokens", "Those after it are masked."),
            Choice(
                "Positions 0 to 12",
                "Yes. So this output is the same as the last one in a text of 13 tokens. Today you need that.",
            ),
            Choice("Positions 0 to 11", "And its own: the diagonal of the mask is True."),
        ),
        right="b",
        origin=("04",),
    ),
    Question(
        "08.recall.lengths",
        "The readers of lesson 01 were tested on texts of 5, 10, 20 and 50 tokens. On which had they been trained?",
        (
            Choice(
                "All on texts of 5 tokens",
                "Then the longer tests would have asked what is asked today. There, each reader was trained on "
                "texts of the length that it was tested on.",
            ),
            Choice(
                "Each on texts of the length of its test",
                "Yes. So lesson 01 says nothing of texts longer than those of the training.",
            ),
            Choice("Each on texts of all four lengths", "Each reader had one length, in training and in its test."),
        ),
        right="b",
        origin=("01",),
    ),
    Question(
        "08.rows",
        "At the start all 80 rows are random. What are rows 20 to 79 after training?",
        (
            Choice(
                "trained along with the others, since the table is learned as a whole",
                "The table is learned row by row: a row's gradient is 0 unless a text uses that row. No text of "
                "the training had a position 20, so these rows have not moved at all.",
            ),
            Choice(
                "exactly what they were at the start",
                "To the last bit. A row that no text uses has a gradient of 0, so training never touches it.",
            ),
            Choice(
                "near zero, since nothing holds them up",
                "Something would have to push them there. A row that no text uses has a gradient of 0. (*Weight "
                "decay*, which shrinks all numbers a little at each step, would push them there; it is off here. "
                "Zeros will be tried below.)",
            ),
        ),
        right="b",
    ),
    Question(
        "08.waves",
        "How does the model with waves do at positions 20 to 79?",
        (
            Choice(
                'as well as before, since the matrix for "one token back" is the same everywhere',
                "That matrix exists for all positions. But training looks for *some* matrices that do on rows 0 "
                "to 19, and it found others.",
            ),
            Choice(
                "it gets worse slowly, the further from 19 the worse",
                "Slowly is what one would expect of a smooth function. But a few tokens beyond 19 it is down at "
                "chance, and stays there.",
            ),
            Choice(
                "hardly better than chance, from soon after 19 on",
                "Hardly better than the table of noise. That a solution exists for all rows does not mean that "
                "training on 20 of them finds it.",
            ),
        ),
        right="c",
    ),
    Question(
        "08.cliff",
        "Where do learned tables and waves fail now?",
        (
            Choice(
                "from 20 on, as before: they have never seen a longer text",
                "It is true that no text was longer than 20. And yet 20 to 39 are read rightly now. What had been "
                "missing there was training of the rows.",
            ),
            Choice("from 40 on", "The edge of the rows that were trained has moved to 40, and the failure with it."),
            Choice(
                "not within 80: having seen shifted texts, they have learned what a distance is",
                "If they had learned what a distance is, they could use it on rows 40 to 79 as well. They have "
                "learned to use 40 rows in place of 20.",
            ),
        ),
        right="b",
    ),
    Question(
        "08.rotary",
        "The same task and the same training, texts of 6 to 20 tokens. How does the rotary model do on 80?",
        (
            Choice(
                "as well as before, everywhere: only distances count, and the distance is always 1",
                "The distance that it looks for is always 1. But it must also *refuse* all others, and at "
                "position 79 there are sixty that training never had.",
            ),
            Choice(
                "it falls off the cliff at 20 as well",
                "Nothing is new for it at position 20 but one more distance, 20. It gets well past that, and fails later.",
            ),
            Choice(
                "it gets well past 20, and then worse",
                "Right at 20 to 39, and clearly worse from 60 on. The next picture shows why.",
            ),
        ),
        right="c",
    ),
    Question(
        "08.task",
        "Which of the three do well at positions 20 to 39?",
        (
            Choice(
                "rotary positions do, waves and learned tables do not, as before",
                "It is the reverse. What helped before, that rotary positions know distances alone, now hurts: "
                "the first token is always at a distance that is new.",
            ),
            Choice(
                "none: the first token is far away now",
                "Far away, but where? For a table it is in row 0, which each text of the training has used. Only "
                "for rotary positions is it somewhere new.",
            ),
            Choice(
                "learned tables and waves do, rotary positions do not",
                "The first token has row 0, and that is well trained. For rotary positions it is at a distance "
                "that they have never seen.",
            ),
        ),
        right="c",
    ),
    Question(
        "08.exit.paper",
        'A paper says: "Our model, trained on 512 tokens, is right at 0.8 of all positions on 1,024." What would you ask for?',
        (
            Choice("A larger model", "Before that, one would like to know what this one does."),
            Choice(
                "The accuracy position by position", "Yes. 0.8 may be 1.0 up to 511, and 0.6 after it; or the same everywhere."
            ),
            Choice("The accuracy on 512 tokens alone", "It helps. But it does not show whether there is a cliff, or where."),
        ),
        right="b",
    ),
    Question(
        "08.exit.new_pair",
        "A rotary model is trained on texts of up to 100 tokens. Which two tokens of a longer text are new to it as a pair?",
        (
            Choice("Those at positions 500 and 498", "A pair two apart looks to it as one at positions 2 and 0 does."),
            Choice("Those at positions 150 and 20", "Yes: 130 tokens apart. Training had at most 99."),
            Choice(
                "All pairs beyond position 99", "That is so for a table. Rotary positions know nothing but the difference."
            ),
        ),
        right="b",
    ),
]
