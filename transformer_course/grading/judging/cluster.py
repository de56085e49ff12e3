"""Grade a class on a Dask cluster: the same graders and the same sandbox, on other computers.

Notebooks travel to the cluster, and results come back. If a worker is lost, others grade what it had not finished, and each
result is recorded once, on this computer.
"""

import itertools
import queue
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from uuid import uuid4

from distributed import Client, Future, KilledWorker, Worker, WorkerPlugin, as_completed, get_worker

from ..errors import GradingError
from ..graded import Graded, Submission
from ..run import Run, grading_version
from ..sandbox.bubblewrap import Bubblewrap
from ..sandbox.supervisor import Sandbox
from ..submissions.notebook_file import NotANotebook, cells, content
from .local_pool import GRADER_FAILED, Grader
from .worker import job

CONNECT_SECONDS = 10  # within which the scheduler must answer
PER_GRADER = 2  # submissions sent ahead, so that no grader has to wait for its next one


def grade_all(run: Run, submissions: Sequence[Submission], done: Callable[[Submission, Graded], None], address: str) -> None:
    """Grade these submissions as `local_pool.grade_all` does, on the cluster whose scheduler is at ``address``.

    Raises GradingError if there is no such cluster, or if one of its workers cannot grade.
    """
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise GradingError(f"No Dask scheduler answers at {address} ({error}); start one, or leave out --scheduler.") from None
    graders = _Graders()
    sent: dict[str, Submission] = {}

    def send_all() -> Iterator[Future]:
        for index, submission in enumerate(submissions):
            try:
                notebook = content(submission.file, run.folder)
            except NotANotebook as problem:
                done(submission, Graded({}, [], str(problem)))
                continue
            task = (graders.name, notebook, run.sheet, run.seed(submission), run.time_limits)
            future = client.submit(_grade, *task, key=f"{graders.name}-{index}")
            sent[future.key] = submission
            yield future

    with client:
        if not (threads := sum(client.nthreads().values())):
            raise GradingError(f"The Dask scheduler at {address} has no workers; start some: dask worker {address}")
        try:
            _prepare_workers(client, graders)
            unsent = send_all()
            running = as_completed(itertools.islice(unsent, PER_GRADER * threads), loop=client.loop)
            for future in running:
                done(sent.pop(future.key), _result(future))
                running.update(itertools.islice(unsent, 1))
        finally:
            with suppress(OSError):  # the scheduler is gone
                client.unregister_worker_plugin(graders.name)


def _prepare_workers(client: Client, graders: "_Graders") -> None:
    """Set up graders on all workers, including those that join later."""
    try:
        client.register_plugin(graders)
    except Exception as error:  # anything can go wrong there, for example because the course is not installed
        raise GradingError(f"One of the cluster's workers cannot grade: {error}") from None


def _result(future: Future) -> Graded:
    try:
        return future.result()
    except KilledWorker:  # several workers died of this submission, one after another
        return Graded({}, [], GRADER_FAILED)


class _Graders(WorkerPlugin):
    """What each of the cluster's workers has while a class is graded: a sandbox, and a grader for each of its threads."""

    def __init__(self):
        self.name = f"grading-{uuid4()}"
        self.version = grading_version()
        self.sandbox: Sandbox | None = None
        self.graders: list[Grader] = []

    def setup(self, worker: Worker) -> None:
        if grading_version() != self.version:
            raise GradingError("it has a different version of the course; install the same version everywhere.")
        self.sandbox = Sandbox(Bubblewrap.start())
        self.graders = [Grader(self.sandbox) for _ in range(worker.state.nthreads)]
        self.sandbox.ready()
        self.free: queue.SimpleQueue[Grader] = queue.SimpleQueue()
        for grader in self.graders:
            grader.ready()
            self.free.put(grader)

    def teardown(self, worker: Worker) -> None:
        for grader in self.graders:
            grader.close()
        if self.sandbox:
            self.sandbox.close()

    def grade(self, notebook: bytes, *parameters) -> Graded:
        try:
            task = job(cells(notebook), *parameters)
        except NotANotebook as problem:
            return Graded({}, [], str(problem))
        grader = self.free.get()
        try:
            return grader.grade(task)
        finally:
            self.free.put(grader)


def _grade(plugin: str, *submission) -> Graded:
    return get_worker().plugins[plugin].grade(*submission)
