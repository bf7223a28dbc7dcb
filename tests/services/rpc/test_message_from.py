"""What a record says, a message says, whatever the two: by names, kinds and presence, and by nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import Enum, StrEnum, auto
from typing import Final
from uuid import UUID

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import Struct

from foldtable.matches.v1 import clock_pb2, match_pb2
from foldtable.platform.v1 import account_pb2, feed_pb2, webhook_pb2
from services.rpc.enums import members_of, numbers_of
from services.rpc.message_from import duration, message_from, timestamp

NOON = datetime(2026, 1, 1, 12, 0, 0, 123_456, tzinfo=UTC)
ID = UUID("00000000-0000-7000-8000-000000000001")


class Status(StrEnum):
    WAITING = auto()
    RUNNING = auto()
    ENDED = auto()


class Row(Struct, kw_only=True):
    """A match as a feed lists it, kept otherwise than the feed says it."""

    match_id: UUID
    game: str
    status: Status
    to_act: tuple[int, ...]
    updated_at: datetime | None
    rules: str

    @property
    def version(self) -> int:
        """The version."""
        return len(self.rules)


class Tried(Struct):
    """One try."""

    at: datetime
    problem: str


class Sent(Struct):
    """What was tried."""

    attempts: tuple[Tried, ...]


class Owner(Struct):
    """Who has something."""

    tenant: str


class Owned(Struct):
    """What somebody has."""

    owner: Owner
    created_at: datetime


def a_row(**but: object) -> Row:
    return Row(
        **{  # type: ignore[arg-type]  # of several types
            "match_id": ID,
            "game": "river_dragons",
            "status": Status.RUNNING,
            "to_act": (1, 0),
            "updated_at": NOON,
            "rules": "seven..",
            **but,
        }
    )


LATER: Final = ("title", "visibility", "deadline", "reference", "metadata")
"""Fields of the message that these tests leave empty."""
fed = message_from(
    feed_pb2.FeedMatch,
    Row,
    given=("bots", "todos"),
    unset=LATER,
    players=lambda row: [f"player of {row.game}"],
)


def test_every_kind_of_field_is_filled() -> None:
    assert fed(a_row(), bots=[feed_pb2.FeedBot(seat=1)]) == feed_pb2.FeedMatch(
        match_id=str(ID),
        game="river_dragons",
        version=7,
        status=match_pb2.MATCH_STATUS_RUNNING,
        to_act=[1, 0],
        players=["player of river_dragons"],
        update_time=Timestamp(seconds=1_767_268_800, nanos=123_456_000),
        bots=[feed_pb2.FeedBot(seat=1)],
    )


def test_what_is_none_is_absent() -> None:
    message = fed(a_row(updated_at=None))
    assert not message.HasField("update_time")
    assert not message.bots


def test_a_record_within_a_record_is_a_message_within_a_message() -> None:
    but_attempts = tuple(
        field.name for field in webhook_pb2.Delivery.DESCRIPTOR.fields if field.name != "attempts"
    )
    with pytest.raises(TypeError, match=r"Attempt\.start_time: Tried has no start_time"):
        message_from(webhook_pb2.Delivery, Sent, unset=but_attempts)
    inner = message_from(
        webhook_pb2.Attempt,
        Tried,
        start_time="at",
        duration=lambda _: duration(timedelta(0)),
        unset=("status",),
    )
    outer = message_from(
        webhook_pb2.Delivery, Sent, unset=but_attempts, attempts=lambda one: map(inner, one.attempts)
    )
    (attempt,) = outer(Sent(attempts=(Tried(at=NOON, problem="gone"),))).attempts
    assert (attempt.start_time, attempt.problem) == (timestamp(NOON), "gone")


def test_what_is_not_beside_is_looked_for_inside() -> None:
    made = message_from(account_pb2.Tenant, Owned, unset=("anonymous_read", "vacation_days"), inside="owner")
    assert made(Owned(Owner("one"), NOON)) == account_pb2.Tenant(tenant="one", create_time=timestamp(NOON))


def test_sets_are_in_order() -> None:
    class Key(Struct):
        id: UUID
        owner: str
        scopes: frozenset[str]
        created_at: datetime
        expires_at: datetime | None

    made = message_from(
        account_pb2.ApiKey,
        Key,
        unset=("prefix", "label", "revoke_time", "replaces"),
        key_id="id",
        tenant="owner",
    )
    message = made(Key(ID, "one", frozenset("cab"), NOON, None))
    assert message.scopes == ["a", "b", "c"]
    assert (message.key_id, message.tenant) == (str(ID), "one")
    assert message.create_time == timestamp(NOON)


def test_a_field_that_nothing_answers_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"FeedMatch\.players: Row has no players"):
        message_from(feed_pb2.FeedMatch, Row, unset=("bots",))


@pytest.mark.parametrize("said", ["given", "unset"])
def test_a_field_that_the_message_lacks_is_an_error(said: str) -> None:
    with pytest.raises(TypeError, match=r"has no \['colour'\]"):
        message_from(feed_pb2.FeedMatch, Row, **{said: ("colour",)})  # type: ignore[arg-type]  # either of the two
    with pytest.raises(TypeError, match=r"has no \['colour'\]"):
        message_from(feed_pb2.FeedMatch, Row, colour="game")


@pytest.mark.parametrize("kind", [int, bytes, str | int, list[str], Status, Row, datetime])
def test_a_field_of_another_type_is_an_error(kind: type) -> None:
    record = type("Record", (), {"__annotations__": {"tenant": kind, "created_at": datetime}})
    with pytest.raises(TypeError, match=r"Tenant\.tenant cannot be made of"):
        message_from(account_pb2.Tenant, record)


@pytest.mark.parametrize("kind", [int, str, timedelta, Row])
def test_a_time_is_made_of_a_moment_only(kind: type) -> None:
    record = type("Record", (), {"__annotations__": {"tenant": str, "created_at": kind}})
    with pytest.raises(TypeError, match=r"Tenant\.create_time cannot be made of"):
        message_from(account_pb2.Tenant, record)


def test_members_and_values_have_one_name() -> None:
    class Kind(Enum):
        PER_MOVE = 1
        BUDGET = 2

    enum = clock_pb2.ClockKind.DESCRIPTOR
    assert numbers_of(Kind, enum) == {
        Kind.PER_MOVE: clock_pb2.CLOCK_KIND_PER_MOVE,
        Kind.BUDGET: clock_pb2.CLOCK_KIND_BUDGET,
    }
    assert members_of(Kind, enum) == {1: Kind.PER_MOVE, 2: Kind.BUDGET}
    assert members_of(Kind, enum, unspecified=Kind.BUDGET)[0] is Kind.BUDGET
    with pytest.raises(TypeError, match="ClockKind has no 'CLOCK_KIND_WAITING'"):
        numbers_of(Status, enum)


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        NOON,
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ],
)
def test_moments_come_back_as_they_were(moment: datetime) -> None:
    assert timestamp(moment).ToDatetime(UTC) == moment


@pytest.mark.parametrize("length", [timedelta(0), timedelta(days=30), timedelta(seconds=-3, microseconds=1)])
def test_spans_come_back_as_they_were(length: timedelta) -> None:
    assert duration(length).ToTimedelta() == length
