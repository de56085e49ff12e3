"""English number words paired with Chinese numerals: a translation task whose answers a rule can check.

English counts in thousands and Chinese in ten thousands (万). 12,345 is "twelve thousand three hundred …" and
一万二千三百…, so the words cannot be translated one by one.
"""

import random

from transformer_course.data.split import Split, held_back


def english(number: int) -> list[str]:
    """Return the words of a number in English: 12345 gives twelve thousand three hundred and forty five."""
    from num2words import num2words

    return num2words(number).replace(",", "").replace("-", " ").split()


def chinese(number: int) -> str:
    """Return a number in Chinese numerals: 12345 gives 一万二千三百四十五."""
    from cn2an import an2cn

    return an2cn(number)


def number_pairs(train: int = 30_000, test: int = 2_000, max_digits: int = 8, seed: int = 0) -> Split:
    """Return pairs (English words, Chinese numerals) of different numbers of up to ``max_digits`` digits.

    All lengths are drawn equally often, but there are few short numbers, and no number is repeated. The words are a list
    of strings; the numerals are a string, with one token per character. The default takes about 2 seconds.

    Raises ValueError if there are not enough numbers of up to ``max_digits`` digits.
    """
    room = 10**max_digits // 2
    if not (1 <= train <= room and 1 <= test <= room // 10):
        raise ValueError(
            f"numbers of up to {max_digits} digits give at most {room} pairs for training and {room // 10} for the test, "
            f"got {train} and {test}"
        )
    draw = random.Random(seed)
    parts: tuple[dict[int, None], ...] = {}, {}  # sets that keep their order: training, test
    while len(parts[0]) < train or len(parts[1]) < test:
        number = draw.randrange(10 ** draw.randint(1, max_digits))
        part, size = (parts[1], test) if held_back(number, seed) else (parts[0], train)
        if len(part) < size:
            part[number] = None
    return Split(*([(english(number), chinese(number)) for number in part] for part in parts))
