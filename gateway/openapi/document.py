"""The OpenAPI 3.1 document: the routes, our own schemas, and the games' schemas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final, TypeVar

import msgspec
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from foldtable.rules.v1.rules_service_pb2 import DescribeGameResponse
from gateway.openapi.comments import add_comments
from gateway.openapi.examples import add_examples, example_of
from gateway.openapi.export_schema import export_components
from gateway.openapi.games import COMPONENT, Schema, game_components
from gateway.openapi.links import add_links
from gateway.openapi.match_commands import command_components
from gateway.openapi.operation import RATE_LIMIT_HEADERS, RoutedPath
from gateway.openapi.parameters import SCHEMAS, completed
from gateway.openapi.unions import compilable
from gateway.openapi.webhooks import WEBHOOK_EVENTS, webhook_descriptions
from gateway.problems.document import MEDIA_TYPE as PROBLEM
from gateway.problems.reasons import GAME_RULE_TITLE, REASONS, ProblemReason, reasons_with
from gateway.schemas.inputs import COMPONENT_OF_OTHERS, RequestBody

Derived = TypeVar("Derived")
SCHEMAS_OF_REST: Final = "gateway.schemas."
FOR_ANYBODY: Final = frozenset(
    {"getMatch", "getView", "getTable", "listMoves", "streamMatch", "streamMatches", "replayMatch"}
)
"""The reads that a match may allow to anybody: their credential is optional."""
TITLE: Final = "Foldtable"
DESCRIPTION: Final = """A backend for board games. A match is a list of moves; its state is computed by replaying that list.

Create a match with an API key, give each player the token of a seat, or each player's page a session, and play: read `legal-actions`, post one of them as a
move with the version for which it was listed, and subscribe to the match's event stream. Every error is a problem document
(RFC 9457) whose `reason` is stable; `GET /problems` explains each. Seats are counted from 0, times are RFC 3339 in UTC.
"""
TAGS: Final = (
    {"name": "games", "description": "The games that can be played."},
    {
        "name": "accounts",
        "description": "Tenants, API keys, sessions of players, and what a credential permits.",
    },
    {"name": "matches", "description": "Creating and finding matches, taking seats, issuing tokens."},
    {"name": "moves", "description": "Making moves, undoing them, and reading the moves that were made."},
    {"name": "views", "description": "The state of a match as an audience sees it, and the legal actions."},
    {"name": "streams", "description": "Live event streams of matches, and feeds."},
    {
        "name": "bots",
        "description": "Bots in seats, the matches that wait for them, and sampled states for search.",
    },
    {
        "name": "exports",
        "description": "Exporting a whole match as one document, importing it, and verifying it.",
    },
    {
        "name": "webhooks",
        "description": "Events of matches: endpoints to push them to, and a feed to pull them from.",
    },
    {"name": WEBHOOK_EVENTS, "description": "What those endpoints are sent."},
    {"name": "problems", "description": "The meaning of every error reason."},
    {"name": "health", "description": "Probes for the platform that runs the process."},
    {"name": "documents", "description": "This document, and the gRPC contracts."},
)
RATE_LIMIT_FIELDS: Final = {
    "RateLimit": {
        "description": "The bucket the request counted against: `r` requests are left, and one more is available in `t` seconds "
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
    """The document of a set of routes. It is generated again only when a game's description changes."""

    def __init__(self, routes: Sequence[RoutedPath]) -> None:
        order = [tag["name"] for tag in TAGS]
        self._routes = sorted(routes, key=lambda route: order.index(str(route.tags[0])))
        self._made_of: list[bytes] = []
        self._document = b""

    def render(self, games: Sequence[DescribeGameResponse]) -> bytes:
        """Return the document as JSON."""
        made_of = [game.SerializeToString(deterministic=True) for game in games]
        if made_of != self._made_of or not self._document:
            self._document = msgspec.json.encode(_document(self._routes, games))
            self._made_of = made_of
        return self._document


