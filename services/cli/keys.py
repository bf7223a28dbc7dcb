"""Single key presses from a terminal."""

from __future__ import annotations

import sys
import termios
import tty
from collections.abc import Callable


def key_presses() -> Callable[[], str]:
    """Give a function that waits for one key press; the terminal is ordinary again between two of them."""

    def wait_for_key() -> str:
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal)
            return sys.stdin.read(1)
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    return wait_for_key
