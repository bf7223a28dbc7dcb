"""The OpenAPI document leaves nothing unsaid: every schema and member, every parameter, every way on."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.support.openapi_gaps import gaps
from tests.support.running_system import System

MOVES = "/v1/matches/{match_id}/moves"

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document(system: System) -> Document:
    """With all games in it."""
    with system.client() as client:
        found: Document = client.get("/openapi.json").json()
    return found


def test_nothing_is_left_unsaid(document: Document) -> None:
    assert gaps(document) == []


def schema(document: Document, name: str) -> Document:
    found: Document = document["components"]["schemas"][name]
    return found


def created(document: Document) -> Document:
    found: Document = document["paths"]["/v1/matches"]["post"]["responses"]["201"]
    return found


def a_schema_without_a_title(document: Document) -> None:
    del schema(document, "MoveAnswer")["title"]


def a_schema_without_an_example(document: Document) -> None:
    del schema(document, "river_dragons.Step")["examples"]


def a_member_without_a_description(document: Document) -> None:
    del schema(document, "river_dragons.PawnStepped")["properties"]["seat"]["description"]


def a_union_without_a_discriminator(document: Document) -> None:
    del schema(document, "river_dragons.Action")["discriminator"]


def an_operation_without_an_id(document: Document) -> None:
    del document["paths"][MOVES]["post"]["operationId"]


def an_operation_that_says_not_who_may(document: Document) -> None:
    del document["paths"][MOVES]["post"]["security"]


def a_parameter_without_an_example(document: Document) -> None:
    del document["paths"][MOVES]["post"]["parameters"][0]["schema"]["examples"]


def a_refusal_in_words_of_its_own(document: Document) -> None:
    document["paths"][MOVES]["post"]["responses"]["404"] = {"description": "None."}


def a_match_that_leads_nowhere(document: Document) -> None:
    del created(document)["links"]


def a_link_to_nothing(document: Document) -> None:
    created(document)["links"]["view"]["operationId"] = "getSight"


def a_link_with_a_wrong_pointer(document: Document) -> None:
    created(document)["links"]["view"]["parameters"]["match_id"] = "$response.body#/game/match_id"


def a_webhook_that_is_not_told(document: Document) -> None:
    del document["webhooks"]["match.ended"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (a_schema_without_a_title, "MoveAnswer has no title"),
        (a_schema_without_an_example, "river_dragons.Step has no examples"),
        (a_member_without_a_description, "river_dragons.PawnStepped.seat has no description"),
        (a_union_without_a_discriminator, "river_dragons.Action has no discriminator"),
        (an_operation_without_an_id, f"POST {MOVES} has no operationId"),
        (an_operation_that_says_not_who_may, f"POST {MOVES} has no security"),
        (a_parameter_without_an_example, f"POST {MOVES}, parameter match_id has no example"),
        (a_refusal_in_words_of_its_own, f"POST {MOVES} describes 404 with a text of its own"),
        (a_match_that_leads_nowhere, "POST /v1/matches leads nowhere"),
        (a_link_to_nothing, "POST /v1/matches, link view leads to no operation"),
        (
            a_link_with_a_wrong_pointer,
            "POST /v1/matches, link view: there is no $response.body#/game/match_id",
        ),
        (a_webhook_that_is_not_told, "webhook match.ended has no description"),
    ],
)
def test_a_gap_is_found(document: Document, change: Callable[[Document], None], told: str) -> None:
    after = deepcopy(document)
    change(after)
    assert told in gaps(after)
