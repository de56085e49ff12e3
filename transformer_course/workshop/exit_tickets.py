"""The exit tickets: for each day of a plan a few questions to answer in writing, alone, and what good answers hold."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ticket:
    """One question, where it was taught, what a good answer holds, and what other answers show."""

    asks: str
    lesson: str
    good: str
    instead: str


FACTOR = Ticket(
    "A token scores 2 with itself and 0 with its neighbour. About how many times as large is its weight for itself as"
    " the one for its neighbour? How do you know?",
    "02",
    "About 7.4 times: each point of score is one more factor of e, so two points are e · e.",
    "“Twice” takes the scores themselves for shares. “It takes all” forgets that exp is never 0.",
)
LEAK = Ticket(
    "In a table of weights, every cell above the diagonal is 0. Can an output still depend on a later token? How "
    "would you find out?",
    "04",
    "Yes: masked after softmax, the forbidden keys are still in each row's sum. Change a later token, and see whether"
    " an earlier output moves.",
    "“No, the zeros prove it” is the misconception of the lesson. Whoever looks at the sums of the rows is half-way "
    "there: change something and look is the trial that always works.",
)
SPOKEN_FOR = Ticket(
    "A translator gets 99 of 100 unseen numbers right, and the number “three” wrong. How can both be true?",
    "15",
    "The unseen numbers were drawn as those of the training were, nearly all of them long. A score speaks for "
    "examples that are drawn in the same way, and for no others.",
    "“It is overfitted” is no answer: it is right on numbers that it never saw. “Three is too short” may be true: "
    "nothing shown so far tells short from rare.",
)
UNCLEAR = Ticket(
    "What is still unclear to you, or what would you like to try next?",
    "",
    "There is no wrong answer. Begin the next meeting with what most have named.",
    "An empty line may mean that somebody lost the thread early: look at the other answers on the page.",
)
SHAPES = Ticket(
    "Five tokens attend to nine others; queries and keys have 4 numbers, values have 12. What shapes have the weights"
    " and the output, and what sums to 1?",
    "03",
    "Weights 5 × 9, output 5 × 12. Each row of the weights sums to 1.",
    "5 × 4 for the output: its width is that of the values, not of the keys. “All weights sum to 1”: each row does, "
    "so all of them sum to 5.",
)
ROOT = Ticket(
    "Why is a score divided by √d_k? Why the root?",
    "03",
    "A score is a sum of d_k products. Their variances add up to d_k, so the scores stray by √d_k. Large scores "
    "saturate softmax, and then weights hardly move.",
    "“To make the numbers smaller” is not yet a reason: divided by d_k they would be smaller still, and all weights "
    "nearly alike.",
)
ALIGNED = Ticket(
    "A map of cross-attention shows that one output word hardly looks at the word it translates. Name two things that"
    " this may mean, and how you would tell them apart.",
    "15",
    "It may know the word from what it has already written, or have looked in another layer. Change the word in the "
    "source, and see whether the output follows.",
    "“It has not learned the word” is a third, and the lesson's case against it: such words were right nearly always.",
)
STREAM = Ticket(
    "In a stack of 24 sublayers with residual connections, sublayer 20 needs what sublayer 2 found out. How can it get it?",
    "10",
    "What sublayer 2 found was added to the stream. Each later sublayer adds to the stream and replaces nothing, so "
    "sublayer 20 reads it there.",
    "“Each sublayer hands it on” is how it would be without the plus signs.",
)
NIGHT = Ticket(
    "In training, a decoder is given the whole right target at once. Why does it need a mask, and why would a missing"
    " one not show in the training loss?",
    "13",
    "Without the mask each position could read the token that it is asked for. The loss would become very good, and "
    "alone, where that token does not stand there yet, the model would fail.",
    "“So that it does not look at padding” is the other mask.",
)
SPOKEN_MAP = Ticket(
    "Somebody shows you a weight of 0.9 on one word and says: that is why the model answered so. What would you have "
    "to see before you agree?",
    "20",
    "The answer changing when that word is taken away, and changing less when others are: a trial with a control. "
    "Another map may give the same output, and a large weight on a short value adds little.",
    "“Nothing, the weight says it” and “weights mean nothing” are both too quick.",
)

TICKETS = {
    "half-day": ((FACTOR, LEAK, SPOKEN_FOR, UNCLEAR),),
    "day": ((SHAPES, LEAK, ALIGNED, UNCLEAR),),
    "two-days": ((FACTOR, ROOT, LEAK, UNCLEAR), (STREAM, NIGHT, SPOKEN_FOR, SPOKEN_MAP)),
}
