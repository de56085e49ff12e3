"""Notes on lesson 05."""

from .note import Note, Notes

NOTES: Notes = {
    "05 · Several heads: why several narrow heads, and not one wide one?": Note(
        "Everybody remembers what one head computes.",
        (
            "You have computed attention once; a real Transformer does so several times in parallel, with narrower vectors.",
            "What can two heads do that one cannot?",
        ),
        "A head is one attention with its own three matrices.",
    ),
    "Two heads by hand": Note(
        "Everybody has computed one row of head 2, and can say what W_O does.",
        (
            "Head 1 is this morning's attention. Head 2 looks for something else.",
            "Compute the row of red on paper, then compare it with the right-hand map.",
        ),
        "Each head has its own weights. Their outputs are concatenated, and W_O combines them.",
        {
            "Why W_O? We could just concatenate.": "It mixes the heads, and it brings the result back to the width that the "
            "next layer expects.",
        },
    ),
    "All heads in one product": Note(
        "Everybody can say why one reshape is not enough.",
        (
            "Nobody computes heads one after the other. One product does them all.",
            "Does a single reshape give the queries of head 1? Guess, and then compare the numbers.",
        ),
        "Split the last axis, then swap axes. A wrong reshape gives the right shape, but the wrong numbers.",
    ),
    "The same task for one head and for two": Note(
        "Everybody can describe the experiment: the task, the two models, what is measured, and how often.",
        (
            "Each token must report its left neighbour and its right neighbour.",
            "One wide head, or two narrow ones: what will each of them get right? Write down your guess.",
        ),
        "One head finds both neighbours, but its output is one mixture. Two heads keep them apart.",
        {
            "Is one head always worse?": "No. With a second layer, or a nonlinearity before the linear map, one head "
            "solves this task too. A result tells you only about the task that it was measured on.",
            "Who tells a head what to look for?": "Nobody. Training decides, and the two heads may swap roles with "
            "a different seed.",
        },
    ),
    "What does a head cost?": Note(
        "Everybody can say which numbers grow with the number of heads, and which do not.",
        (
            "Eight heads of width 64, or one of width 512: what grows with the number of heads, and what does not?",
            "Guess, and then count.",
        ),
        "Parameters and multiplications stay the same. Only the number of attention weights grows.",
    ),
}
