"""The Python client reads and follows tables of the real stack, for seats, sessions and people without a credential."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.registry import GAMES
from foldtable_client import (
    Client,
    MatchEnded,
    MoveApplied,
    ProblemError,
    SeatsUpdated,
    TablePatched,
    TableShown,
    TemplateChoice,
    choices,
    fill,
    patched,
)
from foldtable_client.types import Table
from tests.clients.test_python_client import Cutting
from tests.support.our_games import OUR_GAMES
from tests.support.running_system import System, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def tenant(system: System) -> Iterator[Client]:
    with Client(system.address, system.key) as client:
        yield client


def a_match(tenant: Client, game: str = "al_rashid", **plan: Any) -> str:
    return tenant.create_match(game=game, seats=2, **plan)["match"]["match_id"]


def move(tenant: Client, match: str) -> int:
    """Make a random move for a seat that must act; return the version."""
    legal = tenant.legal_actions(match, seat=tenant.match(match)["to_act"][0], samples=1)
    made = tenant.move(match, legal["samples"][0], version=legal["version"], seat=legal["seat"])
    return made["version"]


def until(tables: Iterator[Table], version: int) -> Table:
    return next(table for table in tables if table["version"] == version)


@pytest.mark.parametrize("game", OUR_GAMES)
def test_the_newest_table_is_the_one_that_can_be_read(tenant: Client, game: str) -> None:
    """After every change: the first table of the stream is whole, the others are patched."""
    match = a_match(tenant, game)
    tables = tenant.follow_table(match, seat=0, lang="en")
    version = 1
    for _ in range(12):
        assert until(tables, version) == tenant.table(match, seat=0, lang="en")
        version = move(tenant, match)
    assert until(tables, version) == tenant.table(match, seat=0, lang="en")
    tenant.resign(match, seat=1)
    assert list(tables)[-1] == tenant.table(match, seat=0, lang="en")


def test_who_sits_at_a_table_that_waits_is_seen(tenant: Client) -> None:
    match = a_match(tenant, open_seats=True)
    tables = tenant.follow_table(match)
    assert [seat["taken"] for seat in next(tables)["match"]["seats"]] == [False, False]
    tenant.join(match, name="Ada")
    assert next(tables)["match"]["seats"][0]["name"] == "Ada"
    tenant.abort(match)
    assert [table["match"]["status"] for table in tables][-1] == "ended"


@pytest.mark.usefixtures("slept")
def test_tables_over_a_line_that_is_cut_at_every_event(system: System, tenant: Client) -> None:
    match = a_match(tenant)
    with Client(system.address, system.key, transport=Cutting()) as unlucky:
        tables = unlucky.follow_table(match, seat=0)
        seen = [next(tables)["version"]]
        for _ in range(4):
            version = move(tenant, match)
            seen.append(until(tables, version)["version"])
        tenant.resign(match, seat=1)
        *_, last = tables
    assert seen == [1, 2, 3, 4, 5]
    assert last == tenant.table(match, seat=0), "the last one is read, if the stream was cut before it"


def test_a_stream_tells_of_moves_and_of_tables(tenant: Client) -> None:
    match = a_match(tenant)
    events = tenant.follow(match, seat=0, lang="en", include_table=True)
    shown = next(events)
    assert isinstance(shown, TableShown)
    assert shown.table == tenant.table(match, seat=0, lang="en")
    version = move(tenant, match)
    moved, changed = next(events), next(events)
    assert isinstance(moved, MoveApplied)
    assert moved.event_texts is not None
    assert (moved.version, len(moved.event_texts)) == (version, len(moved.events))
    assert isinstance(changed, TablePatched)
    assert patched(shown.table, changed.patch) == tenant.table(match, seat=0, lang="en")


def test_a_stream_without_tables_tells_of_seats(tenant: Client) -> None:
    match = a_match(tenant)
    events = tenant.follow(match)
    next(events)
    tenant.update_seat(match, 1, name="Ada")
    told = next(events)
    assert isinstance(told, SeatsUpdated)
    assert (told.seats[1]["name"], told.match_id) == ("Ada", match)


def test_several_matches_are_followed_over_one_connection(tenant: Client) -> None:
    matches = [a_match(tenant, game) for game in OUR_GAMES]
    tables, newest = tenant.follow_tables(matches), dict[str, Table]()
    while len(newest) < len(matches):
        table = next(tables)
        newest[table["match_id"]] = table
    for match in matches:
        version = move(tenant, match)
        while newest[match]["version"] < version:
            table = next(tables)
            newest[table["match_id"]] = table
    for match in matches:
        tenant.resign(match, seat=0)
    newest.update((table["match_id"], table) for table in tables)
    assert newest == {match: tenant.table(match) for match in matches}


def test_several_matches_end_once_each_over_a_line_that_is_cut(
    system: System, tenant: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [a_match(tenant) for _ in range(2)]
    last = {match: [move(tenant, match) for _ in range(3)][-1] + 1 for match in matches}
    with Client(system.address, system.key, transport=Cutting(3)) as unlucky:
        events = unlucky.follow_matches(matches)
        told = [next(events)]
        for match in matches:
            tenant.resign(match, seat=0)
        told += events
    ends = [event for event in told if isinstance(event, MatchEnded)]
    assert sorted(ends, key=lambda end: matches.index(end.match_id)) == [
        MatchEnded(last[match], match) for match in matches
    ]
    moves = [(event.match_id, event.version) for event in told if isinstance(event, MoveApplied)]
    assert sorted(moves) == sorted(set(moves)), "none comes twice"
    assert {match for match, version in moves if version == last[match]} == set(matches)


def test_a_table_is_transferred_only_if_it_has_changed(tenant: Client) -> None:
    match = a_match(tenant)
    first = tenant.newer_table(match, seat=0)
    assert first is not None
    assert tenant.newer_table(match, first.etag, seat=0) is None
    tenant.update_seat(match, 1, name="Ada")
    renamed = tenant.newer_table(match, first.etag, seat=0)
    assert renamed is not None
    assert (renamed.table["version"], renamed.table["match"]["seats"][1]["name"]) == (1, "Ada")
    move(tenant, match)
    assert tenant.newer_table(match, renamed.etag, seat=0) is not None


def test_the_answer_to_a_move_has_the_table(tenant: Client) -> None:
    match = a_match(tenant)
    seat = tenant.match(match)["to_act"][0]
    legal = tenant.legal_actions(match, seat=seat, samples=1, hints=True, lang="en")
    assert len(legal["action_hints"]) == len(legal["actions"]) == len(legal["action_texts"])
    action = legal["samples"][0]
    made = tenant.move(match, action, version=legal["version"], seat=seat, include_table=True, lang="en")
    assert made["table"] == tenant.table(match, seat=seat, lang="en")


def test_a_template_is_filled_in_and_played(tenant: Client) -> None:
    """Chapter 5 of the River Dragons: a program of five cards, each once."""
    match = a_match(tenant, "river_dragons")
    (program,) = choices(tenant.wait_for_turn(match, 0, lang="en"))
    assert isinstance(program, TemplateChoice)
    cards = list[Any]()
    for step in program.hint["steps"]:
        assert step["type"] == "choose"
        cards.append(next(one["value"] for one in step["choices"] if one["value"] not in cards))
    tenant.move(match, fill(program, cards), version=1, seat=0)
    assert tenant.match(match)["to_act"] == [1]


def test_the_layout_has_the_places_of_the_pieces(tenant: Client) -> None:
    layout = tenant.layout("river_of_gold")
    places = {place["id"] for board in [*layout["boards"], *layout["mats"]] for place in board["places"]}
    pieces = tenant.table(a_match(tenant, "river_of_gold"), seat=0)["pieces"].values()
    assert {piece["place"].partition("@")[0] for piece in pieces} <= places


def test_a_player_lists_creates_joins_and_is_told(system: System, tenant: Client) -> None:
    """Each page has the session of its own player."""
    ada, bob = (f"{name}-{random.randrange(10**9)}" for name in ("ada", "bob"))
    session = tenant.players.session(ada, hours=1)
    assert (session["player"], session["scopes"]) == (ada, ["create", "join", "play", "read"])
    with (
        Client(system.address, session["token"]) as of_ada,
        Client(system.address, tenant.players.session(bob)["token"]) as of_bob,
    ):
        created = of_ada.create_match(
            game="al_rashid", seats=2, seating=[{"player": ada}, {"kind": "invited"}]
        )
        match, (invite,) = created["match"]["match_id"], created["invites"]
        of_bob.join(match, invite=invite["token"])
        assert [one["match_id"] for one in of_bob.matches()] == [match]
        told = next(of_bob.feed())
        assert [one["match_id"] for one in told.data["matches"]] == [match]
        player = of_ada if of_ada.table(match)["legal"] is not None else of_bob
        last = player.play(match, lambda _: resigned(tenant, match, player is of_ada))
        assert last["match"]["status"] == "ended"


def resigned(tenant: Client, match: str, other_is_bob: bool) -> Any:
    """Let the other player leave while this one decides."""
    tenant.resign(match, seat=int(other_is_bob))
    return {"type": "end_turn"}


def test_a_session_has_only_its_scopes_and_can_be_revoked(system: System, tenant: Client) -> None:
    player = f"eve-{random.randrange(10**9)}"
    session = tenant.players.session(player, ["read"])
    with Client(system.address, session["token"]) as watching:
        assert list(watching.matches()) == []
        with pytest.raises(ProblemError) as refused:
            watching.create_match(game="al_rashid", seats=2)
        assert refused.value.status == 403
        assert tenant.players.revoke(player) == {"player": player}
        wait_until(lambda: refusal_of(watching) != "", 20)


def test_a_page_signs_in_with_the_code_of_a_link(system: System, tenant: Client) -> None:
    player = f"ada-{random.randrange(10**9)}"
    made = tenant.players.login_code(player, ["read"], hours=1, valid_seconds=60)
    assert made["player"] == player
    with Client(system.address) as page:
        session = page.players.redeem(made["code"])
        assert (session["player"], session["scopes"]) == (player, ["read"])
        with pytest.raises(ProblemError) as refused:
            page.players.redeem(made["code"])
    assert refused.value.reason == "LOGIN_CODE_INVALID"


def refusal_of(client: Client) -> str:
    try:
        list(client.matches())
    except ProblemError as refused:
        return refused.reason
    return ""


def test_anybody_reads_public_matches_of_a_tenant_that_allows_it(system: System, tenant: Client) -> None:
    match = a_match(tenant, visibility="public")
    with Client(system.address) as anybody:
        assert len(anybody.games()) == len(GAMES)
        tenant.patch("/v1/tenant", {"anonymous_read": True})
        try:
            assert anybody.table(match)["audience"] == {"kind": "public", "seat": None}
            assert next(anybody.follow_table(match))["match_id"] == match
        finally:
            tenant.patch("/v1/tenant", {"anonymous_read": False})
