"""A process that answers exercises for test_run.py: it gets frames on stdin and sends outcomes back as frames.

Started as ``python answering.py FOLDER``, where FOLDER holds a package "side" with the modules of ``runner`` alone. A job says
where the answer comes from: Python code with the name to look up (a learner's cell), or a place in the catalogue (a known
mistake, which cannot be written down as data).
"""

import sys

sys.path.insert(0, sys.argv[1])

from side.outcome import Outcome
from side.run import respond
from side.wire import LENGTHS, decode, encode


def read():
    lengths = sys.stdin.buffer.read(LENGTHS.size)
    if not lengths:
        sys.exit()
    return decode(lengths + sys.stdin.buffer.read(sum(LENGTHS.unpack(lengths))))


def write(value):
    sys.stdout.buffer.write(encode(value))
    sys.stdout.buffer.flush()


def ask_the_judge(question, arguments):
    write({"ask": [question, arguments]})
    return Outcome(**read())


def find(job):
    if "code" in job:
        cell = {}
        exec(job["code"], cell)
        return cell[job["name"]]
    from transformer_course.exercises import catalogue

    exercise = catalogue()[job["exercise"]]
    answers = [variant for mistake in exercise.mistakes for variant in (mistake.answer, *mistake.variants)]
    answer = [*answers, *getattr(exercise, "alternatives", ())][job["place"]]
    if exercise.kind not in ("module", "training step", "in place"):
        return answer
    from torch_modules import as_answer

    return as_answer(exercise, answer)


while True:
    job = read()
    answer = find(job)
    outcomes = respond(answer, job["questions"], job["backend"], ask_the_judge)
    foreign = sorted(name for name in sys.modules if name.startswith("transformer_course"))
    write({"outcomes": None if outcomes is None else [o.as_data() for o in outcomes], "foreign": foreign})
