"""How the commands speak: results to standard output, complaints to standard error."""

from __future__ import annotations

from typing import Final, NoReturn

import typer
from rich.console import Console

OUT: Final = Console(highlight=False)
ERR: Final = Console(stderr=True, highlight=False)


def printable(text: str) -> str:
    """Give a text in which nothing can steer a terminal: what a file or a server says may come from anybody."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else f"\\x{ord(sign):02x}" for sign in text)


def say(message: str) -> None:
    """Tell how things go, one line; nothing in it is taken as markup or as an order to the terminal."""
    OUT.print(printable(message), markup=False, soft_wrap=True, emoji=False)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Say what is wrong and end."""
    ERR.print(f"error: {printable(message)}", markup=False, soft_wrap=True, emoji=False)
    raise typer.Exit(code)
