"""Output of the commands: results go to standard output, errors to standard error."""

from __future__ import annotations

import re
from typing import Final, NoReturn

import typer
from rich.console import Console

from services.free_text.rule import STEERING

OUT: Final = Console(highlight=False)
ERR: Final = Console(stderr=True, highlight=False)


def printable(text: str) -> str:
    """Return a text without characters that steer a terminal: texts of files and servers may come from anybody."""
    return STEERING.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    return found[0] if found[0] in "\n\t" else f"\\x{ord(found[0]):02x}"


def say(message: str) -> None:
    """Print one line of progress; markup and control characters in it have no effect."""
    OUT.print(printable(message), markup=False, soft_wrap=True, emoji=False)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Print an error and end the program."""
    ERR.print(f"error: {printable(message)}", markup=False, soft_wrap=True, emoji=False)
    raise typer.Exit(code)
