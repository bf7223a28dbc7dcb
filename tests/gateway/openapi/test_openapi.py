"""The OpenAPI document: valid, complete, and true of what is really answered."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from gateway.problems.reasons import REASONS
from gateway.routes import ROUTES
from tests.gateway.table import PROGRAM, Caller, Platform, Player, Table
from tests.support.match_documents import a_match, document_of

Document = dict[str, Any]


@pytest.fixture(scope="module")
def document(platform: Platform) -> Document:
    answer = platform.get("/openapi.json")
    assert answer.status_code == 200
    read: Document = answer.json()
    return read


class Contract:
    """Checks answers against the document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        self._registry: Registry[Any] = Registry().with_resource("urn:openapi", resource)

    def operation(self, answer: httpx.Response) -> Document:
        """Find the operation that was asked. A concrete path comes before a templated one (OpenAPI 3.1 §4.8.8)."""
        paths: Document = self._document["paths"]
        for template, operations in sorted(paths.items(), key=lambda item: item[0].count("{")):
            pattern = re.sub(r"\{\w+\}", "[^/]+", template)
            if re.fullmatch(pattern, answer.request.url.path) and answer.request.method.lower() in operations:
                found: Document = operations[answer.request.method.lower()]
                return found
        raise AssertionError(f"{answer.request.method} {answer.request.url.path} is not in the document")

    def check(self, answer: httpx.Response) -> None:
        """The status is announced, the media type too, and the body fits its schema."""
        responses = self.operation(answer)["responses"]
        assert str(answer.status_code) in responses, (
            answer.request.url.path,
            answer.status_code,
            answer.text,
        )
        response = responses[str(answer.status_code)]
        if "$ref" in response:
            response = self._document["components"]["responses"][response["$ref"].rpartition("/")[2]]
        if not answer.content:
            assert "content" not in response
            return
        media_type = answer.headers["content-type"].partition(";")[0]
        schema = response["content"][media_type]["schema"]
        if "contentSchema" in schema:  # lines of JSON
            for line in answer.text.splitlines():
                self.fits(schema["contentSchema"], json.loads(line))
        elif media_type.endswith("json"):
            self.fits(schema, answer.json())

    def fits(self, schema: Document, value: Any) -> None:
        root = {"$id": "urn:check", **_absolute(schema)}
        Draft202012Validator(root, registry=self._registry).validate(value)


def _absolute(node: Any) -> Any:
    if isinstance(node, dict):
        return {
            key: f"urn:openapi{value}" if key == "$ref" and value.startswith("#") else _absolute(value)
            for key, value in node.items()
        }
    return [_absolute(item) for item in node] if isinstance(node, list) else node


@pytest.fixture(scope="module")
def contract(document: Document) -> Contract:
    return Contract(document)


def operations(document: Document) -> list[tuple[str, str, Document]]:
    return [
        (path, method, found) for path, item in document["paths"].items() for method, found in item.items()
    ]


def test_the_document_is_valid_openapi_3_1(document: Document) -> None:
    assert document["openapi"].startswith("3.1")
    validate(document)


def test_every_route_stands_in_it_the_hot_ones_too(document: Document) -> None:
    served = {
        (re.sub(r":\w+", "", route.path), method.lower()) for route in ROUTES for method in route.methods
    }
    assert {(path, method) for path, method, _ in operations(document)} == served


def test_every_operation_has_an_id_a_summary_a_description_and_says_who_may(document: Document) -> None:
    ids = []
    for path, method, operation in operations(document):
        assert operation["summary"], (path, method)
        assert operation["description"], (path, method)
        assert "security" in operation, (path, method)
        assert operation["tags"], (path, method)
        ids.append(operation["operationId"])
    assert len(ids) == len(set(ids))


def test_only_what_depends_on_nobody_is_public(document: Document) -> None:
    public = {
        operation["operationId"] for _, _, operation in operations(document) if operation["security"] == []
    }
    assert public == {
        "listGames",
        "describeGame",
        "getTexts",
        "getLayout",
        "listParagraphs",
        "listProblems",
        "getProblem",
        "getIndex",
        "getLiveness",
        "getReadiness",
        "getStartup",
        "getOpenapi",
        "getDescriptors",
        "getExportSchema",
        "getSigningKeys",
        "getReference",
        "getReferenceAsset",
        "redeemLoginCode",
        "getFrontEndFile",
    }


