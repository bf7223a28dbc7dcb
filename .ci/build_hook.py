"""Build the stubs whenever the package is built or installed, so that no install can miss them.

A wheel is pure unless FOLDTABLE_COMPILED is 1. A compiled one is for one platform, and carries the extension modules beside
the sources.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FoldtableBuildHook(BuildHookInterface[Any]):
    """hatchling calls `initialize` before it collects the files of a wheel or an editable install, and `finalize` after it."""

    _copy: TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """Return what a compiled wheel needs in addition: the compiler, and the libraries whose types it reads."""
        if not self._wants_compiled():
            return []
        return list(self.metadata.config["tool"]["foldtable"]["compiled"]["requires"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path[:0] = [str(Path(self.root) / folder) for folder in ("proto", "distribution")]
        import build_stubs

        build_stubs.build()
        if version != "standard":  # an editable install reads the stubs, and what is compiled, where they are
            return
        build_data["force_include"][str(build_stubs.GENERATED / "foldtable")] = "foldtable"
        if self._wants_compiled():
            self._add_compiled(build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's names
        if self._copy is not None:
            self._copy.cleanup()

    def _wants_compiled(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("FOLDTABLE_COMPILED") == "1"

    def _add_compiled(self, build_data: dict[str, Any]) -> None:
        """Compile a copy, so that the sources here stay as they are."""
        import compile_modules

        self._copy = TemporaryDirectory(prefix="foldtable-")
        copy = Path(self._copy.name)
        compile_modules.copy_sources(Path(self.root), copy)
        compile_modules.compile_beside(copy)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in compile_modules.built(copy):
            build_data["force_include"][str(path)] = path.relative_to(copy).as_posix()
