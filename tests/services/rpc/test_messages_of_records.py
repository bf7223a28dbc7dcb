"""Every message that is made of a record says all that the record holds for it: each field once, from a record that fills it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from engine.kernel.outcome import Outcome, ScoreLine, SeatResult
from engine.kernel.pending import Pending
from engine.kernel.seats import Audience, AudienceKind, Seat
from engine.match.commands import PausedBy
from engine.match.timeline import Proposal, ProposalKind
from engine.registry import newest
from services.identity.api_keys import ApiKey
from services.identity.callers import TenantCaller
from services.identity.match_tokens import MatchToken, Role
from services.identity.player_sessions import PlayerSession, SessionScope
from services.identity.tenants import Tenant
from services.movelog.clocks import AbsentRule, Clock, ClockKind, Clocks, SeatClock
from services.movelog.notes import Notes
from services.movelog.proposals import Todo, TodoKind
from services.movelog.records import (
    ForkedFrom,
    Match,
    ReplacedPlayer,
    SeatRecord,
    SeatState,
    StartRule,
    Status,
    UndoRule,
    Visibility,
)
from services.platform.accounts.messages import (
    key_credential,
    key_message,
    session_credential,
    tenant_message,
    token_credential,
)
from services.platform.live.feed_rows import FeedRow
from services.platform.live.servicer import feed_match
from services.rpc.match_messages import match_message, outcome_message, seat_message
from services.rules.match.proposals import OpenProposal
from services.rules.wire.messages import pending_message, proposal_message
from services.webhooks.api.messages import delivery_message, endpoint_message
from services.webhooks.deliveries import Delivery, DeliveryState
from services.webhooks.endpoints import Endpoint, EndpointState
from services.webhooks.lanes import Attempt
from tests.support.new_matches import new_match

ID = UUID("00000000-0000-7000-8000-000000000001")
OTHER = UUID("00000000-0000-7000-8000-000000000002")
TIMES: Final = [datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 7)]
SAID: Final = [f"2026-01-0{day}T00:00:00Z" for day in range(1, 7)]
OUTCOME = Outcome(
    reason="MAX_POINTS",
    rule="9",
    winners=(Seat(1),),
    results=(
        SeatResult(
            seat=Seat(1), rank=1, score=-5, breakdown=(ScoreLine(reason="DEBT", rule="9.1", points=-5),)
        ),
    ),
)
SAID_OUTCOME = {
    "reason": "MAX_POINTS",
    "rule": "9",
    "winners": [1],
    "results": [
        {
            "seat": 1,
            "rank": 1,
            "score": -5,
            "breakdown": [{"reason": "DEBT", "rule": "9.1", "points": -5}],
        }
    ],
}
MATCH = Match(
    id=OTHER,
    original_id=ID,
    tenant="one",
    game="river_dragons",
    rules_version="1.2.0",
    seats=1,
    options=b"{}",
    secret=b"secret",
    commitment=b"digest",
    created_at=TIMES[0],
    updated_at=TIMES[1],
    visibility=Visibility.PUBLIC,
    start=StartRule.ON_DEMAND,
    title="Friday",
    undo=UndoRule.FREE,
    undo_timeout=timedelta(minutes=1),
    bot_pace=timedelta(seconds=1.5),
    clock=Clock(
        kind=ClockKind.BUDGET,
        time=timedelta(minutes=5),
        increment=timedelta(seconds=3),
        absent=AbsentRule.FORFEIT,
        away_after=3,
        remind_before=timedelta(minutes=1),
        vacations=True,
    ),
    rematch_of=OTHER,
    forked_from=ForkedFrom(match_id=OTHER, version=4, audience=Audience(AudienceKind.SEAT, Seat(1))),
    status=Status.ENDED,
    version=7,
    to_act=(1,),
    outcome=msgspec.json.encode(OUTCOME),
)
DUE = Todo(kind=TodoKind.ANSWER_UNDO, seat=1, player="ada", deadline=TIMES[0])
SAID_DUE = {"kind": "TODO_KIND_ANSWER_UNDO", "seat": 1, "player": "ada", "deadline": SAID[0]}
SEATED = SeatRecord(
    seat=1,
    state=SeatState.TAKEN,
    player="ada",
    name="Ada",
    bot="my-bot",
    data=b'{"colour":"red"}',
    ready=True,
    replaced=(ReplacedPlayer(player="bob", name="Bob", until_version=4, replaced_at=TIMES[0]),),
)
SAID_SEAT = {
    "seat": 1,
    "taken": True,
    "player": "ada",
    "state": "SEAT_STATE_TAKEN",
    "name": "Ada",
    "bot": "my-bot",
    "data": "eyJjb2xvdXIiOiJyZWQifQ==",
    "ready": True,
    "replaced": [{"player": "bob", "name": "Bob", "until_version": "4", "replace_time": SAID[0]}],
}
CLOCKS = Clocks(
    version=7,
    as_of=TIMES[2],
    seats=(SeatClock(seat=1, left=timedelta(seconds=1.5), deadline=TIMES[3], time_outs=3, resting=True),),
)
SAID_MATCH = {
    "match_id": str(ID),
    "game": "river_dragons",
    "rules_version": "1.2.0",
    "version": "7",
    "status": "MATCH_STATUS_ENDED",
    "seats": [SAID_SEAT],
    "to_act": [1],
    "options": "e30=",
    "commitment": "ZGlnZXN0",
    "secret": "c2VjcmV0",
    "outcome": SAID_OUTCOME,
    "create_time": SAID[0],
    "update_time": SAID[1],
    "visibility": "MATCH_VISIBILITY_PUBLIC",
    "start": "START_RULE_ON_DEMAND",
    "title": "Friday",
    "rematch_of": str(OTHER),
    "undo": "UNDO_RULE_FREE",
    "undo_timeout": "60s",
    "bot_pace": "1.500s",
    "forked_from": {"match_id": str(OTHER), "version": "4", "audience": {"kind": "KIND_SEAT", "seat": 1}},
    "clock": {
        "kind": "CLOCK_KIND_BUDGET",
        "time": "300s",
        "increment": "3s",
        "absent": "ABSENT_RULE_FORFEIT",
        "away_after": 3,
        "abandoned_after": "259200s",
        "remind_before": "60s",
        "vacations": True,
    },
    "clocks": {
        "as_of": SAID[2],
        "seats": [
            {
                "seat": 1,
                "deadline": SAID[3],
                "left": "1.500s",
                "time_outs": 3,
                "away": True,
                "on_vacation": True,
            }
        ],
    },
}
KEY = ApiKey(
    id=ID,
    tenant="one",
    prefix="ft_live_ab",
    label="lobby",
    scopes=frozenset({"matches:write", "matches:read"}),
    created_at=TIMES[0],
    expires_at=TIMES[1],
    revoked_at=TIMES[2],
    replaces=OTHER,
)
FILLED: Final[list[tuple[Message, set[str], dict[str, Any]]]] = [
    (
        match_message(MATCH, [SEATED], CLOCKS, [DUE], Notes(reference="round-3")),
        {"next_match_id", "paused_by"},
        {**SAID_MATCH, "todos": [SAID_DUE], "reference": "round-3", "metadata": "e30="},
    ),
    (seat_message(SEATED), {"level"}, SAID_SEAT),
    (outcome_message(OUTCOME), set(), SAID_OUTCOME),
    (
        pending_message(
            newest("river_dragons"),
            Pending(seat=Seat(1), decision="program", rule="7.2", id="3", simultaneous=True),
        ),
        set(),
        {"seat": 1, "decision": "program", "rule": "7.2", "id": "3", "simultaneous": True},
    ),
    (
        proposal_message(
            OpenProposal(
                proposal=Proposal(kind=ProposalKind.UNDO, version=9, seat=Seat(1), to=4, accepted=(Seat(2),)),
                expires_at=TIMES[0],
                waiting=(Seat(3),),
            )
        ),
        set(),
        {
            "version": "9",
            "seat": 1,
            "to": "4",
            "accepted": [2],
            "waiting": [3],
            "expire_time": SAID[0],
            "kind": "PROPOSAL_KIND_UNDO",
        },
    ),
    (
        tenant_message(Tenant(id="one", created_at=TIMES[0], anonymous_read=True, vacation_days=7)),
        set(),
        {"tenant": "one", "create_time": SAID[0], "anonymous_read": True, "vacation_days": 7},
    ),
    (
        key_message(KEY),
        set(),
        {
            "key_id": str(ID),
            "tenant": "one",
            "prefix": "ft_live_ab",
            "label": "lobby",
            "scopes": ["matches:read", "matches:write"],
            "create_time": SAID[0],
            "expire_time": SAID[1],
            "revoke_time": SAID[2],
            "replaces": str(OTHER),
        },
    ),
    (
        key_credential(KEY),
        {"match_id", "game", "seat", "player"},
        {
            "kind": "CREDENTIAL_KIND_API_KEY",
            "tenant": "one",
            "key_id": str(ID),
            "scopes": ["matches:read", "matches:write"],
            "expire_time": SAID[1],
        },
    ),
    (
        token_credential(
            MatchToken(
                role=Role.REFEREE,
                match_id=ID,
                game="river_dragons",
                seat=1,
                generation=0,
                expires_at=TIMES[0],
                account="",
            )
        ),
        {"tenant", "key_id", "scopes", "player"},
        {
            "kind": "CREDENTIAL_KIND_REFEREE",
            "match_id": str(ID),
            "game": "river_dragons",
            "seat": 1,
            "expire_time": SAID[0],
        },
    ),
    (
        session_credential(
            PlayerSession(
                tenant="one",
                player="ada",
                scopes=frozenset({SessionScope.READ, SessionScope.PLAY}),
                generation=0,
                expires_at=TIMES[0],
            )
        ),
        {"key_id", "match_id", "game", "seat"},
        {
            "kind": "CREDENTIAL_KIND_PLAYER",
            "tenant": "one",
            "player": "ada",
            "scopes": ["play", "read"],
            "expire_time": SAID[0],
        },
    ),
    (
        feed_match(
            FeedRow(
                match_id=OTHER,
                known_as=ID,
                tenant="one",
                game="river_dragons",
                version=7,
                status=Status.RUNNING,
                to_act=(1,),
                players=("ada", ""),
                bots=("", "my-bot"),
                todos=(DUE,),
                updated_at=TIMES[0],
                title="Friday",
                visibility=Visibility.PUBLIC,
                deadline=TIMES[1],
                reference="round-3",
                metadata=b"{}",
            ),
            TenantCaller("one", frozenset({"matches:read"}), ID),
        ),
        set(),
        {
            "match_id": str(ID),
            "game": "river_dragons",
            "version": "7",
            "status": "MATCH_STATUS_RUNNING",
            "to_act": [1],
            "players": ["ada", ""],
            "update_time": SAID[0],
            "bots": [{"seat": 1, "bot": "my-bot"}],
            "todos": [SAID_DUE],
            "title": "Friday",
            "visibility": "MATCH_VISIBILITY_PUBLIC",
            "deadline": SAID[1],
            "reference": "round-3",
            "metadata": "e30=",
        },
    ),
    (
        endpoint_message(
            Endpoint(
                id=ID,
                tenant="one",
                url="https://example.org/hook",
                description="turns",
                types=("move.made",),
                state=EndpointState.FAILED,
                disabled_reason="nothing arrived",
                disabled_at=TIMES[0],
                created_at=TIMES[1],
                failing_since=TIMES[2],
                old_secret_until=TIMES[3],
            )
        ),
        set(),
        {
            "endpoint_id": str(ID),
            "url": "https://example.org/hook",
            "description": "turns",
            "event_types": ["move.made"],
            "state": "ENDPOINT_STATE_FAILED",
            "disabled_reason": "nothing arrived",
            "disable_time": SAID[0],
            "create_time": SAID[1],
            "failing_since_time": SAID[2],
            "old_secret_expire_time": SAID[3],
        },
    ),
    (
        delivery_message(
            Delivery(
                number=5,
                event_id=ID,
                event_type="move.made",
                match_id=OTHER,
                recorded_at=TIMES[0],
                state=DeliveryState.PENDING,
                attempts=(Attempt(at=TIMES[1], milliseconds=1_250, status=503, problem="busy"),),
                next_at=TIMES[2],
            )
        ),
        set(),
        {
            "event_id": str(ID),
            "event_type": "move.made",
            "match_id": str(OTHER),
            "event_time": SAID[0],
            "state": "DELIVERY_STATE_PENDING",
            "attempts": [{"start_time": SAID[1], "duration": "1.250s", "status": 503, "problem": "busy"}],
            "next_attempt_time": SAID[2],
        },
    ),
]
"""A message made of a record, the fields that such a record leaves empty, and the message as JSON."""


@pytest.mark.parametrize(
    ("message", "empty", "said"), FILLED, ids=[type(message).__name__ for message, _, _ in FILLED]
)
def test_every_field_says_what_the_record_holds(
    message: Message, empty: set[str], said: dict[str, Any]
) -> None:
    assert MessageToDict(message, preserving_proto_field_name=True) == said
    texts = {"text"}  # only for those who ask for a language
    assert said.keys() | empty == {field.name for field in message.DESCRIPTOR.fields} - texts


def test_what_a_record_does_not_hold_is_absent() -> None:
    message = match_message(new_match(id=ID), [], CLOCKS)
    assert not any(message.HasField(name) for name in ("outcome", "forked_from", "clock", "clocks"))
    assert (message.rematch_of, message.match_id) == ("", str(ID))


@pytest.mark.parametrize("by", PausedBy)
def test_who_paused_a_match_is_said_while_it_runs(by: PausedBy) -> None:
    paused = msgspec.structs.replace(MATCH, status=Status.RUNNING, paused_by=by)
    said = MessageToDict(match_message(paused, [SEATED]))
    assert said["pausedBy"] == f"PAUSED_BY_{by.name}"
    over = msgspec.structs.replace(paused, status=Status.ENDED)
    assert "pausedBy" not in MessageToDict(match_message(over, [SEATED]))


def test_a_secret_is_said_only_once_the_match_is_over() -> None:
    running = msgspec.structs.replace(MATCH, status=Status.RUNNING)
    assert match_message(running, [SEATED]).secret == b""


@pytest.mark.parametrize("kind", [ProposalKind.ABORT, ProposalKind.PAUSE])
def test_only_an_undo_has_an_aim(kind: ProposalKind) -> None:
    opened = OpenProposal(
        proposal=Proposal(kind=kind, version=9, seat=Seat(1)), expires_at=TIMES[0], waiting=()
    )
    message = MessageToDict(proposal_message(opened))
    assert message["kind"] == f"PROPOSAL_KIND_{kind.name}"
    assert "to" not in message
