"""The questions of lesson 17: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "17.recall.passes",
        "A decoder is given a text of 20 tokens, and then writes 5 more. How many passes is that, one after another?",
        (
            Choice("25, one for each token", "The 20 are known, so one pass reads them all."),
            Choice("5", "Yes: one pass reads the 20 and brings the first new token, and four more bring the others."),
            Choice("1", "For reading one would do. But what it writes it has to read before it can go on."),
        ),
        right="b",
        origin=("16",),
    ),
    Question(
        "17.recall.shift",
        "To all scores of a row, 7 is added. What becomes of the weights?",
        (
            Choice(
                "They stay the same",
                "Yes: each exponential is multiplied by e⁷, and so is their sum. Today this is what saves the memory.",
            ),
            Choice("They are multiplied by e⁷", "So are the exponentials. But then they are divided by their sum."),
            Choice("They come nearer to each other", "That happens when scores are *divided*."),
        ),
        right="a",
        origin=("02",),
    ),
    Question(
        "17.crossing",
        "A layer is 64 wide. From which length on does the table cost more than the feed-forward network?",
        (
            Choice(
                "from about 64 tokens on: then there are more tokens than numbers in a vector",
                "At 64 tokens the table has as many numbers as the vectors that went in. But the network widens "
                "each of these fourfold, and then narrows it: at that length it still costs four times as much.",
            ),
            Choice(
                "from about 256 tokens on: then there are more tokens than hidden numbers",
                "At 256 tokens, four times the width, the two are equal. After that the table doubles twice where "
                "the network doubles once.",
            ),
            Choice(
                "at no length: the network has far more parameters, and each token passes through all of them",
                "Its parameters are used once for each token, so its cost grows with n. The table has no "
                "parameters at all, but a row of n scores for each of n tokens: n².",
            ),
        ),
        right="b",
    ),
    Question(
        "17.memory",
        "We compute attention as in all lessons so far: scores, exponentials, weights, mixtures. Beside queries, "
        "keys, values and output, how much memory does it take at its worst moment?",
        (
            Choice(
                "about 1 MB: the weights of one query are used, and can go",
                "They could go, if one query were done after the other. As written, all scores come first, then "
                "all exponentials, then all weights.",
            ),
            Choice(
                "about 67 MB: a table of 4,096 × 4,096 numbers",
                "That is the size of the table. But scores, exponentials and weights are three of them, and for a "
                "moment all three are there.",
            ),
            Choice(
                "about 200 MB: each step makes a new table",
                "Three tables of 67 MB, scores, exponentials and weights, for an output of 1 MB.",
            ),
        ),
        right="c",
    ),
    Question(
        "17.rescale",
        "What has to be done with the 1.25 and the 9 before these are added?",
        (
            Choice(
                "both are halved: every exponential in them was measured against a smaller score",
                "Both were measured with 3 ln 2 subtracted. With 4 ln 2 subtracted, each exponential is half of "
                "what it was, wherever it went in.",
            ),
            Choice(
                "nothing: they belong to the first two keys, which have not changed",
                "The keys have not changed. But their exponentials were taken with 3 ln 2 subtracted, the new "
                "ones with 4 ln 2: they do not add up until they are brought to one measure. Left as they are, "
                "the first keys get twice their share.",
            ),
            Choice(
                "the 1.25 is halved; the 9 is a mixture of values, and values know nothing of a largest score",
                "In the mixture each value stands multiplied with its exponential. If those halve in the sum, "
                "they halve here too. Otherwise the weights no longer sum to 1.",
            ),
        ),
        right="a",
    ),
    Question(
        "17.fewer",
        "4,096 tokens again. Compared with plain attention, how many multiplications does it make in its matrix products?",
        (
            Choice(
                "fewer: each block has a fixed size, so the work grows with n, no longer with n²",
                "Each block has a fixed size, but there are (n / 256)² of them. Every query still meets every key.",
            ),
            Choice(
                "more: the saved memory is paid for, since scores are computed anew in each block",
                "Each score belongs to just one block and is computed once. What is added is the rescaling, "
                "number by number and outside of the matrix products: one factor for each number of the mixture "
                "and each block.",
            ),
            Choice(
                "exactly as many: only the order of the work is new",
                "Every query meets every key once, as before. Only the order is new, and what is kept.",
            ),
        ),
        right="c",
    ),
    Question(
        "17.cache",
        "For all 84 tokens together, how many times fewer multiplications does the model make with the cache?",
        (
            Choice(
                "about 2 times: keys and values are kept, but queries, scores and the feed-forward network remain",
                "Queries and network remain, but for the *new* token alone. The earlier ones have put out their "
                "vectors already, in each layer, and nobody asks them again.",
            ),
            Choice(
                "about 40 times: at first little is saved, and at the end most",
                "At token t, t tokens go through everything without the cache, and one with it: t times fewer. "
                "The mean of 1 to 84 is 42.5, and the later tokens, which save most, also cost a little more.",
            ),
            Choice(
                "84 times: each time, one token goes through it, and not 84",
                "So it is at the last token alone. Anew, the first step has one token to read, the second two: at "
                "token t it is t times, and over all of them about half of 84.",
            ),
            Choice(
                "84 × 84 times: the table has so many scores",
                "Of the table only the newest row is needed: at the last token 84 scores in place of 84 × 84. So "
                "even there it is 84 times, and at the earlier ones less.",
            ),
        ),
        right="b",
    ),
    Question(
        "17.exit.flash_attention",
        'Somebody says: "With FlashAttention, attention is linear." What is right about it?',
        (
            Choice(
                "Its time",
                "It makes as many multiplications as plain attention: n² d for the scores, and again for the mixtures.",
            ),
            Choice("Its memory", "Yes: beside a few blocks it needs what goes in and what comes out, and these grow with n."),
            Choice(
                "Both, if it only looks at nearby tokens",
                "Then it would be another function. Blocks give exactly the same output.",
            ),
        ),
        right="b",
    ),
    Question(
        "17.exit.second_block",
        "After the first block: largest score 2, sum 3. The second block has the one score 5. What is the sum now?",
        (
            Choice("4", "The 3 was measured with 2 subtracted, the 1 with 5. First convert."),
            Choice("3 e⁻³ + 1", "Yes: a factor $e^{2 - 5}$ for the old sum, and the new largest brings $e^0 = 1$."),
            Choice("3 e³ + 1", "The largest has risen, so the old exponentials become smaller in proportion."),
        ),
        right="b",
    ),
    Question(
        "17.exit.cache",
        "A model of 12 layers, 768 wide, has read 1,000 tokens. With 2 bytes for a number, how large is its cache?",
        (
            Choice("about 18 MB", "Those are the keys. The values are kept as well."),
            Choice("about 37 MB", "Yes: 2 · 12 · 1,000 · 768 numbers of 2 bytes."),
            Choice(
                "about 442 MB, since there are 12 heads",
                "The heads share the 768 numbers among them; they do not have 768 each.",
            ),
        ),
        right="b",
    ),
]
