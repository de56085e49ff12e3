"""The questions of lesson 14: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "14.recall.unmasked",
        "A decoder was trained without its mask, the right target at its input. What had it learned?",
        (
            Choice("The task, only worse", "Alone, it did hardly better than one who never reads the source."),
            Choice(
                "To copy the next token from where it stood",
                "Yes, wherever there was a next one. Today the mask is there, and something else is missing.",
            ),
            Choice("Nothing: its loss stayed high", "While the right target was shown, its answers were nearly all right."),
        ),
        right="b",
        origin=("13",),
    ),
    Question(
        "14.recall.padding",
        "A sentence is padded further, by three more tokens. What does LayerNorm make of its real tokens?",
        (
            Choice("The same as before", "Yes: each token's vector is standardised by its own numbers."),
            Choice(
                "Something a little smaller",
                "That would need a mean over tokens or over the batch. LayerNorm takes one over the numbers of one vector.",
            ),
            Choice("That depends on the other sentences", "So it is with BatchNorm."),
        ),
        right="a",
        origin=("11",),
    ),
    Question(
        "14.recall.causal_mask",
        "Behind a causal mask, which tokens does position 2 see? (Counted from 0.)",
        (
            Choice("0 and 1", "And its own: the diagonal of a causal mask is True. Today that one token decides everything."),
            Choice("0, 1 and 2", "Yes: what stands before it, and itself."),
            Choice("All of them, as in the encoder", "In the encoder, yes. The decoder may not see what it has yet to write."),
        ),
        right="b",
        origin=("04",),
    ),
    Question(
        "14.occurs",
        "Of the target, position 0 sees nothing but `begin`. What probability does the model give to `5` there?",
        (
            Choice(
                "nearly 1: it occurs",
                "It does occur, but not yet: the row says what comes *next*, and that is 3. At position 3, where "
                "`3 100 0` has been written, 5 gets nearly 1.",
            ),
            Choice(
                "about 1/5: five tokens occur, `end` among them, and they share the 1",
                "A row does sum to 1, so five tokens could not all have more than 1/5. But they need not share: "
                "what comes first is 3, and it gets nearly all.",
            ),
            Choice(
                "nearly 0", "What comes first is 3, and it gets nearly all. The 5 has its turn at position 3, and there alone."
            ),
        ),
        right="c",
    ),
    Question(
        "14.check.larger_loss",
        "Model A gives the two labels of a text 0.5 and 0.5. Model B gives them 0.99 and 0.01. Which one has the larger loss?",
        (
            Choice(
                "A: it is never sure, and B at least once",
                "Being sure saves B 0.68 on one label. The other one costs it 4.61.",
            ),
            Choice("B", "Yes, 2.31 against 0.69. To be sure and wrong is dear."),
            Choice("Neither: on average, both give the label 0.5", "First the logarithm, then the mean."),
        ),
        right="b",
    ),
    Question(
        "14.no_shift",
        "Which of them does a model write that was trained without the shift?",
        (
            Choice(
                "nearly all: it was trained on just these, and its loss is lower",
                "Its loss is lower, but for another question: say what you have just been given. What comes "
                "*next* it was never asked, not even for these numbers.",
            ),
            Choice(
                "none",
                "It has learned to say what it has just been given. When it writes by itself, nothing is given "
                "but `begin`, and then its own last token.",
            ),
            Choice(
                "all, but moved by one place: `10 3 end` for 73, the first token lost",
                "For that it would have to know which token follows which. It was only ever asked for the token "
                "that it had in front of it, and never had to look at the English words.",
            ),
        ),
        right="b",
    ),
    Question(
        "14.padding",
        "We train with this loss, and at the end ask the same model twice: with padding counted, and without. The "
        "loss with padding counted is",
        (
            Choice(
                "about half of the other",
                "After `end` comes `pad`, and after `pad` comes `pad`: that is soon learned, and costs nearly 0. "
                "So 55 % of the mean are nearly 0.",
            ),
            Choice(
                "the same: padding is no word, and has no meaning",
                "It has no meaning, but as soon as it is asked for it has a loss like any token. `pad` after "
                "`pad` is soon learned, and then 55 % of the mean are nearly 0.",
            ),
            Choice(
                "the larger one: it asks for more",
                "It asks for more, but for something easy: after `end` always comes `pad`. A mean over many easy "
                "tokens and some hard ones is *smaller*. (For a model that was never asked for padding it is "
                "larger, as in the table further up.)",
            ),
        ),
        right="a",
    ),
    Question(
        "14.smoothing",
        "A model becomes surer and surer of the right token: it gives it 0.8, then 0.9, 0.99, 0.9999, and the "
        "other 17 share the rest evenly. Its loss with smoothing",
        (
            Choice(
                "falls towards 0, only more slowly",
                "So it would without the share of the others. Each of them is asked for with 0.0056, and the "
                "surer the model, the more they cost: 17 · 0.0056 · 12 for 0.9999.",
            ),
            Choice(
                "falls, and comes to rest above 0",
                "It does stay above 0. But it does not rest: beyond 0.906, the surer the model, the less is left "
                "for the others, and each of them is in the loss with its share.",
            ),
            Choice(
                "falls at first, and then rises",
                "Beyond 0.906 the model is surer than it is asked to be: what the label still saves is less than "
                "what the other 17 cost.",
            ),
        ),
        right="c",
    ),
    Question(
        "14.exit.label",
        "A model reads `begin 6 10` at the positions 0 to 2. The number is 62, 6 10 2. What is position 1 asked for?",
        (
            Choice("6", "That it sees in its own place. So it would be without the shift."),
            Choice("10", "Yes: it sees `begin 6`, and the next token is 10."),
            Choice("2", "That is one too far: shifted twice. Position 2 is asked for it."),
        ),
        right="b",
    ),
    Question(
        "14.exit.low_loss",
        "A new model with a vocabulary of 1000 tokens begins at a loss of 6.9 and is at 0.001 within 50 steps. It is",
        (
            Choice("excellent", "Perhaps. But so quick a fall is what a model shows that sees its answers."),
            Choice("broken from the start, since 6.9 is so large", "log 1000 = 6.9 is just what knowing nothing costs."),
            Choice(
                "suspect: let it write something",
                "Yes. A loss says how easy the question was for this model, not that it was the right question.",
            ),
        ),
        right="c",
    ),
]
