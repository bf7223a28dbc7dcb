"""What webhooks say, to the byte: a type ends in its version, and receivers were written for it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from services.movelog.events import Event, EventType
from services.webhooks.cloud_events import TEST, cloud_event

STORED = Path(__file__).with_name("payloads.jsonl")
"""A line per type. A payload that is to say something else gets another version, and its line beside the old one; only a new
member may come to an old one, which receivers pass over."""
MATCH = UUID("0190a5f2-0000-7000-8000-000000000001")
ENDPOINT = UUID("0190a5f2-0000-7000-8000-000000000002")
OF_A_SEAT = {
    *(EventType.SEAT_JOINED, EventType.SEAT_LEFT, EventType.MOVE_APPLIED, EventType.TURN_STARTED),
    *(EventType.CONSENT_ASKED, EventType.CONSENT_SETTLED, EventType.SEAT_REPLACED),
    EventType.DEADLINE_NEAR,
}
OF_AN_ENDPOINT = {EventType.ENDPOINT_DISABLED.value, TEST}


def an_event(kind: str) -> Event:
    """Return an event with everything that events of its type tell."""
    told = {
        "id": UUID("0190a5f2-0000-4000-8000-000000000003"),
        "type": kind,
        "tenant": "acme",
        "recorded_at": datetime(2026, 11, 21, 12, 0, 0, 123_456, UTC),
    }
    if kind in OF_AN_ENDPOINT:
        return Event(match_id=None, endpoint_id=ENDPOINT, **told)
    seat = {"seat": 1, "player": "ada"} if kind in OF_A_SEAT else {}
    if kind in {EventType.CONSENT_ASKED, EventType.CONSENT_SETTLED}:
        told["proposal"] = "undo"
    if kind == EventType.CONSENT_SETTLED:
        told["result"] = "accepted"
    if kind == EventType.SEAT_REPLACED:
        told["replaced"] = "bob"
    outcome = b'{"winners":[1]}' if kind == EventType.MATCH_ENDED else None
    if kind in {EventType.TURN_STARTED, EventType.DEADLINE_NEAR}:
        told["deadline"] = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
    return Event(
        match_id=MATCH,
        game="river_dragons",
        version=7,
        to_act=(0, 1),
        outcome=outcome,
        players=("ruth", "ada"),
        title="Friday night",
        reference="spring/round-3",
        metadata=b'{"round":3}',
        **seat,
        **told,
    )


def stored() -> dict[str, bytes]:
    """Return the stored payloads by their types."""
    return {msgspec.json.decode(line)["type"]: line for line in STORED.read_bytes().splitlines()}


@pytest.mark.parametrize("kind", [*EventType, TEST])
def test_a_payload_says_what_it_said_to_the_byte(kind: str) -> None:
    payload = cloud_event(an_event(kind))
    assert stored()[msgspec.json.decode(payload)["type"]] == payload


def test_no_type_has_ever_gone() -> None:
    """Types that are not told any more stay in the file, so that their names are never used for something else."""
    assert stored().keys() >= {f"foldtable.{kind}.v1" for kind in [*EventType, TEST]}
    assert len(stored()) == len(STORED.read_bytes().splitlines())
