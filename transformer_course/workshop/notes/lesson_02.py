"""Notes on lesson 02, the one that every workshop takes slowly."""

from .note import Note, Notes

NOTES: Notes = {
    "02 · Self-attention by hand: what does one token take from the others?": Note(
        "Everybody can compute a dot product and a few powers of e.",
        (
            "Attention is a weighted average, and today we compute the weights with a pencil.",
            "We take three words and two numbers for each, because then you can check everything that the computer says.",
        ),
        "In a Transformer, only the attention boxes let tokens receive anything from each other.",
        {
            "What is a token?": "A piece of text: a word, part of a word, or a character. Here it is a word.",
        },
    ),
    "Three words": Note(
        "Everybody has X on paper, and can say what its two columns mean.",
        (
            "Each word gets two numbers: is it a colour, and is it a thing?",
            "Real models learn hundreds of such numbers, and nobody can say what each of them means.",
        ),
        "The output for each token is a mixture of all tokens. The only question is how much to take from each.",
        {
            "Who chooses the two numbers?": "Today we do. In a model they are parameters, learned together with "
            "everything else.",
            "Does the order of the words matter?": "Not yet: nothing here knows which word came first. Positions come "
            "in lesson 06.",
        },
    ),
    "How well do two tokens match?": Note(
        "Everybody has computed the three scores of red on paper.",
        (
            "To compare two tokens, multiply number by number, and add.",
            "Write down the scores of red before you click a guess.",
        ),
        "A score says how well two tokens match. It is not a weight yet: scores can be negative, and they do not sum to 1.",
        {
            "Why the dot product?": "It is large when two vectors are long and point the same way, one matrix product "
            "computes it for all pairs, and its gradient is simple. Other scores work too: the first attention model "
            "(Bahdanau and others 2014) used a small network.",
        },
    ),
    "From scores to weights": Note(
        "Everybody can turn 1, 0, 1 into three weights.",
        (
            "The scores have to become fractions that sum to 1.",
            "Commit to a guess first: what weight will a score of 0 get?",
        ),
        "A score that is 1 higher gets e ≈ 2.7 times the weight. So no weight is ever exactly 0.",
        {
            "Why exp?": "It makes every number positive, keeps the order, and turns differences of scores into ratios of "
            "weights. It also has a gradient everywhere.",
            "Why not divide the scores by their sum?": "Scores can be negative, and their sum can be 0. Then the results "
            "would not be weights at all.",
        },
    ),
    "The weighted average": Note(
        "Everybody has the new vector of red, and has filled in the blanks for orange.",
        (
            "On sheet A, you multiplied each vector by its weight, and added.",
            "Before, the second number of red was 0. What is it now?",
        ),
        "The new vector lies among the old ones. Attention mixes, and mixing alone creates nothing new.",
        {
            "Then how can a model produce anything new?": "Between the attention layers there are feed-forward networks, "
            "which treat each token separately (lesson 09).",
        },
    ),
    "The missing row": Note(
        "Everybody can find the row of car without computing anything.",
        (
            "You have two of the three rows: red and orange. Look at X before you reach for a calculator.",
            "What do you think car will become?",
        ),
        "Before you compute, ask whether you could know the answer. A symmetry is a free test. Use it on any printed table "
        "of numbers.",
        {
            "Will this work with a real model?": "No. Learned matrices treat the coordinates differently. But keep the "
            "habit: look for something that must be true, and check it.",
        },
    ),
    "All three rows at once": Note(
        "Everybody can point at Q, K, V, the scores and the weights in three lines of code, and can read the heat map.",
        (
            "Three lines do everything that you did on paper: each token has a query (what it looks for), a key (what "
            "it is matched by) and a value (what it hands out).",
            "Today all three are the token's own vector. In the heat map, find the rows that you computed by hand.",
        ),
        "softmax(Q Kᵀ) V: scores, weights, weighted average. Softmax works row by row.",
        {
            "Where do the W matrices come from?": "They start as random numbers, and training changes them, like every other "
            "parameter. Here they are the identity, so that you can follow by hand.",
            "What is √d for?": "It keeps the scores of wide vectors from becoming large, because large scores make softmax "
            "pick a single token. With two numbers it hardly matters, so this lesson leaves it out (lesson 03).",
            "Why is the map not symmetric?": "The scores are. But each row is divided by its own sum.",
        },
    ),
    "In print": Note(
        "Everybody has found one wrong number in a published table, and can say why it must be wrong.",
        (
            "These numbers were published, with the same three vectors.",
            "Do not compute anything. Which rows break the mirror symmetry?",
        ),
        "A row that sums to 1 may still be wrong. Compare ratios, or look for a symmetry.",
    ),
    "What the matrices decide": Note(
        "Everybody can say which matrices decide what matches, and which decides what is passed on.",
        (
            "So far, each matrix has been the identity. We change one of them.",
            "Which scores will change, and which will not?",
        ),
        "W_Q and W_K decide what counts as a match, and W_V decides what is passed on.",
    ),
    "Before you write your own": Note(
        "Everybody knows why code subtracts the largest score of a row first.",
        (
            "On paper softmax always works, but a computer cannot hold exp(1000).",
            "What happens to the weights if every score is 1000 higher? Guess first.",
        ),
        "Only differences between scores matter, so you may subtract the largest.",
        {
            "Does torch do that?": "Yes, in every softmax.",
        },
    ),
}
