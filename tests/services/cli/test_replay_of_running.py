"""`foldtable replay` of a match that still runs, by its id or address."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, Audience, Seat, seat_audience
from foldtable_client import ProblemError
from services.cli.matches.place import MatchAddress
from services.cli.replay.printed import Show, print_json
from services.cli.replay.recorded_match import GatewayFailed, NotShown, Recorded, recorded
from services.movelog.export.format import MatchDocument, read_document
from tests.support.golden_documents import (
    ONE_OF_EACH,
    export_of,
    game_id_of,
    game_of,
    log_name,
    running_export,
    states_of,
    whole,
)
from tests.support.matches_over_rest import play
from tests.support.running_system import System

SEAT_0 = seat_audience(Seat(0))
ADDRESS = MatchAddress("http://nowhere", UUID(int=1))


class SmallGateway:
    """What a gateway would answer about a golden log that has come to a move, to one who may look as these."""

    def __init__(self, log: Path, version: int, admitted: set[Audience]) -> None:
        self.log, self.version, self.admitted = log, version, admitted

    def document(self, match_id: UUID, audience: Audience | None = None) -> MatchDocument:
        audience = audience or PUBLIC
        self._admit(audience)
        if self.version == len(states_of(self.log)):
            return read_document(export_of(self.log))
        return read_document(running_export(self.log, self.version, audience))

    def view(self, match_id: UUID, version: int, audience: Audience) -> Any:
        self._admit(audience)
        return msgspec.json.decode(encode(game_of(self.log).view(states_of(self.log)[version - 1], audience)))

    def _admit(self, audience: Audience) -> None:
        if audience not in self.admitted:
            raise ProblemError(403, {"reason": "SEAT_FORBIDDEN", "detail": "not for you"})


def opened(gateway: SmallGateway) -> Recorded:
    try:
        document = gateway.document(ADDRESS.match_id)
    except ProblemError as problem:
        raise NotShown(str(problem)) from problem
    return recorded(document, gateway, ADDRESS)  # type: ignore[arg-type]


@pytest.mark.parametrize("log", ONE_OF_EACH, ids=log_name)
def test_tables_and_moves_are_those_of_each_audience(log: Path) -> None:
    game, states = game_of(log), states_of(log)
    match = opened(SmallGateway(log, 30, {PUBLIC, SEAT_0}))
    assert match.usual() == PUBLIC
    for audience in (PUBLIC, SEAT_0):
        match.admit(audience)
        for version, move in enumerate(whole(log).moves[:30], start=1):
            assert match.view(version, audience) == game.view(states[version - 1], audience)
            events = game.event_codec.decode_many(bytes(move.events))
            assert match.events(version, audience) == tuple(game.redact(event, audience) for event in events)
            may_know = move.seat is not None and audience.sees_seat(Seat(move.seat))
            assert (match.asked(version, audience) is not None) is may_know


def test_eyes_the_gateway_does_not_lend_are_refused() -> None:
    match = opened(SmallGateway(ONE_OF_EACH[0], 30, {PUBLIC, SEAT_0}))
    with pytest.raises(NotShown, match="403 SEAT_FORBIDDEN: not for you"):
        match.admit(seat_audience(Seat(1)))
    with pytest.raises(NotShown, match="this match has the seats 0 to"):
        match.admit(seat_audience(Seat(9)))
    match.admit(SEAT_0)


def test_a_gateway_that_fails_in_the_middle_is_reported_and_asked_again_later() -> None:
    gateway = SmallGateway(ONE_OF_EACH[0], 30, {PUBLIC})
    match = opened(gateway)
    gateway.admitted = set()
    with pytest.raises(NotShown, match="SEAT_FORBIDDEN"):
        match.view(7, PUBLIC)
    gateway.admitted = {PUBLIC}
    assert match.view(7, PUBLIC).pending


def test_another_matchs_document_is_not_taken_for_this_one() -> None:
    gateway = SmallGateway(ONE_OF_EACH[0], 30, {PUBLIC, SEAT_0})
    match = opened(gateway)
    gateway.version = 20
    with pytest.raises(NotShown, match="not this match"):
        match.admit(SEAT_0)


def test_a_match_that_ends_meanwhile_still_shows_each_audience_its_own() -> None:
    """The document is whole then; what is shown is not."""
    log = next(log for log in ONE_OF_EACH if game_id_of(log) == "river_dragons")
    gateway = SmallGateway(log, 30, {PUBLIC, SEAT_0})
    match = opened(gateway)
    gateway.version = len(states_of(log))
    match.admit(SEAT_0)
    for version, move in enumerate(whole(log).moves[:30], start=1):
        assert (match.asked(version, SEAT_0) is not None) is (move.seat in {None, 0})
        events = game_of(log).event_codec.decode_many(bytes(move.events))
        assert match.events(version, SEAT_0) == tuple(game_of(log).redact(event, SEAT_0) for event in events)


@pytest.mark.slow
@pytest.mark.parametrize("log", ONE_OF_EACH, ids=game_id_of)
def test_over_rest_every_audience_sees_what_the_gateway_shows_it(
    foldtable: Any, system: System, log: Path
) -> None:
    match_id = play(system, game_id_of(log), 12)
    address = f"{system.address}/v1/matches/{match_id}"
    with system.client() as client:
        for audience in ("public", "referee", "0", "1"):
            query = {"seat": audience} if audience.isdecimal() else {"audience": audience}
            by_id = foldtable(
                "replay", match_id, "--url", system.address, "--key", system.key, "--as", audience, "--json"
            )
            assert by_id.exit_code == 0, by_id.output
            lines = [json.loads(line) for line in by_id.stdout.splitlines()]
            assert [line["version"] for line in lines] == list(range(1, 14))
            for line in lines:
                shown = client.get(f"/v1/matches/{match_id}/view", params={**query, "at": line["version"]})
                assert line["view"] == shown.json()["view"]
            told = client.get(f"/v1/matches/{match_id}/moves", params=query).json()["moves"]
            assert [line["events"] for line in lines] == [move["events"] for move in told]
            by_address = foldtable("replay", address, "--as", audience, "--json", FOLDTABLE_KEY=system.key)
            assert by_address.stdout == by_id.stdout


@pytest.mark.slow
def test_a_seats_token_sees_its_own_seat_and_no_other(foldtable: Any, system: System) -> None:
    match_id = play(system, "river_dragons", 4)
    with system.client() as client:
        token = client.post(f"/v1/matches/{match_id}/seats/1/token", json={}).json()["seat_token"]["token"]
    address = f"{system.address}/v1/matches/{match_id}"
    own = foldtable("replay", address, "--key", token, "--show", "events")
    assert "as seat 1" in own.stdout
    assert "Seat 0 submits a program.\n" in own.stdout
    for other in ("0", "referee"):
        refused = foldtable("replay", address, "--key", token, "--as", other)
        assert refused.exit_code == 1
        assert "SEAT_FORBIDDEN" in refused.stderr


@pytest.mark.slow
def test_an_ended_match_is_exported_replayed_and_verified_by_its_address(
    foldtable: Any, system: System, tmp_path: Path
) -> None:
    match_id = play(system, "river_dragons", 4)
    address = f"{system.address}/v1/matches/{match_id}"
    file = tmp_path / "seen.json"
    exported = foldtable("export", address, "--as", "1", "-o", file, FOLDTABLE_KEY=system.key)
    assert exported.exit_code == 0, exported.output
    assert json.loads(file.read_bytes())["audience"] == {"kind": "seat", "seat": 1}
    with system.client() as client:
        client.post(f"/v1/matches/{match_id}/resign", json={"seat": 0})
    verified = foldtable("verify", address, FOLDTABLE_KEY=system.key)
    assert verified.exit_code == 0
    assert "every move decided again" in verified.stdout
    replayed = foldtable("replay", address, "--move", "6", FOLDTABLE_KEY=system.key)
    assert "Everybody else has left: Seat 1 wins." in replayed.stdout


def test_a_gateway_that_fails_while_tables_are_printed_is_no_table_that_is_missing() -> None:
    """Tools must not take one for the other: the printing ends, with what is wrong."""
    gateway = SmallGateway(ONE_OF_EACH[0], 30, {PUBLIC})
    match, lines = opened(gateway), []

    def say(line: str) -> None:
        lines.append(line)
        gateway.admitted = set()

    with pytest.raises(GatewayFailed, match="SEAT_FORBIDDEN"):
        print_json(match, PUBLIC, range(1, 31), Show.BOTH, "en", say)
    assert len(lines) == 1