def _document(routes: Sequence[RoutedPath], games: Sequence[DescribeGameResponse]) -> Schema:
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
    schemas = {
        **document["components"]["schemas"],
        **input_components(),
        **our_components(),
        **export_components(),
        **command_components(),
        **game_components(games),
    }
    _complete(document, schemas)
    compilable(schemas)
    add_examples(schemas)
    document["components"] = {
        "schemas": dict(sorted(schemas.items())),
        "responses": _problem_responses(),
        "headers": RATE_LIMIT_FIELDS,
        "securitySchemes": document["components"]["securitySchemes"],
    }
    document["webhooks"] = webhook_descriptions()
    _add_game_examples(document, schemas, games)
    add_links(document)
    return document


def _complete(document: Schema, schemas: dict[str, Schema]) -> None:
    """Add what FastAPI's document lacks, and remove FastAPI's own validation response, which this API does not use."""
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    for item in document["paths"].values():
        for operation in item.values():
            operation.setdefault("security", [])
            if operation["operationId"] in FOR_ANYBODY:
                operation["security"].append({})
            operation["parameters"] = [completed(one) for one in operation.get("parameters", ())]
            invalid = operation["responses"].get("422", {})
            if "content" in invalid:
                del operation["responses"]["422"]
            if "$ref" in invalid:
                operation["responses"]["422"] = {"$ref": invalid["$ref"]}


def input_components() -> dict[str, Schema]:
    """Return FastAPI's schemas of all bodies that are pydantic models, with references to the data that passes through."""
    models = [
        model for model in _ours(RequestBody) if not model.__subclasses__()
    ]  # others are no bodies themselves
    _, schema = models_json_schema(
        [(model, "validation") for model in models], ref_template=f"{COMPONENT}{{model}}"
    )
    components: dict[str, Schema] = schema["$defs"]
    for model in models:
        add_comments(components[model.__name__], model)
    for component in components.values():
        for member in component.get("properties", {}).values():
            if COMPONENT_OF_OTHERS in member:
                member["$ref"] = COMPONENT + member.pop(COMPONENT_OF_OTHERS)
    return components


def _ours(base: type[Derived]) -> Iterator[type[Derived]]:
    """Yield the types of REST that are derived from a class."""
    for one in base.__subclasses__():
        if one.__module__.startswith(SCHEMAS_OF_REST):
            yield one
        yield from _ours(one)


def our_components() -> dict[str, Schema]:
    """Return the schemas of our msgspec structs: all that the routes have imported."""
    shapes = list(_ours(msgspec.Struct))
    _, components = msgspec.json.schema_components(shapes, ref_template=SCHEMAS)
    for shape in shapes:
        add_comments(components[shape.__name__], shape)
        if shape.__struct_config__.tag is not None:  # msgspec describes no tags
            components[shape.__name__]["properties"][shape.__struct_config__.tag_field]["description"] = (
                "Its kind."
            )
    return components


def _problem_responses() -> dict[str, Schema]:
    """Return a shared response for each HTTP status of a problem."""
    statuses = {
        int(status) for row in REASONS.values() for status in (row.status, row.conditional_status) if status
    }
    return {f"Problem{status}": _problem_response(status) for status in sorted(statuses)}


def _problem_response(status: int) -> Schema:
    rows = reasons_with(status)
    sentences = [f"`{row.name}`: {row.title}." for row in rows]
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        sentences.append(f"Any other reason is a rule of the game. {GAME_RULE_TITLE}.")
    response: Schema = {
        "description": " ".join(sentences),
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
    405: ("Allow", "The methods of this path."),
    429: ("Retry-After", "Seconds to wait."),
    503: ("Retry-After", "Seconds to wait."),
}


def _problem_example(row: ProblemReason, status: int) -> Schema:
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
    """Add examples of a new match and a move for every game. They are generated from the games' schemas."""
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
