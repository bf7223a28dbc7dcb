"""What an audience can ask of a running match, at a version of it: every answer is written down."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final
from unittest.mock import patch

import msgspec

from engine.kernel.codec import encode
from engine.kernel.text.texts import LANGUAGES
from foldtable.matches.v1 import bots_pb2, history_pb2, match_service_pb2_grpc, play_pb2, undo_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.matches.v1.table_pb2 import GetTableRequest, GetTableResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, PAYLOAD_FORM_TYPED, Payload
from services.rules.match.loaded_match import LoadedMatch
from tests.proofs.leaks.following import glance_at_streams
from tests.proofs.leaks.listeners import Listener, wire

MAX_PROBES: Final = 6
"""Actions that a seat tries out at a version; those of others too, also such as they have not made yet."""
NONSENSE: Final = {"type": "nonsense"}
NDJSON: Final = {"accept": "application/x-ndjson"}


async def look(one: Listener, version: int) -> None:
    """Ask what a client asks after every move."""
    await one.ask("match", version, "GET", one.match.path)
    view = await one.get("views", version, "view")
    tag = {"if-none-match": view.headers["etag"]}
    await one.ask("views", version, "GET", f"{one.match.path}/view", headers=tag)
    table = await one.get("tables", version, "table")
    has = {"if-none-match": table.headers["etag"]}
    await one.ask("tables", version, "GET", f"{one.match.path}/table", headers=has)
    await one.get("history", version, "moves", after=version - 1)
    language = LANGUAGES[version % len(LANGUAGES)]
    await one.get("texts", version, "moves", after=version - 1, lang=language)
    if one.seat is not None:
        await one.get("texts", version, "legal-actions", lang=language)
        await one.get("legal actions", version, "legal-actions", samples=3, hints=True)
        await one.get("undo", version, "undo")
        typed = pb.GetLegalActionsRequest(match_id=one.match.match_id, samples=3, form=PAYLOAD_FORM_TYPED)
        await one.call("rpc legal actions", version, "GetLegalActions", typed, pb.GetLegalActionsResponse)


async def look_closely(one: Listener, version: int) -> None:
    """Ask everything there is to ask, and try what is not allowed."""
    await _look_back(one, version)
    await one.ask("match", version, "GET", "/v1/token")
    await _look_over_grpc(one, version)
    await _read_words(one, version)
    await glance_at_streams(one, version)
    await _ask_for_more_than_allowed(one, version)
    if one.seat is None:
        nonsense = {"action": NONSENSE, "expected_version": version}
        await one.ask("refusals", version, "POST", f"{one.match.path}/moves", json=nonsense)
    else:
        await _try_out(one, version)


async def _look_back(one: Listener, version: int) -> None:
    await one.get("views", version, "view", at=(version + 1) // 2)
    await one.get("history", version, "moves", page_size=3)
    await one.get("history", version, "moves", after=version - 1, wait="1s")
    await one.get("exports", version, "export")
    await one.get("verification", version, "verify", draws_page_size=5)
    await one.get("determinizations", version, "determinizations", count=2, seed=f"seed {version}")
    path = f"{one.match.path}/replay"
    for what in ("both", "tables"):
        await one.get("replays", version, "replay", what=what, page_size=50)
        await one.ask("replays", version, "GET", path, params={"what": what}, headers=NDJSON)


async def _read_words(one: Listener, version: int) -> None:
    """Ask for words in every language, over REST and gRPC, and for those of a refusal."""
    for language in LANGUAGES:
        await one.get("texts", version, "view", lang=language)
        await one.get("texts", version, "table", lang=language)
        await one.get("texts", version, "replay", lang=language, what="events")
        await one.get("texts", version, "replay", lang=language, what="tables")
        told = pb.GetViewRequest(match_id=one.match.match_id, audience=one.audience, language=language)
        await one.call("texts", version, "GetView", told, pb.GetViewResponse)
    nonsense = {"action": NONSENSE, "expected_version": version}
    moves = f"{one.match.path}/moves"
    await one.ask("texts", version, "POST", moves, json=nonsense, params={"lang": "fr"})


async def _look_over_grpc(one: Listener, version: int) -> None:
    match_id, audience = one.match.match_id, one.audience
    for form in (PAYLOAD_FORM_TYPED, PAYLOAD_FORM_JSON):
        at = {"match_id": match_id, "audience": audience, "form": form}
        await one.call("rpc views", version, "GetView", pb.GetViewRequest(**at), pb.GetViewResponse)
        await one.call("tables", version, "GetTable", GetTableRequest(**at), GetTableResponse)
        await one.call("rpc history", version, "ListMoves", pb.ListMovesRequest(**at), pb.ListMovesResponse)
    dealt = bots_pb2.DeterminizeRequest(match_id=match_id, audience=audience, count=2, seed=f"seed {version}")
    await one.call("determinizations", version, "Determinize", dealt, bots_pb2.DeterminizeResponse)
    exported = pb.ExportMatchRequest(match_id=match_id, audience=audience)
    await one.call("rpc past", version, "ExportMatch", exported, pb.ExportMatchResponse)
    await _replay_over_grpc(one, version)
    await one.call(
        "rpc match", version, "GetMatch", pb.GetMatchRequest(match_id=match_id), pb.GetMatchResponse
    )
    verify = pb.VerifyMatchRequest(match_id=match_id)
    await one.call("verification", version, "VerifyMatch", verify, pb.VerifyMatchResponse)
    if one.seat is not None:
        undo = undo_pb2.GetUndoRequest(match_id=match_id)
        await one.call("undo", version, "GetUndo", undo, undo_pb2.GetUndoResponse)


async def _replay_over_grpc(one: Listener, version: int) -> None:
    stub = match_service_pb2_grpc.MatchServiceStub(one.channel)
    for content in (history_pb2.REPLAY_CONTENT_BOTH, history_pb2.REPLAY_CONTENT_TABLES):
        asked = history_pb2.ReplayMatchRequest(
            match_id=one.match.match_id, audience=one.audience, form=PAYLOAD_FORM_TYPED, content=content
        )
        parts = [part async for part in stub.ReplayMatch(asked, metadata=one.metadata, timeout=60)]
        for number, part in enumerate(parts):
            said = wire(part.SerializeToString(), type(part))
            one.hear("rpc past", version, f"ReplayMatch {content} {number}", said)


async def _ask_for_more_than_allowed(one: Listener, version: int) -> None:
    """Look with others' eyes, at a version there is not, and at what the problem says of itself."""
    other = (one.seat or 0) + 1 if one.match.twins.seats > (one.seat or 0) + 1 else 0
    await one.get("refusals", version, "view", seat=other)
    await one.get("refusals", version, "view", audience="referee")
    await one.get("refusals", version, "table", seat=other)
    await one.get("refusals", version, "export", audience="referee")
    refused = await one.get("refusals", version, "view", at=version + 1)
    await one.ask("problem pages", version, "GET", refused.json()["type"], headers={"accept": "text/html"})


