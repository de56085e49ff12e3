"""The questions of lesson 17: what learners predict, recall and answer at the end, with a reply to each choice."""

from ..question import Choice, Question

QUESTIONS = [
    Question(
        "17.recall.passes",
        "A decoder gets a prompt of 20 tokens and generates 5 more. How many passes is that, one after another?",
        (
            Choice("25, one for each token", "The 20 are known, so a single pass reads them all."),
            Choice("5", "Yes: one pass reads the 20 and gives the first new token, and four more give the others."),
            Choice("1", "That would be enough for reading. But each new token must be read before the next one is computed."),
        ),
        right="b",
        origin=("16",),
    ),
    Question(
        "17.recall.shift",
        "You add 7 to all scores of a row. What happens to the weights?",
        (
            Choice(
                "They stay the same",
                "Yes: each exponential is multiplied by e⁷, and so is their sum. You will need this today.",
            ),
            Choice("They are multiplied by e⁷", "The exponentials are. But then they are divided by their sum."),
            Choice("They move closer together", "That is what happens if you *divide* the scores."),
        ),
        right="a",
        origin=("02",),
    ),
    Question(
        "17.crossing",
        "At what length does the score matrix begin to take more multiplications than the feed-forward network?",
        (
            Choice(
                "At about 64 tokens, because beyond that there are more tokens than numbers in a vector",
                "At 64 tokens, the score matrix is as large as the array of input vectors. But the network "
                "makes each vector four times as wide, and then narrow again, so at that length it still "
                "takes four times as many multiplications.",
            ),
            Choice(
                "At about 256 tokens, because beyond that there are more tokens than hidden units",
                "Yes. At 256 tokens, four times the width, both cost the same. After that, each doubling of the length "
                "multiplies the score matrix by four and the network by two.",
            ),
            Choice(
                "At no length: the network has far more parameters, and each token goes through all of them",
                "Its parameters are used once per token, so its cost grows with n. The score matrix has no parameters, but n "
                "scores for each of n tokens: n².",
            ),
        ),
        right="b",
    ),
    Question(
        "17.memory",
        "We compute attention as in all lessons so far, with `scaled_dot_product_attention`. How large is the working memory?",
        (
            Choice(
                "About 1 MB: the weights of a query are used once and then freed",
                "They could be freed if each query were finished before the next. As we wrote it, all scores are computed "
                "first, then all exponentials, then all weights.",
            ),
            Choice(
                "About 67 MB: a matrix of 4,096 × 4,096 numbers",
                "That is the size of one such matrix. But scores, exponentials and weights are three of them, and for a moment "
                "all three exist.",
            ),
            Choice(
                "About 200 MB: each step makes a new matrix",
                "Yes: three matrices of 67 MB (scores, exponentials and weights), for an output of 1 MB.",
            ),
        ),
        right="c",
    ),
    Question(
        "17.two_pieces",
        "What happens to the 1.25 and the 9 of the first piece when 17/16 and 3 are added?",
        (
            Choice(
                "Both are halved first, because the largest score is new",
                "Yes. They were computed with 3 ln 2 subtracted. With 4 ln 2 subtracted, each exponential is half as large, "
                "wherever it is used.",
            ),
            Choice(
                "Neither: the first two keys have not changed",
                "The keys have not changed. But their exponentials were computed with 3 ln 2 subtracted, and "
                "the new ones with 4 ln 2. If you leave them as they are, the first keys get twice the weight"
                " they should.",
            ),
            Choice(
                "Only the 1.25 is halved first, because the 9 is made of values",
                "In the weighted sum, each value is multiplied by its exponential. If the exponentials halve "
                "in the sum, they halve here too. Otherwise the weights do not sum to 1.",
            ),
        ),
        right="a",
    ),
    Question(
        "17.fewer",
        "For 4,096 tokens, how many multiplications in matrix products does attention in blocks take, compared with plain "
        "attention?",
        (
            Choice(
                "Fewer: each block has a fixed size, so the work grows with n and no longer with n²",
                "Each block has a fixed size, but there are (n / 256)² of them. Every query still meets every key.",
            ),
            Choice(
                "More: it saves memory by computing scores again",
                "Each score belongs to exactly one block and is computed once. The extra work is the "
                "rescaling, which is done element by element, outside the matrix products.",
            ),
            Choice(
                "Exactly as many: only the order of the work is different",
                "Yes. Every query meets every key once, as before. What has changed is the order, and what is kept.",
            ),
        ),
        right="c",
    ),
    Question(
        "17.cache",
        "For all 84 tokens together, by what factor does the cache reduce the number of multiplications?",
        (
            Choice(
                "About 2 times: keys and values are kept, but queries, scores and the feed-forward network remain",
                "They remain, but only for the *new* token. The vectors of the earlier tokens have been computed in every layer, "
                "and nothing needs them again.",
            ),
            Choice(
                "About 40 times: little is saved at first, and most at the end",
                "Yes. At token t, t tokens go through everything without the cache, and one with it: t times fewer. The "
                "mean of 1 to 84 is 42.5. With the cache, later tokens cost slightly more, so they count slightly more "
                "in the ratio: 43.",
            ),
            Choice(
                "84 times: each time, one token goes through the model instead of 84",
                "That is true at the last token only. Without a cache, the first step has one token to process, the second two, "
                "and so on. Over all of them, it is about half of 84.",
            ),
            Choice(
                "84 × 84 times: the score matrix has that many scores",
                "Only the newest row of the score matrix is needed: at the last token, 84 scores instead of 84 × 84. So even "
                "there the factor is 84, and at earlier tokens it is smaller.",
            ),
        ),
        right="b",
    ),
    Question(
        "17.exit.flash_attention",
        'Someone says: "With FlashAttention, which computes in blocks, attention needs only time and memory proportional to n." '
        "What is true about this?",
        (
            Choice(
                "It is true of the time",
                "It takes as many multiplications as plain attention: n² d for the scores, and as many again for the weighted sums.",
            ),
            Choice(
                "It is true of the memory",
                "Yes: it stores a few blocks, the input and the output, and the last two grow with n.",
            ),
            Choice(
                "It is true of both, because it looks only at nearby tokens",
                "Then it would compute a different function. Blocks give exactly the same output.",
            ),
        ),
        right="b",
    ),
    Question(
        "17.exit.second_block",
        "After the first block, the largest score is 2 and the sum is 3. The second block has a single score, 5. What is the sum "
        "now?",
        (
            Choice("4", "The 3 was computed with 2 subtracted, the 1 with 5. Rescale first."),
            Choice("3 e⁻³ + 1", "Yes: the old sum gets the factor $e^{2 - 5}$, and the new score adds $e^0 = 1$."),
            Choice("3 e³ + 1", "The largest score has grown, so the old exponentials become smaller."),
        ),
        right="b",
    ),
    Question(
        "17.exit.cache",
        "A model with 12 layers of width 768 has read 1,000 tokens. With 2 bytes per number, how large is its cache?",
        (
            Choice("About 18 MB", "Those are the keys. The values are kept as well."),
            Choice("About 37 MB", "Yes: 2 · 12 · 1,000 · 768 numbers of 2 bytes."),
            Choice(
                "About 442 MB, because there are 12 heads",
                "The 12 heads share the 768 numbers: each has 64 of them.",
            ),
        ),
        right="b",
    ),
]
