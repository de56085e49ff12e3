"""Exit tickets: for each day of a plan, a few questions to answer alone and in writing, and what good answers contain."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ticket:
    """A question, the lesson that taught it, what a good answer contains, and what other answers reveal."""

    question: str
    lesson: str
    good: str
    other: str


POINT_OF_SCORE = Ticket(
    "A token scores 2 with itself and 0 with its neighbour. About how many times as much weight does it give to itself as to "
    "its neighbour? How do you know?",
    "02",
    "About 7.4: a score that is 1 higher gets e times the weight, so one that is 2 higher gets e · e times the weight.",
    "“Twice” treats the scores themselves as weights. “It takes everything” forgets that exp is never 0.",
)
LEAK = Ticket(
    "In a weight matrix, every cell above the diagonal is 0. Can an output still depend on a later token? How would you find "
    "out?",
    "04",
    "Yes. If the mask was applied after softmax, the masked keys are still in each row's sum. Change a later token, and see "
    "whether an earlier output changes.",
    "“No, the zeros prove it” is the misconception that the lesson is about. Learners who look at the row sums are halfway "
    "there. One output that changes with a later token proves a leak. If none changes, nothing leaked for these tokens.",
)
UNSEEN_NUMBERS = Ticket(
    "A translator gets 99 of 100 unseen numbers right, but it gets “two” wrong. How can both be true?",
    "15",
    "The unseen numbers were drawn in the same way as the training numbers, and nearly all of them are long. A score on "
    "unseen examples holds only for examples drawn in the same way.",
    "“It overfits” does not explain it: the model is right on numbers it has never seen. “Two is too short” is close, but "
    "the model gets short numbers of two words right, such as “forty one”. It fails where the ending is rare in training.",
)
UNCLEAR = Ticket(
    "What is still unclear to you, or what would you like to try next?",
    "",
    "There is no wrong answer. Begin the next meeting with what most learners named.",
    "An empty line may mean that the learner lost the thread early. Look at the other answers on the ticket.",
)
SHAPES = Ticket(
    "Five tokens attend to nine others. Queries and keys have 4 numbers, values have 12. What are the shapes of the weights "
    "and of the output, and what sums to 1?",
    "03",
    "The weights are 5 × 9, the output is 5 × 12. Each row of the weights sums to 1.",
    "5 × 4 for the output: the output is as wide as the values, not as the keys. “All weights sum to 1”: each row does, so "
    "together they sum to 5.",
)
SQUARE_ROOT = Ticket(
    "Why are scores divided by √d_k? Why the square root?",
    "03",
    "A score is a sum of d_k products. Their variances add up to d_k, so the scores have a standard deviation of √d_k. Large "
    "scores saturate softmax, and then the weights hardly change in training.",
    "“To make the numbers smaller” is not yet a reason. Divided by d_k they would be smaller still, and all weights would be "
    "nearly equal.",
)
ONE_HEAD = Ticket(
    "Each token should report its left and its right neighbour. A model with one head reports only one of them, whereas two "
    "heads of half the width report both. Why?",
    "05",
    "One head has a single row of weights for each token, so it can attend to both neighbours but mixes their vectors into "
    "one average. A linear map cannot read both from it. Two heads make two averages, one for each neighbour.",
    "“One head can attend to only one token” is not what we measured: it finds both. “Two heads have more parameters”: both "
    "models have the same number.",
)
ALIGNMENT = Ticket(
    "In a map of cross-attention, an output word gives hardly any weight to the word it translates. Name two possible "
    "reasons, and say how you would find out which it is.",
    "15",
    "The model may know the word from what it has already written, or it may have looked at it in another layer. Change the "
    "word in the source, and see whether the output follows.",
    "“It has not learned the word” is a third possibility, but the evidence in the lesson is against it: the model nearly "
    "always got such words right.",
)
MISSING_MASK = Ticket(
    "In training, a decoder is given the whole correct target at once. Why does it need a mask, and why would the training "
    "loss not reveal that it is missing?",
    "13",
    "Without the mask, each position could read the very token that it has to predict. The training loss would look very "
    "good. But when the model generates on its own, that token is not there yet, and the model would fail.",
    "“So that it does not look at padding” is the job of the other mask.",
)
WHOSE_LABELS = Ticket(
    "In fine-tuning, the user's tokens have the label −100. Does the model learn nothing from the question, then? And what "
    "came out when they had labels?",
    "26",
    "It reads the question: the answer's loss depends on every token to its left. With labels everywhere, most of the loss "
    "was about questions, and fewer answers were right, with every seed.",
    "“More labels, more learning” is the guess that the lesson's control is there for.",
)
SHARPENED = Ticket(
    "After learning from rewards, pass@1 is much higher and pass@8 hardly is. What has the model learned, and why not more?",
    "27",
    "To give more often what it could already give sometimes. Only an answer that is sampled can be paid for.",
    "“It has learned new sums”: then pass@8 would have risen, too.",
)
JUDGE = Ticket(
    "The mean reward of a training rises and rises. How could the model still have become useless, and how would you notice?",
    "27",
    "It may have found what the judge pays for, such as length. Read samples, watch the KL, and measure with a second judge.",
    "“It cannot, the reward says so” takes the judge for the goal.",
)

TICKETS = {
    "half-day": ((POINT_OF_SCORE, LEAK, UNSEEN_NUMBERS, UNCLEAR),),
    "day": ((SHAPES, LEAK, ALIGNMENT, UNCLEAR),),
    "two-days": (
        (SQUARE_ROOT, LEAK, ONE_HEAD, UNCLEAR),
        (MISSING_MASK, ALIGNMENT, UNSEEN_NUMBERS, UNCLEAR),
    ),
    "after-pretraining": ((WHOSE_LABELS, SHARPENED, JUDGE, UNCLEAR),),
}


def stems(name: str) -> list[str]:
    """Return the names of a plan's exit tickets in docs/paper, one for each day."""
    stem = f"exit_ticket_{name.replace('-', '_')}"
    return [f"{stem}_day_{day}" for day in range(1, len(TICKETS[name]) + 1)] if len(TICKETS[name]) > 1 else [stem]
