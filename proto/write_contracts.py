"""Write the .proto files of the games in this repository from their Python types: `make proto`.

The stubs must be up to date before it runs, since the numbers are kept from them; they are built again afterwards.
"""

from __future__ import annotations

from pathlib import Path

from engine.registry import GAMES
from services.kit.building.contract import OUR_DESCRIPTORS
from services.kit.contracts.files import texts, write
from services.rules.wire.contract import server_descriptors

PROTO = Path(__file__).resolve().parent


def write_all() -> None:
    """Write the contracts that differ from what the types say, and name them."""
    for package in GAMES.values():
        if package.descriptors == OUR_DESCRIPTORS:
            for path in write(PROTO, texts(package, server_descriptors())):
                print(f"{path.relative_to(PROTO)} has changed")


if __name__ == "__main__":
    write_all()
