"""Documents that releases exported are read and verified today: they lie on people's disks."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import msgspec
import pytest

from services.movelog.export.format import export_schema, read_document
from services.movelog.export.verification import verify_document
from services.movelog.records import Status
from tests.proofs.upgrades.samples import Sample, stored

EXPORTS = [path for revision in stored() for path in Sample(revision).exports]
every_export = pytest.mark.parametrize("path", EXPORTS, ids=lambda path: f"{path.parent.name}-{path.stem}")


@every_export
def test_an_export_of_old_is_read_and_verified(path: Path) -> None:
    """One of a match that was over is decided again; of a running one, the chain of its hashes is checked."""
    document = read_document(path.read_bytes())
    found = verify_document(document)
    assert found.ok, found.difference
    assert found.moves == document.version > 0
    assert found.decided_again is (document.status is Status.ENDED)


@every_export
def test_an_export_of_old_keeps_to_the_schema_of_today(path: Path) -> None:
    jsonschema.validate(msgspec.json.decode(path.read_bytes()), export_schema())


def test_there_are_both_kinds_of_every_release() -> None:
    assert {path.name for path in EXPORTS} == {"ended.match.json", "running.match.json"}
    assert len(EXPORTS) == 2 * len(stored())
