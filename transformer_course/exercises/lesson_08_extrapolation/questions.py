"""The questions of lesson 08: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "08.recall.third_before",
        "Is there *one* matrix that turns the sinusoidal row of any position into the row three tokens before it?",
        (
            Choice(
                "No, each position needs its own matrix",
                "Three tokens back turns each hand by the same angle, wherever it starts, and a rotation is a matrix.",
            ),
            Choice(
                "Yes, one matrix works at all positions",
                "Yes, a rotation of each hand. So a suitable W_Q exists.",
            ),
            Choice(
                "Yes, and for random rows too",
                "For random rows, the fitted matrix was of no use on rows that it had not seen.",
            ),
        ),
        right="b",
        origin=("07",),
    ),
    Question(
        "08.recall.reach",
        "A text of 80 tokens is read with a causal mask. Which tokens can influence the output at position 12?",
        (
            Choice("All 80 tokens", "Those after position 12 are masked."),
            Choice(
                "The tokens at positions 0 to 12",
                "Yes. So this output is the same as the last one of a text of 13 tokens. You will need that today.",
            ),
            Choice("The tokens at positions 0 to 11", "Its own token too: the diagonal of the mask is True."),
        ),
        right="b",
        origin=("04",),
    ),
    Question(
        "08.recall.lengths",
        "The models of lesson 01 were tested on texts of 5, 10, 20 and 50 tokens. On which lengths had they been trained?",
        (
            Choice(
                "All on texts of 5 tokens",
                "Then lesson 01 would have answered the question of this lesson. But each model there was trained on the "
                "length that it was "
                "tested on.",
            ),
            Choice(
                "Each on the length of its test",
                "Yes. So lesson 01 says nothing about texts that are longer than those in training.",
            ),
            Choice("Each on all four lengths", "Each model had only one length, in training and in the test."),
        ),
        right="b",
        origin=("01",),
    ),
    Question(
        "08.rows",
        "What do rows 20 to 79 contain after training?",
        (
            Choice(
                "trained numbers, like the other rows",
                "Each row is learned by itself: its gradient is 0 unless a sequence uses it. No training sequence had a "
                "position 20, so these rows have not changed at all. From there on, the model adds random noise to its tokens.",
            ),
            Choice(
                "the random numbers from the start",
                "Yes, to the last bit. A row that no sequence uses has a gradient of 0. So from position 20 on, the model adds "
                "random noise to its tokens.",
            ),
            Choice(
                "numbers near zero",
                "Something would have to push them there, and a row that no sequence uses has a gradient of 0. (*Weight decay*, "
                "which shrinks all numbers a little at each step, would do it. It is off here.) From position 20 on, the model "
                "adds random noise to its tokens.",
            ),
        ),
        right="b",
    ),
    Question(
        "08.waves",
        "How does the model with sinusoids do at positions 20 to 79, compared with positions 1 to 19?",
        (
            Choice(
                "as well as before",
                'There is one matrix for "one token back" that works at all positions. But training looks '
                "for *any* matrices that work on rows 0 to 19, and it found others.",
            ),
            Choice(
                "gradually worse, the further from 19",
                "You might expect that of a smooth function. But a few tokens after 19 it is already near chance, and stays "
                "there.",
            ),
            Choice(
                "hardly better than chance, from soon after 19",
                "Yes, hardly better than the table of noise. A solution for all rows exists, but training on 20 of them does not "
                "find it.",
            ),
        ),
        right="c",
    ),
    Question(
        "08.cliff",
        "Where do the learned table and the sinusoids fail now?",
        (
            Choice(
                "from 20 on, as before",
                "It is true that no sequence was longer than 20. But positions 20 to 39 are now read well. What was missing "
                "before was the training of those rows.",
            ),
            Choice(
                "from 40 on, both of them",
                "Yes. The edge of the trained rows has moved to 40, and the failure has moved with it.",
            ),
            Choice(
                "nowhere up to 80",
                "The table's rows 40 to 79 are still noise. Those of the sinusoids are defined, but they fail"
                " as well. Both have learned to use 40 rows instead of 20.",
            ),
        ),
        right="b",
    ),
    Question(
        "08.rotary",
        "How does the rotary model do on sequences of 80 tokens?",
        (
            Choice(
                "as well as before, at all positions",
                "The distance that it looks for is always 1. But it must also give all *other* distances a lower score, and "
                "at position 79 there are sixty that did not occur in training. From 60 on it is right about 70% of the time.",
            ),
            Choice(
                "clearly worse, from soon after 19",
                "At position 20, only one thing is new to it: distance 20. It works well past that, and gets worse much later.",
            ),
            Choice(
                "about as well at 20 to 39, but worse further on",
                "Yes. It is nearly always right at 20 to 39, and about 70% of the time from 60 on.",
            ),
        ),
        right="c",
    ),
    Question(
        "08.task",
        "Which of the three kinds do well at positions 20 to 39 now?",
        (
            Choice(
                "rotary positions do; the learned table and the sinusoids do not",
                "It is the reverse. Rotary positions know only distances. That helped before, and now it hurts, because the "
                "first token is always at a distance that is new.",
            ),
            Choice(
                "none of them, because the first token is too far away",
                "It is far away, but for the table it is always in row 0, which every training sequence has used. Only rotary "
                "positions find it somewhere new.",
            ),
            Choice(
                "the learned table and the sinusoids do; rotary positions do not",
                "Yes. The first token has row 0, which is well trained. For rotary positions it is at a distance that they have "
                "never seen.",
            ),
        ),
        right="c",
    ),
    Question(
        "08.exit.paper",
        'A paper says: "Our model, trained on 512 tokens, is right at 80% of all positions in texts of 1,024." What would you '
        "ask for?",
        (
            Choice("A larger model", "First find out what this one does, and where."),
            Choice(
                "The accuracy position by position",
                "Yes. 80% may be 100% up to position 511 and 60% after that, or the same everywhere.",
            ),
            Choice(
                "The accuracy on texts of 512 tokens",
                "That helps a little. But it does not show whether there is a cliff, or where.",
            ),
        ),
        right="b",
    ),
    Question(
        "08.exit.new_pair",
        "A rotary model is trained on texts of up to 100 tokens. In a longer text, which pair of tokens is new to it?",
        (
            Choice("Those at positions 500 and 498", "They are two apart, like those at positions 2 and 0."),
            Choice("Those at positions 150 and 20", "Yes. They are 130 apart, and training had at most 99."),
            Choice(
                "All pairs beyond position 99",
                "That would be true for a learned table. For rotary positions only the distance matters.",
            ),
        ),
        right="b",
    ),
]
