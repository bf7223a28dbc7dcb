"""How a log says no.

LogError
  StaleVersion        somebody else's move took the place
  RequestIdTaken      the match already has a move with this request id
  MatchUnknown        no such match
  LobbyError          a seat cannot change hands, or the match cannot start (lobby.py)
  TimeIsUp            the seat's time for its decision is up
  TimeLeft            a time-out came before its time; for nobody but the sweeper of clocks
  NotAway             a seat comes back that was not away
  LogUnavailable      the database cannot be reached now; nothing is known to have been written
"""

from __future__ import annotations

from uuid import UUID

from services.movelog.clocks import Cause


class LogError(Exception):
    """Why the log did not do what was asked."""


class StaleVersion(LogError):  # noqa: N818 - the name says what happened
    """The match is not at the version the move was decided on, or has another row there; nothing was written."""


class RequestIdTaken(LogError):  # noqa: N818
    """The match has a move with this request id; nothing was written."""


class MatchUnknown(LogError):  # noqa: N818
    """No match has this id."""


class LogUnavailable(LogError):  # noqa: N818
    """The database cannot be reached. A write may or may not have happened: repeat it with the same request id."""


class TimeIsUp(LogError):  # noqa: N818
    """The clock of the seat has run out; nothing was written."""


class TimeLeft(LogError):  # noqa: N818
    """The clock of the seat has not run out yet, or does not run any more; nothing was written."""


class NotAway(LogError):  # noqa: N818
    """The seat plays for itself; nothing was written."""


def clock_refusal(match_id: UUID, cause: Cause) -> LogError:
    """Say that the clock stands against a row of a match."""
    match cause:
        case Cause.TIME_OUT:
            return TimeLeft(f"match {match_id}: the seat has time left")
        case Cause.RETURN:
            return NotAway(f"match {match_id}: the seat is not away")
        case _:
            return TimeIsUp(f"match {match_id}: the seat's time is up")
