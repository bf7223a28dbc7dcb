"""The OpenAPI 3.1 document: the routes as they document themselves, our structs, and the games' own schemas."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final

import msgspec
from fastapi.openapi.utils import get_openapi

from foldtable.rules.v1.rules_service_pb2 import DescribeGameResponse
from gateway.documented import RATE_LIMIT_HEADERS, ThinRoute
from gateway.documented_parameters import SCHEMAS
from gateway.export_schema import export_components
from gateway.game_schemas import COMPONENT, Schema, game_components
from gateway.house_schemas import house_components
from gateway.links import add_links
from gateway.problem_documents import MEDIA_TYPE as PROBLEM
from gateway.problem_documents import Problem
from gateway.problem_rows import Reason
from gateway.problems import GAME_RULE_TITLE, REASONS, reasons_with
from gateway.schema_examples import add_examples, example_of
from gateway.schemas import (
    accounts,
    answers,
    bgio,
    bots,
    events,
    history,
    live,
    lobby,
    problem_types,
    requests,
    undo,
    webhooks,
)
from gateway.schemas.requests import Input
from gateway.webhook_descriptions import webhook_descriptions

TITLE: Final = "Foldtable"
DESCRIPTION: Final = """A backend for board games. A match is a list of moves; the table is the fold of that list.

