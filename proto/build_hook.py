"""Build the stubs whenever the package is built or installed, so that no install can miss them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StubsBuildHook(BuildHookInterface[Any]):
    """hatchling calls `initialize` before it collects the files of a wheel or an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, str(Path(self.root) / "proto"))
        import build_stubs

        build_stubs.build()
        if version == "standard":  # a wheel carries the stubs; an editable install reads them where they are
            build_data["force_include"][str(build_stubs.GENERATED / "foldtable")] = "foldtable"