def test_streams_and_nothing_else_take_a_ticket_for_a_credential(document: Document) -> None:
    by_ticket = {
        operation["operationId"]
        for _, _, operation in operations(document)
        if {"streamTicket": []} in operation["security"]
    }
    assert by_ticket == {"streamMatch", "streamMatches", "streamFeed"}


def test_the_games_own_schemas_are_components(document: Document, platform: Platform) -> None:
    schemas = document["components"]["schemas"]
    for kind in ("Options", "Action", "Event", "Template", "View"):
        of_games = schemas[kind].get("x-unions", schemas[kind]["anyOf"])
        assert {"$ref": f"#/components/schemas/river_dragons.{kind}"} in of_games
    tags = {
        definition["properties"]["type"]["const"]
        if "const" in definition["properties"]["type"]
        else definition["properties"]["type"]["enum"][0]
        for definition in platform.get("/v1/games/river_dragons").json()["action_schema"]["$defs"].values()
        if "type" in definition.get("properties", {})
    }
    mapping = schemas["river_dragons.Action"]["discriminator"]["mapping"]
    assert set(mapping) == tags
    assert schemas[mapping["submit_program"].rpartition("/")[2]]["properties"]["cards"]


def test_every_reference_leads_somewhere(document: Document) -> None:
    for reference in re.findall(r"#/components/[\w./]+", str(document)):
        node: Any = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in node, reference
            node = node[step]


def test_every_reason_is_told_with_its_status(document: Document) -> None:
    responses = document["components"]["responses"]
    for row in REASONS.values():
        assert f"`{row.name}`" in responses[f"Problem{int(row.status)}"]["description"]
        example = responses[f"Problem{int(row.status)}"]["content"]["application/problem+json"]["examples"][
            row.name
        ]
        assert example["value"]["status"] == row.status


def test_the_examples_fit_their_schemas(document: Document, contract: Contract) -> None:
    checked = 0
    for _, _, operation in operations(document):
        contents = [operation.get("requestBody", {}).get("content", {})]
        contents += [response.get("content", {}) for response in document["components"]["responses"].values()]
        for content in contents:
            for media_type, media in content.items():
                for example in media.get("examples", {}).values():
                    if media_type.endswith("json"):
                        contract.fits(media["schema"], example["value"])
                        checked += 1
    assert checked > 10


def test_the_example_of_a_new_match_can_be_sent_as_it_is(document: Document, platform: Platform) -> None:
    examples = document["paths"]["/v1/matches"]["post"]["requestBody"]["content"]["application/json"][
        "examples"
    ]
    for example in examples.values():
        assert platform.post("/v1/matches", json=example["value"]).status_code == 201


