"""The questions of lesson 02: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "02.recall.dot_product",
        "What is the dot product of [3, 0] and [0, 2]?",
        (
            Choice("0", "Yes: 3 × 0 + 0 × 2. Two vectors that share no direction have dot product 0."),
            Choice(
                "6",
                "That would be 3 × 2, but these two stand in different places. Multiply coordinate by coordinate, "
                "then add: 3 × 0 + 0 × 2 = 0.",
            ),
            Choice("[0, 0]", "Those are the products coordinate by coordinate. The dot product adds them up, to one number."),
        ),
        right="a",
        origin=("00",),
    ),
    Question(
        "02.recall.exp",
        "exp(2) is how many times as large as exp(1)?",
        (
            Choice(
                "Twice", "exp does not keep proportions: it turns a sum into a product. One step up is one more factor of e."
            ),
            Choice("e ≈ 2.718 times", "Yes: exp(1 + 1) = exp(1) · exp(1). One step up, one more factor of e."),
            Choice("e² ≈ 7.389 times", "That is exp(2) itself. Divided by exp(1) = 2.718, one factor of e is left."),
        ),
        right="b",
        origin=("00",),
    ),
    Question(
        "02.largest",
        "Whom will token 1 = [1, 0] match best, out of all three? Work the three dot products out on paper if you like.",
        (
            Choice(
                "itself, since nothing is more like a token than itself",
                "A token does not favour itself by rule. Token 1 scores 1 with itself, and just as much with "
                "token 3, which contains everything that token 1 has. They match it equally well.",
            ),
            Choice(
                "token 3 = [1, 1], since it is longer",
                "Token 3 is longer, and that lifts its scores: with itself it even scores 2. But token 1 sees "
                "only the part of token 3 that points its own way, and there the two are alike.",
            ),
            Choice(
                "itself and token 3, both equally",
                "Tokens 1 and 3 both score 1 with token 1. A match depends on the dot product alone; being "
                "oneself is no advantage.",
            ),
        ),
        right="c",
    ),
    Question(
        "02.zero",
        "Token 2 has score 0. What share will it get?",
        (
            Choice(
                "none",
                "A score of 0 would mean no weight if weights were shares of the score. But exp(0) = 1: softmax "
                "hands a little to everyone, and only a score of −∞ would get nothing. Lesson 04 makes use of "
                "that.",
            ),
            Choice(
                "less than the others, but something",
                "exp(0) = 1 and exp(1) = 2.718…, so the unrelated token gets 1 part for every 2.718… of the others.",
            ),
            Choice(
                "as much as the others",
                "Equal weights come from equal scores. One step down in score costs a factor of e, about 2.7: the "
                "weight is smaller, though not nothing.",
            ),
        ),
        right="b",
    ),
    Question(
        "02.mirror",
        "Token 1 = [1, 0] became [0.8446, 0.5777]. What will token 2 = [0, 1] become?",
        (
            Choice(
                "[0.5777, 0.8446]",
                "Swapping the two coordinates swaps tokens 1 and 2 and leaves token 3 alone. Nothing in the "
                "computation knows which coordinate is which, so the outputs must swap in the same way.",
            ),
            Choice(
                "[0.8446, 0.5777], like token 1",
                "Token 2 has other scores, so its row is not a copy. But they are the scores of token 1 in "
                "another order, and what is mixed is swapped as well: the output is the mirror image.",
            ),
            Choice(
                "that cannot be said before computing it",
                "It may look as if nothing could be said before computing. Yet the three tokens have a symmetry, "
                "and every step of attention keeps it. That is worth more than a second calculation: it finds "
                "slips.",
            ),
        ),
        right="a",
    ),
    Question(
        "02.hull",
        "Think of the outputs as points, and of the tokens as the corners of a triangle. Where will the outputs lie?",
        (
            Choice(
                "outside the triangle: every token adds something to what it had",
                "Nothing is added on top of what a token had: its own vector is mixed in with a share, like the "
                "others. The shares sum to 1, so each output is an average, and an average of three points lies "
                "in their triangle. (Tokens 1 and 2 do grow a little longer, to 1.02 from 1. Longer is not "
                "outside.)",
            ),
            Choice(
                "inside it, off the edges",
                "The weights are positive and sum to 1, so every output is a weighted average of all three "
                "tokens: inside their triangle, and on no edge, since no weight is 0.",
            ),
            Choice(
                "on its edges, each between the two tokens that it matches best",
                "On an edge, the third token would have no share. But exp is never 0: even the token that matches "
                "worst pulls the output a little its way.",
            ),
        ),
        right="b",
    ),
    Question(
        "02.shift",
        "Add 1000 to all three scores of token 1. On paper, its weights",
        (
            Choice(
                "come closer to each other, since 1001, 1000, 1001 are nearly the same",
                "Softmax looks at differences, not at proportions: 1001 is still one point above 1000, and one "
                "point is a factor of e. The weights stay as they were.",
            ),
            Choice(
                "stay exactly the same",
                "exp(s + 1000) is exp(s) times exp(1000), for every score alike, so the factor cancels when you "
                "divide by the sum. Only differences of scores count.",
            ),
            Choice(
                "go even further apart, since exp grows so fast",
                "exp grows fast, but the three differ by the same single point as before: the ratio is e, as it "
                "was. Multiplying the scores would drive the weights apart; adding does nothing.",
            ),
        ),
        right="b",
    ),
    Question(
        "02.exit.other_values",
        "Only W_V is replaced by another matrix. What changes?",
        (
            Choice(
                "Scores, weights and outputs",
                "Scores are dot products of queries and keys. The values come in after the weights are made.",
            ),
            Choice("Weights and outputs", "The weights are made of scores, and scores of queries and keys alone."),
            Choice("Only the outputs", "Yes: the same shares of other things."),
        ),
        right="c",
    ),
    Question(
        "02.exit.returned_weight",
        "Token 1 gives token 3 a weight of 0.4223. What does token 3 give token 1?",
        (
            Choice(
                "The same, since the dot product is the same",
                "The score is the same. But each row is divided by its own sum, so the weight need not be.",
            ),
            Choice("That depends on token 3's other scores", "Yes: its weights share out 1 among all that it matches."),
            Choice("1 − 0.4223", "Each *row* sums to 1. These two weights stand in different rows."),
        ),
        right="b",
    ),
    Question(
        "02.exit.row_sums",
        "Somebody shows you attention weights in which every row sums to 1. What do you know?",
        (
            Choice("They are right", "The printed second row passed this check as well as rounding allows, and was wrong."),
            Choice(
                "That each row sums to 1, and no more",
                "Yes. Compare two weights of one row: is their ratio e to the difference of the scores?",
            ),
            Choice(
                "Each column sums to 1 as well",
                "No: nothing makes the columns sum to 1. Add up the first column of A: 0.7896.",
            ),
        ),
        right="b",
    ),
]
