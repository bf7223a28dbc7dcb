"""Output of the commands: results go to standard output, errors to standard error."""

from __future__ import annotations

from typing import Final, NoReturn
from unicodedata import category

import typer
from rich.console import Console

OUT: Final = Console(highlight=False)
ERR: Final = Console(stderr=True, highlight=False)


def printable(text: str) -> str:
    """Return a text without control characters: texts of files and servers may come from anybody."""
    return "".join(sign if _is_harmless(sign) else f"\\x{ord(sign):02x}" for sign in text)


def _is_harmless(sign: str) -> bool:
    """Return whether a character moves and hides nothing; so do the spaces that French has in numbers and before colons."""
    return sign.isprintable() or sign in "\n\t" or category(sign) == "Zs"


def say(message: str) -> None:
    """Print one line of progress; markup and control characters in it have no effect."""
    OUT.print(printable(message), markup=False, soft_wrap=True, emoji=False)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Print an error and end the program."""
    ERR.print(f"error: {printable(message)}", markup=False, soft_wrap=True, emoji=False)
    raise typer.Exit(code)
