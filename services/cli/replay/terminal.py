"""Full-screen use of the terminal: it reads single keys and draws whole screens.

However the program ends, the terminal is restored, also when it is stopped with Ctrl-Z or
terminated. Keys and screens need nothing but the standard library and rich.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import sys
import termios
import tty
from collections import deque
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, Final, Self

from rich.console import Console
from rich.control import Control
from rich.text import Text

ESCAPE_SECONDS: Final = 0.05
"""How long the rest of a key's sequence may take; after that it counts as the escape key."""
_SEQUENCE: Final = re.compile(r"\x1b(?:\[[0-9;]*[@-~]|O[@-~])")
_NAMES: Final = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left",
    "\x1bOA": "up", "\x1bOB": "down", "\x1bOC": "right", "\x1bOD": "left",
    "\x1b[H": "home", "\x1b[F": "end", "\x1bOH": "home", "\x1bOF": "end",
    "\x1b[1~": "home", "\x1b[4~": "end", "\x1b[7~": "home", "\x1b[8~": "end",
    "\x1b[5~": "page up", "\x1b[6~": "page down",
    "\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x1b": "escape",
    "\x04": "closed",
}  # fmt: skip
_Handler = Callable[[int, FrameType | None], Any]


class Keys:
    """Decodes keys from the characters a terminal sends. Names: `up`, `page down`, `enter`, …; else the character itself."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""

    def feed(self, data: bytes) -> list[str]:
        """Return the keys that are complete."""
        self._rest += self._decoder.decode(data)
        keys = []
        while self._rest and not self.is_open():
            keys.append(self._take())
        return keys

    def is_open(self) -> bool:
        """Return whether the remaining characters could begin a key's sequence."""
        return re.fullmatch(r"\x1b(?:\[[0-9;]*|O)?", self._rest) is not None

    def settle(self) -> list[str]:
        """Return the remaining characters as single keys, because nothing more came."""
        keys = [_NAMES.get(sign, sign) for sign in self._rest]
        self._rest = ""
        return keys

    def _take(self) -> str:
        found = _SEQUENCE.match(self._rest)
        taken = found[0] if found else self._rest[0]
        self._rest = self._rest[len(taken) :]
        return _NAMES.get(taken, taken)


class Terminal:
    """The terminal of standard input and output; `with` takes it over and restores it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._input = sys.stdin.fileno()
        self._keys = Keys()
        self._waiting: deque[str] = deque()
        self._before: list[Any] = []
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._input)
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._woken, False)
        self._wakeup_before = signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        self._take_signals()
        self._take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self._wake)
        os.close(self._woken)

    @property
    def size(self) -> tuple[int, int]:
        """Return the current columns and lines."""
        size = self._console.size
        return size.width, size.height

    def show(self, lines: Sequence[Text]) -> None:
        """Show a whole screen."""
        self._console.control(Control.home())
        self._console.print(Text("\n").join(lines), end="", no_wrap=True, overflow="crop", crop=True)

    def key(self) -> str:
        """Wait for a key and return it; `resized` if the screen must be redrawn, `closed` if no more keys will come."""
        while not self._waiting:
            patience = ESCAPE_SECONDS if self._keys.is_open() else None
            ready, _, _ = select.select([self._input, self._woken], [], [], patience)
            if self._woken in ready:
                os.read(self._woken, 1024)
                self._console.control(Control.clear())
                return "resized"
            self._waiting += self._read() if self._input in ready else self._keys.settle()
        return self._waiting.popleft()

    def _read(self) -> list[str]:
        try:
            data = os.read(self._input, 1024)
        except OSError:
            data = b""  # the terminal was closed
        return self._keys.feed(data) if data else ["closed"]

    def _take(self) -> None:
        tty.setcbreak(self._input)
        self._console.set_alt_screen(True)
        self._console.show_cursor(False)

    def _give_back(self) -> None:
        self._console.show_cursor(True)
        self._console.set_alt_screen(False)
        termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)

    def _take_signals(self) -> None:
        wanted: dict[int, _Handler] = {
            signal.SIGWINCH: lambda _number, _frame: None,  # the pipe wakes `key`
            signal.SIGTSTP: self._stop,
            signal.SIGTERM: self._terminate,
            signal.SIGHUP: self._terminate,
        }
        for number, handler in wanted.items():
            self._handlers[number] = signal.signal(number, handler)

    def _stop(self, number: int, _frame: FrameType | None) -> None:
        """Handle Ctrl-Z: restore the terminal, stop, and take the terminal over again when continued."""
        self._give_back()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, self._stop)
        self._take()

    def _terminate(self, number: int, _frame: FrameType | None) -> None:
        raise SystemExit(128 + number)
