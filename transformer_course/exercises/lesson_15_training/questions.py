"""The questions of lesson 15: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "15.recall.decoder_input",
        "What does a decoder get as its input while it is trained?",
        (
            Choice("Its own last tokens", "That is its input when it generates by itself. Today you measure the difference."),
            Choice("The correct tokens", "Yes, whatever it would have generated itself. This is teacher forcing."),
            Choice("Only the source", "Then it would predict each token without knowing the one before it."),
        ),
        right="b",
        origin=("14",),
    ),
    Question(
        "15.recall.memory",
        "A text has 22 tokens. What does the encoder pass to the decoder?",
        (
            Choice("One vector", "Lesson 12 tested this claim: there is one vector per token."),
            Choice("22 vectors", "Yes: the memory, with one vector per token. Cross-attention gives each of them a weight."),
            Choice("22 tokens", "Vectors leave the encoder, and each of them has been mixed with the others."),
        ),
        right="b",
        origin=("12",),
    ),
    Question(
        "15.recall.sinusoids",
        "A model with sinusoids had to output the token before each position. Up to its training length it was nearly "
        "always right. What does that tell you about longer texts?",
        (
            Choice(
                "That it is right there too",
                ("No: its accuracy fell off a cliff there, although sinusoids are defined everywhere."),
            ),
            Choice(
                "Nothing: that has to be measured",
                "Yes. It was measured, and the model failed. Remember this when you see a good score today.",
            ),
            Choice(
                "That it fails there, like any model",
                "On this task, the model with rotary positions did well. So it has to be measured.",
            ),
        ),
        right="b",
        origin=("08",),
    ),
    Question(
        "15.largest",
        "Take the encoder and the decoder together. Which kind of part has the most parameters?",
        (
            Choice(
                "attention",
                "There are more attentions, 18 against 12 feed-forward networks. But one feed-forward network"
                " is twice as large, 2 · 4 d² against 4 d². So it is 19 million against 25.",
            ),
            Choice(
                "the table of 37,000 tokens",
                "It is large, 19 million, about as much as all the attentions together. But it exists only once, because three "
                "places share it. The feed-forward networks have 25 million.",
            ),
            Choice(
                "the feed-forward networks",
                "Yes: 12 times 2.1 million is 25 million, two-fifths of the total. Attention and the table have 19 million each.",
            ),
        ),
        right="c",
    ),
    Question(
        "15.tokens",
        "A target has about ten tokens. At some point in training, 90% of the tokens are correct with teacher forcing. What "
        "percentage of the numbers does the model then translate correctly by itself?",
        (
            Choice(
                "about 90%, too",
                "A number is correct only if all its tokens are. If 90% of them are, there is about one error for every ten tokens, "
                "or one per number. Some numbers have two errors, so others have none: between a third and a half are correct.",
            ),
            Choice(
                "between a third and a half",
                "Yes. All ten tokens must be correct. If errors were independent, that would be 0.9 to the power of 10, "
                "or 35%. That is close to what we measured.",
            ),
            Choice(
                "about 1%",
                "A model that has been given the correct tokens is not lost without them: up to its first "
                "error, its own tokens are the correct ones. So what matters is how many numbers have no "
                "error at all, and that is between a third and a half.",
            ),
        ),
        right="b",
    ),
    Question(
        "15.groups",
        "Which of the three groups does the model translate worst?",
        (
            Choice(
                "eight digits, such as 73,519,284",
                "They are new and long, but many training numbers are like them: four in ten have seven or eight digits, and all "
                "their parts are common. The numbers from 1 to 20 come out worst.",
            ),
            Choice(
                "three digits with a zero, such as 305",
                "No English word stands for the zero, but there is a rule, and the model sees it hundreds of times, "
                "inside longer numbers too. The numbers from 1 to 20 come out worst.",
            ),
            Choice(
                "the numbers from 1 to 20",
                "Yes. It has seen each of them at most once, and hardly any other number ends so early.",
            ),
        ),
        right="c",
    ),
    Question(
        "15.alike",
        "Which pairs of words are closer together in the trained table?",
        (
            Choice(
                "those with the same digit, such as *six*, *sixteen* and *sixty*",
                "Yes. The same 六 has to be written for all three, so a gradient that helps one of them often helps "
                "the others. Words of the same kind are also closer than chance, but less so.",
            ),
            Choice(
                "those of the same kind (ones, teens or tens), such as *sixty* and *seventy*",
                "They are closer than chance, perhaps because they appear in the same positions. But words with the "
                "same digit are even closer: for them, the same numeral has to be written.",
            ),
            Choice(
                "neither, on average",
                "Each row of the table is looked up by itself. But the same matrices read all rows, so words "
                "that need the same output get similar gradients.",
            ),
        ),
        right="a",
    ),
    Question(
        "15.least",
        "The model turns dates such as *the 25th of March 2019* into 2019-03-25. For which of the eight digits does it "
        "put the *least* weight on the characters that determine the digit? (We take the mean over 200 dates that were not used "
        "in training.)",
        (
            Choice(
                "the second digit of the year",
                "Yes. Years begin with 19 or 20, so the second digit follows from the first, which the model has "
                "already written.",
            ),
            Choice(
                "the first digit of the month",
                "This digit puts more than half of its weight on the letters of the month. To turn letters into a digit, the "
                "model has to look at them. The second digit of the year has the least weight.",
            ),
            Choice(
                "the last digit of the day",
                "For attention, order and distance cost nothing: this digit puts most of its weight where it should. The "
                "second digit of the year has the least weight.",
            ),
        ),
        right="a",
    ),
    Question(
        "15.exit.whole_texts",
        "A translator gets 96% of its tokens right with teacher forcing, and each text has twenty tokens. In what "
        "percentage of the texts is every token correct?",
        (
            Choice("96%", "A text is correct only if all twenty tokens are."),
            Choice(
                "You cannot say exactly, but less: perhaps about half",
                "Yes. If errors were independent, it would be 0.96²⁰ = 44%. If they cluster in a few texts, the "
                "percentage is higher.",
            ),
            Choice(
                "0%, since it has never generated a text by itself",
                "Up to its first error, its own tokens are the correct ones, so nothing is different.",
            ),
        ),
        right="b",
    ),
    Question(
        "15.exit.attention_map",
        "In a map of cross-attention, the row of an output word gives almost no weight to the source word that it translates. "
        "What do you conclude?",
        (
            Choice(
                "The model has not learned this word",
                "A small weight does not show that. The second digit of the year had the least weight, and yet the "
                "model got it right: it follows from the first digit.",
            ),
            Choice(
                "It may know the word from what it has already written",
                "Yes, and then it doesn't need to look. Or it may have looked in another layer. Change the source to "
                "find out.",
            ),
            Choice("The word is not in the source", "In our dates the digit was in the source, and still got little weight."),
        ),
        right="b",
    ),
    Question(
        "15.exit.same_output",
        "You change one word of the source, and the translator writes the same as before. What does that show?",
        (
            Choice(
                "No attention weight was on this word",
                "A word can get a lot of weight without changing the output. Weights show only where the model looks.",
            ),
            Choice(
                "This change did not affect the output",
                "Yes, and no more than that. A different change may make a difference, so try several.",
            ),
            Choice(
                "The model ignores the source",
                "It ignored one change. In our date, it followed two of the three changes exactly.",
            ),
        ),
        right="b",
    ),
]
