"""A `Stop` is set by a signal handler, which Python runs between any two instructions of the main thread."""

from __future__ import annotations

from tests.support.client_programs import printed_by

AT_EACH_LINE = """
import signal, sys, threading
from foldtable_client import Stop, stopping

signal.signal(signal.SIGINT, lambda *_: stop.set())
SOURCES = {stopping.__file__, threading.__file__}

def interrupted(work, line):
    # Run something with a signal at one of its lines; return whether it has so many.
    seen = 0
    def trace(frame, event, _):
        nonlocal seen
        if frame.f_code.co_filename not in SOURCES:
            return None
        if event == "line":
            seen += 1
            if seen == line:
                signal.raise_signal(signal.SIGINT)
        return trace
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return seen >= line

def under():
    with stop.ending(lambda: ended.append(True)):
        pass

def twice():
    with stop.ending(lambda: ended.append(True)):
        stop.set()

for work in (under, twice):
    line = 0
    while True:
        line += 1
        stop, ended = Stop(), []
        if not interrupted(work, line):
            break
        assert stop.is_set(), line
        assert ended or work is under, line  # a call that is over already has nothing to end
    print(work.__name__, line > 5)
"""


def test_a_signal_handler_may_set_a_stop_at_each_line_of_one_that_is_being_used_or_set() -> None:
    assert printed_by(AT_EACH_LINE, "http://table.test") == "under True\ntwice True\n"
