"""A class graded by a Dask cluster: the same graders and the same sandbox, on other computers.

Notebooks travel there, and results back. A worker that is lost takes nothing along: what it had not finished, another grades,
and each result is recorded here, once.
"""

import itertools
import queue
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, as_completed, get_worker

from ..errors import GradingError
from ..graded import Graded, Submission
from ..sandbox.bubblewrap import Bubble
from ..sandbox.supervisor import Sandbox
from ..submissions.notebook_file import NotANotebook, content
from .judge import Patience
from .local_pool import FAILED, Grader, edition
from .worker import job

PATIENCE = 10  # seconds until the scheduler must have answered
AHEAD = 2  # submissions on their way for each grader, so that none waits for its next


def grade_all(
    submissions: Sequence[Submission],
    within: Path,
    sheet: str,
    seeds: Sequence[int],
    done: Callable[[int, Graded], None],
    address: str,
    patience: Patience = Patience(),  # noqa: B008  frozen
) -> None:
    """Grade all with the cluster whose scheduler is at ``address``; otherwise as `classroom.grade_all`.

    Raises GradingError where there is no such cluster, or one of its workers cannot grade.
    """
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise GradingError(f"No Dask scheduler answers at {address} ({error}); start one, or leave out --scheduler.") from None
    graders = _Graders()
    places: dict[str, int] = {}

    def sent() -> Iterator[Future]:
        for place, submission in enumerate(submissions):
            try:
                notebook = content(submission.file, within)
            except NotANotebook as problem:
                done(place, Graded({}, [], str(problem)))
                continue
            future = client.submit(
                _grade, graders.name, notebook, sheet, seeds[place], patience, key=f"{graders.name}-{place}"
            )
            places[future.key] = place
            yield future

    with client:
        if not (threads := sum(client.nthreads().values())):
            raise GradingError(f"The Dask scheduler at {address} has no workers; start some: dask worker {address}")
        try:
            _make_ready(client, graders)
            waiting = sent()
            running = as_completed(itertools.islice(waiting, AHEAD * threads), loop=client.loop)
            for future in running:
                done(places.pop(future.key), _result(future))
                running.update(itertools.islice(waiting, 1))
        finally:
            with suppress(OSError):  # the scheduler is gone
                client.unregister_worker_plugin(graders.name)


def _make_ready(client: Client, graders: "_Graders") -> None:
    """On each worker, those that come later too."""
    try:
        client.register_plugin(graders)
    except Exception as error:  # whatever a worker stumbles over, a course that is not installed there among it
        raise GradingError(f"One of the cluster's workers cannot grade: {error}") from None


def _result(future: Future) -> Graded:
    try:
        return future.result()
    except KilledWorker:  # it took one worker after another down with it
        return Graded({}, [], FAILED)


class _Graders(WorkerPlugin):
    """What each of the cluster's workers holds while a class is graded: a sandbox, and a grader for each of its threads."""

    def __init__(self):
        self.name = f"grading-{uuid4()}"
        self.edition = edition()
        self.sandbox: Sandbox | None = None
        self.graders: list[Grader] = []

    def setup(self, worker: Worker) -> None:
        if edition() != self.edition:
            raise GradingError("its edition of the course is another; install the same one everywhere.")
        self.sandbox = Sandbox(Bubble.start())
        self.graders = [Grader(self.sandbox) for _ in range(worker.state.nthreads)]
        self.sandbox.ready()
        self.free: queue.SimpleQueue[Grader] = queue.SimpleQueue()
        for grader in self.graders:
            self.free.put(grader)

    def teardown(self, worker: Worker) -> None:
        for grader in self.graders:
            grader.close()
        if self.sandbox:
            self.sandbox.close()

    def grade(self, notebook: bytes, *more) -> Graded:
        grader = self.free.get()
        try:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder, "submission.ipynb")
                file.write_bytes(notebook)
                return grader.grade(job(file, Path(folder), *more))
        finally:
            self.free.put(grader)


def _grade(name: str, *submission) -> Graded:
    return get_worker().plugins[name].grade(*submission)
