"""openapi-typescript, tsc and openapi-fetch: the document becomes types; a client made of them compiles and plays."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support.node import MODULES, SCRIPTS, printed_by, run
from tests.support.several_of_each import Several

STRICT = "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes"
TARGET = "--target es2022 --module nodenext --lib es2022,dom --outDir ."


def test_a_typed_client_compiles_and_plays_a_whole_match(stack: Several, tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(SCRIPTS / "typed_client.ts", tmp_path)
    with stack.client(None) as client:
        (tmp_path / "openapi.json").write_bytes(client.get("/openapi.json").content)
    # What has a default may be left out of a request: that is not this tool's own default.
    types = "openapi-typescript openapi.json --default-non-nullable false --output foldtable.ts"
    run(*types.split(), folder=tmp_path)
    run("tsc", *STRICT.split(), *TARGET.split(), "foldtable.ts", "typed_client.ts", folder=tmp_path)
    told = printed_by("typed_client.js", folder=tmp_path, GATEWAY=stack.urls[0], KEY=stack.key)
    assert told["status"] == "ended"
    assert told["story"] == told["version"] - 1
    assert told["reason"] == "MATCH_OVER"
