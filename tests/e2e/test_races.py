"""32 clients at the same moment, through two gateways and two rules servers: one gets it, the others are told why not."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.support.several_of_each import Several

pytestmark = pytest.mark.slow

CLIENTS = 32
GAME = "river_dragons"
PROGRAM = {"type": "submit_program", "cards": ["move1", "stone1", "plank1", "move2", "stone2"]}

Ask = Callable[[httpx.Client, int], httpx.Response]


class Crowd:
    """Clients with open connections, every other one at the second gateway."""

    def __init__(self, several: Several, clients: list[httpx.Client]) -> None:
        self.several = several
        self.clients = clients

    def ask(self, ask: Ask, credential: str | None = None) -> list[httpx.Response]:
        """Let all of them ask at once; give the answers in their order."""
        headers = {"authorization": f"Bearer {credential or self.several.key}"}
        together = threading.Barrier(CLIENTS)

        def one(number: int) -> httpx.Response:
            client = self.clients[number]
            client.headers.update(headers)
            client.get("/livez")  # so that the connection is there
            together.wait(20)
            return ask(client, number)

        with ThreadPoolExecutor(CLIENTS) as pool:
            return list(pool.map(one, range(CLIENTS)))


@pytest.fixture(scope="module")
def crowd(several: Several) -> Iterator[Crowd]:
    with ExitStack() as stack:
        clients = [
            stack.enter_context(several.client(None, gateway=number % len(several.urls)))
            for number in range(CLIENTS)
        ]
        yield Crowd(several, clients)


@pytest.fixture(scope="module")
def tenant(several: Several) -> Iterator[httpx.Client]:
    with several.client(several.key) as client:
        yield client


def created(tenant: httpx.Client, **more: Any) -> dict[str, Any]:
    answer = tenant.post("/v1/matches", json={"game": GAME, "seats": 2, **more})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def a_lobby(tenant: httpx.Client, second: str, **more: Any) -> dict[str, Any]:
    """Create a match whose first seat is taken, and whose second is `open` or `invited`."""
    return created(tenant, seating=[{"kind": "closed", "player": "ruth"}, {"kind": second}], **more)


def one_and_the_others(answers: list[httpx.Response]) -> tuple[httpx.Response, Counter[tuple[int, str]]]:
    """Return the one success, and how often the others were told what."""
    won = [answer for answer in answers if answer.is_success]
    assert len(won) == 1, Counter(answer.status_code for answer in answers)
    lost = [answer for answer in answers if not answer.is_success]
    assert {answer.headers["content-type"] for answer in lost} == {"application/problem+json"}
    return won[0], Counter((answer.status_code, answer.json()["reason"]) for answer in lost)


def match_now(tenant: httpx.Client, match_id: str) -> dict[str, Any]:
    found: dict[str, Any] = tenant.get(f"/v1/matches/{match_id}").json()
    return found


def moves_of(tenant: httpx.Client, match_id: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tenant.get(
        f"/v1/matches/{match_id}/moves", params={"audience": "referee"}
    ).json()["moves"]
    return listed


def is_good(several: Several, match_id: str, token: str) -> bool:
    """Return whether a token is that of the seat's player, at the other gateway."""
    with several.client(token, gateway=1) as player:
        return player.get(f"/v1/matches/{match_id}").is_success


# ── seats ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("start", ["when_full", "on_demand"])
@pytest.mark.parametrize("named", [True, False], ids=["by its number", "any"])
def test_one_open_seat(crowd: Crowd, tenant: httpx.Client, start: str, *, named: bool) -> None:
    """Who comes after the winner has started the match is told that; on demand the seat alone decides."""
    match_id = a_lobby(tenant, "open", start=start)["match"]["match_id"]
    seat = {"seat": 1} if named else {}
    answers = crowd.ask(
        lambda client, number: client.post(
            f"/v1/matches/{match_id}/join", json={"player": f"player {number}", **seat}
        )
    )
    won, lost = one_and_the_others(answers)
    must_have_come_too_late(lost, start, "SEAT_TAKEN" if named else "NO_FREE_SEAT")
    match = match_now(tenant, match_id)
    assert match["seats"][1]["player"] == f"player {answers.index(won)}"
    begun = start == "when_full"
    assert (match["status"], match["version"]) == (("running", 1) if begun else ("waiting", 0))
    assert is_good(crowd.several, match_id, won.json()["seat_token"]["token"])


