"""How a log says no.

LogError
  StaleVersion        somebody else's move took the place
  RequestIdTaken      the match already has a move with this request id
  MatchUnknown        no such match
  LobbyError          a seat cannot change hands, or the match cannot start (lobby.py)
  LogUnavailable      the database cannot be reached now; nothing is known to have been written
"""

from __future__ import annotations


class LogError(Exception):
    """Why the log did not do what was asked."""


class StaleVersion(LogError):  # noqa: N818 - the name says what happened
    """The match is not at the version the move was decided on; nothing was written."""


class RequestIdTaken(LogError):  # noqa: N818
    """The match has a move with this request id; nothing was written."""


class MatchUnknown(LogError):  # noqa: N818
    """No match has this id."""


class LogUnavailable(LogError):  # noqa: N818
    """The database cannot be reached. A write may or may not have happened: repeat it with the same request id."""
