"""How the result of a check is printed, by the command and by the pytest plug-in."""

from __future__ import annotations

from typing import Final

from services.kit.check import Check, Fault, Result

_NAME: Final = 20
_ASKS: Final = 72


def printed(check: Check, result: Result) -> str:
    """Return a line for a check, and below it what is wrong, where, and what to do."""
    verdict = "FAULT" if result.faults else "--   " if result.skipped else "ok   "
    looked_at = result.skipped or result.checked
    lines = [f"{verdict}  {check.name:{_NAME}}{check.asks:{_ASKS}}  {looked_at}"]
    for fault in result.faults:
        lines += _lines(fault)
    return "\n".join(lines)


def _lines(fault: Fault) -> list[str]:
    """Return the lines of a fault."""
    where = [f"       at {fault.where}"] if fault.where else []
    return [f"       {fault.what}", *where, f"       Do: {fault.do}"]
