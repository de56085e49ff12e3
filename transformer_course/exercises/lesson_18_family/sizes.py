"""Sheet 18, by hand: how a picture becomes a text, in numbers."""

from ..exercise import Mistake
from ..kinds import Number

RIGHT = [50, 16, 2500, 197]  # tokens, numbers in a patch, weights of one head; tokens with patches half as long

sizes = Number(
    id="family.sizes",
    answer_name="sizes",
    prompt="A ViT in numbers: its tokens, its patches, its tables of weights.",
    value=RIGHT,
    atol=0.01,
    labels=(
        "the tokens of one image",
        "the numbers in a patch",
        "the weights of one head",
        "the tokens with patches of 2 × 2",
    ),
    why="A ViT has one token per patch and one extra, and its attention weights grow with the square of that number.",
    hints=(
        "How many patches lie side by side along one edge of the image? And how many rows of them are there?",
        "Besides the patches, one more token goes through the stack: the one that the head reads.",
        "In attention each token looks at each token, itself included. With patches half as long, twice as many lie along each "
        "edge.",
    ),
    mistakes=(
        Mistake(
            "no extra token",
            "You counted the patches. A ViT puts one more token in front, whose vector its head reads; it attends and is attended "
            "to like all others.",
            "How many tokens go through the stack?",
            [49, 16, 2401, 196],
            variants=([49, 16, 2500, 196], [49, 16, 2401, 197]),
        ),
        Mistake(
            "patches of one edge",
            "You counted the patches along one edge. The image is cut in both directions.",
            "How many rows of patches are there?",
            [8, 16, 64, 15],
            variants=([7, 16, 49, 14],),
        ),
        Mistake(
            "the edge of a patch",
            "All is right but the numbers in a patch: 4 is its edge. A patch is a square of pixels, laid out as one vector.",
            "How many pixels has a square of 4 × 4?",
            [50, 4, 2500, 197],
        ),
        Mistake(
            "twice as many tokens",
            "The first three are right. With patches half as long, twice as many lie along *each* edge.",
            "Draw the old patch, and the new ones in it.",
            [50, 16, 2500, 99],
            variants=([50, 16, 2500, 100], [50, 16, 2500, 98]),
        ),
        Mistake(
            "four times all tokens",
            "Nearly: you took all 50 tokens times four. The extra token is not cut.",
            "Four times as many patches, and how many extra tokens?",
            [50, 16, 2500, 200],
            variants=([50, 16, 2500, 196],),
        ),
        Mistake(
            "half a table",
            "So large is the table behind a causal mask. A ViT has none: each token looks at all.",
            "How many weights has each of the 50 rows?",
            [50, 16, 1275, 197],
            variants=([50, 16, 1225, 197],),
        ),
        Mistake(
            "weights of all heads",
            "The third number is that of all four heads. The exercise asks for one of them.",
            "One head has one table.",
            [50, 16, 10000, 197],
        ),
    ),
)
