"""The TypeScript client: compiled by `tsc --strict` against the types of a running server; its README plays there."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from gateway.http.idempotency import request_id
from tests.gateway.requests import request
from tests.support.documents import ROOT, Block, blocks
from tests.support.node import SCRIPTS, printed_by, run, started
from tests.support.several_of_each import Several

CLIENT = ROOT / "clients" / "typescript"
EXAMPLES = [block for block in blocks(CLIENT / "README.md") if block.language == "ts"]
PRINTED = {
    0: "ended,ended\nended true\n",
    1: "5 2\n",
    2: "river_dragons 27 0\n",
    3: "CARD_TWICE paragraph 5\nseat 0 seat_left match_ended\nthe end\n",
    4: "ended,ended\n",
    5: "1 null 1 0\n2 1 0 0\n",
}
"""What each of them prints."""
OWN_ID = 'C:\\the "big" one'
"""A request id that cannot stand between quotes as it is."""
KILLED_AT, LAST = {"4", "11"}, 16
"""Versions at which the gateway is killed, and the last one before somebody resigns."""
PROJECT = {
    "extends": "./node_modules/@foldtable/client/tsconfig.json",
    "compilerOptions": {"rootDir": ".", "outDir": ".", "declaration": False},
    "include": ["*.ts"],
    "exclude": ["node_modules"],
}
"""As strict as the client itself."""


@pytest.fixture(scope="module")
def package(stack: Several, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client, built as its README says and installed in a folder of somebody who uses it."""
    folder = tmp_path_factory.mktemp("typescript")
    built = folder / "node_modules" / "@foldtable" / "client"
    shutil.copytree(CLIENT, built, ignore=shutil.ignore_patterns("node_modules", "dist", "schema.ts"))
    with stack.client(None) as client:
        (folder / "openapi.json").write_bytes(client.get("/openapi.json").content)
    schema = json.loads((built / "package.json").read_text())["scripts"]["schema"]
    run("sh", "-c", schema, folder=built, FOLDTABLE_OPENAPI=str(folder / "openapi.json"))
    run("tsc", folder=built)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def written(package: Path, example: Block) -> Path:
    """Write an example of the README as a program."""
    program = package / f"line_{example.line}.ts"
    program.write_text(example.content)
    return program


def test_the_readme_s_examples_compile_strictly_and_play(package: Path, stack: Several) -> None:
    programs = [written(package, example) for example in EXAMPLES]
    (package / "tsconfig.json").write_text(json.dumps(PROJECT))
    run("tsc", folder=package)
    here = {"FOLDTABLE_URL": stack.urls[0], "FOLDTABLE_KEY": stack.key}
    for number, program in enumerate(programs):
        assert run("node", program.with_suffix(".js").name, folder=package, **here) == PRINTED[number]


def test_it_keeps_its_word_when_servers_and_networks_do_not(package: Path) -> None:
    shutil.copy(SCRIPTS / "typescript_faults.mjs", package)
    told = printed_by("typescript_faults.mjs", folder=package)
    assert told["keys_of_a_move_sent_four_times"] == 1
    assert told["keys_of_two_moves"] == 2
    assert told["versions_named"] == ['"v:7"'] * 4
    assert told["waited_for_retry_after"]
    change = 'PATCH http://table.test/v1/matches/0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11/seats/1 {"name":"Ada","data":null}'
    assert told["changes_of_a_name"] == [change] * 3
    assert told["start_after_a_cut"] == "Unreachable"
    assert told["problem_of_a_proxy"] == [403, "", "<h1>no</h1>"]
    assert told["conflict"] == ["VersionConflict", 9, [8, 9]]
    assert told["pages"] == [1, 2, 3]
    assert told["cut_streams"] > 50
    assert told["wrong_streams"] == []
    assert told["after_a_drain"] == [["move.applied", 2], ["move.applied", 3], ["match.ended", 3]]
    assert told["returns_with"] == [None, "2", "2", "3"]
    assert told["aborted"] == "AbortError"
    assert told["cut_replays"] > 50
    assert told["wrong_replays"] == []
    assert told["refused_replay"] == "SEAT_FORBIDDEN"
    assert told["stopped_replay"] == "AbortError"


def test_no_turn_is_lost_whatever_happens_between_two_requests(package: Path, stack: Several) -> None:
    shutil.copy(SCRIPTS / "typescript_turns.mjs", package)
    settings = {"GATEWAY": stack.urls[0], "KEY": stack.key, "MATCHES": "2"}
    told = printed_by("typescript_turns.mjs", folder=package, **settings)
    assert told["noticed"] == [True, True, True], "after the first look, after a wait, after the second look"
    assert told["ended"] == "ended"
    assert told["no_seat"] == "TypeError"
    assert told["left"] == "AbortError"
    assert told["late"] == ["ended", [1]]
    assert told["wrong"] == "RefusedByTheRules"
    assert told["bots"] == ["ended,ended,true"] * 2


