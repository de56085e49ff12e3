"""What a question needs around it on a slide, where the sentences next to it in its lesson are not enough.

On a slide, a question stands alone: those who look up at it have not just read the paragraph above it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Context:
    """Texts around a question on a slide, in Markdown. An empty lead stands for the lesson's own sentences."""

    lead: str = ""  # above the question, below what was printed before it
    result: str = ""  # below the reply: how to read what the cell prints, or what the lesson says next


CONTEXTS = {
    "02.largest": Context(result="(The numbers are the scores of *red* with *red*, *car* and *orange*.)"),
    "02.zero": Context(lead="*Red* now has scores 1, 0 and 1. They have to become **weights**: fractions that sum to 1."),
    "02.car": Context(
        result="Swap the two coordinates of every token: *red* and *car* change places, and *orange* stays as it is. So the "
        "new *car* is the new *red* with its coordinates swapped."
    ),
    "03.back": Context(result="(The rows are the queries of *red* and *car*, the columns their keys.)"),
    "03.spread": Context(
        lead="So far, queries and keys have had two to four numbers. In a real model they have 64 or more, and a score is a "
        "sum of as many products. Before training they are random: say, with mean 0 and standard deviation 1."
    ),
    "03.training": Context(
        lead="A small model learns to look up the value that belongs to a name. We train it for 500 steps, with the division "
        "and without it, with three seeds each. The *loss* says how wrong its answers are.",
        result="(The numbers are the first step at which the loss is below 0.5, for each of three seeds.)",
    ),
    "04.row": Context(
        lead="The causal mask above has a row for each token, with True for the tokens that it may look at. Where does "
        "the mask go?"
    ),
    "04.late": Context(
        lead="Above are the weights of *red*, *car* and *orange*. The first two rows no longer sum to 1.",
        result="(Each line shows the output of *red*: *early* with the mask before softmax, *late* with the mask after it.)",
    ),
    "04.padding": Context(
        lead="Above are two sequences of token ids, in which 0 is padding. Without a mask, padding gets some attention. "
        "The scores of this batch have shape (2, 4, 4): sequences, queries, keys."
    ),
    "05.reshape": Context(
        lead="Above are the queries of three tokens, in four columns: two of head 1, then two of head 2. We want an axis for "
        "the heads: from (3, 4) to (2, 3, 2)."
    ),
    "05.neighbours": Context(
        lead="Each token should report both its neighbours. Above: a sequence, and what its second to fourth tokens should "
        "report. The model is one layer of attention; a linear map reads both answers from its output.",
        result="(Each line is a seed, with the accuracy for each neighbour. *Pair:* are both tokens found, in either order?)",
    ),
    "13.swapped": Context(
        lead="The queries come from two target tokens, the keys and values from three source tokens (the memory). So there "
        "are 2 × 3 weights, and one row of output for each target token."
    ),
    "13.source": Context(
        lead="The decoder has six target tokens and a causal mask. Now we change its other input, the source, which has four "
        "tokens."
    ),
    "13.alone": Context(
        lead="The task is to sort six digits. We train with the correct digits as input (*teacher-forced*), with the causal "
        "mask and without it. Then each model writes by itself (*free-running*), and reads what it has written.",
        result="(The baseline never reads the source, and gets 32% of the digits right.)",
    ),
    "14.occurs": Context(
        lead="*Three hundred and five* is 3 100 0 5. At position 0, the decoder has seen only `begin`; at position 4, it has "
        "seen `begin 3 100 0 5`.",
        result="(The columns are the positions 0 to 4.)",
    ),
    "14.check.larger_loss": Context(lead="The loss is the mean of −log p, where p is the probability that a label gets."),
    "14.gradient": Context(
        lead="The logits [3, 0, 0, 1] belong to *red*, *car*, *orange* and `end`. We take one step of gradient descent on the "
        "logits themselves, with learning rate 1."
    ),
    "14.no_shift": Context(
        lead="We train translators of the numbers 1 to 99, with the shift and without it. Without the shift, the inputs are "
        "the labels, and the final loss is at least as low. Then each model translates by itself."
    ),
    "15.groups": Context(result="一百一十, or 1 100 1 10, is 110. 二二百二二二二, or 2 2 100 2 2 2 2, is not a number."),
    "15.least": Context(
        lead="A second model, of the same size, writes dates as YYYY-MM-DD. For each digit we know the ideal *alignment*, "
        "the characters that determine it: the same digit in the text, or for the month, the letters of its name. How much "
        "attention weight do they get? (Last cross-attention, mean of four heads.)"
    ),
    "20.translator": Context(
        lead="We hide each English word in turn, and see how far the probability of each written token falls. Each token also "
        "has a row of cross-attention weights. As a control, we shuffle the weights of each row.",
        result="(Each line is a sample of 60 numbers. All fractions are rounded.)",
    ),
    "20.gpt": Context(
        lead="A GPT with six layers continues names, letter by letter. We hide each earlier token in turn, and compare the "
        "effect on the next letter with the weights of the last layer. By chance, the two agree in about 8% of the rows.",
        result="In layer 6, the vector at a letter's position no longer stands for that letter: it is a mixture of all "
        "letters up to there.",
    ),
}

# What a task on paper needs above it on a slide, by the heading that it is under
PAPER_LEADS = {
    "How an exercise works: answer, check": "Each exercise has a cell for your answer and a cell that checks it.",
    "Two heads by hand": "Head 2: the first token, *red*, looks for things, and things look for the first token.",
    "Cross-attention by hand": "The source tokens are [1, 0], [0, 1] and [1, 1], the target tokens [1, 0] and [0, 2]. All "
    "three matrices are identities. The first target token has scores 1, 0 and 1 for the three source tokens.",
    "From probabilities to a loss": "A translator that is less than a third of the way through its training gave these "
    "probabilities to the eight labels of a batch.",
}
