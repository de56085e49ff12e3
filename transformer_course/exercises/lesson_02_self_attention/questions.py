"""The questions of lesson 02: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "02.recall.dot_product",
        "What is the dot product of [3, 0] and [0, 2]?",
        (
            Choice("0", "Yes: 3 × 0 + 0 × 2. Two vectors at right angles have dot product 0."),
            Choice(
                "6",
                "That would be 3 × 2, but these two numbers belong to different coordinates. Multiply coordinate by "
                "coordinate, then add: 3 × 0 + 0 × 2 = 0.",
            ),
            Choice("[0, 0]", "Those are the products, coordinate by coordinate. The dot product adds them up to one number."),
        ),
        right="a",
        origin=("00",),
    ),
    Question(
        "02.recall.exp",
        "exp(2) is how many times exp(1)?",
        (
            Choice(
                "Twice",
                "exp does not keep proportions; it turns sums into products. Adding 1 inside multiplies the result by e.",
            ),
            Choice(
                "e ≈ 2.718 times",
                ("Yes: exp(1 + 1) = exp(1) · exp(1). Each extra 1 in the exponent multiplies the result by e."),
            ),
            Choice("e² ≈ 7.389 times", "That is exp(2) itself. Divide it by exp(1) = 2.718, and one factor of e is left."),
        ),
        right="b",
        origin=("00",),
    ),
    Question(
        "02.largest",
        "Which token does red = [1, 0] match best? Work out the three dot products on paper if you like.",
        (
            Choice(
                "itself",
                "There is no rule that favours a token itself. Red scores 1 with itself, and just as much with orange, "
                "which has everything that red has.",
            ),
            Choice(
                "orange = [1, 1]",
                "Orange is longer, and that often raises its scores: it scores 2 with itself. But red picks out only the "
                "part of orange that points in its own direction, and that part is as long as red.",
            ),
            Choice(
                "itself and orange equally",
                "Both score 1 with red. A match depends on nothing but the dot product; being the same token is no advantage.",
            ),
        ),
        right="c",
    ),
    Question(
        "02.zero",
        "Car has a score of 0. What weight will it get?",
        (
            Choice(
                "none",
                "A score of 0 would give no weight if each score were divided by the sum of the scores. But attention takes "
                "exp of each score first, and exp(0) = 1, so every token gets some weight. Only a score of −∞ would get none, "
                "and lesson 04 makes use of that.",
            ),
            Choice(
                "less than the others, but some",
                "Attention takes exp of each score first. exp(0) = 1 and exp(1) = 2.718…, so car gets 1 part for every 2.718… "
                "parts of each of the others.",
            ),
            Choice(
                "as much as the others",
                "Equal weights come from equal scores. A score that is 1 lower costs a factor of e ≈ 2.7: the weight is "
                "smaller, but it is not 0.",
            ),
        ),
        right="b",
    ),
    Question(
        "02.car",
        "Red = [1, 0] became [0.8446, 0.5777]. What will car = [0, 1] become?",
        (
            Choice(
                "[0.5777, 0.8446]",
                "Yes, and you can be sure of it before you compute anything.",
            ),
            Choice(
                "[0.8446, 0.5777]",
                "Car has different scores: 0, 1 and 1. They are red's scores in a different order, and the vectors that it "
                "mixes are swapped too. So the result is swapped, not copied.",
            ),
            Choice(
                "you cannot say without calculating it",
                "It looks that way, but the three tokens have a symmetry, and every step of attention keeps it. You "
                "will see how. Such an argument is worth more than a second calculation, because it catches mistakes.",
            ),
        ),
        right="a",
    ),
    Question(
        "02.hull",
        "Draw the outputs as points, with the three tokens as the corners of a triangle. Where will the outputs be?",
        (
            Choice(
                "outside the triangle",
                "Nothing is added to what a token had: its own vector gets a weight, like the others. The "
                "weights sum to 1, so each output is an average, and an average of three points lies in their"
                " triangle. (Red and car do grow a little longer, from 1 to 1.02, but they stay inside.)",
            ),
            Choice(
                "inside it, not on an edge",
                "The weights are positive and sum to 1, so every output is a weighted average of all three tokens. That is "
                "inside their triangle, and not on an edge, because no weight is 0.",
            ),
            Choice(
                "on the edges of the triangle",
                "On an edge, the third token would have no weight. But exp is never 0: even the token that matches worst "
                "pulls the output a little towards itself.",
            ),
        ),
        right="b",
    ),
    Question(
        "02.shift",
        "Add 1000 to all three scores of red. What happens to its weights, on paper?",
        (
            Choice(
                "They get closer to each other",
                "Softmax depends on differences, not on proportions. 1001 is still 1 more than 1000, which gives e times the "
                "weight, so the weights stay as they were.",
            ),
            Choice(
                "They stay exactly the same",
                "exp(s + 1000) is exp(s) times exp(1000) for every score, so the factor cancels when you divide by the sum. "
                "Only differences between scores matter.",
            ),
            Choice(
                "They move further apart",
                "exp grows fast, but the scores still differ by 1, so the ratio of the weights is still e. Multiplying the "
                "scores would drive the weights apart; adding the same number to all of them changes nothing.",
            ),
        ),
        right="b",
    ),
    Question(
        "02.exit.other_values",
        "You replace W_V by a different matrix, and nothing else. What changes?",
        (
            Choice(
                "Scores, weights and outputs",
                "Scores are dot products of queries and keys. The values come in only after the weights are computed.",
            ),
            Choice("Weights and outputs", "The weights come from the scores, and those come from queries and keys alone."),
            Choice("Only the outputs", "Yes: the weights stay the same; only the values they average change."),
        ),
        right="c",
    ),
    Question(
        "02.exit.returned_weight",
        "Two tokens have score 1 with each other. The first gives the second a weight of 0.4. What weight does the "
        "second give the first?",
        (
            Choice(
                "0.4 too, since the score is the same",
                "The score is the same. But each row is divided by its own sum, so the weight can differ.",
            ),
            Choice(
                "That depends on the second token's other scores",
                "Yes: softmax divides by the sum over all the scores in that token's own row.",
            ),
            Choice("0.6", "The weights of one *row* sum to 1. These two weights are in different rows."),
        ),
        right="b",
    ),
    Question(
        "02.exit.row_sums",
        "You are shown attention weights in which every row sums to 1. What do you know about them?",
        (
            Choice("They are right", "The published weights of car passed this test, up to rounding, but were wrong."),
            Choice(
                "That each row sums to 1, and nothing more",
                "Yes. To find out more, divide two weights of one row: the ratio must be e to the power of the difference "
                "between their scores.",
            ),
            Choice(
                "Each column sums to 1 as well",
                "Nothing makes the columns sum to 1. The first column of our weights adds up to 0.7896.",
            ),
        ),
        right="b",
    ),
]
