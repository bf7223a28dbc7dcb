"""Messages about seats, invites and watchers, as the structs that REST speaks, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from google.protobuf.duration_pb2 import Duration

from foldtable.matches.v1 import lobby_pb2, match_pb2
from foldtable.platform.v1 import directory_pb2
from gateway import messages
from gateway.schemas import lobby
from gateway.schemas.fields import Status
from gateway.schemas.requests import SeatPlan

SEATING_KINDS: Final[dict[Literal["closed", "open", "invited", "bot"], lobby_pb2.SeatingKind.ValueType]] = {
    "closed": lobby_pb2.SEATING_KIND_CLOSED,
    "open": lobby_pb2.SEATING_KIND_OPEN,
    "invited": lobby_pb2.SEATING_KIND_INVITED,
    "bot": lobby_pb2.SEATING_KIND_BOT,
}
VISIBILITIES: Final = {name: value for value, name in messages.VISIBILITIES.items()}
START_RULES: Final = {name: value for value, name in messages.START_RULES.items()}
UNDO_RULES: Final = {name: value for value, name in messages.UNDO_RULES.items()}
STATUSES: Final[dict[Status, match_pb2.MatchStatus.ValueType]] = {
    "waiting": match_pb2.MATCH_STATUS_WAITING,
    "running": match_pb2.MATCH_STATUS_RUNNING,
    "ended": match_pb2.MATCH_STATUS_ENDED,
}
WATCH_ROLES: Final[dict[lobby.WatchRole, lobby_pb2.WatchRole.ValueType]] = {
    "spectator": lobby_pb2.WATCH_ROLE_SPECTATOR,
    "referee": lobby_pb2.WATCH_ROLE_REFEREE,
}
_ROLE_NAMES: Final = {value: name for name, value in WATCH_ROLES.items()}
ORDERS: Final = {
    None: directory_pb2.MATCH_ORDER_UNSPECIFIED,
    "created": directory_pb2.MATCH_ORDER_OLDEST_FIRST,
    "-created": directory_pb2.MATCH_ORDER_NEWEST_FIRST,
    "updated": directory_pb2.MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST,
    "-updated": directory_pb2.MATCH_ORDER_RECENTLY_UPDATED_FIRST,
}


def seat_plans(seating: Sequence[SeatPlan]) -> list[lobby_pb2.SeatPlan]:
    """Give what every seat of a new match is for."""
    return [
        lobby_pb2.SeatPlan(
            kind=SEATING_KINDS[plan.kind],
            player=plan.player,
            name=plan.name,
            level=plan.level,
            bot=plan.bot,
        )
        for plan in seating
    ]


def invite(message: lobby_pb2.Invite) -> lobby.Invite:
    """Give an invite."""
    return lobby.Invite(
        seat=message.seat, token=message.token, expires_at=messages.instant(message.expire_time)
    )


def watch_token(message: lobby_pb2.WatchToken) -> lobby.WatchToken:
    """Give a watcher's token."""
    return lobby.WatchToken(
        role=_ROLE_NAMES[message.role],
        token=message.token,
        expires_at=messages.instant(message.expire_time),
    )


def hours(wanted: float | None) -> Duration | None:
    """Give a time in hours; None for one that is not said."""
    if wanted is None:
        return None
    duration = Duration()
    duration.FromMilliseconds(max(1, round(wanted * 3_600_000)))
    return duration
