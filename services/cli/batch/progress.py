"""The progress of a command that does much work: how much is done, how fast, and how long it still takes."""

from __future__ import annotations

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from services.cli.console import ERR


def progress(unit: str) -> Progress:
    """Return the progress to be shown, in a terminal only: of tasks with a description, a total, and a `note` shown in red."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        TextColumn("[red]{task.fields[note]}"),
        TextColumn("eta"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal)


class _Rate(ProgressColumn):
    """How many units are done per second."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the recent rate; empty before there is one."""
        return Text(f"{task.speed:.0f} {self._unit}/s" if task.speed else "")
