#!/usr/bin/env python3
"""Build the Python stubs of every contract under proto/ into proto/gen (never edited, never committed).

Where mypy-protobuf is installed the stubs get type information as well; without it (a plain install)
they work just the same. Beside them goes the descriptor set of all contracts, with comments and with what they import:
the gateway hands it out, and buf reads it. The contracts of others that ours import are copied there, so that `buf build`
works in proto/ without a module registry.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

PROTO = Path(__file__).resolve().parent
GENERATED = PROTO / "gen"
DESCRIPTOR_SET = Path("foldtable") / "descriptors.binpb"
"""Within the folder of the stubs."""
IMPORTED = Path("copied-by-make-prepare")
"""Within that folder. buf names it if it is not there: `Module "path: gen/copied-by-make-prepare" had no .proto files`."""
OTHERS = ("google/rpc/status.proto", "google/rpc/error_details.proto")
STAMP = ".made-from"
"""Kept there by .ci/prepare.py."""


def contracts() -> list[str]:
    """Every .proto of ours, relative to proto/, in a stable order."""
    return sorted(str(path.relative_to(PROTO)) for path in (PROTO / "foldtable").rglob("*.proto"))


def include_paths() -> list[str]:
    """proto/ itself, the well-known types, and google/rpc from googleapis-common-protos."""
    import grpc_tools

    well_known = Path(grpc_tools.__file__).parent / "_proto"
    return [f"-I{PROTO}", f"-I{well_known}", f"-I{common_protos()}"]


def common_protos() -> Path:
    """Return where googleapis-common-protos has its .proto files."""
    import google.rpc

    (google_rpc,) = list(google.rpc.__path__)[:1]
    return Path(google_rpc).parent.parent


def typing_options(place: Path) -> list[str]:
    """Ask for .pyi files where the plugin is at hand (it lives beside the running interpreter)."""
    if importlib.util.find_spec("mypy_protobuf") is None:
        return []
    scripts = Path(sys.executable).parent
    plugins = [scripts / "protoc-gen-mypy", scripts / "protoc-gen-mypy_grpc"]
    if not all(plugin.exists() for plugin in plugins):
        return []
    return [
        *(f"--plugin={plugin.name}={plugin}" for plugin in plugins),
        f"--mypy_out=quiet:{place}",
        f"--mypy_grpc_out=quiet:{place}",
    ]


def build() -> None:
    """Write stubs and descriptor set; a stub whose .proto is gone goes with it.

    Only files that change are replaced, each at once: servers may be running from them.
    """
    with tempfile.TemporaryDirectory(dir=PROTO, prefix=".gen-") as place:
        run_protoc(Path(place))
        put_in_place(Path(place), GENERATED)


def run_protoc(place: Path) -> None:
    """Write everything into an empty folder."""
    from grpc_tools import protoc

    (place / DESCRIPTOR_SET).parent.mkdir(parents=True)
    arguments = [
        "protoc",
        *include_paths(),
        f"--python_out={place}",
        f"--grpc_python_out={place}",
        *typing_options(place),
    ]
    descriptors = [
        "protoc",
        *include_paths(),
        f"--descriptor_set_out={place / DESCRIPTOR_SET}",
        "--include_imports",
        "--include_source_info",
        "google/rpc/error_details.proto",  # our errors carry them, though no contract imports them
    ]
    for command in (arguments, descriptors):
        if protoc.main([*command, *contracts()]) != 0:
            raise SystemExit("protoc refused the contracts; its message stands above")
    for name in OTHERS:
        (place / IMPORTED / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(common_protos() / name, place / IMPORTED / name)


def put_in_place(made: Path, place: Path) -> None:
    """Give a folder exactly the files of another one."""
    files = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    for file in files:
        (place / file).parent.mkdir(parents=True, exist_ok=True)
        if not (place / file).exists() or (place / file).read_bytes() != (made / file).read_bytes():
            (made / file).replace(place / file)
    for path in place.rglob("*"):
        kept = path.name == STAMP or "__pycache__" in path.parts or path.relative_to(place) in files
        if path.is_file() and not kept:
            path.unlink()


if __name__ == "__main__":
    build()
