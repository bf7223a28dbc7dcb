"""The TypeScript client as a file to install: in an empty project it plays, its types know each game, and its calls end when they are aborted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.built_clients import TYPESCRIPT, build_npm
from tests.support.documents import ROOT
from tests.support.ended_calls_in_node import printed, project_with
from tests.support.node import run
from tests.support.several_of_each import Several

PROGRAM = """
import { choices, Client, fill, isOf, type Schema, type TableOf, type Value } from "@foldtable/client";

declare const process: { env: Record<string, string> };
const client = new Client(process.env["GATEWAY"]!, process.env["KEY"]);
const { match: { match_id: match } } = await client.createMatch({ game: "river_dragons", seats: 2 });

for (const seat of [0, 1]) {
  const table = await client.waitForTurn(match, { seat });
  const [program] = choices(table);
  if (program?.kind !== "template") throw new Error("the match begins with programs");
  const cards: Value[] = [];
  for (const step of program.hint.steps) {
    if (step.type === "choose") cards.push(step.choices.find(({ value }) => !cards.includes(value))!.value);
  }
  await client.move(match, fill(program, cards), table.version, seat);
}

const table = await client.table(match);
if (!isOf(table, "river_dragons")) throw new Error("it is of another game");
const supply: number | undefined = table.view?.supply;
const game: "river_dragons" = table.match.game;

export const forbidden = [
  // @ts-expect-error - a view of River Dragons has no deck
  () => table.view?.deck,
  // @ts-expect-error - there is no such game
  () => isOf(table, "river_drakes"),
  // @ts-expect-error - a table of one game is none of another
  (): TableOf<"al_rashid"> => table,
  // @ts-expect-error - a whole view, before anybody asked which game it is of
  async () => (await client.table(match)).view?.supply,
];
export const action = (): Schema<"river_dragons.Action">[] => table.legal?.actions ?? [];
console.log(JSON.stringify({ version: table.version, supply, game }));
"""
STRICT = {
    "compilerOptions": {
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "noUncheckedIndexedAccess": True,
        "target": "ES2022",
        "module": "NodeNext",
        "lib": ["ES2022", "DOM"],
        "types": [],
    }
}
PATIENT_MS = 15_000
"""What takes longer was not ended; `make bench B=ending` prints how long each takes."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty npm project with the client, installed from the file that `make clients` builds, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    return project_with(build_npm(folder / "built"), folder / "project")


@pytest.fixture(scope="module")
def told(project: Path, stack: Several) -> dict[str, Any]:
    return printed(project, stack.urls[0], stack.key)


def test_the_file_plays_and_its_types_know_each_game(project: Path, stack: Several) -> None:
    (project / "play.mts").write_text(PROGRAM)
    (project / "tsconfig.json").write_text(json.dumps({**STRICT, "files": ["play.mts"]}))
    run("tsc", folder=project)
    printed_last = run("node", "play.mjs", folder=project, GATEWAY=stack.urls[0], KEY=stack.key)
    played = json.loads(printed_last)
    assert played["game"] == "river_dragons"
    assert played["version"] >= 3
    assert played["supply"] > 0


def test_the_file_has_the_version_the_licence_and_the_readme(project: Path) -> None:
    installed = project / "node_modules" / "@foldtable" / "client"
    version = json.loads((TYPESCRIPT / "package.json").read_text())["version"]
    assert json.loads((installed / "package.json").read_text())["version"] == version
    assert (installed / "README.md").read_text() == (TYPESCRIPT / "README.md").read_text()
    assert (installed / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert [entry.name for entry in (project / "node_modules").iterdir() if entry.name[0] != "."] == [
        "@foldtable"
    ]


def test_a_call_ends_in_everything_it_can_wait_for(told: dict[str, Any]) -> None:
    """With the reason of its signal."""
    assert [one for one in told["ended"] if one["wrong"]] == []
    assert [one for one in told["ended"] if not 0 <= one["milliseconds"] < PATIENT_MS] == []
    assert len(told["ended"]) == 14


def test_every_method_takes_a_signal(told: dict[str, Any]) -> None:
    assert told["deaf"] == []
    assert told["untried"] == []
    assert told["asked"] == []
    assert told["asParameters"] == ["http://table.test/v1/matches/m/legal-actions?seat=1"]


def test_who_gives_up_says_why(told: dict[str, Any]) -> None:
    assert told["causes"] == [["Unreachable", True]] * 4