async def _try_out(one: Listener, version: int) -> None:
    """Ask whether others' actions and one's own would be allowed, now and on an old version; make those that are not."""
    moves = f"{one.match.path}/moves"
    for action in _probes(one, version):
        now = {"action": msgspec.Raw(action), "expected_version": version}
        stale = now | {"expected_version": max(1, version - 2)}
        for body in (now, stale):
            tried = await one.ask(
                "dry runs", version, "POST", moves, **_body(body), params={"dry_run": "true"}
            )
            if tried.status_code >= 400:  # what is refused now can be asked for without harm
                await one.ask("refusals", version, "POST", moves, **_body(body))
                await one.ask("texts", version, "POST", moves, **_in_parts(body), params={"lang": "it"})
        rehearsed = play_pb2.ActRequest(
            match_id=one.match.match_id,
            action=Payload(json=action),
            expected_version=version,
            dry_run=True,
            form=PAYLOAD_FORM_TYPED,
        )
        await one.call("rpc refusals", version, "Act", rehearsed, play_pb2.ActResponse)
    await one.ask("refusals", version, "POST", moves, json={"action": NONSENSE, "expected_version": version})
    too_new = {"action": msgspec.Raw(one.match.twins.rows[0].truth), "expected_version": version + 5}
    await one.ask("refusals", version, "POST", moves, **_body(too_new))
    await one.ask("refusals", version, "POST", moves, **_body({"action": too_new["action"]}))


def _probes(one: Listener, version: int) -> list[bytes]:
    """Return actions of all seats, past and to come, as they are made in the first run: the same for both."""
    rows = one.match.twins.rows
    step = max(1, len(rows) // MAX_PROBES)
    return list(dict.fromkeys(row.truth for row in rows[version % step :: step]))[:MAX_PROBES]


def _body(body: dict[str, Any]) -> dict[str, Any]:
    return {"content": msgspec.json.encode(body), "headers": {"content-type": "application/json"}}


def _in_parts(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body that is sent as chunks, so that the gateway does not take it as a whole."""

    async def parts() -> AsyncIterator[bytes]:
        yield msgspec.json.encode(body)

    return _body(body) | {"content": parts()}


async def meet_a_fault(one: Listener, version: int) -> None:
    """Ask while something breaks with the whole table in its error."""
    errors = "internal errors"

    def broken(*tables: Any, **_: Any) -> Any:
        (table,) = [each for each in tables if isinstance(each, LoadedMatch)]
        raise RuntimeError(encode(table.state).decode())

    with (
        patch("services.rules.views.looking.view", broken),
        patch("services.rules.match.moves.judge", broken),
    ):
        await one.get(errors, version, "view", at=1)
        asked = pb.GetViewRequest(match_id=one.match.match_id, audience=one.audience)
        await one.call(errors, version, "GetView", asked, pb.GetViewResponse)
        if one.seat is not None:
            body = {"action": msgspec.Raw(one.match.twins.rows[0].truth), "expected_version": version}
            moves = f"{one.match.path}/moves"
            await one.ask(errors, version, "POST", moves, **_body(body), params={"dry_run": "true"})


async def fork(one: Listener, version: int) -> None:
    """Fork the match a version back, with one's own credential, and look at the fork."""
    made = await one.ask(
        "forks", version, "POST", f"{one.match.path}/fork", json={"version": max(1, version - 1)}
    )
    if made.status_code != 201:
        return  # nobody had anything to decide there; the refusal is written down
    path = f"/v1/matches/{made.json()['match']['match_id']}"
    for token in made.json()["seat_tokens"]:
        bearer = {"authorization": f"Bearer {token['token']}"}
        for what in ("view", "table", "moves", "export", "legal-actions"):
            await one.ask("forks", version, "GET", f"{path}/{what}", headers=bearer)
