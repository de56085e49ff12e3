"""Lesson 22, past one machine: its predictions. It has no sheet."""

from .question import Choice, Question

QUESTIONS = [
    Question(
        "22.recall.mean_loss",
        "The loss of a batch is a mean. Over what?",
        (
            Choice("Over its sentences", "Then a long sentence would count as much as a short one."),
            Choice("Over its tokens that are not padding", "Yes. Today everything hangs on that word."),
            Choice("Over all its places", "Then the padding would count too, and the loss would look better than it is."),
        ),
        right="b",
        origin=("14",),
    ),
    Question(
        "22.recall.norm",
        "With which norm does a sentence get other vectors when it is alone than when it shares the batch?",
        (
            Choice("LayerNorm", "It looks at the numbers of one token. It does not matter where the others are."),
            Choice(
                "BatchNorm",
                "Yes: its means are taken over the batch, and today each process will see only its own part of "
                "it. A Transformer with LayerNorm can be shared out as it is.",
            ),
        ),
        right="b",
        origin=("11",),
    ),
    Question(
        "22.three_and_one",
        "This time A gets three targets, 1, 2 and 3, and B gets the 6 alone. Again each takes the mean of its own "
        "gradients, and the two means are averaged. What comes out?",
        (
            Choice(
                "−6: an average of averages is the average",
                "That was so while both had the same number of targets. Now A's mean of −4 stands for three "
                "targets and B's −12 for one, and the average lets both count alike: −8.",
            ),
            Choice(
                "−8",
                "(−4 − 12)/2. The 6 alone counts as much as the three others together. Weighed by 3/4 and 1/4 it is −6 again.",
            ),
            Choice(
                "−4: A has most of the targets, and its mean is −4",
                "That is A's own mean. Averaged with B's −12 it is −8, since the average does not know that A has "
                "three times as many targets.",
            ),
        ),
        right="b",
    ),
    Question(
        "22.wrapper",
        "What does `DistributedDataParallel` make of the short and the long half?",
        (
            Choice(
                "the right gradient: it is what everybody uses",
                "It is, and with parts of the same number of tokens it gives the right one. But it cannot know "
                "what your loss is a mean of. It adds up the gradients that it is given and divides by the number "
                "of processes.",
            ),
            Choice(
                "the mean of the two means, off by a quarter",
                "It cannot know what your loss is a mean of: it adds up the gradients and divides by the number "
                "of processes. That is what our `mean_of_means` does.",
            ),
            Choice(
                "neither: it lets the two models drift apart, and averages the models",
                "There are methods that do that, to talk less often. This one averages gradients at every step, "
                "so that the models never drift apart. What it averages are the gradients of the two halves' "
                "means.",
            ),
        ),
        right="b",
    ),
    Question(
        "22.share",
        "A model with a hundred times as many parameters sends a hundred times as much. With the same batch, what "
        "becomes of the share of its time that is spent on the wire?",
        (
            Choice(
                "it grows: that is why large models need such networks",
                "It does send a hundred times as much. But it also computes a hundred times as much, so that the "
                "share stays. What large models need is that all of it be quick.",
            ),
            Choice(
                "it stays about the same",
                "What is sent grows with the number of parameters, and what is computed does too: it cancels. The "
                "number of tokens does not.",
            ),
            Choice(
                "it falls: large models have more to compute",
                "It computes a hundred times as much, and sends a hundred times as much: the share stays.",
            ),
        ),
        right="b",
    ),
    Question(
        "22.exit.two_halves",
        "Two processes, two halves. A has 30 tokens and a mean gradient of 1, B has 10 and a mean gradient of 5. "
        "What is the gradient of the whole?",
        (
            Choice("3", "The mean of the means. B's 10 tokens would count as much as A's 30."),
            Choice("2", "Yes: 30/40 · 1 + 10/40 · 5."),
            Choice("6", "That is the sum of the means. A sum would do if each had scaled its own by its share before."),
        ),
        right="b",
    ),
    Question(
        "22.exit.slow_cable",
        "You exchange gradients over a slow cable. What makes its share of the time smaller?",
        (
            Choice("A smaller model", "It sends less and computes less, in the same ratio."),
            Choice("More tokens in each process's part", "Yes: more is computed for the same message."),
            Choice("Sending parameters instead of gradients", "There are as many of them."),
        ),
        right="b",
    ),
]
