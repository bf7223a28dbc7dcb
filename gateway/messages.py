"""Protobuf messages of the rules servers as the structs that REST answers with. A game's own data passes through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Raw

from foldtable.matches.v1 import abort_pb2, match_pb2, play_pb2
from foldtable.rules.v1 import payload_pb2, rules_service_pb2, table_pb2
from gateway import clock_messages
from gateway.schemas import answers
from gateway.schemas.fields import (
    AudienceKind,
    ProposalKind,
    SeatState,
    StartRule,
    Status,
    UndoRule,
    Visibility,
)
from gateway.schemas.outcome import Outcome, ScoreLine, SeatResult

STATUSES: Final[dict[int, Status]] = {
    match_pb2.MATCH_STATUS_WAITING: "waiting",
    match_pb2.MATCH_STATUS_RUNNING: "running",
    match_pb2.MATCH_STATUS_ENDED: "ended",
}
AUDIENCES: Final[dict[table_pb2.Audience.Kind.ValueType, AudienceKind]] = {
    table_pb2.Audience.KIND_SEAT: "seat",
    table_pb2.Audience.KIND_PUBLIC: "public",
    table_pb2.Audience.KIND_REFEREE: "referee",
}
KINDS: Final = {name: kind for kind, name in AUDIENCES.items()}
VISIBILITIES: Final[dict[match_pb2.MatchVisibility.ValueType, Visibility]] = {
    match_pb2.MATCH_VISIBILITY_PRIVATE: "private",
    match_pb2.MATCH_VISIBILITY_UNLISTED: "unlisted",
    match_pb2.MATCH_VISIBILITY_PUBLIC: "public",
}
START_RULES: Final[dict[match_pb2.StartRule.ValueType, StartRule]] = {
    match_pb2.START_RULE_WHEN_FULL: "when_full",
    match_pb2.START_RULE_ON_DEMAND: "on_demand",
}
UNDO_RULES: Final[dict[match_pb2.UndoRule.ValueType, UndoRule]] = {
    match_pb2.UNDO_RULE_NONE: "none",
    match_pb2.UNDO_RULE_FREE: "free",
    match_pb2.UNDO_RULE_CONSENT: "consent",
}
# While an update is rolled out a rules server may be of an earlier release than its gateway. What it does not know to say
# is what every match of its own is; the steps of the schema give stored matches the same.
UNSAID_VISIBILITY: Final = "private"
UNSAID_START: Final = "when_full"
UNSAID_UNDO: Final = "consent"
PROPOSAL_KINDS: Final[dict[abort_pb2.ProposalKind.ValueType, ProposalKind]] = {
    abort_pb2.PROPOSAL_KIND_UNDO: "undo",
    abort_pb2.PROPOSAL_KIND_ABORT: "abort",
}
SEAT_STATES: Final[dict[match_pb2.SeatState.ValueType, SeatState]] = {
    match_pb2.SEAT_STATE_OPEN: "open",
    match_pb2.SEAT_STATE_INVITED: "invited",
    match_pb2.SEAT_STATE_RESERVED: "reserved",
    match_pb2.SEAT_STATE_TAKEN: "taken",
}

_EMPTY_LIST: Final = Raw(b"[]")
_EMPTY_OBJECT: Final = Raw(b"{}")
_NULL: Final = Raw(b"null")


def raw(payload: payload_pb2.Payload, otherwise: Raw = _NULL) -> Raw:
    """Give a payload's JSON as it is; `otherwise` where there is none."""
    return Raw(payload.json) if payload.json else otherwise


def raw_list(payload: payload_pb2.Payload) -> Raw:
    """Give a payload that holds a list; an absent one is empty."""
    return raw(payload, _EMPTY_LIST)


def instant(timestamp: Timestamp) -> str:
    """Give a time as RFC 3339 with microseconds, in UTC."""
    return f"{timestamp.ToDatetime().isoformat(timespec='microseconds')}Z"


def seat_state(message: match_pb2.Seat) -> SeatState:
    """Give what has become of a seat. Rules servers of the first release say only whether it is taken."""
    return SEAT_STATES.get(message.state, "taken" if message.taken else "open")


def match(message: match_pb2.Match) -> answers.Match:
    """Give a match without its table."""
    path = f"/v1/matches/{message.match_id}"
    return answers.Match(
        match_id=message.match_id,
        game=message.game,
        rules_version=message.rules_version,
        version=message.version,
        status=STATUSES[message.status],
        seats=[
            answers.Seat(
                seat=seat.seat,
                taken=seat.taken,
                player=seat.player,
                state=seat_state(seat),
                name=seat.name,
                level=seat.level or None,
                bot=seat.bot or None,
                data=Raw(seat.data) if seat.data else _NULL,
            )
            for seat in message.seats
        ],
        to_act=list(message.to_act),
        options=Raw(message.options) if message.options else _EMPTY_OBJECT,
        commitment=message.commitment.hex(),
        secret=message.secret.hex() or None,
        outcome=outcome(message.outcome) if message.HasField("outcome") else None,
        created_at=instant(message.create_time),
        updated_at=instant(message.update_time),
        visibility=VISIBILITIES.get(message.visibility, UNSAID_VISIBILITY),
        start=START_RULES.get(message.start, UNSAID_START),
        title=message.title,
        rematch_of=message.rematch_of or None,
        next_match_id=message.next_match_id or None,
        forked_from=forked_from(message.forked_from) if message.HasField("forked_from") else None,
        undo=UNDO_RULES.get(message.undo, UNSAID_UNDO),
        undo_timeout_seconds=message.undo_timeout.seconds,
        clock=clock_messages.clock(message.clock) if message.HasField("clock") else None,
        clocks=clock_messages.clocks(message.clocks) if message.HasField("clocks") else None,
        links=answers.MatchLinks(
            self=path,
            game=f"/v1/games/{message.game}",
            view=f"{path}/view",
            legal_actions=f"{path}/legal-actions",
            moves=f"{path}/moves",
            stream=f"{path}/stream",
            export=f"{path}/export",
            verify=f"{path}/verify",
            undo=f"{path}/undo",
        ),
    )