def test_tables_are_followed_as_they_are_read(package: Path, stack: Several) -> None:
    shutil.copy(SCRIPTS / "typescript_tables.mjs", package)
    told = printed_by("typescript_tables.mjs", folder=package, GATEWAY=stack.urls[0], KEY=stack.key)
    assert told["patched"] == [True] * 3, "after each of many changes, in each game"
    assert told["replayed"] == [True] * 3, "every version of it, afterwards"
    assert told["shared"] == [True] * 3
    assert told["part_of_a_replay"] == [2]
    assert told["several"] == [True, True]
    assert told["seats"] == ["snapshot", "seats.updated"]
    assert told["not_modified"] == ["undefined", "Ada"]
    assert told["newer_views"] == ["undefined", "undefined", True]
    assert told["with_the_move"]
    assert told["session"] == [["ended", "ended"], "SCOPE_MISSING"]
    assert told["batch"] == [[2, 2], True, ["REFERENCE_TAKEN", "running"], "SEAT_COUNT"]
    assert told["login_code"] == [True, ["read"], "LOGIN_CODE_INVALID"]
    assert told["vacations"] == [1, None, True, [0, 1], "VACATION_NOT_ALLOWED", "TENANT_ONLY"]
    assert told["without_a_credential"] == "public"
    assert told["refused"] == ["TypeError"] * 8


def test_the_types_of_a_table_know_all_of_it(package: Path) -> None:
    """Every schema that a table leads to. Only these may be anything: a player's own data, options and the values of a text's
    arguments, of which no generator for every language makes types (gateway/openapi/unions.py)."""
    schemas = types_of(package / "node_modules" / "@foldtable" / "client" / "src" / "schema.ts")
    reached, waiting = set[str](), ["Table"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += re.findall(r'components\["schemas"\]\["([^"]+)"\]', schemas[name])
    assert {"Match", "Piece", "TemplateHint", "river_of_gold.View", "al_rashid.Fight"} <= reached
    vague = {
        f"{name}: {line.strip()}"
        for name in reached
        for line in schemas[name].splitlines()
        if re.search(r"\b(unknown|any)\b", line)
    }
    assert vague == {
        "Seat: data: unknown;",
        "Options: [key: string]: unknown;",
        "Text: [key: string]: unknown;",
    }


def types_of(file: Path) -> dict[str, str]:
    """Return the text of each schema's type, without comments."""
    text = re.sub(r"/\*\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
    text = re.sub(r"\n\s*\n", "\n", text)
    schemas = text[text.index("export interface components") : text.index("\n    responses: {")]
    each = re.split(r'^        (?="?[\w.]+"?: )', schemas, flags=re.MULTILINE)[1:]
    return {name.strip('"'): its for name, _, its in (one.partition(": ") for one in each)}


def test_ids_and_the_credential_stay_where_they_belong(package: Path) -> None:
    shutil.copy(SCRIPTS / "typescript_requests.mjs", package)
    told = printed_by("typescript_requests.mjs", folder=package)
    assert told["no_ids"] == ["TypeError: is not an id"]
    assert told["elsewhere"] == ["TypeError: is not a path: it begins with one slash"]
    assert told["no_request_ids"] == ["TypeError: is no request id: it takes printable ASCII characters"]
    assert told["no_tags"] == ["TypeError: is no entity tag: it stands in quotes"]
    (no_credential,) = told["no_credentials"]
    assert no_credential.startswith("TypeError: the credential has")
    assert told["asked_for_nothing"]
    assert told["methods"] > 40
    assert told["methods_not_tried"] == []
    assert told["quoted"] == [
        "http://table.test/v1/matches/m%3Fseat%3D1%23top%20%252e/leave",
        "http://table.test/v1/matches/m/moves?dry_run=true",
        "http://table.test/v1/matches?game=al_rashid&page_size=1",
    ]
    assert request_id(request(headers=[("Idempotency-Key", told["key_of_a_request_id"])]), None) == OWN_ID
    assert not told["shows_its_credential"]


def test_a_gateway_that_is_killed_costs_neither_a_move_nor_an_event(package: Path, stack: Several) -> None:
    script = "typescript_killed_gateway.mjs"
    shutil.copy(SCRIPTS / script, package)
    settings = {"GATEWAY": stack.urls[0], "KEY": stack.key, "LAST": str(LAST)}
    with started("node", script, folder=package, **settings) as lines:
        for line in lines:
            if line in KILLED_AT:
                stack.gateways[0].kill()
                stack.start_gateway_again(0)
        told = json.loads(line)
    versions = list(range(1, LAST + 2))
    assert told["made"] == versions
    assert told["heard"] == [*(["move.applied", one] for one in versions[1:]), ["match.ended", LAST + 1]]
    assert told["verified"]