def must_have_come_too_late(lost: Counter[tuple[int, str]], start: str, reason: str) -> None:
    assert lost.total() == CLIENTS - 1
    too_late = {(409, reason)} | ({(409, "MATCH_STARTED")} if start == "when_full" else set())
    assert lost.keys() <= too_late


def test_one_seat_by_quick_join(crowd: Crowd, tenant: httpx.Client) -> None:
    """In a variant of its own, so that no other test's match waits there."""
    options = {"variant": "expert"}
    match_id = a_lobby(tenant, "open", visibility="public", options=options)["match"]["match_id"]
    answers = crowd.ask(
        lambda client, number: client.post(
            "/v1/matches/quick-join",
            json={"game": GAME, "options": options, "player": f"player {number}"},
        )
    )
    won, lost = one_and_the_others(answers)
    assert lost == {(404, "NO_OPEN_MATCH"): CLIENTS - 1}
    assert won.json()["match"]["match_id"] == match_id
    assert match_now(tenant, match_id)["seats"][1]["player"] == f"player {answers.index(won)}"


def test_quick_join_seats_everybody_once(crowd: Crowd, tenant: httpx.Client) -> None:
    """32 players where nobody waits: each has a seat, and no seat has two."""
    answers = crowd.ask(
        lambda client, number: client.post(
            "/v1/matches/quick-join",
            json={"game": GAME, "seats": 4, "player": f"quick {number}", "create_if_none": True},
        )
    )
    assert {answer.status_code for answer in answers} == {200}
    places = [(given["match"]["match_id"], given["seat_token"]["seat"]) for given in map(told, answers)]
    assert len(set(places)) == CLIENTS
    for number, (match_id, seat) in enumerate(places):
        assert match_now(tenant, match_id)["seats"][seat]["player"] == f"quick {number}"


def told(answer: httpx.Response) -> dict[str, Any]:
    given: dict[str, Any] = answer.json()
    return given


@pytest.mark.parametrize("start", ["when_full", "on_demand"])
def test_one_invite(crowd: Crowd, tenant: httpx.Client, start: str) -> None:
    made = a_lobby(tenant, "invited", start=start)
    match_id, (invite,) = made["match"]["match_id"], made["invites"]
    answers = crowd.ask(
        lambda client, number: client.post(f"/v1/matches/{match_id}/join", json={"name": f"guest {number}"}),
        invite["token"],
    )
    won, lost = one_and_the_others(answers)
    must_have_come_too_late(lost, start, "SEAT_TAKEN")
    assert match_now(tenant, match_id)["seats"][1]["name"] == f"guest {answers.index(won)}"
    assert is_good(crowd.several, match_id, won.json()["seat_token"]["token"])


def test_one_rematch(crowd: Crowd, tenant: httpx.Client) -> None:
    match_id = created(tenant)["match"]["match_id"]
    assert tenant.post(f"/v1/matches/{match_id}/resign", json={"seat": 0}).is_success
    answers = crowd.ask(lambda client, _: client.post(f"/v1/matches/{match_id}/rematch"))
    assert {answer.status_code for answer in answers} == {200}
    assert len({told(answer)["match"]["match_id"] for answer in answers}) == 1
    assert {len(told(answer)["seat_tokens"]) for answer in answers} == {2}


