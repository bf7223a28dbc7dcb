"""How the commands speak: results to standard output, complaints to standard error."""

from __future__ import annotations

from typing import Final, NoReturn

import typer
from rich.console import Console

OUT: Final = Console(highlight=False)
ERR: Final = Console(stderr=True, highlight=False)


def say(message: str) -> None:
    """Tell how things go, one line; shown as it is."""
    OUT.print(message, markup=False, soft_wrap=True)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Say what is wrong and end."""
    ERR.print(f"error: {message}", markup=False, soft_wrap=True)
    raise typer.Exit(code)
