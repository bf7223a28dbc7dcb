"""Running one check: what a function of the game raises becomes a fault that says where."""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from engine.kernel.errors import RuleViolation, TableCode, in_one_line
from services.kit.check import Check, Fault, Result
from services.kit.returned import WrongReturn
from services.kit.subject import Subject, UnplayableError

_KIT: Final = Path(__file__).parent


def run(check: Check, subject: Subject) -> Result:
    """Return what a check finds. An exception ends the check, and is its fault.

    What keeps matches from being played is the fault of the first check that needs them; the others are skipped. So are those
    that the same exception ends: one mistake is reported once.
    """
    subject.where = ""
    try:
        return check.run(subject)
    except UnplayableError as unplayable:
        if subject.reported_by not in {"", check.name}:
            return Result(checked="nothing", skipped=f"matches cannot be played: see `{subject.reported_by}`")
        subject.reported_by = check.name
        problem = unplayable.__cause__
        assert problem is not None  # that is how it is raised
        return Result(checked="no whole match", faults=(fault_of(problem, subject.where),))
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - whatever a function of a game raises is a finding
        fault = fault_of(problem, subject.where)
        first = subject.raised.setdefault(fault.what, check.name)
        if first != check.name:
            return Result(checked="nothing", skipped=f"it ends with the fault that is under `{first}`")
        return Result(checked="up to an exception", faults=(fault,))


def fault_of(problem: BaseException, where: str) -> Fault:
    """Return the fault for something that was raised and should not have been."""
    told = in_one_line(problem)
    frame = _innermost(traceback.extract_tb(problem.__traceback__))
    place = f"{frame.filename}:{frame.lineno}" if frame else "a place unknown"
    if isinstance(problem, RuleViolation) and problem.code is TableCode.NO_CERTAIN_END:
        return Fault(
            what=f"random matches cannot be played: {told}",
            do="leave options out of `Checks.options` with which a match may never end",
            where=where,
        )
    if isinstance(problem, RuleViolation):
        return Fault(
            what=f"a legal move is refused: {told}",
            do="make `legal_actions`, `sample` and `policy` offer only what `decide` accepts, or let `decide` accept it",
            where=where,
        )
    if isinstance(problem, WrongReturn):
        return Fault(
            what=str(problem),
            do=f"return {problem.owed}, in every case; `Game` in engine.interface says what each function owes",
            where=where,
        )
    return Fault(
        what=f"{told}, raised in {frame.name if frame else 'a function'} ({place})",
        do="handle this position there; the only thing that the functions of a game raise on purpose is RuleViolation",
        where=where,
    )


def _innermost(frames: Iterable[traceback.FrameSummary]) -> traceback.FrameSummary | None:
    """Return the last frame outside of the kit; the last of all if there is none."""
    listed = list(frames)
    outside = [frame for frame in listed if not Path(frame.filename).is_relative_to(_KIT)]
    return next(reversed(outside or listed), None)
