"""Clients made for the last release go on working: the OpenAPI document is compared with the one of then."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.support.documents import ROOT
from tests.support.openapi_baseline import baseline, promises
from tests.support.openapi_changes import broken
from tests.support.running_system import System

RELEASED = ROOT / "docs" / "api" / "openapi.json"
TAKEN_BACK = {
    "GET /metrics is gone": "operators only, on a port of their own; nobody's client was made for it",
}
"""What was promised and is no longer, with the reason. A new baseline (`make release-baseline`) empties this."""
RENAMED = {"HouseEvent": "MatchEvent", "HouseRequest": "MatchCommand", "NewClock": "ClockSettings"}
"""Schemas with another name than in the last release: what they allow is the same, and is compared."""
MOVES = "/v1/matches/{match_id}/moves"

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document(system: System) -> Document:
    """With all games in it."""
    with system.client() as client:
        found: Document = client.get("/openapi.json").json()
    return found


def test_what_was_released_is_not_broken(document: Document) -> None:
    released = RELEASED.read_text()
    for before, now in RENAMED.items():
        released = released.replace(before, now)
    assert broken(json.loads(released), document) == sorted(TAKEN_BACK)


def test_what_is_stored_says_which_release_it_is_of_and_that_it_is_not_what_is_served(
    document: Document,
) -> None:
    stored = json.loads(RELEASED.read_text())
    for one in (stored, baseline(document)):
        assert one["info"]["version"] in one["info"]["title"]
        assert "`GET /openapi.json`" in one["info"]["description"]
        assert one["info"]["title"] != document["info"]["title"]


def test_a_baseline_keeps_every_promise_and_no_words(document: Document) -> None:
    kept = promises(document)
    assert broken(kept, document) == []
    assert "description" not in schema(kept, "Match")
    assert "title" in schema(kept, "Match")["properties"]


def schema(document: Document, name: str) -> Document:
    found: Document = document["components"]["schemas"][name]
    return found


def a_route_is_gone(document: Document) -> None:
    del document["paths"][MOVES]["post"]


def an_operation_has_another_name(document: Document) -> None:
    document["paths"][MOVES]["post"]["operationId"] = "play"


def a_parameter_is_gone(document: Document) -> None:
    parameters = document["paths"][MOVES]["get"]["parameters"]
    parameters[:] = [one for one in parameters if one["name"] != "wait"]


def a_parameter_is_required(document: Document) -> None:
    new = {"in": "query", "name": "colour", "required": True, "schema": {"type": "string"}}
    document["paths"][MOVES]["get"]["parameters"].append(new)


def a_request_needs_more(document: Document) -> None:
    schema(document, "MoveRequest")["required"].append("seat")


def a_request_takes_fewer_values(document: Document) -> None:
    schema(document, "CreateMatchRequest")["properties"]["visibility"]["enum"].remove("unlisted")


def an_answer_lacks_a_member(document: Document) -> None:
    del schema(document, "MoveAnswer")["properties"]["to_act"]


def an_answer_may_lack_a_member(document: Document) -> None:
    schema(document, "MoveAnswer")["required"].remove("to_act")


def a_member_has_another_type(document: Document) -> None:
    schema(document, "MoveAnswer")["properties"]["version"] = {"type": "string"}


def a_game_has_an_action_less(document: Document) -> None:
    options = schema(document, "Action")["anyOf"]
    options.remove({"$ref": "#/components/schemas/river_dragons.Jump"})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (a_route_is_gone, f"POST {MOVES} is gone"),
        (an_operation_has_another_name, f"POST {MOVES} has another operationId"),
        (a_parameter_is_gone, f"GET {MOVES}, query parameter wait is gone"),
        (a_parameter_is_required, f"GET {MOVES}, query parameter colour is required"),
        (a_request_needs_more, "MoveRequest (sent).seat is required"),
        (a_request_takes_fewer_values, "CreateMatchRequest (sent).visibility takes fewer values"),
        (an_answer_lacks_a_member, "MoveAnswer (answered).to_act is gone"),
        (an_answer_may_lack_a_member, "MoveAnswer (answered).to_act may be missing"),
        (a_member_has_another_type, "MoveAnswer (answered).version has another type"),
        (a_game_has_an_action_less, "Action (sent) has no river_dragons.Jump"),
    ],
)
def test_a_break_is_found(document: Document, change: Callable[[Document], None], told: str) -> None:
    after = deepcopy(document)
    change(after)
    assert told in broken(document, after)
    assert told in broken(promises(document), after)


def test_what_is_added_breaks_nobody(document: Document) -> None:
    after = deepcopy(document)
    after["paths"]["/v1/weather"] = {"get": {"operationId": "getWeather", "responses": {}}}
    schema(after, "MoveRequest")["properties"]["colour"] = {"type": "string"}
    answer = schema(after, "MoveAnswer")
    answer["properties"]["colour"] = {"type": "string"}
    answer["required"].append("colour")
    answer["properties"]["status"]["enum"].append("paused")
    assert broken(document, after) == []
