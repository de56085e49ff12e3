"""Dates as people write them in English, paired with ISO 8601 dates: a task in which the order really changes."""

import random
from datetime import date, timedelta

from transformer_course.data.split import Split, held_back

# Not from `calendar`, whose names depend on the computer's language.
MONTHS = [
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
FORMATS = (
    "{month} {day}, {year}",
    "{day} {month} {year}",
    "{mon} {day}, {year}",
    "{day} {mon} {year}",
    "{month} {day}{th}, {year}",
    "the {day}{th} of {month} {year}",
    "{weekday}, {month} {day}, {year}",
    "{weekday} {day} {month} {year}",
    "{year}, {mon} {day}",
)
FIRST, LAST = date(1900, 1, 1), date(2099, 12, 31)


def format_date(day: date, template: str) -> str:
    """Write a date in one of the nine ``FORMATS``: for example, 2019-03-05 as "the 5th of March 2019"."""
    month, weekday = MONTHS[day.month - 1], DAYS[day.weekday()]
    th = "th" if 11 <= day.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return template.format(month=month, mon=month[:3], weekday=weekday, day=day.day, th=th, year=day.year)


def date_pairs(train: int = 30_000, test: int = 2_000, seed: int = 0) -> Split:
    """Return pairs of strings (a date in English, the same date as YYYY-MM-DD), all of different days, 1900 to 2099.

    They are split by *day*. If they were split by string, the test would contain days seen in training in another format.

    Raises ValueError if there are not enough days.
    """
    draw = random.Random(seed)
    days = [FIRST + timedelta(days=number) for number in range((LAST - FIRST).days + 1)]
    draw.shuffle(days)
    parts = [day for day in days if not held_back(day, seed)], [day for day in days if held_back(day, seed)]
    if not (1 <= train <= len(parts[0]) and 1 <= test <= len(parts[1])):
        available = f"{len(parts[0])} days for training and {len(parts[1])} for the test"
        raise ValueError(f"from {FIRST} to {LAST} there are {available}, got {train} and {test}")
    formats = {day: draw.choice(FORMATS) for day in days}
    return Split(
        *(
            [(format_date(d, formats[d]), d.isoformat()) for d in part[:size]]
            for part, size in zip(parts, (train, test), strict=True)
        )
    )
