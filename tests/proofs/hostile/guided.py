"""libFuzzer on a family of decoders, in a process of its own: it ends the process. Started by fuzz.py.

`python -m tests.proofs.hostile.guided payloads -max_total_time=10 folder-of-seeds`
"""

from __future__ import annotations

import os
import sys
from random import Random
from typing import Final

import atheris

with atheris.instrument_imports(include=["engine", "services", "gateway"], enable_loader_override=False):
    from tests.proofs.hostile.decoders import members

from tests.proofs.hostile.decoding import CHOICE_BYTES, chosen
from tests.proofs.hostile.strategies import spoiled

FAULT: Final = "FOLDTABLE-FAULT"


def main(family: str, *arguments: str) -> None:
    """Fuzz until libFuzzer has had enough, or has found something."""
    found = members(family)

    def one_input(data: bytes) -> None:
        decoder, rest = chosen(found, data)
        try:
            decoder.feed(rest)
        except BaseException as error:
            os.write(2, f"\n{FAULT} {type(error).__name__}\n".encode())
            raise

    def mutated(data: bytes, most: int, seed: int) -> bytes:
        """Half of them by libFuzzer, which knows what is covered; half by strategies.py, which knows what is nasty."""
        chance = Random(seed)
        if chance.randrange(2):
            return bytes(atheris.Mutate(data, most))
        return (data[:CHOICE_BYTES] + spoiled(chance.randrange, (data[CHOICE_BYTES:],)))[:most]

    atheris.Setup(["guided", *arguments], one_input, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
