"""The questions of lesson 07: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "07.recall.first_input",
        "A token's embedding, already multiplied by √d_model, is [0.5, 0.3, 0.8, 0.1]. What does the first layer "
        "receive for it at position 0, where PE(0) = [0, 1, 0, 1]?",
        (
            Choice("[0.5, 1.3, 0.8, 1.1]", "Yes: the position is added, number by number."),
            Choice(
                "[0.5, 0.3, 0.8, 0.1, 0, 1, 0, 1]",
                "This puts the two next to each other. They are added, so the width stays 4.",
            ),
            Choice("[0, 0.3, 0, 0.1]", "This multiplies the two. They are added."),
        ),
        right="a",
        origin=("06",),
    ),
    Question(
        "07.recall.causal_mask",
        "Under a causal mask, which tokens may token 3 look at? (Counted from 1.)",
        (
            Choice("1 and 2", "It may also look at itself: the diagonal of the mask is True."),
            Choice("1, 2 and 3", "Yes. A mask separates before from after, but it knows nothing about distances."),
            Choice("3, 4 and all that follow", "The tokens after it are the ones that the mask hides."),
        ),
        right="b",
        origin=("04",),
    ),
    Question(
        "07.recall.same_direction",
        "Two arrows of length 1 have a dot product of 1. What is the angle between them?",
        (
            Choice("A right angle", "Then the dot product would be 0, as for [1, 0] and [0, 1]."),
            Choice(
                "None: they point the same way",
                "Yes. The wider the angle, the smaller the dot product, down to −1 for opposite arrows. You will "
                "need this again today.",
            ),
            Choice("Half a turn: they point opposite ways", "Then it would be −1, as for [1, 0] and [−1, 0]."),
        ),
        right="b",
        origin=("00",),
    ),
    Question(
        "07.second_hand",
        "Take $d = 8$ and position 1. The first hand ($i = 0$) has turned by 1 radian. The tip of the second hand is "
        "in dimensions 2 and 3. By how much has this hand turned?",
        (
            Choice(
                "By 1/10000",
                "The exponent is 2i/d = 2/8, and 10000 to the power of one quarter is 10. The number 10000 appears "
                "in the formula, but its exponent never becomes 1. (If you overlook the exponent, you get 1/10000. "
                'That has happened in print: see "In print" at the end.)',
            ),
            Choice(
                "By 1/100",
                "1/100 would be 10000 to the power 4/8. But this is hand i = 1, so the exponent is 2/8. Its tip is in dimensions "
                "2 and 3, but its number is 1.",
            ),
            Choice("By 1/10", "Yes: i = 1, so the exponent is 2/8, and 10000 to the power 2/8 is 10."),
        ),
        right="c",
    ),
    Question(
        "07.last_hand",
        "What is the period of the slowest hand at $d = 16$?",
        (
            Choice(
                "6,283 tokens as well",
                "A wider row has more hands, and the slowest has a larger exponent: 14/16, where width 8 has 6/8. So it is slower.",
            ),
            Choice(
                "About 20,000 tokens",
                "Yes. The last hand is i = 7, with exponent 14/16, and 10000 to that power is 3,162. Times 2π, that is 19,869.",
            ),
            Choice(
                "About 63,000 tokens",
                "That is 2π · 10,000, so the exponent would have to be 1. The last hand has 1 − 2/d, which is"
                " 14/16 here and below 1 at any width.",
            ),
        ),
        right="b",
    ),
    Question(
        "07.share",
        "For neighbours, rows 20 and 21, nearly all of the sum comes from the low dimensions. For rows 20 and 1020, "
        "how much of the sum comes from the low dimensions?",
        (
            Choice(
                "Nearly all of it",
                "In 1000 tokens the slow hands have moved too: hands 4 to 7 have turned by 10, 3.2, 1 and 0.3 radians.",
            ),
            Choice(
                "About a third",
                "Yes, 32.3%. After 1000 tokens the fast hands have made many turns and may point anywhere. The slow hands have "
                "now turned as well, and contribute the larger part.",
            ),
            Choice(
                "Hardly any",
                "The fast hands have made many turns, but that does not bring them back to where they were. They may point "
                "anywhere, and still contribute a third.",
            ),
        ),
        right="b",
    ),
    Question(
        "07.shift",
        "Is there *one* matrix that turns PE(p) into PE(p + 2) for every position $p$?",
        (
            Choice(
                "No, each $p$ needs a matrix of its own",
                "Sine and cosine are curved as functions of p, but the matrix is not applied to p. It is "
                "applied to the tip [sin, cos], and turning a tip by a fixed angle is linear.",
            ),
            Choice(
                "Yes, and for any other table too",
                "You can always fit a matrix to examples. What matters is the error on rows that it has not "
                "seen, and there the matrices for the random tables do worse than zeros would.",
            ),
            Choice(
                "Yes, but not for a table of random numbers",
                "Yes. Moving two tokens further turns each hand by an angle of its own, the same for every p. Random rows "
                "follow no such rule.",
            ),
        ),
        right="c",
    ),
    Question(
        "07.direction",
        "We compare position 50 with 45 and with 55. Which dot product is larger?",
        (
            Choice(
                "They are equal",
                "Yes. Each hand contributes the cosine of the angle between its two tips, and the cosine is the same for a turn "
                "forwards and a turn back.",
            ),
            Choice(
                "The one with 55",
                "All hands have turned further there. But what matters is how far apart the tips are, and "
                "five tokens back is as far as five tokens on. The cosine does not depend on the sign of an "
                "angle.",
            ),
            Choice(
                "It depends on the position",
                "Position 80, for example, gives the same two numbers, to every digit shown. The dot product of two "
                "hands depends on the angle between them, and not on where they point.",
            ),
        ),
        right="a",
    ),
    Question(
        "07.exit.angles",
        "At width 4, what are the two angles of position 50?",
        (
            Choice("50 and 0.5", "Yes: there are two hands, and the second turns by 1 / 10000^(2/4) = 1/100 per token."),
            Choice(
                "50 and 0.005",
                "0.005 is 50/10000. But the exponent of the last hand is 2/4, and 10000 to the power of one half is 100.",
            ),
            Choice("50, 5, 0.5 and 0.05", "These are the four hands of width 8. At width 4 there are two."),
        ),
        right="a",
    ),
    Question(
        "07.exit.cut_off",
        "You delete the first four of 512 dimensions. What becomes harder to read from the row?",
        (
            Choice("Distances between positions that are far apart", "These are in the high dimensions, with the slow hands."),
            Choice(
                "The difference between neighbours, in part",
                "Yes. You delete the two fastest hands. (The difference is not all lost, because at this width the third hand "
                "is only a little slower.)",
            ),
            Choice(
                "Nothing, because the other hands contain the same information",
                "In principle, you could read everything from a slow hand. But from one token to the next, the slow "
                "hands move so little that rounding hides it, and the word's own vector is added to them as well.",
            ),
        ),
        right="b",
    ),
]
