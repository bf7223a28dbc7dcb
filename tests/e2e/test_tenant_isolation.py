"""Two tenants in one system: nothing one of them holds opens, lists, joins or tells anything of the other (OWASP API1).

Calls that name the other's match are in the authorisation matrix; here is what could mix them up without naming one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.followers import Event, events_of
from tests.support.several_of_each import OURS, THEIRS, Several

pytestmark = pytest.mark.slow

GAME = "river_dragons"


class Tenant(httpx.Client):
    """A tenant, with a match that runs and one that waits, both public."""

    def __init__(self, several: Several, key: str, player: str) -> None:
        super().__init__(
            base_url=several.urls[0],
            headers={"authorization": f"Bearer {several.keys[key]}"},
            timeout=20,
            verify=False,
            trust_env=False,
        )
        self.player = player
        made = self.created(players=[player, "bob"], visibility="public")
        self.match_id: str = made["match"]["match_id"]
        self.path = f"/v1/matches/{self.match_id}"
        self.seat_token: str = made["seat_tokens"][0]["token"]
        seating = [{"kind": "closed", "player": player}, {"kind": "open"}]
        self.waiting_id: str = self.created(seating=seating, visibility="public")["match"]["match_id"]

    def created(self, **more: Any) -> dict[str, Any]:
        answer = self.post("/v1/matches", json={"game": GAME, "seats": 2, **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def listed(self, **query: Any) -> set[str]:
        """Return the ids of all matches a question finds, page by page."""
        found: set[str] = set()
        query = {"page_size": 100, **query}
        while True:
            page = self.get("/v1/matches", params=query).json()
            found |= {match["match_id"] for match in page["matches"]}
            if not page["next_page_token"]:
                return found
            query["page_token"] = page["next_page_token"]

    def move(self) -> None:
        """Make any move in the match that runs."""
        seat = self.get(self.path).json()["to_act"][0]
        legal = self.get(f"{self.path}/legal-actions", params={"seat": seat, "samples": 1}).json()
        body = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": seat}
        assert self.post(f"{self.path}/moves", json=body).status_code == 200


@pytest.fixture(scope="module")
def both(several: Several) -> Iterator[tuple[Tenant, Tenant]]:
    """The same player id means another player in another tenant."""
    player = f"ada-{uuid4().hex[:8]}"
    with ExitStack() as stack:
        yield (
            stack.enter_context(closing(Tenant(several, "tenant", player))),
            stack.enter_context(closing(Tenant(several, "foreign", player))),
        )


@pytest.fixture
def ours(both: tuple[Tenant, Tenant]) -> Tenant:
    return both[0]


@pytest.fixture
def theirs(both: tuple[Tenant, Tenant]) -> Tenant:
    return both[1]


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["reason"]


QUESTIONS: list[dict[str, Any]] = [
    {},
    {"visibility": "any"},
    {"status": "running"},
    {"game": GAME},
    {"open_seats": "true"},
    {"updated_since": "2020-01-01T00:00:00Z"},
    {"order": "-updated"},
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: ",".join(question) or "everything")
def test_no_list_mixes_them(ours: Tenant, theirs: Tenant, question: dict[str, Any]) -> None:
    assert not ours.listed(**question) & theirs.listed(**question)


@pytest.mark.parametrize("who", ["player", "waiting_for"])
def test_a_player_id_is_its_tenants_own(ours: Tenant, theirs: Tenant, who: str) -> None:
    query = {who: ours.player, "status": "running"}
    assert ours.listed(**query) == {ours.match_id}
    assert theirs.listed(**query) == {theirs.match_id}


def test_a_page_token_is_good_for_its_tenant_only(ours: Tenant, theirs: Tenant) -> None:
    query = {"page_size": 1, "visibility": "any"}
    token = ours.get("/v1/matches", params=query).json()["next_page_token"]
    assert ours.get("/v1/matches", params={**query, "page_token": token}).status_code == 200
    answer = theirs.get("/v1/matches", params={**query, "page_token": token})
    assert refused(answer) == (400, "PAGE_TOKEN_INVALID")


def test_a_page_token_of_moves_is_good_for_its_match_and_its_eyes_only(ours: Tenant, theirs: Tenant) -> None:
    ours.move()
    theirs.move()
    token = ours.get(f"{ours.path}/moves", params={"page_size": 1, "audience": "referee"}).json()[
        "next_page_token"
    ]
    query = {"page_size": 1, "page_token": token}
    assert ours.get(f"{ours.path}/moves", params={**query, "audience": "referee"}).status_code == 200
    for tenant, audience in ((theirs, "referee"), (ours, "public")):
        answer = tenant.get(f"{tenant.path}/moves", params={**query, "audience": audience})
        assert refused(answer) == (400, "PAGE_TOKEN_INVALID")


def test_a_page_token_of_keys_is_good_for_its_tenant_only(several: Several) -> None:
    with several.client(several.keys["manager"]) as manager:
        first = manager.get(f"/v1/tenants/{OURS}/keys", params={"page_size": 1}).json()
    query = {"page_size": 1, "page_token": first["next_page_token"]}
    with several.client(several.keys["foreign_manager"]) as foreign:
        assert refused(foreign.get(f"/v1/tenants/{THEIRS}/keys", params=query)) == (400, "PAGE_TOKEN_INVALID")
        assert refused(foreign.get(f"/v1/tenants/{OURS}/keys", params=query))[0] in {400, 404}


def test_quick_join_stays_in_the_system_of_its_tenant(ours: Tenant, theirs: Tenant) -> None:
    """However many wait elsewhere: everything that waits here is taken first, then there is nothing."""
    mine = ours.listed(open_seats="true")
    while True:
        answer = theirs.post("/v1/matches/quick-join", json={"game": GAME, "player": f"q{uuid4().hex[:8]}"})
        if answer.status_code != 200:
            break
        assert answer.json()["match"]["match_id"] not in mine
    assert refused(answer) == (404, "NO_OPEN_MATCH")
    assert ours.listed(open_seats="true") == mine


def test_request_ids_are_apart(ours: Tenant, theirs: Tenant) -> None:
    headers = {"idempotency-key": f'"{uuid4()}"'}
    made = [
        tenant.post("/v1/matches", json={"game": GAME, "seats": seats}, headers=headers)
        for tenant, seats in ((ours, 2), (theirs, 3), (ours, 2), (theirs, 3))
    ]
    assert [answer.status_code for answer in made] == [201] * 4
    ids = [answer.json()["match"]["match_id"] for answer in made]
    assert ids[:2] == ids[2:]
    assert ids[0] != ids[1]


@pytest.mark.parametrize("of_player", [True, False], ids=["a player's", "a tenant's"])
def test_a_feed_tells_of_its_tenant_only(ours: Tenant, theirs: Tenant, *, of_player: bool) -> None:
    query = {"player": ours.player} if of_player else {}
    with (
        theirs.stream("GET", "/v1/feed", params=query) as response,
        ours.stream("GET", "/v1/feed", params=query),  # so that there are changes of ours to be told
    ):
        events = events_of(response)
        name, _, snapshot = next(events)
        assert name == "snapshot"
        assert ours.match_id not in snapshot
        assert ours.waiting_id not in snapshot
        ours.move()
        time.sleep(0.3)  # what is changed last must not overtake it
        theirs.move()
        until_told(events, ours, theirs)


def until_told(events: Iterator[Event], ours: Tenant, theirs: Tenant) -> None:
    """Read until their own match comes. Others of theirs may come before; none of ours may."""
    for name, _, data in events:
        assert name == "match.updated"
        told = json.loads(data)["match_id"]
        assert told not in {ours.match_id, ours.waiting_id}
        if told == theirs.match_id:
            return
    raise AssertionError("the feed has ended")


def test_a_feed_goes_on_with_its_tenants_changes_only(ours: Tenant, theirs: Tenant) -> None:
    with theirs.stream("GET", "/v1/feed") as response:
        _, begun, _ = next(events_of(response))
    ours.move()
    theirs.move()
    with theirs.stream("GET", "/v1/feed", headers={"last-event-id": begun}) as response:
        until_told(events_of(response), ours, theirs)


def test_a_ticket_is_the_credential_whoever_else_is_named(
    several: Several, ours: Tenant, theirs: Tenant
) -> None:
    """With another tenant's key beside it, it opens what it was made for and nothing else."""
    ticket = ours.post(f"{ours.path}/stream-tickets").json()["ticket"]
    answer = theirs.get(f"{theirs.path}/stream", params={"ticket": ticket})
    assert refused(answer) == (401, "TICKET_INVALID")
    answer = ours.get(f"{ours.path}/stream", params={"ticket": ticket})
    assert refused(answer) == (401, "TICKET_INVALID"), "a ticket that was tried elsewhere is used up"
    feed = ours.post("/v1/feed/stream-tickets", json={"player": ours.player}).json()["ticket"]
    with theirs.stream("GET", "/v1/feed", params={"ticket": feed}) as response:
        _, _, snapshot = next(events_of(response))
    assert ours.match_id in snapshot
    assert theirs.match_id not in snapshot


def test_a_seats_token_knows_no_match_of_another_tenant(
    several: Several, ours: Tenant, theirs: Tenant
) -> None:
    with several.client(theirs.seat_token) as player:
        for path in (ours.path, f"/v1/matches/{uuid4()}"):
            for what in ("", "/view", "/moves", "/export", "/stream", "/verify"):
                assert refused(player.get(path + what)) == (403, "SEAT_FORBIDDEN")


def test_exports_are_of_the_match_that_was_asked_for(ours: Tenant, theirs: Tenant) -> None:
    exported = ours.get(f"{ours.path}/export", params={"audience": "referee"})
    assert exported.json()["match_id"] == ours.match_id
    assert theirs.match_id not in exported.text
    assert refused(theirs.get(f"{ours.path}/export")) == (404, "MATCH_NOT_FOUND")
