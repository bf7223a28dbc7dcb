"""`foldtable import`: a file goes in once, complete, or is refused with the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.support.match_documents import a_match, document_of
from tests.support.running_system import System
from tests.support.winding_matches import a_winding_match

pytestmark = pytest.mark.slow


@pytest.fixture
def at_the_system(foldtable: Any, system: System) -> Any:
    """Call the command line with the system's gateway and key."""
    return lambda *words, key=system.key: foldtable(*words, "--url", system.address, "--key", key)


def test_a_file_is_taken_in_once_and_comes_out_again_byte_for_byte(
    at_the_system: Any, tmp_path: Path
) -> None:
    match, rows = a_winding_match(match_id=uuid4())
    file, back = tmp_path / "match.json", tmp_path / "back.json"
    file.write_bytes(document_of(match, rows, "Ada", "Bo"))
    first, second = at_the_system("import", file), at_the_system("import", file)
    assert (first.exit_code, second.exit_code) == (0, 0), first.stderr + second.stderr
    assert first.stdout == f"river_dragons {match.id} imported: {len(rows)} moves\n"
    assert second.stdout == f"river_dragons {match.id} was already imported: {len(rows)} moves\n"
    assert at_the_system("export", str(match.id), "-o", back).exit_code == 0
    assert back.read_bytes() == file.read_bytes()
    assert at_the_system("verify", str(match.id)).exit_code == 0


def test_a_broken_file_is_refused_with_the_place_and_nothing_is_kept(
    at_the_system: Any, system: System, tmp_path: Path
) -> None:
    document = json.loads(document_of(*a_match(moves=5, match_id=uuid4())))
    document["moves"][2]["request_id"] = "another"
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(document))
    done = at_the_system("import", file)
    assert done.exit_code == 1
    assert "/moves/2/hash" in done.stderr
    with system.client() as client:
        assert client.get(f"/v1/matches/{document['match_id']}").status_code == 404


def test_what_is_no_file_or_needs_a_key_is_said_in_a_line(at_the_system: Any, tmp_path: Path) -> None:
    missing = at_the_system("import", tmp_path / "missing.json")
    assert (missing.exit_code, missing.stderr.count("\n")) == (1, 1)
    file = tmp_path / "match.json"
    file.write_bytes(document_of(*a_match(moves=3, match_id=uuid4())))
    stranger = at_the_system("import", file, key="ft_dev_nobody")
    assert (stranger.exit_code, stranger.stderr.count("\n")) == (1, 1)
