"""The questions of lesson 16: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "16.recall.exact_match",
        'A translator is measured by "exact match". When is a translation counted as correct?',
        (
            Choice(
                "Never as a whole: each token is scored by itself, given the correct tokens before it",
                "That is accuracy with teacher forcing. It forgives every earlier mistake.",
            ),
            Choice(
                "If the model generates the whole sequence by itself, and every token is correct, up to `end`",
                "Yes. How it generates is the subject of this lesson.",
            ),
            Choice("If its loss is small", "The loss looks at probabilities. No token is chosen."),
        ),
        right="b",
        origin=("15",),
    ),
    Question(
        "16.recall.times_four",
        "You multiply all scores by 4 before softmax. What happens to the weights?",
        (
            Choice(
                "Nothing, because the ratios of the scores stay the same", "Softmax depends on differences, and they grow."
            ),
            Choice("They move closer together", "That is what happens if you divide."),
            Choice(
                "The largest weight grows, and the order stays the same",
                "Yes. In this lesson you will meet a setting that does this.",
            ),
        ),
        right="c",
        origin=("03",),
    ),
    Question(
        "16.apart",
        "At which positions of the second number do reading and generating give the same logits, apart from rounding?",
        (
            Choice(
                "At all except position 5",
                "At position 5 they still agree: its logits were computed from correct tokens, and only the choice was "
                "wrong. After that, the most probable token is the correct one again, but the logits differ, because a "
                "different digit has been read.",
            ),
            Choice(
                "At positions 0 to 5, and at none after that",
                "Yes. Up to position 5 both have the same tokens so far, and the mask hides the rest. The wrong digit is "
                "chosen at position 5 and read from position 6 on.",
            ),
            Choice(
                "At none of them",
                "Reading gets all ten tokens at once, but the mask hides the later ones. A position sees "
                "exactly what it would see if the model were generating, as long as the tokens so far are the"
                " same.",
            ),
        ),
        right="b",
    ),
    Question(
        "16.passes",
        "How many passes of the encoder and of the decoder does `greedy` need for the ten tokens?",
        (
            Choice(
                "One for the encoder, ten for the decoder",
                "Yes. The source is read once, in parallel. Each of the ten tokens needs its own pass, because it depends on "
                "the one before.",
            ),
            Choice(
                "One for each",
                "One pass each is enough in training, where the whole target is known. When the model "
                "generates, each token must be chosen before the next one can be computed.",
            ),
            Choice(
                "Ten for each",
                "That is what our loop did. But only the target grows. The source stays the same, so `greedy`"
                " computes its memory once, and all ten passes of the decoder look at it.",
            ),
        ),
        right="a",
    ),
    Question(
        "16.prose",
        "The model was trained on real documentation. What do you expect it to write?",
        (
            Choice(
                "Two or three sentences that make sense",
                "The best token at each step does not add up to a good text. Once the model has written a phrase, the same "
                "phrase becomes the most probable continuation, and greedy decoding never leaves it.",
            ),
            Choice(
                "One phrase, over and over",
                "Yes. Once the model has written a phrase, the most probable continuation is the same phrase again, and greedy "
                "decoding has no way out. (We looked at the probabilities: they rise with each repetition.)",
            ),
            Choice(
                "Words in no particular order",
                "It has learned more than that: each of its sentences looks like documentation. What goes wrong is the "
                "choice: once the model has written a phrase, the same phrase becomes the most probable continuation.",
            ),
        ),
        right="b",
    ),
    Question(
        "16.one_error",
        "After the wrong token, the model generates positions 4 to 9. How many of these tokens are correct?",
        (
            Choice(
                "Few, in both cases",
                "In training, the model never saw a wrong prefix. But no later token needs the wrong digit, "
                "and nearly all of them are correct, in all three draws. Errors pile up only if later tokens "
                "depend on them.",
            ),
            Choice(
                "Few after a wrong digit, nearly all after a wrong unit",
                "It is the other way round. You might think that a digit carries the content, and that a unit is only a "
                "form. But the unit tells the model where in the number it is.",
            ),
            Choice(
                "Nearly all after a wrong digit, few after a wrong unit",
                "Yes. The model uses the unit to find its place in the source. The digit is not needed again.",
            ),
            Choice(
                "Nearly all, in both cases",
                "The source is still there to be read. But the model uses the tokens that it has generated to"
                " find its place in the source, and the wrong unit points to a different place.",
            ),
        ),
        right="c",
    ),
    Question(
        "16.empty",
        "How many of the 150 real names are more probable than the empty one?",
        (
            Choice(
                "All, or nearly all",
                "Each letter has a probability, and the probability of a name is the product of twenty or thirty of them: "
                "about e⁻¹⁶ for a typical name. The empty name has a single factor. It is very small, about e⁻¹⁰, but that "
                "is enough.",
            ),
            Choice(
                "About half",
                "Far fewer. A name's probability is a product of twenty or thirty factors; the empty name has a single one.",
            ),
            Choice(
                "Hardly any",
                "Yes: twenty or thirty factors, none above 1, against a single one. The empty name never occurred, but the "
                "model gives everything a little probability, and a little is enough.",
            ),
        ),
        right="c",
    ),
    Question(
        "16.exit.wrong_token",
        "A model generates a wrong token at position 5 (counted from 0). Which logits differ from those of reading the correct "
        "sequence?",
        (
            Choice(
                "Those at position 5, where the mistake was made",
                "They were computed from correct tokens. The choice was wrong, but the logits were the same.",
            ),
            Choice("Those at position 6 and at all later ones", "Yes: from there on, the wrong token is read."),
            Choice("All of them", "The logits at a position do not depend on later tokens."),
        ),
        right="b",
    ),
    Question(
        "16.exit.large_beam",
        "A beam of width 100 finds a sequence that is more probable than the greedy one, but worse. What is to blame?",
        (
            Choice("The beam, because it is too wide", "It did its job, and better than greedy decoding."),
            Choice("The model, which gives the worse sequence more probability", "Yes. A narrow beam would only hide this."),
            Choice("The temperature", "There is none: a beam adds the log-probabilities as they are."),
        ),
        right="b",
    ),
]