def test_one_ticket_opens_one_stream(crowd: Crowd, tenant: httpx.Client) -> None:
    path = f"/v1/matches/{created(tenant)['match']['match_id']}"
    ticket = tenant.post(f"{path}/stream-tickets").json()["ticket"]

    def opened(client: httpx.Client, _: int) -> httpx.Response:
        with client.stream("GET", f"{path}/stream", params={"ticket": ticket}) as response:
            if not response.is_success:
                response.read()
            return response

    _, lost = one_and_the_others(crowd.ask(opened))
    assert lost == {(401, "TICKET_INVALID"): CLIENTS - 1}


def test_one_login_code_signs_one_in(crowd: Crowd, tenant: httpx.Client) -> None:
    code = tenant.post("/v1/login-codes", json={"player": "ruth"}).json()["code"]
    answers = crowd.ask(lambda client, _: client.post("/v1/login-codes/redeem", json={"code": code}))
    won, lost = one_and_the_others(answers)
    assert won.json()["player"] == "ruth"
    assert lost == {(401, "LOGIN_CODE_INVALID"): CLIENTS - 1}


# ── moves ──────────────────────────────────────────────────────────────────────────────────────────


def a_choice(tenant: httpx.Client) -> tuple[str, dict[str, Any]]:
    """Play until one seat alone has two legal actions at least; give the match and what it may do."""
    match_id = created(tenant)["match"]["match_id"]
    while True:
        to_act = match_now(tenant, match_id)["to_act"]
        query = {"seat": to_act[0], "samples": 1}
        legal = tenant.get(f"/v1/matches/{match_id}/legal-actions", params=query).json()
        if len(to_act) == 1 and len(legal["actions"]) > 1:
            return match_id, legal
        body = {"action": legal["samples"][0], "seat": to_act[0], "expected_version": legal["version"]}
        assert tenant.post(f"/v1/matches/{match_id}/moves", json=body).is_success


@pytest.mark.parametrize("header", [True, False], ids=["If-Match", "expected_version"])
def test_one_move_at_one_version(crowd: Crowd, tenant: httpx.Client, *, header: bool) -> None:
    match_id, legal = a_choice(tenant)
    version = legal["version"]

    def move(client: httpx.Client, number: int) -> httpx.Response:
        body = {"action": legal["actions"][number % len(legal["actions"])], "seat": legal["seat"]}
        path = f"/v1/matches/{match_id}/moves"
        if header:
            return client.post(path, json=body, headers={"if-match": f'"v:{version}"'})
        return client.post(path, json=body | {"expected_version": version})

    won, lost = one_and_the_others(answers := crowd.ask(move))
    assert lost == {(412 if header else 409, "VERSION_CONFLICT"): CLIENTS - 1}
    assert (
        [move["version"] for move in moves_of(tenant, match_id)][-1] == won.json()["version"] == version + 1
    )
    for answer in answers:
        if answer is not won:
            problem = told(answer)
            assert problem["current_version"] == version + 1
            assert [(missed["version"], missed["events"]) for missed in problem["missed"]] == [
                (version + 1, won.json()["events"])
            ]


def test_one_decision_of_many_that_are_open(crowd: Crowd, tenant: httpx.Client) -> None:
    """Programs are submitted by all seats at once, whatever the version; but each seat's one time."""
    made = created(tenant)
    match_id = made["match"]["match_id"]
    answers = crowd.ask(
        lambda client, _: client.post(
            f"/v1/matches/{match_id}/moves", json={"action": PROGRAM, "expected_version": 1}
        ),
        made["seat_tokens"][0]["token"],
    )
    _, lost = one_and_the_others(answers)
    assert lost.total() == CLIENTS - 1
    assert lost.keys() <= {(409, "VERSION_CONFLICT"), (409, "NOT_YOUR_TURN")}
    assert [move["seat"] for move in moves_of(tenant, match_id)] == [None, 0]


