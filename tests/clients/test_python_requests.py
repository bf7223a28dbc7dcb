"""What the Python client asks for: ids from anywhere stay where they belong, and so does the credential."""

from __future__ import annotations

import json
from collections.abc import Callable
from inspect import signature
from typing import Any

import httpx
import pytest

from foldtable_client import Client, MatchEnded
from gateway.http.idempotency import request_id
from tests.gateway.requests import request

MATCH = "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"
PASS = {"type": "pass"}
SECRET = "ft_dev_key"
NO_IDS = ["", ".", "..", "../../v1/webhooks/x", f"{MATCH}/seats/0", "..\\webhooks"]


class Asked:
    """A server that has nothing to say, and remembers what it was asked."""

    def __init__(self, credential: str = SECRET) -> None:
        self.requests: list[httpx.Request] = []
        self.client = Client("http://table.test/system", credential, transport=httpx.MockTransport(self))

    def __call__(self, sent: httpx.Request) -> httpx.Response:
        self.requests.append(sent)
        if sent.url.path.endswith("/stream"):
            return httpx.Response(204)
        return httpx.Response(200, json={"moves": [], "next_page_token": ""})

    @property
    def paths(self) -> list[str]:
        return [sent.url.raw_path.decode() for sent in self.requests]


@pytest.fixture
def asked() -> Asked:
    return Asked()


OF_A_MATCH: dict[str, Callable[[Client, str], Any]] = {
    "match": lambda client, name: client.match(name),
    "join": lambda client, name: client.join(name),
    "leave": lambda client, name: client.leave(name),
    "update_seat": lambda client, name: client.update_seat(name, 0, name="Ada"),
    "replace_player": lambda client, name: client.replace_player(name, 0, player="ada"),
    "ask_to_replace": lambda client, name: client.ask_to_replace(name, 0),
    "answer_replacement": lambda client, name: client.answer_replacement(name, accept=True, version=2),
    "start": lambda client, name: client.start(name),
    "rematch": lambda client, name: client.rematch(name),
    "fork": lambda client, name: client.fork(name),
    "legal_actions": lambda client, name: client.legal_actions(name),
    "table": lambda client, name: client.table(name),
    "newer_table": lambda client, name: client.newer_table(name, '"v:1;s=0123456789ab"'),
    "move": lambda client, name: client.move(name, PASS, version=1),
    "wait_for_turn": lambda client, name: client.wait_for_turn(name),
    "play": lambda client, name: client.play(name, lambda _: PASS),
    "poll": lambda client, name: client.poll(name, after=1, seconds=0),
    "rehearse": lambda client, name: client.rehearse(name, PASS, version=1),
    "resign": lambda client, name: client.resign(name),
    "abort": lambda client, name: client.abort(name),
    "answer_abort": lambda client, name: client.answer_abort(name, accept=True, version=2),
    "pause": lambda client, name: client.pause(name),
    "answer_pause": lambda client, name: client.answer_pause(name, accept=True, version=2),
    "resume": lambda client, name: client.resume(name),
    "add_time": lambda client, name: client.add_time(name, [1], 60),
    "undo_state": lambda client, name: client.undo_state(name),
    "undo": lambda client, name: client.undo(name, 1, version=2),
    "answer_undo": lambda client, name: client.answer_undo(name, accept=True, version=2),
    "redo": lambda client, name: client.redo(name, version=2),
    "view": lambda client, name: client.view(name, at=1),
    "newer_view": lambda client, name: client.newer_view(name, 1),
    "moves": lambda client, name: list(client.moves(name)),
    "delete": lambda client, name: client.delete(name),
    "follow": lambda client, name: next(client.follow(name)),
    "follow_table": lambda client, name: next(client.follow_table(name)),
    "replay": lambda client, name: list(client.replay(name)),
    "export": lambda client, name: client.export(name),
    "verify": lambda client, name: client.verify(name),
}
"""Everything the client does with a match."""


