"""Compressed answers over HTTP: they decode to the same bytes, their tags work, and no credential is in them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from gateway.http.compression.credentials import WITH_CREDENTIALS
from tests.gateway.conftest import World
from tests.gateway.table import Platform, Player, Table, unmarked

GZIP: Final = {"accept_encoding": "gzip"}
CREDENTIALS: Final = frozenset({"token", "secret", "ticket", "playerCredentials"})
OTHERS: Final = frozenset({("LoginCode", "code")})
"""Credentials in fields whose names elsewhere mean something else."""
PUBLISHED: Final = frozenset({("Match", "secret"), ("MatchExport", "secret")})
"""The secret of a match is null until the match is over, and published then; only matches that are over are exported."""
REFERENCE: Final = "#/components/schemas/"


def raw(player: httpx.Client, path: str, **headers: str) -> tuple[httpx.Response, bytes]:
    """Return a response and its body as it was sent."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with player.stream("GET", path, headers=sent) as answer:
        return answer, b"".join(answer.iter_raw())


def test_a_replay_is_compressed_and_decodes_to_the_same_bytes(table: Table) -> None:
    table.play_on(30)
    path = f"{table.path}/replay"
    plain, lines = raw(table.players[0], path, accept="application/x-ndjson")
    zipped, body = raw(table.players[0], path, accept="application/x-ndjson", **GZIP)
    assert "content-encoding" not in plain.headers
    assert (zipped.headers["content-encoding"], zipped.headers["content-type"]) == (
        "gzip",
        "application/x-ndjson",
    )
    assert "Accept-Encoding" in zipped.headers["vary"]
    assert gzip.decompress(body) == lines
    assert len(body) < len(lines) / 5


def test_a_compressed_view_has_a_tag_of_its_own_which_works_wherever_tags_do(player: Player) -> None:
    path = f"/v1/matches/{player.match_id}/view"
    plain, _ = raw(player, path)
    zipped, body = raw(player, path, **GZIP)
    assert (unmarked(plain), unmarked(zipped)) == ('"v:1"', '"v:1-gzip"')
    as_it_is, packed = plain.headers["etag"], zipped.headers["etag"]
    assert packed == f'{as_it_is[:-1]}-gzip"'
    assert gzip.decompress(body) == player.get(path).content
    for accepted in ("gzip", "identity"):
        for known in (as_it_is, packed, f"W/{as_it_is}", f"W/{packed}"):
            for listed in (known, f'"v:7", {known}'):
                again, _ = raw(player, path, if_none_match=listed, accept_encoding=accepted)
                assert (again.status_code, again.headers["etag"]) == (304, known)
                assert again.headers["vary"] == plain.headers["vary"]
    legal = player.look("legal-actions", samples=1).json()["samples"][0]
    stale = player.move(legal, headers={"if-match": '"v:0-gzip"'})
    assert stale.status_code == 412
    moved = player.move(legal, headers={"if-match": packed, "accept-encoding": "gzip"})
    assert (moved.status_code, unmarked(moved)) == (200, '"v:2"')


def test_a_response_with_a_token_is_not_compressed(platform: Platform) -> None:
    seating = [{"player": "p" * 64, "name": f"{number}" * 100} for number in range(4)]
    body = {"game": "river_dragons", "seats": 4, "seating": seating}
    answer = platform.post("/v1/matches", json=body, headers={"accept-encoding": "gzip"})
    assert len(answer.content) > 1024
    assert "content-encoding" not in answer.headers
    described = platform.get("/v1/games/river_dragons", headers={"accept-encoding": "gzip"})
    assert described.headers["content-encoding"] == "gzip"


STREAMS = {
    "one match": "/v1/matches/{match}/stream",
    "with tables": "/v1/matches/{match}/stream?include=table&lang=en",
    "several matches": "/v1/stream?matches={match}",
    "a feed": "/v1/feed",
}


@pytest.mark.parametrize("path", STREAMS.values(), ids=STREAMS)
def test_an_event_stream_can_be_decoded_as_it_comes_and_says_the_same(table: Table, path: str) -> None:
    """Its first event at once, and the next one after a move."""
    caller = table.platform if path == "/v1/feed" else table.players[0]
    read: dict[str, bytes] = {}
    for coding in ("identity", "gzip"):
        headers = {"accept": "text/event-stream", "accept-encoding": coding}
        with caller.stream("GET", path.format(match=table.match_id), headers=headers) as answer:
            assert answer.headers.get("content-encoding") == (None if coding == "identity" else "gzip")
            assert "Accept-Encoding" in answer.headers["vary"]
            decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
            text = b""
            for data in answer.iter_raw():
                text += data if coding == "identity" else decoder.decompress(data)
                if text.count(b"\n\n") == 1 and coding not in read:
                    read[coding] = text
                    if coding == "gzip":
                        table.players[0].any_move()
                if text.count(b"\n\n") > (coding == "gzip"):
                    break
    if path != "/v1/feed":  # of which other tests change the matches meanwhile
        assert read["gzip"] == read["identity"]
    assert read["gzip"].startswith(b"retry: 3000\n")


def test_what_compression_takes_is_measured(world: World, player: Player) -> None:
    raw(player, f"/v1/matches/{player.match_id}/view", **GZIP)
    for name in (
        "foldtable_compression_seconds",
        "foldtable_uncompressed_bytes",
        "foldtable_compressed_bytes",
    ):
        assert f"{name}_total " in world.gateway.metrics


def parts(document: dict[str, Any], node: Any) -> Iterator[tuple[str, str]]:
    """Yield the component and the name of every member that a schema describes."""
    waiting, seen = [("", node)], {""}
    while waiting:
        component, node = waiting.pop()
        if isinstance(node, list):
            waiting += [(component, one) for one in node]
        elif isinstance(node, dict):
            yield from ((component, name) for name in node.get("properties", {}))
            waiting += [(component, one) for one in node.values()]
            name = str(node.get("$ref", "")).removeprefix(REFERENCE)
            if name not in seen and name in document["components"]["schemas"]:
                seen.add(name)
                waiting.append((name, document["components"]["schemas"][name]))


def test_no_answer_with_a_credential_is_compressed(anybody: httpx.Client) -> None:
    document = anybody.get("/openapi.json").json()
    found = {
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
        for status, said in operation["responses"].items()
        if status.startswith("2")
        for component, name in parts(document, said)
        if (name in CREDENTIALS or (component, name) in OTHERS) and (component, name) not in PUBLISHED
    }
    assert found == WITH_CREDENTIALS
