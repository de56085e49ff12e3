"""English number words and the same numbers in Chinese numerals: a translation whose answers a rule can check.

English counts in thousands, Chinese in ten thousands (万): 12,345 is "twelve thousand three hundred …" and
一万二千三百…, so the words cannot be exchanged one by one.
"""

import random

from transformer_course.data.split import Split, split


def english(number: int) -> list[str]:
    """Return the words of a number: 12345 gives twelve thousand three hundred and forty five."""
    from num2words import num2words

    return num2words(number).replace(",", "").replace("-", " ").split()


def chinese(number: int) -> str:
    """Return a number in Chinese numerals: 12345 gives 一万二千三百四十五."""
    from cn2an import an2cn

    return an2cn(number)


def number_pairs(train: int = 30_000, test: int = 2_000, max_digits: int = 8, seed: int = 0) -> Split:
    """Return pairs of (English words, Chinese numerals) of different numbers, each length in digits as likely as the others.

    The words are a list of strings, the numerals a string, one token a character. About 1.5 seconds for the default.

    Raises ValueError when there are not so many numbers of up to ``max_digits`` digits.
    """
    if not 1 <= train + test <= 10**max_digits // 2:
        raise ValueError(f"up to {max_digits} digits, there is room for {10**max_digits // 2} pairs, saw {train} + {test}")
    draw = random.Random(seed)
    numbers: dict[int, None] = {}  # a set that keeps its order
    while len(numbers) < train + test:
        numbers[draw.randrange(10 ** draw.randint(1, max_digits))] = None
    return split([(english(number), chinese(number)) for number in numbers], test, seed)