Create a match with an API key, hand each player the token of a seat, and play: look at `legal-actions`, post one of them
back as a move with the version it was listed for, follow the match as an event stream. Every error is a problem document
(RFC 9457) whose `reason` is stable; `GET /problems` explains each. Seats are counted from 0, times are RFC 3339 in UTC.
"""
TAGS: Final = (
    {"name": "games", "description": "What can be played."},
    {"name": "accounts", "description": "Tenants, API keys, and what a credential is good for."},
    {"name": "matches", "description": "Creating and finding matches, taking seats, handing out tokens."},
    {"name": "moves", "description": "Playing, and reading what was played."},
    {"name": "views", "description": "Looking at the table."},
    {"name": "streams", "description": "Following a match."},
    {"name": "bots", "description": "Who plays for players, and what it may think with."},
    {"name": "exports", "description": "A whole match as one document, and its verification."},
    {"name": "boardgame.io", "description": "The lobby, as the `LobbyClient` of boardgame.io asks for it."},
    {"name": "webhooks", "description": "Being told what happens: endpoints to push to, and a feed to pull."},
    {"name": "problems", "description": "What every reason means."},
    {"name": "health", "description": "For the machines that run the process."},
    {"name": "documents", "description": "This document, and the gRPC contracts."},
)
SECURITY_SCHEMES: Final = {
    "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "ft_…",
        "description": "A tenant's API key: everything with the tenant's own matches that its scopes allow.",
    },
    "matchToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A token of one match: plays and looks as its seat, watches as a spectator or as the referee, "
        "or takes the seat of an invite.",
    },
    "streamTicket": {
        "type": "apiKey",
        "in": "query",
        "name": "ticket",
        "description": "A ticket for one stream, once: for an `EventSource`, which cannot send headers.",
    },
}
RATE_LIMIT_FIELDS: Final = {
    "RateLimit": {
        "description": "The bucket the request was taken from: `r` requests are left, and there is one more in `t` seconds "
        "(draft-ietf-httpapi-ratelimit-headers).",
        "schema": {"type": "string", "examples": ['"moves";r=1199;t=1']},
    },
    "RateLimit-Policy": {
        "description": "That bucket's quota: `q` requests in `w` seconds.",
        "schema": {"type": "string", "examples": ['"moves";q=1200;w=60']},
    },
}
_EXAMPLE_MATCH: Final = "/v1/matches/0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11/moves"


class OpenapiDocument:
    """The document of a set of routes; made anew only when a game says something else of itself."""

    def __init__(self, routes: Sequence[ThinRoute]) -> None:
        order = [tag["name"] for tag in TAGS]
        self._routes = sorted(routes, key=lambda route: order.index(str(route.tags[0])))
        self._made_of: list[bytes] = []
        self._document = b""

    def render(self, games: Sequence[DescribeGameResponse]) -> bytes:
        """Give the document as JSON."""
        made_of = [game.SerializeToString(deterministic=True) for game in games]
        if made_of != self._made_of or not self._document:
            self._document = msgspec.json.encode(_document(self._routes, games))
            self._made_of = made_of
        return self._document


def _document(routes: Sequence[ThinRoute], games: Sequence[DescribeGameResponse]) -> Schema:
    document = get_openapi(
        title=TITLE,
        version=version("foldtable"),
        summary="A backend for board games.",
        description=DESCRIPTION,
        servers=[{"url": "/", "description": "The address this document came from."}],
        contact={"name": "The Foldtable authors"},
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        tags=[dict(tag) for tag in TAGS],
        routes=routes,
    )
    schemas = {**our_components(), **export_components(), **house_components(), **game_components(games)}
    add_examples(schemas)
    document["components"] = {
        "schemas": dict(sorted(schemas.items())),
        "responses": _problem_responses(),
        "headers": RATE_LIMIT_FIELDS,
        "securitySchemes": SECURITY_SCHEMES,
    }
    document["webhooks"] = webhook_descriptions()
    _add_game_examples(document, schemas, games)
    add_links(document)
    return document


def our_components() -> dict[str, Schema]:
    """Give the schemas of everything our own structs say."""
    shapes = [
        value
        for module in (
            requests,
            answers,
            events,
            accounts,
            bgio,
            history,
            live,
            lobby,
            undo,
            problem_types,
            bots,
            webhooks,
        )
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, msgspec.Struct)
        and value.__module__ == module.__name__
        and value is not Input
        and not value.__name__.endswith("Query")  # they stand as parameters
    ]
    _, components = msgspec.json.schema_components([*shapes, Problem], ref_template=SCHEMAS)
    return components


def _problem_responses() -> dict[str, Schema]:
    """Give a shared response per HTTP status that tells a problem."""
    statuses = {
        int(status) for row in REASONS.values() for status in (row.status, row.conditional_status) if status
    }
    return {f"Problem{status}": _problem_response(status) for status in sorted(statuses)}


def _problem_response(status: int) -> Schema:
    rows = reasons_with(status)
    told = [f"`{row.name}`: {row.title}." for row in rows]
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        told.append(f"Any other reason is a rule of the game. {GAME_RULE_TITLE}.")
    response: Schema = {
        "description": " ".join(told),
        "content": {
            PROBLEM: {
                "schema": {"$ref": f"{COMPONENT}Problem"},
                "examples": {row.name: {"value": _problem_example(row, status)} for row in rows},
            }
        },
    }
    response["headers"] = dict(RATE_LIMIT_HEADERS)
    headers = _PROBLEM_HEADERS.get(status)
    if headers is not None:
        name, text = headers
        response["headers"][name] = {"description": text, "schema": {"type": "string"}}
    return response


_PROBLEM_HEADERS: Final = {
    401: ("WWW-Authenticate", "How to authenticate (RFC 6750)."),
    405: ("Allow", "The methods this path knows."),
    429: ("Retry-After", "Seconds to wait."),
    503: ("Retry-After", "Seconds to wait."),
}


def _problem_example(row: Reason, status: int) -> Schema:
    return {
        "type": f"/problems/{row.name}",
        "title": row.title,
        "status": status,
        "detail": row.meaning,
        "instance": _EXAMPLE_MATCH,
        "reason": row.name,
        "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
    }


def _add_game_examples(
    document: Schema, schemas: dict[str, Schema], games: Sequence[DescribeGameResponse]
) -> None:
    """Show a new match and a move of every game; made from the games' schemas, since no game is known here."""
    creations: dict[str, Any] = {}
    moves: dict[str, Any] = {}
    for game in games:
        name = game.summary.game
        seats = min(game.summary.seat_counts, default=2)
        creations[name] = {"value": {"game": name, "seats": seats}}
        creations[f"{name}_with_open_seats"] = {"value": {"game": name, "seats": seats, "open_seats": True}}
        action = example_of(schemas[f"{name}.Action"], schemas)
        moves[name] = {"value": {"action": action, "expected_version": 12}}
    for path, examples in (("/v1/matches", creations), ("/v1/matches/{match_id}/moves", moves)):
        content = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        content["examples"] = examples
