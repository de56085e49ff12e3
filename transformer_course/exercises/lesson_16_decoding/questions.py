"""The questions of lesson 16: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "16.recall.exact_match",
        'A translator is measured by "exact match". What does that ask of it?',
        (
            Choice(
                "Each token, with the right beginning shown",
                "That was another of the three measures. It forgives a model all that it wrote before.",
            ),
            Choice("A whole text, written alone: all of it right, up to `end`", "Yes. How it writes alone is today's lesson."),
            Choice("The smallest loss", "The loss asks for probabilities, and chooses nothing."),
        ),
        right="b",
        origin=("15",),
    ),
    Question(
        "16.recall.times_four",
        "All scores are multiplied by 4 before softmax. What happens to the weights?",
        (
            Choice("Nothing: the ratios of the scores stay", "Softmax looks at differences, and they grow."),
            Choice("They get closer to each other", "So it is if you divide."),
            Choice("More goes to the largest; the order stays", "Yes. A knob for that has a name today."),
        ),
        right="c",
        origin=("03",),
    ),
    Question(
        "16.apart",
        "For the second number, at which positions are the logits of reading and of writing the same, but for rounding?",
        (
            Choice(
                "at all but position 5: everything else is right in both",
                "Position 5 is just where they still agree: its logits come from the right beginning, and only "
                "the choice was wrong. Behind it the most probable token is the same again, but its logits are "
                "not: another digit stands in what is read.",
            ),
            Choice(
                "at positions 0 to 5, and at none after that",
                "Up to position 5 both have the same beginning, and the mask hides the rest. The wrong digit is "
                "chosen at 5, and read from 6 on.",
            ),
            Choice(
                "nowhere: in reading all ten tokens are there, in writing only those so far",
                "In reading, the later tokens are there, but the mask hides them. A position sees what it would "
                "see in writing, as long as the beginnings are the same.",
            ),
        ),
        right="b",
    ),
    Question(
        "16.one_error",
        "Place by place, how much is right of what the model then writes *after* the wrong token?",
        (
            Choice(
                "little, either way: in training the model never saw a wrong beginning, and errors pile up",
                "It is true that it never saw a wrong beginning. But no later token needs the wrong digit, and "
                "nearly all come out right, in all three draws. Errors pile up only where they are needed further "
                "on.",
            ),
            Choice(
                "little after a wrong digit, nearly all after a wrong unit",
                "The other way round. A digit looks like the content, and a unit like mere form. But the unit is "
                "what tells the model where in the number it is.",
            ),
            Choice(
                "nearly all after a wrong digit, little after a wrong unit",
                "The next tokens need the unit, to know where the number is to go on, and not the digit, which is done with.",
            ),
            Choice(
                "nearly all, either way: the source is still there to be read",
                "The source is still there. But where in it to go on, the model reads from what it has written, "
                "and the wrong unit points to another place.",
            ),
        ),
        right="c",
    ),
    Question(
        "16.passes",
        "72,515 has seven English words and ten Chinese tokens, `end` included. How often do encoder and decoder run?",
        (
            Choice(
                "the encoder once, the decoder ten times",
                "The source is read once, in parallel. Each of the ten tokens needs a pass of its own, since it "
                "depends on the one before.",
            ),
            Choice(
                'once each: that is what "parallel" means',
                "So it is in training, where the target is known. In writing, each token has to be there before "
                "the next one can be asked for.",
            ),
            Choice(
                "ten times each: with every new token the whole model runs again",
                "The target grows with each token, but the source does not: its memory is computed once, and all "
                "ten passes look at it.",
            ),
        ),
        right="a",
    ),
    Question(
        "16.empty",
        "How many of the 150 real names does it find more probable than the empty one?",
        (
            Choice(
                "all or nearly all: it has learned what names look like, and none is empty",
                "Each letter has its probability, and a name's is the product of some twenty or thirty: about "
                "e⁻¹⁶ for one in the middle. The empty name has a single factor, and a very small one, about "
                "e⁻¹⁰, is enough.",
            ),
            Choice(
                "about half",
                "Far fewer. A name's probability is a product of some twenty or thirty factors, the empty one has "
                "a single factor.",
            ),
            Choice(
                "hardly any",
                "A product of some twenty or thirty factors, none above 1, against a single one. So the empty "
                "name beats nearly all, though it never occurred: the model leaves it a little, as it does "
                "everything.",
            ),
        ),
        right="c",
    ),
    Question(
        "16.exit.wrong_token",
        "A model writes the wrong token at position 5 (counted from 0). Which logits differ from those of reading "
        "the right text?",
        (
            Choice(
                "Those at position 5, where the mistake was made",
                "They were computed from the right beginning. The choice differed, the logits did not.",
            ),
            Choice("Those at 6, and at all after it", "Yes: from there on the wrong token is read."),
            Choice("All of them", "What stands before a token does not depend on it."),
        ),
        right="b",
    ),
    Question(
        "16.exit.large_beam",
        "A beam of 100 finds a text that is more probable than that of greedy, and it is worse. What is to blame?",
        (
            Choice("The beam: it is too wide", "It did what it was asked, better than greedy."),
            Choice("The model: it gives the worse text more probability", "Yes. A narrow beam only hides it."),
            Choice("The temperature", "None was used: the beam adds log-probabilities as they are."),
        ),
        right="b",
    ),
]
