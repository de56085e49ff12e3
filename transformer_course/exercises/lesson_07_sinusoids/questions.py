"""The questions of lesson 07: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "07.recall.first_input",
        "A token's embedding, already multiplied by √d_model, is [0.5, 0.3, 0.8, 0.1]. What does the first layer "
        "receive for it at position 0, where PE(0) = [0, 1, 0, 1]?",
        (
            Choice("[0.5, 1.3, 0.8, 1.1]", "Yes: the position is added, number by number."),
            Choice("[0.5, 0.3, 0.8, 0.1, 0, 1, 0, 1]", "That would be laid side by side. It is added, so the width stays 4."),
            Choice("[0, 0.3, 0, 0.1]", "That is a product. It is added."),
        ),
        right="a",
        origin=("06",),
    ),
    Question(
        "07.recall.causal_mask",
        "Token 3 of a text has a causal mask. To which tokens may it look? (Tokens counted from 1.)",
        (
            Choice("1 and 2", "And to itself: the diagonal of the mask is True."),
            Choice("1, 2 and 3", "Yes. A mask knows before and after; the distance between two tokens it does not know."),
            Choice("3, 4 and all that follow", "Those after it are what the mask hides."),
        ),
        right="b",
        origin=("04",),
    ),
    Question(
        "07.recall.same_direction",
        "Two arrows of length 1 have a dot product of 1. How do they stand to each other?",
        (
            Choice("At right angles", "Then it would be 0, as for [1, 0] and [0, 1]."),
            Choice(
                "They point the same way",
                "Yes. The further apart they point, the smaller it gets, down to −1 for opposite ones. Today you "
                "need that again.",
            ),
            Choice("They point opposite ways", "Then it would be −1, as for [1, 0] and [−1, 0]."),
        ),
        right="b",
        origin=("00",),
    ),
    Question(
        "07.second_hand",
        "Note 1 works with four tokens and $d = 8$. At position 1, the first hand ($i = 0$) has turned by 1. By "
        "how much has the second one, whose tip stands in dimensions 2 and 3?",
        (
            Choice(
                "by 1/10000; that is what note 1 prints: PE(1) = [sin 1, cos 1, sin(1/10000), cos(1/10000), …]",
                "1/10000 is what note 1 prints. But the exponent is 2i/d = 2/8, and 10000 to the power of one "
                "quarter is 10. In the formula, 10000 stands below the line with an exponent that never becomes "
                "1.",
            ),
            Choice(
                "by 1/100",
                "1/100 would be 10000 to the power 4/8. Here i = 1, so the exponent is 2/8: the second hand has "
                "number 1, though its tip stands in dimensions 2 and 3.",
            ),
            Choice("by 1/10", "10000 to the power 2/8 is 10. So note 1, which prints 1/10000, cannot be right."),
        ),
        right="c",
    ),
    Question(
        "07.last_hand",
        "The slowest hand at $d = 8$ turns by 1/1000 a token, so it takes 2π · 1000 = 6,283 tokens to go round. "
        "How many does the slowest hand take at $d = 16$?",
        (
            Choice(
                "6,283 as well",
                "A wider row has more hands, and the slowest of them comes nearer to 10000: its exponent is 14/16 "
                "in place of 6/8. So it is slower.",
            ),
            Choice(
                "about 20,000",
                "The last hand is i = 7, with exponent 14/16, and 10000 to that power is 3,162. Times 2π it is 19,869.",
            ),
            Choice(
                "2π · 10,000, about 63,000",
                "For that its exponent would have to be 1. The last hand's is 1 − 2/d, which is 14/16 here, and "
                "below 1 at any width.",
            ),
        ),
        right="b",
    ),
    Question(
        "07.share",
        "Take rows 20 and 1020 of a table of width 16. Subtract one from the other, and square the differences. "
        "How much of their sum comes from the low dimensions, 0 to 7?",
        (
            Choice(
                "nearly all of it",
                "So it is for neighbours (the first line). In 1000 tokens the slow hands have moved too: hands 4 "
                "to 7 have turned by 10, 3.2, 1 and 0.3 radians.",
            ),
            Choice(
                "about a third",
                "32.3%. After 1000 tokens the fast hands have been round many times, and stand anywhere; by now "
                "the slow ones have turned as well, and make up the larger part.",
            ),
            Choice(
                "hardly any",
                "The fast hands have been round many times, but that does not bring them back to where they were: "
                "they stand anywhere, and still make up a third.",
            ),
        ),
        right="b",
    ),
    Question(
        "07.shift",
        "Is there *one* matrix $M$ that makes PE(p + 2) out of PE(p), for every position $p$?",
        (
            Choice(
                "no: sine and cosine are bent curves, and a matrix is linear, so each $p$ needs a matrix of its own",
                "Bent they are, but the matrix is not applied to p. It is applied to the tip [sin, cos], and to "
                "turn a tip by a fixed angle is linear.",
            ),
            Choice(
                "yes, and for any other table too: least squares finds one",
                "Least squares always returns a matrix. The test is a start that it has not seen: there the "
                "random tables miss more than zeros would.",
            ),
            Choice(
                "yes, for this table, but for random numbers there is none",
                "Two tokens further turn each hand by its own angle, the same for every p, and a turn is a "
                "matrix. Random rows have no such rule.",
            ),
        ),
        right="c",
    ),
    Question(
        "07.direction",
        "Position 50 is compared with 45 and with 55. Which dot product is larger?",
        (
            Choice(
                "they are equal",
                "Each hand adds the cosine of the angle that it has turned by, and the cosine is the same for a "
                "turn forwards and one back.",
            ),
            Choice(
                "with 55: all hands have turned further there",
                "Turned further is turned further *apart* from position 50; back by five is just as far. The "
                "cosine of an angle does not know its sign.",
            ),
            Choice(
                "that depends on the position; around 80, say, it is the other way",
                "Position 80 gives the same two numbers, to the last digit. A dot product of two hands knows the "
                "angle between them, and neither the sign nor where they stand.",
            ),
        ),
        right="a",
    ),
    Question(
        "07.exit.angles",
        "At width 4, which two angles has position 50?",
        (
            Choice("50 and 0.5", "Yes: there are two hands, and the second turns by 1 / 10000^(2/4) = 1/100 a token."),
            Choice(
                "50 and 0.005", "That is 50/10000. But the exponent of the last hand is 2/4, and 10000 to one half is 100."
            ),
            Choice("50, 5, 0.5 and 0.05", "Those are the four hands of width 8. At width 4 there are two."),
        ),
        right="a",
    ),
    Question(
        "07.exit.cut_off",
        "Somebody cuts off the first four of 512 dimensions. What is lost first?",
        (
            Choice("Far distances", "Those stand in the high dimensions, with the slow hands."),
            Choice(
                "A part of the difference between neighbours",
                "Yes: the two fastest hands. (The third is hardly slower at this width, so not all of it.)",
            ),
            Choice(
                "Nothing: hands can be worked out from each other",
                "On paper they could, from the slow ones. In a computer the slow ones hardly move from one token "
                "to the next, and the word is added to them as well.",
            ),
        ),
        right="b",
    ),
]
