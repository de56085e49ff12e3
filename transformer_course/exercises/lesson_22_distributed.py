"""Lesson 22, past one machine: its predictions. It has no sheet."""

from .question import Choice, Question

QUESTIONS = [
    Question(
        "22.recall.mean_loss",
        "The loss of a batch is a mean. What is it a mean over?",
        (
            Choice("Over its tokens that are not padding", "Yes. Padding has no label, so it is left out."),
            Choice(
                "Over its sentences", "Then the tokens of a short sentence would have more weight than those of a long one."
            ),
            Choice(
                "Over all its positions",
                "Then padding would be included. The model would be trained to predict it, although nobody needs it.",
            ),
        ),
        right="a",
        origin=("14",),
    ),
    Question(
        "22.recall.norm",
        "With which norm do the vectors of a sentence depend on the other sentences of the batch?",
        (
            Choice("LayerNorm", "It uses only the numbers of one token, so the rest of the batch makes no difference."),
            Choice(
                "BatchNorm",
                "Yes: its means are taken over the batch, and today each process sees only part of the batch. With "
                "LayerNorm, a sentence has the same vectors, whichever part it is in.",
            ),
        ),
        right="b",
        origin=("11",),
    ),
    Question(
        "22.three_and_one",
        "This time A gets three targets, 1, 2 and 3, and B gets only the 6. Again, each computes the mean of its own "
        "gradients, and the two means are averaged. What is the result?",
        (
            Choice(
                "−4: A has most of the targets, and its mean is −4",
                "That is A's own mean. Averaged with B's −12, it gives −8. The average does not know that A has three "
                "times as many targets.",
            ),
            Choice(
                "−6: an average of averages is the average",
                "That was true as long as both had the same number of targets. Now A's mean, −4, stands for three "
                "targets, and B's mean, −12, for one. The average gives both the same weight, and is −8.",
            ),
            Choice(
                "−8: the 6 now counts as much as the other three together",
                "Yes: (−4 − 12)/2. With weights of 3/4 and 1/4, the result is −6 again.",
            ),
        ),
        right="c",
    ),
    Question(
        "22.wrapper",
        "Which gradient will `DistributedDataParallel` compute from the short half and the long half?",
        (
            Choice(
                "none: it averages the parameters",
                "Some methods do that, to communicate less often. This one averages gradients at every step, "
                "so the copies of the model stay equal. The gradients that it averages are those of the two "
                "mean losses.",
            ),
            Choice(
                "the gradient of the whole batch",
                "That would be so if both halves had the same number of tokens. But the wrapper does not know "
                "what your loss is a mean over. It adds up the gradients and divides by the number of processes.",
            ),
            Choice(
                "the mean of the two means",
                "Yes: it adds up the gradients and divides by the number of processes, like our `mean_of_means`.",
            ),
        ),
        right="c",
    ),
    Question(
        "22.share",
        "A model with a hundred times as many parameters has to send a hundred times as much. With the same batch and "
        "the same network, what happens to the fraction of its time that it spends sending?",
        (
            Choice(
                "it grows",
                "The model does send a hundred times as much. But it also computes a hundred times as much, so the "
                "fraction stays the same. Large models need both: fast networks and fast processors.",
            ),
            Choice(
                "it stays about the same",
                "Yes: both the message and the computation are proportional to the number of parameters, so that number "
                "cancels. The number of tokens does not.",
            ),
            Choice(
                "it falls",
                "The model does compute a hundred times as much. But it also sends a hundred times as much, so the "
                "fraction stays the same.",
            ),
        ),
        right="b",
    ),
    Question(
        "22.exit.two_halves",
        "Process A has 30 tokens and a mean gradient of 1. Process B has 10 tokens and a mean gradient of 5. "
        "What is the gradient of the whole batch?",
        (
            Choice("2", "Yes: 30/40 · 1 + 10/40 · 5."),
            Choice("3", "That is the mean of the means. It gives B's 10 tokens as much weight as A's 30."),
            Choice("6", "That is the sum of the means. First multiply each mean by its fraction of the tokens."),
        ),
        right="a",
    ),
    Question(
        "22.exit.slow_cable",
        "You exchange gradients over a slow cable. How can you reduce the fraction of time that this takes?",
        (
            Choice("Give each process more tokens", "Yes: each process computes more, and the message stays the same."),
            Choice("Use a smaller model", "It sends less, but it computes less too, in the same proportion."),
            Choice("Send parameters instead of gradients", "There are as many parameters as gradients, so nothing is saved."),
        ),
        right="a",
    ),
]
