"""Sheet 01, with pencil and calculator: how much of the first token is left."""

from ..kinds import Number

LEFT = [3 * 0.8**8, 21, (30 / 31) ** 60]  # 0.8 ** 20 = 0.0115, 0.8 ** 21 = 0.0092
WHOLE = 3 * 0.8**8 + 5 * (1 - 0.8**8)  # the state after the ninth token


recurrence_fading = Number(
    id="recurrence.fading",
    answer_name="left",
    prompt="What a one-number recurrence keeps of its first token, and for how long.",
    value=LEFT,
    atol=6e-4,
    near=(0.006, 0.06, 0.002),  # about as far as rounding takes it
    labels=("what is left after the ninth token", "how many tokens it takes", "what is left after 60 further tokens"),
    why=(
        "Each further token multiplies the first token's part by the same factor, so that part shrinks exponentially with "
        "the distance."
    ),
    hints=(
        "Follow the first token alone: put 0 in place of all the others. What is the state after the first token, "
        "and what happens to it at each further one?",
        "After the first token its part is 3, then 3 × 0.8, then 3 × 0.8 × 0.8: one factor of 0.8 per further token.",
        "For the second number the 3 does not matter. After n further tokens, the fraction 0.8ⁿ is left. Try values "
        "of n until it falls below 0.01; the answer is a little above 20.",
        "For the third number, the factor is 30/31 at each of 60 further tokens. Compute 30 ÷ 31 with all the digits "
        "of your calculator, and raise that to the power.",
    ),
    mistakes={
        "fading in equal steps": (
            "For at least one of your numbers, you subtracted the same amount at each token. The recurrence "
            "multiplies instead: each token removes a fraction of what is still there. So the losses get smaller and "
            "smaller, and the state never reaches 0.",
            "Write down the first three states, with 0 for all later tokens: 3, then 0.8 × 3, then …",
            {0: (-1.8, 1.4), 1: (4, 4.95, 5), 2: (1 / 31, -29 / 31)},
        ),
        "nothing left": (
            "Your first number is (almost) nothing. A token that multiplies by 0.8 removes a fifth and leaves four "
            "fifths, so a good deal is left after eight of them.",
            "What is left of 3 after one further token, and after two?",
            {0: (0.0, 3 * 0.2**8)},
        ),
        "the whole state": (
            "Your first number is the whole state after the ninth token. Most of it comes from the eight 1s, but the "
            "exercise asks for the first token's part alone.",
            "By how much would this state fall if the first token were 0?",
            {0: WHOLE},
        ),
        "what the others put in": (
            "Your first number is the part that the eight 1s put into the state. The exercise asks for the rest.",
            "Follow the 3 alone, with 0 for all the others.",
            {0: 5 * (1 - 0.8**8)},
        ),
        "the fraction of the state": (
            "Your first number is the fraction of the state that comes from the first token. The exercise asks for "
            "the part itself.",
            "How much of the 3 is left after eight factors of 0.8?",
            {0: 3 * 0.8**8 / WHOLE},
        ),
        "the fraction instead of the part": (
            "Your first number, 0.8 to the power 8, is the fraction that is left. But the first token put 3 into the "
            "state, not 1.",
            "What is left of 3?",
            {0: 0.8**8},
        ),
        "nine factors": (
            "Your first number has nine factors of 0.8, one per token. But the first token is added as it is, and "
            "only the eight after it multiply its part.",
            "Try it on the small example in the sheet: after three tokens, 4 has become 4 × 0.5 × 0.5.",
            {0: (3 * 0.8**9, 0.8**9)},
        ),
        "seven factors": (
            "Your first number has seven factors of 0.8. Eight tokens follow the first, and each of them multiplies "
            "its part once.",
            "Count the factors: token 2 multiplies by the first, and token 9 by the last.",
            {0: (3 * 0.8**7, 0.8**7)},
        ),
        "one factor": (
            "You multiplied by 0.8 only once, as if a single token followed. Here eight further tokens follow.",
            "What happens to the first token's part at the third token, and at the fourth?",
            {0: 3 * 0.8},
        ),
        "multiplied by the number of tokens": (
            "You multiplied your first number by 8. A factor that is used eight times is a power, and the result "
            "must be smaller than 3.",
            "Eight factors of 0.8 multiplied together are 0.8⁸.",
            {0: (3 * 0.8 * 8, 0.8 * 8)},
        ),
        "what is lost taken for what is left": (
            "Your second number belongs to a state that keeps a fifth at each token. This one loses a fifth.",
            "Which power of 0.8 is the first below 0.01?",
            {1: (3, 2.86, 2)},
        ),
        "below 0.01 instead of a hundredth of it": (
            "Your second number says when the part itself falls below 0.01. The exercise asks for a hundredth of "
            "what the token put in, which was 3.",
            "The 3 does not matter here: what fraction is left after n further tokens?",
            {1: (26, 25.56, 25)},
        ),
        "one token too few": (
            "After 20 further tokens, 0.8²⁰ = 0.0115 is left, which is still more than a hundredth.",
            "How much is left after the next token?",
            {1: 20},
        ),
        "one token too many": (
            "After 22 further tokens less than a hundredth is left, but that is already true one token earlier. The first "
            "token is not one of the further tokens.",
            "How much is left after 21?",
            {1: 22},
        ),
        "counted on from the ninth token": (
            "Your second number counts on from the ninth token. But eight further tokens come before that, and they count too.",
            "How often is 0.8 a factor in all, when less than a hundredth is left?",
            {1: (12, 13, 12.64)},
        ),
        "a part of a token": (
            "Your second number solves 0.8ⁿ = 0.01 correctly. But tokens come one at a time, so the answer is an integer.",
            "What is the first integer n for which 0.8ⁿ is less than 0.01?",
            {1: 20.64},
        ),
        "the factor rounded too early": (
            "You used 0.97 in place of 30/31 = 0.96774. That looks harmless, but 60 factors make a small relative "
            "error sixty times as large.",
            "Keep all the digits of 30 ÷ 31, and round only at the end.",
            {2: 0.97**60},
        ),
        "one factor of 30/31": (
            "Your third number is what is left after one further token. Here sixty follow, and each multiplies it once.",
            "How often is the factor used?",
            {2: (30 / 31, 0.97)},
        ),
        "as many factors as T": (
            "Your third number has 30 factors, as in a sequence of the length that the bias was chosen for. This "
            "sequence is twice as long.",
            "The power is the number of further tokens.",
            {2: ((30 / 31) ** 30, 0.368)},
        ),
        "61 factors, or the limit": (
            "Your third number is a little too small. Either you used 61 factors, although the first token is added "
            "as it is and 60 follow it, or you used 1/e², which is exact only for very long sequences.",
            "The power is the number of further tokens.",
            {2: (30 / 31) ** 61},
        ),
        "59 factors, or an approximation": (
            "Your third number is a little too large. Either you used 59 factors, although 60 tokens follow the first, or an "
            "approximation, such as exp(−1/31) in place of 30/31.",
            "The power is the number of further tokens, and 30/31 is used with all its digits.",
            {2: (30 / 31) ** 59},
        ),
        "in per cent": (
            "Your third number is right, but it is a percentage. The exercise asks for a fraction, between 0 and 1.",
            "Divide by 100.",
            {2: (13.98, 14.0)},
        ),
        "the factor without the bias": (
            "Your third number is (almost) nothing, as it would be with a factor of 1/2. With the forget bias, the "
            "factor is 30/31.",
            "How often is 30/31 multiplied by itself?",
            {2: 0.0},
        ),
    },
)