def test_what_is_answered_is_what_the_document_says(
    contract: Contract, platform: Platform, operator: Platform
) -> None:
    """A match from its creation to its end, every operation, as platform, as player and as nobody."""
    answers = [platform.create(2, players=["ada"]), platform.create(2, open_seats=True)]
    waiting = answers[1].json()["match"]["links"]["self"]
    answers += [platform.post(f"{waiting}/join", json={"player": "ada"}), platform.get(f"{waiting}/view")]
    with platform.new_table() as table:
        player = table.players[0]
        answers += looks(table, player)
        answers += [player.move(PROGRAM, 1, request_id="one"), player.move(PROGRAM, 1, request_id="one")]
        answers += [
            player.move(PROGRAM, 2),
            player.move(PROGRAM, 0),
            player.move(PROGRAM),
            player.move({}, 2),
        ]
        answers += [player.move(PROGRAM, headers={"if-match": '"v:0"'}), player.move(PROGRAM, 2, seat=1)]
        table.play_on(8)
        answers += looks(table, player)
        answers += [platform.post(f"{table.path}/seats/1/token"), player.post(f"{table.path}/resign")]
        answers += looks(table, player)
    answers += [platform.get(path) for path in ("/v1/games", "/v1/games/river_dragons", "/v1/games/chess")]
    answers += [
        platform.get(path)
        for path in ("/", "/problems", "/problems/MATCH_OVER", "/livez", "/readyz", "/startupz")
    ]
    answers += [
        platform.get(path)
        for path in ("/docs", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/web/icon.svg")
    ]
    answers += [
        platform.get("/descriptors.binpb"),
        *called_off(platform),
        *in_words(platform),
        *tables(platform),
    ]
    answers += [platform.get("/openapi.json"), platform.get("/v1/matches/nonsense")]
    answers += [
        *sessions(platform),
        *accounts(operator),
        platform.get("/v1/token"),
        platform.get("/v1/tenants"),
    ]
    answers += webhooks(operator)
    answers += [
        *lobby(platform),
        *batches(platform),
        *tickets(platform),
        *taking_back(platform),
        *the_past(platform),
        *bots(platform),
    ]
    answers += clocked(platform)
    for answer in answers:
        contract.check(answer)
    asked = {contract.operation(answer)["operationId"] for answer in answers}
    assert len(asked) == len(ROUTES), "every operation"


def called_off(platform: Platform) -> list[httpx.Response]:
    """A match that never began, and one by rules that there are not."""
    match = platform.create(2, open_seats=True).json()["match"]["links"]["self"]
    answers = [platform.post(f"{match}/abort")]
    answers += [
        platform.get(f"{match}/{what}")
        for what in ("view", "stream", "determinizations", "replay", "moves", "export")
    ]
    assert [answer.status_code for answer in answers] == [200, 409, 200, 409, 200, 200, 200]
    return [*answers, platform.post(f"{match}/fork"), platform.create(2, rules_version="0.0.0")]


def taking_back(platform: Platform) -> list[httpx.Response]:
    with platform.new_table() as table:
        first, second = table.players
        first.move(PROGRAM, 1)
        return [
            first.look("undo"),
            first.post(f"{table.path}/undo", json={"to": 1, "expected_version": 2}),
            first.look("moves"),
            first.post(f"{table.path}/redo", json={"expected_version": 3}),
            second.move(PROGRAM, 4),
            first.post(f"{table.path}/undo", json={"to": 1, "expected_version": 5}),
            second.look("undo"),
            second.post(f"{table.path}/undo/answer", json={"accept": True, "expected_version": 6}),
            second.post(f"{table.path}/undo/answer", json={"accept": True, "expected_version": 7}),
            second.post(f"{table.path}/undo", json={"to": 9, "expected_version": 7}),
            second.post(f"{table.path}/undo", json={"to": 0, "expected_version": 7}),
            first.post(f"{table.path}/fork", json={"version": 5}),
            platform.post(f"{table.path}/fork", json={"version": 99}),
            second.post(f"{table.path}/pause"),
            first.post(f"{table.path}/pause/answer", json={"accept": True, "expected_version": 8}),
            first.look("view"),
            first.post(f"{table.path}/resume"),
            first.post(f"{table.path}/add-time", json={"seats": [1], "seconds": 60}),
            first.post(f"{table.path}/seats/0/replace/ask"),
            first.post(f"{table.path}/seats/1/replace/ask"),
            first.post(f"{table.path}/replace/answer", json={"accept": True, "expected_version": 12}),
            second.post(f"{table.path}/replace/answer", json={"accept": True, "expected_version": 12}),
            second.post(f"{table.path}/abort"),
            first.look("view"),
            second.post(f"{table.path}/abort/answer", json={"accept": True, "expected_version": 14}),
            first.post(f"{table.path}/abort/answer", json={"accept": True, "expected_version": 14}),
            first.look("view"),
            first.look("moves"),
        ]


def bots(platform: Platform) -> list[httpx.Response]:
    """A bot comes, thinks, is waited for, and goes."""
    match = platform.create(2, players=["ada", "bob"]).json()["match"]["links"]["self"]
    return [
        platform.post(f"{match}/seats/0/bot", json={"bot": "my-bot.2"}),
        platform.post(f"{match}/seats/0/bot", json={"level": "grandmaster"}),
        platform.get("/v1/bots/turns"),
        platform.get(f"{match}/determinizations", params={"seat": 0, "count": 2}),
        platform.get(f"{match}/determinizations", params={"count": 17}),
        platform.delete(f"{match}/seats/0/bot"),
    ]


def clocked(platform: Platform) -> list[httpx.Response]:
    """Ask for everything that tells of clocks."""
    clock = {"kind": "budget", "seconds": 600, "increment_seconds": 5, "absent": "bot"}
    created = platform.create(2, clock=clock)
    path = f"/v1/matches/{created.json()['match']['match_id']}"
    return [
        created,
        platform.get(path),
        platform.post(f"{path}/moves", json={"action": PROGRAM, "seat": 0}, headers={"if-match": '"v:1"'}),
        platform.get(f"{path}/view"),
        platform.get(f"{path}/legal-actions", params={"seat": 1}),
        platform.get(f"{path}/moves"),
        platform.post(f"{path}/return", json={"seat": 0}),
    ]


def the_past(platform: Platform) -> list[httpx.Response]:
    """Replay a match, ask for the schema of exports, and import: twice, and what is none."""
    with platform.new_table() as table:
        player = table.players[0]
        answers = [
            player.move(PROGRAM, 1),
            player.look("replay"),
            player.look("replay", audience="referee"),
            player.look("replay", to=99),
            player.get(f"{table.path}/replay?what=tables&lang=en"),
        ]
    document = document_of(*a_match(moves=3, match_id=uuid4()))
    json_type = {"content-type": "application/json"}
    return [
        *answers,
        platform.get("/v1/matches/export", params={"status": "waiting"}),
        platform.get("/v1/matches/export", params={"what": "views"}),
        platform.get("/v1/schemas/match-export"),
        platform.get("/.well-known/jwks.json"),
        platform.get("/.well-known/jwks.json", headers={"if-none-match": "*"}),
        *(
            platform.post("/v1/matches/import", content=body, headers=json_type)
            for body in (document, document, b"{}")
        ),
    ]


def tables(platform: Platform) -> list[httpx.Response]:
    """Ask for all that a page draws, before the start and after it, and for what there is not."""
    waiting = platform.create(open_seats=True).json()["match"]["match_id"]
    with platform.new_table() as table:
        first, second = table.players
        matches = {"matches": [table.match_id, waiting]}
        return [
            platform.get("/v1/games/river_dragons/layout"),
            platform.get("/v1/games/river_dragons/layout", headers={"if-none-match": "*"}),
            platform.get("/v1/games/chess/layout"),
            platform.get(f"/v1/matches/{waiting}/table"),
            platform.get(f"{table.path}/table", params={"audience": "referee"}),
            first.look("table", lang="it"),
            first.get(f"{table.path}/table", headers={"if-none-match": "*"}),
            first.look("table", seat=1),
            first.look("legal-actions", hints=True),
            first.post(
                f"{table.path}/moves",
                params={"include": "table"},
                json={"action": PROGRAM, "expected_version": 1},
            ),
            second.look("table", lang="keys"),
            platform.post("/v1/stream-tickets", json=matches),
            first.post("/v1/stream-tickets", json=matches),
            platform.get("/v1/stream"),
            platform.get("/v1/stream", params={"matches": f"{waiting},{waiting}"}),
            platform.get("/v1/stream", params={"ticket": "st_made_up"}),
        ]


def in_words(platform: Platform) -> list[httpx.Response]:
    """Ask in a language for everything that has texts."""
    italian = {"accept-language": "it"}
    with platform.new_table() as table:
        first, second = table.players
        begun = [
            platform.get("/v1/games/river_dragons", params={"lang": "fr"}),
            platform.get("/v1/games/river_dragons/texts/it"),
            platform.get("/v1/games/river_dragons/texts/xx"),
            platform.get("/v1/games/river_dragons/rules"),
            first.look("view", lang="it"),
            first.look("view", lang="xx"),
            first.look("legal-actions", lang="keys", samples=1),
            first.move(PROGRAM, 1, headers=italian),
            first.move(PROGRAM, 1, headers=italian),
            first.look("moves", lang="pl"),
            first.look("replay", lang="pl"),
            second.post(f"{table.path}/resign", headers=italian),
        ]
        return [*begun, first.get(table.path, headers=italian), first.look("view", lang="en")]


def tickets(platform: Platform) -> list[httpx.Response]:
    """Ask for stream tickets, and for streams that are refused."""
    with platform.new_table() as table:
        player = table.players[0]
        return [
            player.post(f"{table.path}/stream-tickets"),
            player.post(f"{table.path}/stream-tickets", json={"audience": "referee"}),
            platform.post("/v1/feed/stream-tickets", json={"player": "ada"}),
            player.post("/v1/feed/stream-tickets"),
            player.get(f"{table.path}/stream", params={"ticket": "st_made_up"}),
            player.get("/v1/feed"),
            player.look("moves", after=1, wait="0s"),
            player.look("moves", after=1, wait="soon"),
        ]


def batches(platform: Platform) -> list[httpx.Response]:
    """Create many matches: each by itself, some of which are refused, and all, which one fault refuses."""
    good: dict[str, object] = {"game": "river_dragons", "seats": 2, "seating": [{}, {"kind": "invited"}]}
    matches = [
        good,
        {**good, "seats": 9},
        {**good, "metadata": []},
        {**good, "clock": {"kind": "per_move", "seconds": 9}},
    ]
    return [
        platform.post("/v1/matches/batch", json={"mode": mode, "matches": matches})
        for mode in ("each", "all", "some")
    ]


def lobby(platform: Platform) -> list[httpx.Response]:
    seating = [{"player": "ada"}, {"player": "bert"}, {"kind": "invited"}, {"kind": "open"}]
    created = platform.create(4, seating=seating, visibility="public", start="on_demand", title="Friday")
    path = created.json()["match"]["links"]["self"]
    move = {"action": PROGRAM, "expected_version": 1, "seat": 0}
    posts: list[tuple[str, dict[str, object]]] = [
        ("start", {}),
        ("seats/2/invite", {"player": "carl", "hours": 2}),
        ("seats/2/revoke", {}),
        ("leave", {"seat": 2}),
        ("leave", {}),
        ("seats/9/invite", {}),
        ("watch-tokens", {"role": "referee"}),
        ("watch-tokens", {"role": "king"}),
        ("watch-tokens/revoke", {}),
        ("start", {}),
        ("leave", {"seat": 0}),
        ("moves?dry_run=true", move),
        ("moves?dry_run=true", {**move, "expected_version": 0}),
        ("rematch", {}),
        ("seats/1/replace", {"player": "cleo", "name": "Cleo", "data": {"colour": "teal"}}),
        ("seats/1/replace", {"player": "cleo"}),
        ("seats/1/replace", {"player": "dora", "consent": "table"}),
        ("resign", {"seat": 0}),
        ("rematch", {}),
    ]
    answers = [created, *(platform.post(f"{path}/{what}", json=body) for what, body in posts)]
    changes: tuple[dict[str, object], ...] = (
        {"name": "Captain Ada", "data": {"colour": "teal"}},
        {},
        {"data": None},
    )
    answers += [platform.patch(f"{path}/seats/0", json=change) for change in changes]
    answers.append(
        platform.patch(path, json={"title": "Friday", "reference": f"of {path}", "metadata": {"a": None}})
    )
    answers += [platform.get(path)]
    wanted = {"game": "river_dragons", "player": f"ada-{uuid4().hex}"}
    joins = ({**wanted, "create_if_none": True}, {**wanted, "seats": 7}, {"game": "chess"})
    answers += [platform.post("/v1/matches/quick-join", json=join) for join in joins]
    queries: tuple[dict[str, str], ...] = ({}, {"player": "ada", "order": "updated"}, {"order": "title"})
    answers += [platform.get("/v1/matches", params=query) for query in queries]
    gone = platform.create(2).json()["match"]["links"]["self"]
    answers += [platform.delete(gone), platform.delete(gone), platform.get(gone)]
    answers += [platform.delete("/v1/matches/0190a5f2-0000-7000-8000-000000000001")]
    assert {answer.status_code for answer in answers} == {200, 201, 204, 400, 404, 409}
    return answers


def sessions(platform: Platform) -> list[httpx.Response]:
    """A player's page, from its session to its revocation; and what a tenant says of itself."""
    issued = platform.post("/v1/player-sessions", json={"player": "ada-at-her-page"})
    public = platform.create(2, visibility="public").json()["match"]["links"]["self"]
    with Caller(str(platform.base_url), issued.json()["token"]) as page:
        answers = [page.get("/v1/token"), page.get("/v1/matches"), page.get("/v1/tenant")]
        answers += [page.post("/v1/matches", json={"game": "river_dragons", "seats": 2}), page.get(public)]
        answers += [page.post("/v1/matches", json={"game": "river_dragons", "seats": 2, "players": ["eve"]})]
    code = platform.post("/v1/login-codes", json={"player": "ada-at-her-page"})
    with httpx.Client(base_url=platform.base_url) as nobody:
        answers += [nobody.post("/v1/login-codes/redeem", json={"code": code.json()["code"]})]
        answers += [nobody.post("/v1/login-codes/redeem", json={"code": "lc_of_nobody"})]
    return [
        issued,
        code,
        *answers,
        platform.post("/v1/player-sessions/revoke", json={"player": "ada-at-her-page"}),
        platform.post("/v1/player-sessions/revoke", json={"player": ""}),
        platform.post("/v1/players/revoke", json={"player": "ada-at-her-page"}),
        platform.post("/v1/players/erase", json={"player": "nobody-who-plays"}),
        platform.get("/v1/players/export", params={"player": "ada"}),
        platform.get("/v1/players/export"),
        platform.post("/v1/players/erase", json={"player": ""}),
        platform.post("/v1/players/revoke", json={"player": "ada", "page_token": "of another"}),
        platform.get("/v1/tenant"),
        platform.patch("/v1/tenant", json={"anonymous_read": False}),
        *vacations(platform),
    ]


def vacations(platform: Platform) -> list[httpx.Response]:
    """A vacation, another one at the same time, what nobody has announced, and what is past."""
    now = datetime.now(UTC)
    until = f"{now + timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    wanted = {"player": f"ada-{uuid4().hex}", "until": until}
    key = {"idempotency-key": f'"{uuid4()}"'}
    announced = platform.post("/v1/vacations", json=wanted, headers=key)
    vacation = f"/v1/vacations/{announced.json()['vacation_id']}"
    return [
        announced,
        platform.post("/v1/vacations", json={**wanted, "player": "bob"}, headers=key),
        platform.post("/v1/vacations", json=wanted),
        platform.post("/v1/vacations", json={"player": "ada", "until": f"{now:%Y-%m-%dT%H:%M:%SZ}"}),
        platform.get("/v1/vacations", params={"player": wanted["player"]}),
        platform.get("/v1/vacations", params={"player": "nobody", "include_ended": "true"}),
        platform.delete(vacation),
        platform.delete(vacation),
        platform.delete(f"/v1/vacations/{uuid4()}"),
        platform.delete("/v1/vacations/nonsense"),
    ]


def accounts(operator: Platform) -> list[httpx.Response]:
    tenant = f"t{uuid4().hex[:12]}"
    keys = f"/v1/tenants/{tenant}/keys"
    answers = [operator.post("/v1/tenants", json={"tenant": tenant}) for _ in range(2)]
    issued = operator.post(keys, json={"scopes": ["matches:read"], "label": "lobby"})
    key = f"/v1/keys/{issued.json()['key']['key_id']}"
    answers += [issued, operator.post(keys, json={"scopes": []}), operator.post(f"{key}/rotate")]
    answers += [operator.delete(key), operator.post(f"{key}/rotate"), operator.delete(f"/v1/keys/{uuid4()}")]
    return [
        *answers,
        operator.get("/v1/tenants"),
        operator.get(keys),
        operator.get("/v1/tenants/nobody/keys"),
    ]


def webhooks(operator: Platform) -> list[httpx.Response]:
    tenant = f"t{uuid4().hex[:12]}"
    operator.post("/v1/tenants", json={"tenant": tenant})
    scopes = ["matches:write", "webhooks:write"]
    issued = operator.post(f"/v1/tenants/{tenant}/keys", json={"scopes": scopes})
    with Caller(str(operator.base_url), issued.json()["secret"]) as caller:
        listing, feed = "/v1/webhooks/endpoints", "/v1/events"
        wanted = {"url": "http://127.0.0.1:9/", "event_types": ["match.created"]}
        made = caller.post(listing, json=wanted)
        place = f"{listing}/{made.json()['endpoint']['endpoint_id']}"
        sent = caller.post(f"{place}/test")
        answers = [made, sent, caller.post(listing, json={}), caller.get(listing), caller.get(feed)]
        answers += [caller.put(f"{feed}/recording", json={"event_types": ["match.created"]})]
        caller.post("/v1/matches", json={"game": "river_dragons", "seats": 2})
        answers += [caller.get(f"{feed}/recording"), caller.get(feed, params={"wait": "5s"})]
        answers += [caller.get(place), caller.patch(place, json={"description": "lobby"})]
        answers += [caller.post(f"{place}/rotate"), caller.get(f"{place}/deliveries")]
        answers += [caller.post(f"{place}/deliveries/{sent.json()['event_id']}/resend")]
        answers += [caller.post(f"{place}/deliveries/{uuid4()}/resend")]
        answers += [caller.post(f"{place}/resend", json={"since": "2026-01-31T12:00:00Z"})]
        answers += [caller.patch(place, json={"enabled": False}), caller.post(f"{place}/test")]
        answers += [caller.delete(place), caller.get(place)]
    return answers


def looks(table: Table, player: Player) -> list[httpx.Response]:
    answers = [player.look(what) for what in ("view", "legal-actions", "moves", "export", "verify")]
    answers += [
        player.look("legal-actions", samples=2),
        player.look("view", seat=1),
        player.look("view", at=999),
    ]
    answers += [table.platform.get(f"{table.path}/moves", params={"audience": "referee"})]
    answers += [
        player.get(f"{table.path}/view", headers={"if-none-match": "*"}),
        table.platform.get(table.path),
    ]
    answers += [table.platform.get(f"{table.path}/legal-actions"), player.get(f"{table.path}/view?x=1")]
    return answers
