"""Sheet NN, by hand: how far an average moves, and what moves it so far."""

from ..kinds import Number

# Replace: two numbers that learners compute, and the wrong ones that they really give.
two_averages = Number(
    id="lesson_NN.two_averages",
    answer_name="two_averages",
    prompt="A weighted average before and after one of its values grows.",
    value=[4.0, 6.0],
    atol=0.01,
    labels=("the average", "the average after the change"),
    why="The average moves by the change of a value times its weight, here 10 · 0.2.",
    hints=(
        "Multiply each value by its weight, and add up the three products.",
        "0.5 · 2 + 0.3 · 4 + 0.2 · 9 is the first number. Which of the three products changes?",
    ),
    mistakes={
        "the plain mean": (
            "You gave the plain means. In a mean, all three numbers have a weight of 1/3.",
            "Multiply each value by its own weight before you add.",
            [5.0, 25 / 3],
        ),
        "the whole change": (
            "Your first number is right. Then you let the whole change, 10, into the average. But the third token has a "
            "weight of 0.2.",
            "What part of the 10 arrives?",
            [4.0, 14.0],
        ),
        "the change instead of the average": (
            "Your first number is right, and so is the change of the average, 2. The exercise asks for the average itself.",
            "Where does the average end, if it starts at your first number and moves by 2?",
            [4.0, 2.0],
        ),
    },
)

# Replace: one number. Give each exercise an id of its own, a topic and a word; it may never change once learners have it.
last_value = Number(
    id="lesson_NN.last_value",
    answer_name="last_value",
    prompt="The third value that gives a weighted average of 5.",
    value=14.0,
    atol=0.01,
    why="A token with a weight of 0.2 has to grow by five times as much as the average should move.",
    hints=(
        "How much do the first two values bring, with their weights?",
        "They bring 2.2, so the third must bring 2.8. But its weight is only 0.2.",
    ),
    mistakes={
        "what is missing in the average": (
            "2.8 is what the third value has to bring, after it has been multiplied by its weight.",
            "Which number gives 2.8, if you multiply it by 0.2?",
            2.8,
        ),
        "equal weights": (
            "With your value, the plain mean is 5. Here the weights are 0.5, 0.3 and 0.2.",
            "How much do the first two values bring, with their own weights?",
            9.0,
        ),
        "the first two left out": (
            "With your value, the third token would bring all of the 5. The first two bring something already.",
            "Subtract what the first two bring from 5, before you divide.",
            25.0,
        ),
    },
)
