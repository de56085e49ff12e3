"""The time limit of a check in a notebook: an answer that runs too long is interrupted."""

import _thread
import signal
import threading
import time
from collections.abc import Callable

from transformer_course.runner import limits
from transformer_course.runner.run import TimeLimit

LATE = f"Your function was stopped after {limits.ANSWER_SECONDS:g} seconds. Is there a loop that never ends?"
_warned = threading.Event()  # that there is no time limit


def allowance() -> Callable[[], bool]:
    """Start the clocks of an answer, for all of its calls: have they run out? A busy computer takes nothing from it."""
    computing, clock = time.process_time(), time.monotonic()

    def over():
        computed, passed = time.process_time() - computing, time.monotonic() - clock
        return min(computed, passed) > limits.ANSWER_SECONDS or passed > limits.CLOCK_FACTOR * limits.ANSWER_SECONDS

    return over


def limited(function: Callable, arguments: list, over: Callable[[], bool]):
    """Call a function; interrupt it with TimeLimit if Python code is still running when its time is over."""
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)  # only the main thread can be interrupted
    lock, state = threading.Lock(), {"done": False, "fired": False}

    def watch():
        while not over():
            if finished.wait(0.1):
                return
        for attempt in range(60):  # an answer may catch the first interrupt
            if finished.wait(1.0 if attempt else 0.1):
                return
            with lock:
                if state["done"]:
                    return
                state["fired"] = True
                _thread.interrupt_main()
            if attempt == 3:
                print("Your answer cannot be stopped: it is busy in compiled code, or it catches the interrupt. "
                      "Choose Kernel → Restart Kernel in the menu. Your cells keep their contents.")  # fmt: skip

    finished = threading.Event()
    try:
        threading.Thread(target=watch, daemon=True).start()
    except RuntimeError:  # this Python has no threads, as in a browser
        if not _warned.is_set():
            _warned.set()
            print("This Python cannot start a thread, so checks have no time limit here. "
                  "If your function never returns, restart the kernel.")  # fmt: skip
        return function(*arguments)
    # A process that was started in the background ignores interrupts; while the answer runs, it must receive ours.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            return function(*arguments)
        except KeyboardInterrupt:
            if not state["fired"]:
                raise  # the learner pressed stop
        finally:
            with lock:
                state["done"] = True
            finished.set()
        raise TimeLimit(LATE)
    except KeyboardInterrupt:  # fired as the call came back
        if state["fired"]:
            raise TimeLimit(LATE) from None
        raise
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)
