"""A process that answers exercises for test_run.py: it gets frames on stdin and sends outcomes back as frames.

Started as ``python answering.py FOLDER``, where FOLDER holds a package "side" with the modules of ``runner`` alone. A job has
Python code, as in a learner's cell, and the name of the answer in it.
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


while True:
    job, cell = read(), {}
    exec(job["code"], cell)
    outcomes = respond(cell[job["name"]], job["questions"], job["backend"], ask_the_judge)
    foreign = sorted(name for name in sys.modules if name.startswith("transformer_course"))
    write({"outcomes": None if outcomes is None else [o.as_data() for o in outcomes], "foreign": foreign})
