"""Write and compile the contract of a game package: its .proto files, with comments and with everything they import.

The files follow from the types of the game; an author who wants other ones keeps them by hand, and they are only compiled.

The files are in the game's Python package, in the folder `proto`. What they import of Foldtable is in no folder that a game
has: protoc finds it in the descriptors that Foldtable installs.
"""

from __future__ import annotations

import tempfile
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engine.kernel.package import GamePackage
from services.kit.contracts.files import is_generated, texts, write

FOLDER: Final = "proto"
"""Where the .proto files of a game are, within its Python package."""
MISSING: Final = "grpcio-tools compiles contracts and is not installed: pip install 'foldtable[games]'"


OUR_DESCRIPTORS: Final = "foldtable:descriptors.binpb"
"""Where the contracts of the server are, and of the games that this repository holds."""


class ToolsMissing(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """grpcio-tools is not installed."""


class ContractRefused(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A package has no .proto files, or protoc does not accept them; its own message stands on the standard error."""


def write_contract(package: GamePackage, folder: Path) -> tuple[Path, ...]:
    """Write the .proto files of a package into its folder of them; return those that have changed.

    Files that are kept by hand stay as they are. Raises ToolsMissing without grpcio-tools, ContractRefused if protoc does not
    accept what stands there, and NoMessage if a type has no form in protobuf.
    """
    if not is_generated(folder):
        return ()
    present = compiled_folder(folder) if any(folder.rglob("*.proto")) else FileDescriptorSet()
    if present is None:
        raise ToolsMissing(MISSING)
    return write(folder, texts(package, present))


def compiled(package: GamePackage) -> FileDescriptorSet | None:
    """Return the descriptors of a package's .proto files with comments and imports; None without grpcio-tools.

    Raises ContractRefused if there are no such files, or protoc does not accept them.
    """
    with as_file(files(package.python_package).joinpath(FOLDER)) as folder:
        return compiled_folder(folder)


def compiled_folder(folder: Path) -> FileDescriptorSet | None:
    """Return the descriptors of all .proto files in a folder; as `compiled` does."""
    if find_spec("grpc_tools") is None:
        return None
    from grpc_tools import protoc  # noqa: PLC0415 - only who builds packages needs it

    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    if not names:
        raise ContractRefused(f"there are no .proto files in {folder}")
    with (
        as_file(files("foldtable").joinpath("descriptors.binpb")) as ours,
        tempfile.TemporaryDirectory() as place,
    ):
        out = Path(place) / "contract.binpb"
        done = protoc.main(
            [
                "protoc",
                f"-I{folder}",
                f"--descriptor_set_in={ours}",
                f"--descriptor_set_out={out}",
                "--include_imports",
                "--include_source_info",
                *names,
            ]
        )
        if done != 0:
            raise ContractRefused(f"protoc refuses the contract in {folder}; its message stands above")
        return FileDescriptorSet.FromString(out.read_bytes())