def forked_from(message: match_pb2.ForkedFrom) -> answers.ForkedFrom:
    """Give where a fork begins."""
    return answers.ForkedFrom(
        match_id=message.match_id, version=message.version, audience=audience(message.audience)
    )


def seat_token(message: match_pb2.SeatToken) -> answers.SeatToken:
    """Give a seat's token."""
    return answers.SeatToken(seat=message.seat, token=message.token, expires_at=instant(message.expire_time))


def outcome(message: table_pb2.Outcome) -> Outcome:
    """Give how a match ended."""
    return Outcome(
        reason=message.reason,
        rule=message.rule,
        winners=list(message.winners),
        results=[
            SeatResult(
                seat=result.seat,
                rank=result.rank,
                score=result.score if result.HasField("score") else None,
                breakdown=[
                    ScoreLine(reason=line.reason, rule=line.rule, points=line.points)
                    for line in result.breakdown
                ],
            )
            for result in message.results
        ],
    )


def pending(message: table_pb2.PendingDecision) -> answers.PendingDecision:
    """Give an open decision."""
    return answers.PendingDecision(
        seat=message.seat,
        decision=message.decision,
        rule=message.rule,
        id=message.id,
        simultaneous=message.simultaneous,
    )


def move_answer(message: play_pb2.ActResponse) -> answers.MoveAnswer:
    """Give an accepted move."""
    return answers.MoveAnswer(
        match_id=message.match_id,
        version=message.version,
        events=raw_list(message.events),
        to_act=list(message.to_act),
        status=STATUSES[message.status],
        outcome=outcome(message.outcome) if message.HasField("outcome") else None,
        clocks=clock_messages.clocks(message.clocks) if message.HasField("clocks") else None,
    )


def move(message: match_pb2.Move) -> answers.Move:
    """Give one move as an audience may see it."""
    return answers.Move(
        version=message.version,
        seat=message.seat if message.HasField("seat") else None,
        action=raw(message.action),
        events=raw_list(message.events),
        hash=message.hash.hex(),
        recorded_at=instant(message.record_time),
        timed_out=message.timed_out,
    )


def audience(message: table_pb2.Audience) -> answers.Audience:
    """Give for whose eyes something was made."""
    return answers.Audience(
        kind=AUDIENCES[message.kind], seat=message.seat if message.HasField("seat") else None
    )


def proposal(message: abort_pb2.Proposal) -> answers.Proposal:
    """Give what waits for the others' consent."""
    return answers.Proposal(
        kind=PROPOSAL_KINDS[message.kind],
        version=message.version,
        seat=message.seat,
        to=message.to if message.HasField("to") else None,
        accepted=list(message.accepted),
        waiting=list(message.waiting),
        expires_at=instant(message.expire_time),
    )


def game_summary(message: rules_service_pb2.GameSummary) -> answers.GameSummary:
    """Give a game in one line."""
    return answers.GameSummary(
        game=message.game,
        title=message.title,
        edition=message.edition,
        rules_version=message.rules_version,
        rules_versions=_rules_versions(message),
        seat_counts=list(message.seat_counts),
        bot_levels=list(message.bot_levels),
        links=_game_links(message.game),
    )


def _rules_versions(message: rules_service_pb2.GameSummary) -> list[answers.RulesVersion]:
    return [
        answers.RulesVersion(version=one.version, since=one.since, changes=one.changes)
        for one in message.rules_versions
    ]


def game_description(message: rules_service_pb2.DescribeGameResponse) -> answers.GameDescription:
    """Give everything about a game."""
    summary = message.summary
    return answers.GameDescription(
        game=summary.game,
        title=summary.title,
        edition=summary.edition,
        rules_version=summary.rules_version,
        rules_versions=_rules_versions(summary),
        seat_counts=list(summary.seat_counts),
        bot_levels=list(summary.bot_levels),
        links=_game_links(summary.game),
        options_schema=Raw(message.options_schema),
        action_schema=Raw(message.action_schema),
        event_schema=Raw(message.event_schema),
        template_schema=Raw(message.template_schema),
        view_schema=Raw(message.view_schema),
        components=Raw(message.components),
        proto_package=message.proto_package,
        refusals=[
            answers.GameRefusal(code=each.code, rules=list(each.rules), meaning=each.meaning)
            for each in message.refusals
        ],
    )


def _game_links(game: str) -> answers.GameLinks:
    return answers.GameLinks(self=f"/v1/games/{game}", matches="/v1/matches")


def facts(messages: Iterable[table_pb2.Fact]) -> dict[str, str | int | list[str] | list[int]]:
    """Give the facts of a refusal with their JSON types."""
    found: dict[str, str | int | list[str] | list[int]] = {}
    for fact in messages:
        match fact.WhichOneof("value"):
            case "text":
                found[fact.name] = fact.text
            case "number":
                found[fact.name] = fact.number
            case "texts":
                found[fact.name] = list(fact.texts.values)
            case "numbers":
                found[fact.name] = list(fact.numbers.values)
            case None:
                pass  # a kind of fact newer than this gateway
    return found
