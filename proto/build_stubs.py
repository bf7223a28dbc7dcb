#!/usr/bin/env python3
"""Build the Python stubs of every contract under proto/ into proto/gen (never edited, never committed).

Where mypy-protobuf is installed the stubs get type information as well; without it (a plain install)
they work just the same. Beside them goes the descriptor set of all contracts, with comments and with what they import:
the gateway hands it out, and buf reads it.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path

PROTO = Path(__file__).resolve().parent
GENERATED = PROTO / "gen"
DESCRIPTOR_SET = GENERATED / "foldtable" / "descriptors.binpb"


def contracts() -> list[str]:
    """Every .proto of ours, relative to proto/, in a stable order."""
    return sorted(str(path.relative_to(PROTO)) for path in (PROTO / "foldtable").rglob("*.proto"))


def include_paths() -> list[str]:
    """proto/ itself, the well-known types, and google/rpc from googleapis-common-protos."""
    import google.rpc
    import grpc_tools

    (google_rpc,) = list(google.rpc.__path__)[:1]
    common_protos = Path(google_rpc).parent.parent
    well_known = Path(grpc_tools.__file__).parent / "_proto"
    return [f"-I{PROTO}", f"-I{well_known}", f"-I{common_protos}"]


def typing_options() -> list[str]:
    """Ask for .pyi files where the plugin is at hand (it lives beside the running interpreter)."""
    if importlib.util.find_spec("mypy_protobuf") is None:
        return []
    scripts = Path(sys.executable).parent
    plugins = [scripts / "protoc-gen-mypy", scripts / "protoc-gen-mypy_grpc"]
    if not all(plugin.exists() for plugin in plugins):
        return []
    return [
        *(f"--plugin={plugin.name}={plugin}" for plugin in plugins),
        f"--mypy_out=quiet:{GENERATED}",
        f"--mypy_grpc_out=quiet:{GENERATED}",
    ]


def build() -> None:
    """Write stubs and descriptor set anew; a stub whose .proto is gone goes with it."""
    from grpc_tools import protoc

    shutil.rmtree(GENERATED, ignore_errors=True)
    DESCRIPTOR_SET.parent.mkdir(parents=True)
    arguments = [
        "protoc",
        *include_paths(),
        f"--python_out={GENERATED}",
        f"--grpc_python_out={GENERATED}",
        *typing_options(),
    ]
    descriptors = [
        "protoc",
        *include_paths(),
        f"--descriptor_set_out={DESCRIPTOR_SET}",
        "--include_imports",
        "--include_source_info",
        "google/rpc/error_details.proto",  # our errors carry them, though no contract imports them
    ]
    for command in (arguments, descriptors):
        if protoc.main([*command, *contracts()]) != 0:
            raise SystemExit("protoc refused the contracts; its message stands above")


if __name__ == "__main__":
    build()
