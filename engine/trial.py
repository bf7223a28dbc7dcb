"""Packages of others are imported in a process of their own first: what hangs, or ends the process, harms nobody there.

An import runs any code. It may compute for ever, end the process, or change what belongs to the whole process, such as the
working directory or the handlers of signals. None of this can be undone or caught by whoever imports, so it is tried first.
The processes that this one starts are told the result, and do not try again.
"""

from __future__ import annotations

import json
import locale
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from importlib.metadata import EntryPoint
from io import TextIOBase
from pathlib import Path
from typing import Any, Final

from engine.kernel.errors import in_one_line
from engine.kernel.package import GamePackage

PROCESSOR_SECONDS: Final = 10
"""How long the import of a package and of its rules may compute."""
WAIT_SECONDS: Final = 30.0
"""How long both may take if they compute little, and wait for something."""
COMPUTING_SECONDS: Final = 1.0
"""Who computes so much within that time does not wait."""
TRIED: Final = "FOLDTABLE_TRIED_PACKAGES"
"""Tells the processes that are started from here what came of it, so that they need not try."""
ON_TRIAL: Final = "FOLDTABLE_ON_TRIAL"
"""Set in the process in which packages are tried: there, only the package on trial is imported."""


def is_on_trial() -> bool:
    """Return whether this is the process in which packages are tried."""
    return ON_TRIAL in os.environ


def tried(entries: Sequence[EntryPoint]) -> dict[str, str]:
    """Return why packages must not be imported into this process, by the names of their entry points; the others can be."""
    known: dict[str, str] = json.loads(os.environ.get(TRIED, "{}"))
    unknown = [entry for entry in entries if _key(entry) not in known]
    while unknown:
        verdicts = _try(unknown)
        known |= {_key(entry): why for entry, why in zip(unknown, verdicts, strict=False)}
        unknown = unknown[len(verdicts) :]
    if entries:
        os.environ[TRIED] = json.dumps({_key(entry): known[_key(entry)] for entry in entries})
    return {entry.name: known[_key(entry)] for entry in entries if known[_key(entry)]}


def _key(entry: EntryPoint) -> str:
    dist = entry.dist
    whose = "" if dist is None else f"{dist.name} {dist.version} {dist.locate_file('')}"
    return f"{entry.name}={entry.value} {whose}"


def _try(entries: Sequence[EntryPoint]) -> list[str]:
    """Try packages in a new process; return what is wrong with each, up to the first that ends it or does not return."""
    given, answers = os.pipe()
    process = subprocess.Popen(  # noqa: S603 - the program is this one
        [sys.executable, "-m", __name__, str(answers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(answers,),
        env={**os.environ, ON_TRIAL: "1"},
    )
    os.close(answers)
    try:
        assert process.stdin is not None
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(json.dumps([sys.path, [[one.name, one.value] for one in entries]]).encode())
        verdicts: list[str] = []
        for verdict in _answers(given, process.pid):
            verdicts.append(verdict)
            if len(verdicts) == len(entries):
                return verdicts
        return [*verdicts, _how_it_ended(process, entries[len(verdicts)])]
    finally:
        os.close(given)
        process.kill()
        process.wait()


def _answers(given: int, pid: int) -> Iterator[str]:
    """Yield what the process says, until it has ended, or has neither said nor computed anything for too long."""
    deadline, text, used = time.monotonic() + WAIT_SECONDS, b"", 0.0
    while True:
        if not select.select([given], [], [], max(0.0, deadline - time.monotonic()))[0]:
            before, used = used, _processor_seconds(pid)
            if used - before < COMPUTING_SECONDS:
                return
            deadline = (
                time.monotonic() + WAIT_SECONDS
            )  # it computes, however slowly: that has a limit of its own
            continue
        read = os.read(given, 65_536)
        if not read:
            return
        *lines, text = (text + read).split(b"\n")
        for line in lines:
            yield json.loads(line)
            deadline = time.monotonic() + WAIT_SECONDS


def _processor_seconds(pid: int) -> float:
    """Return how long a process has computed; 0 where the system does not say."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _how_it_ended(process: subprocess.Popen[bytes], entry: EntryPoint) -> str:
    with suppress(subprocess.TimeoutExpired):
        process.wait(0.5)
    code = process.returncode
    if code is None:
        return f"importing {entry.value} and its rules does not end within {WAIT_SECONDS:.0f} s"
    if code in {-signal.SIGXCPU, -signal.SIGKILL}:
        return f"importing {entry.value} and its rules computes for longer than {PROCESSOR_SECONDS} s"
    how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
    return f"importing {entry.value} and its rules ends the process {how}"


class _Nowhere(TextIOBase):
    """Takes what is printed, and keeps nothing of it."""

    def write(self, text: str, /) -> int:
        return len(text)


@contextmanager
def quiet() -> Iterator[None]:
    """Drop what an import prints: a command prints JSON there, and a server its log. Its filters of warnings end with it, too."""
    nowhere = _Nowhere()
    with warnings.catch_warnings(), redirect_stdout(nowhere), redirect_stderr(nowhere):
        yield


# ── in the process of the trial ────────────────────────────────────────────────────────────────────────


def main() -> None:
    """Import the packages that standard input names; say of each what is wrong with it."""
    answers = int(sys.argv[1])
    sys.path[:], entries = json.load(sys.stdin)
    for name, value in entries:
        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        limit = int(used) + PROCESSOR_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        why = _wrong_with(name, value)
        os.write(answers, json.dumps(why).encode() + b"\n")
    os._exit(0)


def _wrong_with(name: str, value: str) -> str:
    before, path = _of_the_process(), list(sys.path)
    entry = EntryPoint(name=name, value=value, group="")
    try:
        package = entry.load()
        if isinstance(package, GamePackage):
            value = package.game
            module, _, attribute = value.partition(":")
            game = getattr(import_module(module), attribute)
            _ = game.texts.catalogues, game.texts.paragraphs
    except KeyboardInterrupt as problem:  # whoever imports in earnest must take it for that of a user
        return f"{value} cannot be loaded: {in_one_line(problem)}"
    except BaseException:  # noqa: BLE001, S110 - whoever imports in earnest says what it is
        pass
    after = _of_the_process()
    changed = [what for what, state in before.items() if after[what] != state]
    if sys.path[: len(path)] != path:
        changed.append("changes sys.path, other than by adding to its end")
    return "" if not changed else f"importing {value} {changed[0]}, which would affect all games"


def _of_the_process() -> Mapping[str, Any]:
    """Return what no import may change, by what an import does that changes it."""
    return {
        "changes the working directory": _working_directory(),
        "changes a handler of signals": [
            signal.getsignal(number) for number in sorted(signal.valid_signals())
        ],
        "changes the locale": locale.setlocale(locale.LC_ALL),
        "starts a thread that goes on": {one.ident for one in threading.enumerate()},
        "changes the limit of recursion": sys.getrecursionlimit(),
        "replaces sys.stdout, sys.stderr or a hook of sys": (
            *(sys.stdin, sys.stdout, sys.stderr),
            *(sys.excepthook, sys.displayhook, threading.excepthook, sys.unraisablehook),
        ),
        "changes settings of Foldtable in the environment": {
            name: value for name, value in os.environ.items() if name.startswith("FOLDTABLE_")
        },
        "changes the mask of new files": _mask(),
    }


def _working_directory() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - as text
    except OSError:
        return ""


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


if __name__ == "__main__":
    main()
