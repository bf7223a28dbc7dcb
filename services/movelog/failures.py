"""The errors of a log.

LogError
  StaleVersion        another move has taken the version
  RequestIdTaken      the match already has a move with this request id
  TokensRevoked       tokens of the match were revoked since the caller's token was checked
  MatchUnknown        no such match
  LobbyError          a seat cannot be taken or freed, or the match cannot start (lobby.py)
  ForksUsedUp         the caller has made as many forks of a match as allowed
  ReferenceTaken      another match of the tenant has the reference
  TimeIsUp            the seat's time for its decision is up
  TimeLeft            a time-out came too early; only for the sweeper of clocks
  NotAway             a player returns who was not away
  ClocksStood         no server took moves for a while, and the deadlines are not moved yet; only within the log
  LogUnavailable      the database cannot be reached now; a write may or may not have happened
"""

from __future__ import annotations

from uuid import UUID

from services.movelog.clocks import Cause


class LogError(Exception):
    """The log did not carry out a request."""


class StaleVersion(LogError):  # noqa: N818 - the name says what happened
    """The match is not at the version that the move was decided on, or that version has another row; nothing was written."""


class RequestIdTaken(LogError):  # noqa: N818
    """The match already has a move with this request id; nothing was written."""


class TokensRevoked(LogError):  # noqa: N818
    """Tokens of the match, not necessarily the caller's, were revoked since they were read; nothing was written."""


class MatchUnknown(LogError):  # noqa: N818
    """No match has this id."""


class ForksUsedUp(LogError):  # noqa: N818
    """The caller has made as many forks of this match as allowed; nothing was written."""


class ReferenceTaken(LogError):  # noqa: N818
    """Another match of the tenant has the reference; nothing was written. `match_id` is the id that the tenant knows that match by."""

    def __init__(self, message: str, *, match_id: UUID) -> None:
        super().__init__(message)
        self.match_id = match_id


class LogUnavailable(LogError):  # noqa: N818
    """The database cannot be reached. A write may or may not have happened: repeat it with the same request id."""


class TimeIsUp(LogError):  # noqa: N818
    """The clock of the seat has run out; nothing was written."""


class TimeLeft(LogError):  # noqa: N818
    """The clock of the seat has not run out yet, or no longer runs; nothing was written."""


class NotAway(LogError):  # noqa: N818
    """The seat is not away; nothing was written."""


class ClocksStood(LogError):  # noqa: N818
    """Nothing was written: the deadlines must be moved first, or were moved in this moment. The log tries again itself."""


def clock_refusal(match_id: UUID, cause: Cause) -> LogError:
    """Return the error for a row that the clock forbids."""
    match cause:
        case Cause.TIME_OUT:
            return TimeLeft(f"match {match_id}: the seat has time left")
        case Cause.RETURN:
            return NotAway(f"match {match_id}: the seat is not away")
        case _:
            return TimeIsUp(f"match {match_id}: the seat's time is up")
