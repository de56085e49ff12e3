"""Sheet 04, with pencil and paper: a mask that is read the other way."""

from ..kinds import TwoTier

two_conventions = TwoTier(
    id="attention.two_conventions",
    prompt="What happens when a layer reads True in a causal mask the other way round.",
    right={"claim": "b", "reason": "a", "value": 0.5},
    why=(
        "Inverting the mask swaps what is allowed and what is forbidden, so token 1 sees only the future, and the "
        "last token sees nothing."
    ),
    hints=(
        "Write down the causal mask of three tokens, nine letters T and F. Then read each T as “may not”.",
        "Token 1 has T F F, so it may now attend to tokens 2 and 3. What is left for tokens 2 and 3?",
        "Token 3 has T T T, so nothing is left for it. And token 1 gives tokens 2 and 3 equal weights.",
    ),
    mistakes={
        "nobody is left without a key": (
            "An inverted mask is more than a mirror image. The causal mask allows the diagonal, so its opposite "
            "forbids it. Look at what is left for the last token.",
            "Token 3 has T T T in the causal mask. Read each as “may not”.",
            {"claim": "c", "reason": "c"},
        ),
        "all three outputs": (
            "Softmax works on each row separately. A row without any keys makes its own output NaN, but not those of "
            "the other tokens.",
            "Write down the three rows one by one, and look for a row without a single “may”.",
            {"claim": "d"},
        ),
        "the first token": (
            "Under the right causal mask, T F F, token 1 can see only itself. Read the other way, it may not attend "
            "to itself, but it may attend to tokens 2 and 3. So it has weights.",
            "Do the same with T T F and T T T. For which token is nothing left?",
            {"claim": "a"},
        ),
        "no output is NaN": (
            "One row forbids every key. All its scores become −∞, and softmax cannot turn them into weights that sum to 1.",
            "Token 3 has T T T in the causal mask. Read each as “may not”.",
            {"claim": "c"},
        ),
        "NaN because it sees the future": (
            "Looking at a later token gives a number like any other. It is cheating, but softmax cannot notice that. "
            "NaN must have a different reason.",
            "Which row has no key left?",
            {"reason": "b"},
        ),
        "a mirror image": (
            "The opposite of the causal mask is not its mirror image, because the diagonal also changes from True to "
            "False. So one row has no key left and does not sum to 1.",
            "Look at the last row: T T T, each read as “may not”.",
            {"reason": "c"},
        ),
        "torch would notice": (
            "torch cannot know which way you meant it, because both masks are boolean arrays of the same shape. "
            "There is no error, and that makes this mistake hard to notice.",
            "What does softmax return for a row in which every score is −∞?",
            {"reason": "d"},
        ),
        "token 1 attends to itself too": (
            "One third would be the weight if token 1 saw all three tokens. But its own True now hides it from itself.",
            "There are two equal scores left in the first row.",
            1 / 3,
        ),
        "the weight as it should be": (
            "0 would be the weight under the causal mask. The exercise asks for the weight when the mask is read the other "
            "way.",
            "Under T F F, read as “may not”, which keys are left for token 1?",
            0.0,
        ),
        "all the weight on token 3": (
            "1 would be the weight if token 1 saw only token 3. But it also sees token 2: only the T in its row is forbidden.",
            "Under T F F, read as “may not”, which keys are left for token 1?",
            1.0,
        ),
    },
)
