"""Notes on lesson 14."""

from .note import Note, Notes

NOTES: Notes = {
    "14 · Logits, loss and the shift: what is a model asked at each position?": Note(
        "Everybody can say what is missing between a vector and a word.",
        (
            "The decoder ends in vectors. You want words, and one number that says how wrong they are.",
            "Today you go all the way from a vector to one step of training.",
        ),
        "At each position the model is asked one thing: which token comes next?",
    ),
    "A score for every token of the vocabulary": Note(
        "Everybody can turn a vector into probabilities.",
        (
            "One matrix turns a vector into one score per token of the vocabulary.",
            "Softmax, which you know, turns the scores into probabilities.",
        ),
        "These scores are called logits. They can be any numbers.",
    ),
    "A distribution of what?": Note(
        "Everybody can say which token each row of probabilities is about.",
        (
            "Each position has a distribution over the whole vocabulary.",
            "Is it the probability that a token occurs somewhere, or that it comes next? Guess.",
        ),
        "Each row is about the next token only.",
    ),
    "What goes in, and what comes out": Note(
        "Everybody can write inputs and labels for a short target.",
        (
            "The labels are the target. The inputs are the same tokens, shifted one position to the right.",
            "Write both rows for the number 40 before you run the cell.",
        ),
        "No position ever sees its own label.",
    ),
    "From probabilities to a loss": Note(
        "Everybody has computed two losses on paper.",
        (
            "Look only at the probability of the correct token, and take minus its logarithm.",
            "First comes a question about two models. Then, on paper: which of eight labels costs most?",
        ),
        "Being sure and wrong is expensive: a probability of 0.01 costs 4.61. A model that knows nothing has a loss of log v.",
        {
            "Why the logarithm?": "The probabilities of the tokens multiply, and logarithms turn the product into a sum. "
            "The minus sign makes it a cost.",
        },
    ),
    "One step of gradient descent": Note(
        "Everybody can say which logits go up after one step, and which go down.",
        (
            "The loss is one number, and every parameter of the model affects it.",
            "The label is car. Which of the four logits will change, and in which direction?",
        ),
        "The gradient with respect to the logits is p minus the one-hot label, so a step raises the label's logit and "
        "lowers all the others.",
        {
            "How does it reach the other layers?": "By the chain rule. backward() does it, from the loss down to the "
            "embeddings.",
        },
    ),
    "What if the shift is forgotten?": Note(
        "Everybody can say why a low loss may mean nothing.",
        (
            "Now we make the mistake on purpose, and the loss becomes very low.",
            "What will the model write?",
        ),
        "A low loss says that the model can answer what it was asked. So always look at what a model generates, too.",
    ),
}
