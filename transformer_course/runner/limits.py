"""Every limit on a learner's code and on what it exchanges with us. Messages and docs quote these numbers."""

MIB = 2**20

# Time. These are seconds of processor time, so that nobody loses marks because a computer is busy with others.
# What waits instead of computing is stopped after CLOCK_FACTOR times as long, in which only waiting counts. PROCESSOR_SECONDS
# ends what all of them miss.
ANSWER_SECONDS = 5.0  # one answer, on all questions of an exercise; in a notebook too
CELL_SECONDS = 10.0
NOTEBOOK_SECONDS = 60.0
JUDGING_SECONDS = 30.0  # our own work on one answer, because learners choose the numbers that we compute with
CLOCK_FACTOR = 4
BUSY_SECONDS = 3600.0  # on the clock, for one notebook: a computer that needs more gives it no mark
PROCESSOR_SECONDS = 100

# What a learner's process may use during grading.
MEMORY_BYTES = 1024 * MIB  # beyond what was mapped before its first cell
SCRATCH_BYTES, SCRATCH_FILES = 32 * MIB, 4096  # in the only folder that it can write to
OPEN_FILES = 256  # which bounds kernel memory: 8 MiB in full pipes (64 KiB each), or 51 MiB in full pairs of sockets
THREADS = 64
STACK_BYTES = 8 * MIB  # of each thread; they are no part of MEMORY_BYTES, so that nobody runs out of it by starting threads
PENDING_SIGNALS = 64  # one for each thread; the kernel keeps them all

# A frame between an answer and its judge.
FRAME_BYTES = 16 * MIB
HEADER_BYTES = 4 * MIB  # read as JSON, a byte can become twenty
FRAME_VALUES = 100_000  # lists, mappings and their items
FRAME_DEPTH = 16  # of nested values, and of an array's axes

# One value in it.
ARRAY_ELEMENTS = MIB
VALUE_DEPTH = 8  # of lists in lists
ERROR_CHARACTERS = 500  # of an error's message; a fifth of it for a line of code or the name of a type
TEXT_CHARACTERS = 2000  # of any text read from a learner's process
REMARK_CHARACTERS = 300  # of an error that ended a cell

# What an answer may do and contain.
CALLS = 1000  # of the function that stays with the judge
CALL_NUMBERS, CALL_AXIS = 4096, 256  # numbers in one such call, and along one axis: every broken function computes with them
PRINTED_CHARACTERS = 10_000  # in a notebook, while it is checked
CONSTRUCTED_NUMBERS = 10_000  # in arrays that are an answer: the judge computes with all of them

# A submitted notebook, and the search for it.
NOTEBOOK_BYTES = 20 * MIB
NOTEBOOK_CHARACTERS, NOTEBOOK_CELLS = 300_000, 1000  # of code; more could not be sent to the sandbox
LEARNER_FILES = 10_000  # searched for one learner; a larger folder is not a submission
LEARNER_NOTEBOOKS = 100  # opened for one learner