def test_the_same_key_on_the_same_move(crowd: Crowd, tenant: httpx.Client) -> None:
    match_id, legal = a_choice(tenant)
    body = {"action": legal["actions"][0], "seat": legal["seat"]}
    headers = {"idempotency-key": f'"{uuid4()}"', "if-match": f'"v:{legal["version"]}"'}
    answers = crowd.ask(
        lambda client, _: client.post(f"/v1/matches/{match_id}/moves", json=body, headers=headers)
    )
    assert Counter(answer.status_code for answer in answers) == {200: CLIENTS}
    assert len({answer.content for answer in answers}) == 1
    assert len({answer.headers["etag"] for answer in answers}) == 1
    replayed = [answer.headers.get("idempotent-replayed") for answer in answers]
    assert Counter(replayed) == {"true": CLIENTS - 1, None: 1}
    assert moves_of(tenant, match_id)[-1]["version"] == legal["version"] + 1


def test_the_same_key_on_different_moves(crowd: Crowd, tenant: httpx.Client) -> None:
    """The key is looked at before the version: whoever repeats it with something else is told so."""
    match_id, legal = a_choice(tenant)
    headers = {"idempotency-key": f'"{uuid4()}"', "if-match": f'"v:{legal["version"]}"'}
    bodies = [{"action": action, "seat": legal["seat"]} for action in legal["actions"][:2]]
    answers = crowd.ask(
        lambda client, number: client.post(
            f"/v1/matches/{match_id}/moves", json=bodies[number // 2 % 2], headers=headers
        )
    )
    assert Counter(answer.status_code for answer in answers) == {200: CLIENTS // 2, 422: CLIENTS // 2}
    assert {told(answer)["reason"] for answer in answers if not answer.is_success} == {"REQUEST_ID_REUSED"}
    assert len({answer.content for answer in answers if answer.is_success}) == 1
    assert moves_of(tenant, match_id)[-1]["version"] == legal["version"] + 1


# ── the same key elsewhere ─────────────────────────────────────────────────────────────────────────


def test_the_same_key_on_create(crowd: Crowd, tenant: httpx.Client) -> None:
    player = f"creator-{uuid4().hex[:8]}"
    body = {"game": GAME, "seats": 2, "players": [player]}
    headers = {"idempotency-key": f'"{uuid4()}"'}
    answers = crowd.ask(lambda client, _: client.post("/v1/matches", json=body, headers=headers))
    assert Counter(answer.status_code for answer in answers) == {201: CLIENTS}
    (match_id,) = {told(answer)["match"]["match_id"] for answer in answers}
    assert {answer.headers["location"] for answer in answers} == {f"/v1/matches/{match_id}"}
    listed = tenant.get("/v1/matches", params={"player": player}).json()["matches"]
    assert [match["match_id"] for match in listed] == [match_id]
    assert [move["version"] for move in moves_of(tenant, match_id)] == [1], "started once"


def test_the_same_key_on_join(crowd: Crowd, tenant: httpx.Client) -> None:
    match_id = created(tenant, seats=4, open_seats=True)["match"]["match_id"]
    headers = {"idempotency-key": f'"{uuid4()}"'}
    answers = crowd.ask(
        lambda client, _: client.post(
            f"/v1/matches/{match_id}/join", json={"player": "ruth"}, headers=headers
        )
    )
    assert Counter(answer.status_code for answer in answers) == {200: CLIENTS}
    assert len({told(answer)["seat_token"]["seat"] for answer in answers}) == 1
    assert [seat["player"] for seat in match_now(tenant, match_id)["seats"]].count("ruth") == 1


def test_the_same_key_on_quick_join(crowd: Crowd, tenant: httpx.Client) -> None:
    player = f"hasty-{uuid4().hex[:8]}"
    body = {"game": GAME, "seats": 3, "player": player, "create_if_none": True}
    headers = {"idempotency-key": f'"{uuid4()}"'}
    answers = crowd.ask(lambda client, _: client.post("/v1/matches/quick-join", json=body, headers=headers))
    assert Counter(answer.status_code for answer in answers) == {200: CLIENTS}
    places = {(told(answer)["match"]["match_id"], told(answer)["seat_token"]["seat"]) for answer in answers}
    assert len(places) == 1
    assert len(tenant.get("/v1/matches", params={"player": player}).json()["matches"]) == 1
