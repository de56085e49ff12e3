"""The questions of lesson 15: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "15.recall.decoder_input",
        "What is a decoder given while it is trained?",
        (
            Choice("Its own last tokens", "That is so when it writes alone. Today the difference is measured."),
            Choice("The right beginning", "Yes: teacher forcing. Whatever it would have written itself."),
            Choice("The source alone", "Then each token would be written without knowing the one before it."),
        ),
        right="b",
        origin=("14",),
    ),
    Question(
        "15.recall.memory",
        "What does the encoder hand over for a text of 22 tokens?",
        (
            Choice("One vector", "That is what note 2 said, and lesson 12 tested."),
            Choice(
                "22 vectors", "Yes: the memory, one for each token. So cross-attention can be asked which of them it looks at."
            ),
            Choice("22 tokens", "What leaves the encoder are vectors, which have heard of each other."),
        ),
        right="b",
        origin=("12",),
    ),
    Question(
        "15.recall.sinusoids",
        "A model with sinusoids was asked for the token before. Up to its training length it was nearly always right. And beyond?",
        (
            Choice("Right as well", "Its accuracy fell off a cliff there, although the waves went on."),
            Choice(
                "That is a different question",
                "Yes: it had to be measured, and it failed. Keep this in mind when a score looks good today.",
            ),
            Choice("Wrong, as any model is", "Rotary positions did well on this task. It had to be measured."),
        ),
        right="b",
        origin=("08",),
    ),
    Question(
        "15.largest",
        "Add up both sides. Who has most of these parameters?",
        (
            Choice(
                "the attentions: three in each pair of layers, with four matrices each",
                "There are more attentions, 18 against 12 feed-forward networks. But one feed-forward network is "
                "twice as large: 2 · 4 d² against 4 d². So it is 25 million against 19.",
            ),
            Choice(
                "the table of 37,000 tokens",
                "It is a large table, 19 million, as much as all attentions together. But it is there only once, "
                "since three places share it; the feed-forward networks have 25 million.",
            ),
            Choice(
                "the feed-forward networks: two in each pair of layers, with two matrices each",
                "12 times 2.1 million: 25 million, two fifths of the whole. The attentions and the table have 19 "
                "million each.",
            ),
        ),
        right="c",
    ),
    Question(
        "15.tokens",
        "A target has about ten tokens. At the moment when nine of ten tokens are right with the beginning shown, "
        "how many of the numbers written alone are right?",
        (
            Choice(
                "about nine of ten as well",
                "A number is right only if all of its tokens are, and nine of ten leaves about one error in a "
                "number of ten tokens. Some numbers have two errors, so others have none: a third to a half are "
                "right.",
            ),
            Choice(
                "a third to a half",
                "All ten tokens must be right. If errors fell independently, that would be 0.9 to the power 10, "
                "or 35 %. They come together a little, in few numbers, and so it is often more.",
            ),
            Choice(
                "hardly one in a hundred: a model that was always shown the right beginning is lost without it",
                "It is not lost: until its first error it has the right beginning, its own. What counts is how "
                "many numbers have no error at all, a third to a half.",
            ),
        ),
        right="b",
    ),
    Question(
        "15.short",
        "We try three groups of twenty numbers each with the trained model. Which one goes worst?",
        (
            Choice(
                "eight digits, drawn at random and never seen, such as 73,519,284",
                "New and long, and yet most of training was like them: four of ten of its numbers have seven or "
                "eight digits, and all parts of them are common. The short numbers are the rare ones.",
            ),
            Choice(
                "three digits with a zero, such as 305: the zero is written, and no English word says it",
                "It has no word, but a rule: hundreds, then no tens, and training shows that hundreds of times, "
                "inside longer numbers too. Numbers from 1 to 20 alone are what is rare.",
            ),
            Choice(
                "1 to 20, most of which are in its training",
                "It may have seen them, once. But a number that ends after one word is rare: training holds 24 of "
                "them, of 30,000.",
            ),
        ),
        right="c",
    ),
    Question(
        "15.alike",
        "Which pairs lie closer in the trained table?",
        (
            Choice(
                "those with the same digit, as *six*, *sixteen*, *sixty*: other values, other places in a number",
                "The same 六 has to be written for *six*, *sixteen* and *sixty*: a gradient that serves one of "
                "them often serves the others as well. Words of the same kind are closer than chance, too, but "
                "less.",
            ),
            Choice(
                "those of the same kind, as *sixty* and *seventy* (ones, -teens, -ties): near in value, and in "
                "the same places",
                "They are closer than chance: they stand in the same places. But pairs with the same digit are "
                "closer still, and for them the same numeral has to be written.",
            ),
            Choice(
                "neither: the table is looked up row by row, and no row knows of another",
                "Each row is looked up alone. But all rows are read by the same matrices behind them: rows for "
                "which the same is to be written get like gradients.",
            ),
        ),
        right="a",
    ),
    Question(
        "15.least",
        "200 dates that it never saw, the last of two cross-attentions, the mean of its four heads. Which of the "
        "eight digits puts the *least* weight on what decides it, in the mean of all dates?",
        (
            Choice(
                "the second digit of the year",
                "Of 19.. and 20.. the second digit is known from the first, which the model has written itself. "
                "In the mean of all dates it looks there least.",
            ),
            Choice(
                "the first digit of the month: letters must be turned into a digit",
                "That digit looks at the letters with more than half of its weight. To turn letters into a digit, "
                "it has to look at them.",
            ),
            Choice(
                "the last digit of the day: it is written last, and may stand anywhere",
                "Order and distance cost attention nothing: this digit is looked up with most of the weight.",
            ),
        ),
        right="a",
    ),
    Question(
        "15.exit.whole_texts",
        "A translator gets 96 % of its tokens right when the beginning is shown; a text has twenty tokens. How "
        "many texts are right?",
        (
            Choice("96 %", "A text is right only if all its tokens are."),
            Choice(
                "That cannot be said exactly; fewer, perhaps about half",
                "Yes. If errors fell independently it would be 0.96²⁰ = 44 %; if they come together in few texts, more.",
            ),
            Choice(
                "None, since it has never written alone",
                "Up to its first error, writing alone is no different from being shown.",
            ),
        ),
        right="b",
    ),
    Question(
        "15.exit.attention_map",
        "In a map of cross-attention, the row of one output word hardly looks at the word it stands for. What do "
        "you conclude?",
        (
            Choice("The model has not learned this word", "The second digit of 20.. was right nearly always."),
            Choice(
                "It may know the word from what it has written",
                "Yes: then it has no need to look. Or it looked in another layer. Change the source and see.",
            ),
            Choice("The word stands nowhere in the source", "It stood there, in our case, and was hardly looked at."),
        ),
        right="b",
    ),
]