@pytest.mark.parametrize("does", OF_A_MATCH)
@pytest.mark.parametrize("name", NO_IDS)
def test_no_id_leads_to_another_route(asked: Asked, does: str, name: str) -> None:
    with pytest.raises(ValueError, match="is not an id"):
        OF_A_MATCH[does](asked.client, name)
    assert asked.requests == []


def test_no_game_and_no_seat_leads_to_another_route(asked: Asked) -> None:
    for name in NO_IDS:
        with pytest.raises(ValueError, match="is not an id"):
            asked.client.game(name)
        with pytest.raises(ValueError, match="is not an id"):
            asked.client.layout(name)
        with pytest.raises(ValueError, match="is not an id"):
            asked.client.replace_player(MATCH, name, player="ada")  # type: ignore[arg-type] - as untyped callers may
        with pytest.raises(ValueError, match="is not an id"):
            asked.client.update_seat(MATCH, name, name="Ada")  # type: ignore[arg-type] - as untyped callers may
    assert asked.requests == []


def test_what_an_id_has_of_the_grammar_of_urls_is_quoted(asked: Asked) -> None:
    asked.client.leave("m?seat=1#top %2e")
    assert asked.paths == ["/system/v1/matches/m%3Fseat%3D1%23top%20%252e/leave"]


def test_every_method_of_a_match_is_tried_here() -> None:
    public = {name: getattr(Client, name) for name in dir(Client) if not name.startswith("_")}
    takes_a_match = {
        name
        for name, method in public.items()
        if callable(method) and "match_id" in signature(method).parameters
    }
    assert takes_a_match == set(OF_A_MATCH)


@pytest.mark.parametrize("names", [[], [MATCH, ""], [MATCH, f"{MATCH},{MATCH}"], ["../feed"]])
def test_no_list_of_ids_names_another_route_or_other_matches(asked: Asked, names: list[str]) -> None:
    for follow in (asked.client.follow_matches, asked.client.follow_tables):
        with pytest.raises(ValueError, match=r"is not an id|at least one match"):
            next(follow(names))  # type: ignore[operator] - both are iterators of their own kinds
    assert asked.requests == []


def test_several_matches_are_asked_for_on_one_stream(asked: Asked) -> None:
    ends = list(asked.client.follow_matches([MATCH, "another"], include_table=True))
    assert asked.paths == [f"/system/v1/stream?matches={MATCH}%2Canother&include=table"]
    assert ends == [MatchEnded(0, MATCH), MatchEnded(0, "another")], "the server had no more to say"


@pytest.mark.parametrize("tag", ["v:1", '"v:1', '"a\r\nX-Other: b"', '"v:1", "v:2"'])
def test_what_is_no_entity_tag_is_not_sent(asked: Asked, tag: str) -> None:
    with pytest.raises(ValueError, match="is no entity tag"):
        asked.client.newer_table(MATCH, tag)
    assert asked.requests == []


def test_without_a_credential_none_is_sent() -> None:
    asked = Asked(credential="")
    asked.client.table(MATCH, lang="en")
    assert "Authorization" not in asked.requests[0].headers
    assert asked.paths == [f"/system/v1/matches/{MATCH}/table?lang=en"]


def test_a_rehearsal_says_that_it_is_one(asked: Asked) -> None:
    asked.client.rehearse(MATCH, PASS, version=1)
    assert asked.paths == [f"/system/v1/matches/{MATCH}/moves?dry_run=true"]


def test_a_path_keeps_its_query_beside_the_parameters(asked: Asked) -> None:
    asked.client.get("/v1/matches?game=al_rashid")
    asked.client.get("/v1/matches?game=al_rashid", page_size=1, status=None)
    assert asked.paths == [
        "/system/v1/matches?game=al_rashid",
        "/system/v1/matches?game=al_rashid&page_size=1",
    ]


