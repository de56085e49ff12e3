"""Judge every right answer and every mistake of each exercise on many seeds, and print what is misjudged.

python tools/verdicts.py --seeds 40                    all exercises, about an hour
python tools/verdicts.py --seeds 40 build.layer_norm   one of them
"""

import argparse
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "helpers"), str(TESTS / "exercises")]

from test_catalogue import misjudged_mistakes, misjudged_right_answers

from transformer_course.exercises import catalogue

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("exercises", nargs="*", help="ids; all of them if there is none")
parser.add_argument("--seeds", type=int, default=40)
asked = parser.parse_args()
total = 0
for exercise in (each for each in catalogue().values() if not asked.exercises or each.id in asked.exercises):
    lines = [
        line
        for seed in range(asked.seeds)
        for judged in (misjudged_right_answers, misjudged_mistakes)
        for line in judged(exercise, seed)
    ]
    total += len(lines)
    print(f"{exercise.id:34} {len(lines)} misjudged", *lines[:5], sep="\n    ", flush=True)
print(f"{total} misjudged on {asked.seeds} seeds")
