"""Sheet 18, by hand: how a picture becomes a text, in numbers."""

from ..kinds import Number

RIGHT = [50, 16, 2500, 197]  # tokens, numbers in a patch, weights of one head; tokens with patches half as long


sizes = Number(
    id="family.sizes",
    answer_name="sizes",
    prompt="A ViT in numbers: its tokens, its patches, its attention weights.",
    value=RIGHT,
    atol=0.01,
    labels=(
        "the tokens of one image",
        "the numbers in a patch",
        "the weights of one head",
        "the tokens with patches of 2 × 2",
    ),
    why="A ViT has one token per patch and one extra, and each head has as many attention weights as the square of that number.",
    hints=(
        "How many patches fit along one edge of the image? How many rows of them are there?",
        "One more token goes through the stack: the class token, whose vector the head reads.",
        "Each token has a weight for every token, including itself. If a patch is half as long, twice as many fit along each "
        "edge.",
    ),
    mistakes={
        "no extra token": (
            "You counted only the patches. A ViT puts one more token in front of them, and this token takes part in "
            "attention like all the others.",
            "Add the class token to the patches.",
            [49, 16, 2401, 196],
            [49, 16, 2500, 196],
            [49, 16, 2401, 197],
        ),
        "patches of one edge": (
            "You counted the patches along one edge only. The image is cut in both directions.",
            "How many rows of patches are there?",
            [8, 16, 64, 15],
            [7, 16, 49, 14],
        ),
        "pixels as tokens": (
            "You counted pixels in place of patches. A ViT makes one token out of each whole patch.",
            "How many squares of 4 × 4 pixels does the image have?",
            {0: (784, 785)},
        ),
        "the width for a patch": (
            "Your second number is 64, the width. That is how many numbers a token has in the stack. The exercise asks for "
            "the numbers in a patch, before the layer that makes a token out of it.",
            "How many pixels are there in a square of 4 × 4?",
            {1: 64},
        ),
        "a table without the class token": (
            "Your third number is 49²: the weights of the patches among themselves. The class token attends too, and is "
            "attended to.",
            "You gave 50 tokens. How many rows and columns does their weight matrix have?",
            [50, 16, 2401, 197],
        ),
        "three colours": (
            "Your second number counts three numbers for each pixel, as in an image with colours. These images are grey.",
            "A grey pixel is one number.",
            {1: 48},
        ),
        "the edge of a patch": (
            "Your second number, 4, is the edge of a patch, not the number of its pixels.",
            "How many pixels are there in a square of 4 × 4?",
            {1: 4},
        ),
        "twice as many tokens": (
            "For your fourth number, you doubled the number of patches. But twice as many fit along *each* edge.",
            "Draw one old patch, and the new ones inside it. How many are there?",
            {3: (98, 99, 100)},
        ),
        "four times all tokens": (
            "For your fourth number, you multiplied all 50 tokens by four, or left out the class token.",
            "There are four times as many patches. How many class tokens are there?",
            {3: (200, 196)},
        ),
        "half a table": (
            "Your third number counts the weights that a causal mask leaves. A ViT has no such mask.",
            "How many weights are there in each of the 50 rows?",
            {2: (1275, 1225)},
        ),
        "weights of all heads": (
            "Your third number counts the weights of all four heads. The exercise asks for one head.",
            "Divide it by the number of heads.",
            {2: 10000},
        ),
    },
)
