"""The JavaScript of docs/play/clients.md runs as it stands, and so does what docs/play/live.md gives a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.documents import ROOT, Block, blocks
from tests.support.node import MODULES, run, started
from tests.support.several_of_each import Several

LAST = 5
"""The version at which somebody resigns."""
PAGE = """
globalThis.EventSource = (await import("eventsource")).EventSource;
const { GATEWAY, match, token } = process.env;
const elsewhere = globalThis.fetch; // a page's addresses are those of its own site
globalThis.fetch = (path, init) => elsewhere(new URL(path, GATEWAY), init);
const OwnSource = globalThis.EventSource;
globalThis.EventSource = class extends OwnSource {
  constructor(path) {
    super(new URL(path, GATEWAY));
    this.addEventListener("snapshot", () => console.log("open"));
    opened.push(this);
  }
};
const opened = [];
const show = ({ version }) => {
  console.log(version);
  if (version === BROKEN_AT) opened.at(-1).onerror();
};
SNIPPET
follow();
"""
"""What stands around the snippet in a page. It ends when nothing is open any more and nobody means to come back."""
PROGRAMS = [block for block in blocks(ROOT / "docs" / "play" / "clients.md") if block.language == "js"]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_a_program_of_the_documentation_runs(stack: Several, tmp_path: Path, program: Block) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "program.mjs").write_text(program.content)
    environment = {
        "FOLDTABLE_URL": stack.urls[0],
        "FOLDTABLE_GRPC": stack.rules_addresses[0],
        "FOLDTABLE_KEY": stack.key,
    }
    said = [
        line.partition("// ")[2]
        for line in program.content.splitlines()
        if "console.log" in line and "// " in line
    ]
    printed = run("node", "program.mjs", folder=tmp_path, **environment)
    assert printed
    assert [line for line in said if line not in printed] == [], "what the comment beside it says is printed"


@pytest.mark.parametrize("broken_at", [3, LAST + 1], ids=["in the middle", "right before the end"])
def test_a_page_comes_back_with_a_fresh_ticket_until_the_match_is_over(
    stack: Several, tmp_path: Path, broken_at: int
) -> None:
    (snippet,) = [block for block in blocks(ROOT / "docs" / "play" / "live.md") if block.language == "js"]
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "page.mjs").write_text(
        PAGE.replace("SNIPPET", snippet.content).replace("BROKEN_AT", str(broken_at))
    )
    with stack.client(stack.key) as client:
        created = client.post("/v1/matches", json={"game": "al_rashid", "seats": 2}).json()
        match, token = created["match"]["match_id"], created["seat_tokens"][0]["token"]
        settings = {"GATEWAY": stack.urls[0], "match": match, "token": token}
        with started("node", "page.mjs", folder=tmp_path, **settings) as lines:
            assert next(lines) == "open"
            for _ in range(LAST - 1):
                asked = client.get(f"/v1/matches/{match}").json()["to_act"][0]
                legal = client.get(
                    f"/v1/matches/{match}/legal-actions", params={"seat": asked, "samples": 1}
                ).json()
                move = {"action": legal["samples"][0], "expected_version": legal["version"], "seat": asked}
                assert client.post(f"/v1/matches/{match}/moves", json=move).status_code == 200
            client.post(f"/v1/matches/{match}/resign", json={"seat": 0})
            assert list(lines) == [str(version) for version in range(2, LAST + 2)]