@pytest.mark.parametrize(
    "elsewhere", ["https://elsewhere.test/v1/token", "//elsewhere.test/", "v1/token", ""]
)
def test_the_credential_goes_to_its_own_api_only(asked: Asked, elsewhere: str) -> None:
    with pytest.raises(ValueError, match="is not a path"):
        asked.client.get(elsewhere)
    assert asked.requests == []


@pytest.mark.parametrize("own", ["order-17", 'the "big" one', "C:\\orders\\17", '\\"', "blanks, and commas"])
def test_the_gateway_reads_the_request_id_that_was_given(asked: Asked, own: str) -> None:
    asked.client.create_match(game="river_dragons", seats=2, request_id=own)
    (sent,) = asked.requests
    header = ("Idempotency-Key", sent.headers["Idempotency-Key"])
    assert request_id(request(headers=[header]), json.loads(sent.content)["request_id"]) == own


WITH_AN_ID: dict[str, Callable[[Client, str], Any]] = {
    "move": lambda client, own: client.move(MATCH, PASS, version=1, seat=0, request_id=own),
    "resign": lambda client, own: client.resign(MATCH, request_id=own),
    "abort": lambda client, own: client.abort(MATCH, seat=1, request_id=own),
    "answer_abort": lambda client, own: client.answer_abort(MATCH, accept=False, version=2, request_id=own),
    "pause": lambda client, own: client.pause(MATCH, seat=1, request_id=own),
    "answer_pause": lambda client, own: client.answer_pause(MATCH, accept=True, version=2, request_id=own),
    "resume": lambda client, own: client.resume(MATCH, request_id=own),
    "ask_to_replace": lambda client, own: client.ask_to_replace(MATCH, 1, request_id=own),
    "answer_replacement": lambda client, own: client.answer_replacement(
        MATCH, accept=True, version=2, request_id=own
    ),
    "add_time": lambda client, own: client.add_time(MATCH, [1], 60, seat=0, request_id=own),
    "undo": lambda client, own: client.undo(MATCH, 1, version=2, request_id=own),
    "answer_undo": lambda client, own: client.answer_undo(MATCH, accept=True, version=2, request_id=own),
    "redo": lambda client, own: client.redo(MATCH, version=2, request_id=own),
}


@pytest.mark.parametrize("does", WITH_AN_ID)
def test_whatever_counts_once_takes_a_request_id(asked: Asked, does: str) -> None:
    for own in ("order-17", "order-17"):
        WITH_AN_ID[does](asked.client, own)
    keys = [sent.headers["Idempotency-Key"] for sent in asked.requests]
    assert keys == ['"order-17"', '"order-17"']
    assert [json.loads(sent.content)["request_id"] for sent in asked.requests] == ["order-17"] * 2
    OF_A_MATCH[does](asked.client, MATCH)
    OF_A_MATCH[does](asked.client, MATCH)
    first, second = (sent.headers["Idempotency-Key"] for sent in asked.requests[2:])
    assert len({first, second, '"order-17"'}) == 3, "one of its own each time"
    assert "request_id" not in json.loads(asked.requests[-1].content)
    with pytest.raises(ValueError, match="is no request id"):
        WITH_AN_ID[does](asked.client, "")


@pytest.mark.parametrize("own", ["", "Größe", "a\r\nX-Other: b", "a\n"])
def test_what_no_header_carries_is_no_request_id(asked: Asked, own: str) -> None:
    with pytest.raises(ValueError, match="is no request id"):
        asked.client.create_match(game="river_dragons", seats=2, request_id=own)
    assert asked.requests == []


@pytest.mark.parametrize("ending", ["\n", "\r\n", " ", "é"])
def test_a_credential_that_can_be_none_is_refused_without_repeating_it(ending: str) -> None:
    with pytest.raises(ValueError, match="no credential has") as refused:
        Client("http://table.test", SECRET + ending)
    assert SECRET not in str(refused.value)
