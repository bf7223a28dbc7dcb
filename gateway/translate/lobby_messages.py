"""Messages about seats, invites and watchers, as the structs that REST speaks, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask

from foldtable.matches.v1 import fork_pb2, lobby_pb2, match_pb2, match_service_pb2, replacing_pb2
from foldtable.platform.v1 import directory_pb2
from gateway.contract.described_by import described_by
from gateway.contract.names import enum_values
from gateway.schemas import answers, lobby, requests
from gateway.translate import messages
from gateway.translate.message_of import message_of
from gateway.translate.struct_of import struct_of

VISIBILITIES: Final = enum_values(match_pb2.MatchVisibility.DESCRIPTOR)
STATUSES: Final = enum_values(match_pb2.MatchStatus.DESCRIPTOR)
ORDERS: Final = {
    None: directory_pb2.MATCH_ORDER_UNSPECIFIED,
    "created": directory_pb2.MATCH_ORDER_OLDEST_FIRST,
    "-created": directory_pb2.MATCH_ORDER_NEWEST_FIRST,
    "updated": directory_pb2.MATCH_ORDER_LEAST_RECENTLY_UPDATED_FIRST,
    "-updated": directory_pb2.MATCH_ORDER_RECENTLY_UPDATED_FIRST,
}


class _WithMatch(Protocol):
    @property
    def match(self) -> match_pb2.Match: ...


class _WithTokens(Protocol):
    @property
    def tokens(self) -> Iterable[match_pb2.SeatToken]: ...


def _match(message: _WithMatch) -> answers.Match:
    return messages.match(message.match)


def _seat_tokens(message: _WithTokens) -> list[answers.SeatToken]:
    return [messages.seat_token(one) for one in message.tokens]


create_match = message_of(
    match_service_pb2.CreateMatchRequest, requests.CreateMatchRequest, besides=("request_id",)
)
batched_match = message_of(match_service_pb2.CreateMatchRequest, requests.BatchedMatch)
described_by(requests.CreateMatchesRequest, match_service_pb2.CreateMatchesRequest.DESCRIPTOR)
described_by(lobby.CreatedMatches, match_service_pb2.CreateMatchesResponse.DESCRIPTOR)
described_by(lobby.CreationResult, match_service_pb2.CreatedOrRefused.DESCRIPTOR)
join_match = message_of(match_service_pb2.JoinMatchRequest, requests.JoinRequest, besides=("request_id",))
fork_match = message_of(
    fork_pb2.ForkMatchRequest, requests.ForkRequest, besides=("audience", "seat", "request_id")
)

rematch = message_of(lobby_pb2.RematchRequest, lobby.RematchRequest)
leave_match = message_of(lobby_pb2.LeaveMatchRequest, lobby.LeaveRequest)
_update_match = message_of(lobby_pb2.UpdateMatchRequest, lobby.UpdateMatchRequest)


def update_match(body: lobby.UpdateMatchRequest, *, match_id: str) -> lobby_pb2.UpdateMatchRequest:
    """Return the message of a merge patch: it names what the body has, with null for nothing."""
    named = FieldMask(paths=sorted(body.model_fields_set))
    return _update_match(body, match_id=match_id, update_mask=named)


update_seat = message_of(lobby_pb2.UpdateSeatRequest, lobby.UpdateSeatRequest)
replace_player = message_of(
    replacing_pb2.ReplacePlayerRequest, lobby.ReplacePlayerRequest, besides=("request_id",)
)
quick_join = message_of(lobby_pb2.QuickJoinRequest, lobby.QuickJoinRequest, besides=("request_id",))
invite_to_seat = message_of(lobby_pb2.InviteToSeatRequest, lobby.InviteRequest, besides=("hours",))
issue_watch_token = message_of(lobby_pb2.IssueWatchTokenRequest, lobby.WatchTokenRequest, besides=("hours",))

_watch_token = struct_of(lobby.WatchToken, lobby_pb2.WatchToken)
created_match = struct_of(
    lobby.CreatedMatch,
    match_service_pb2.CreateMatchResponse,
    match=_match,
    seat_tokens=_seat_tokens,
)
joined_match = struct_of(
    answers.JoinedMatch,
    match_service_pb2.JoinMatchResponse,
    match=_match,
    seat_token=lambda message: messages.seat_token(message.token),
)
match_list = struct_of(
    lobby.MatchList,
    directory_pb2.ListMatchesResponse,
    matches=lambda message: [messages.match(one) for one in message.matches],
)
issued_invite = struct_of(lobby.IssuedInvite, lobby_pb2.InviteToSeatResponse)
issued_watch_token = struct_of(
    lobby.IssuedWatchToken,
    lobby_pb2.IssueWatchTokenResponse,
    watch_token=lambda message: _watch_token(message.token),
)
following_match = struct_of(
    lobby.FollowingMatch,
    lobby_pb2.RematchResponse,
    match=_match,
    seat_tokens=_seat_tokens,
)


def hours(wanted: float | None) -> Duration | None:
    """Return a duration for a number of hours; None for None."""
    if wanted is None:
        return None
    duration = Duration()
    duration.FromMilliseconds(max(1, round(wanted * 3_600_000)))
    return duration
