"""Write the test vectors of draws, and what lies in the boxes: `make docs`. Neither file is ever edited by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

from engine.al_rashid.box.areas import SETUP_CRISES, TURN_CRISES
from engine.al_rashid.box.components import TILE_VALUES
from engine.kernel.chance import Draw, SeededChance, commitment, draw_message, raw_draw
from engine.river_of_gold.box.buildings import tiles_of
from engine.river_of_gold.box.components import CLANS, BuildingSet
from engine.river_of_gold.box.ids import CustomerId, MasteryId, RegionTileId
from engine.river_of_gold.box.patrons import patrons_of
from tests.support.documents import ROOT

VECTORS: Final = ROOT / "docs/draw-vectors.json"
BOXES: Final = ROOT / "docs/examples/boxes.json"

SPAN: Final = 1 << 64
SECRETS: Final = (bytes(range(32)), bytes(32), b"\xff" * 32, hashlib.sha256(b"foldtable").digest())
MOVES: Final = (1, 256, 2**31 - 1)
BOUNDS: Final = (1, 2, 3, 6, 7, 10, 52, 2**32, 2**63 - 1, 2**63, 2**63 + 1, 3 << 62, SPAN - 1, SPAN)
DECKS: Final = (0, 1, 2, 6, 10, 52)
MULTIPLES: Final = (1, 2, 3)
"""So many whole bounds fit below 2^64 in the vectors of the edge."""


def vectors() -> dict[str, Any]:
    """Return the vectors. Numbers that may pass 2^53 are written as strings."""
    return {
        "format": "foldtable.draw-vectors.v1",
        "commitments": [
            {"secret": secret.hex(), "commitment": commitment(secret).hex()} for secret in SECRETS
        ],
        "draws": [
            draw_vector(secret, move, bound) for secret in SECRETS for move in MOVES for bound in BOUNDS
        ],
        "edges": [edge for multiple in MULTIPLES for edge in _edges(multiple)],
        "shuffles": [
            shuffle_vector(secret, move, count)
            for secret in SECRETS[::3]
            for move in MOVES[:2]
            for count in DECKS
        ],
    }


def draw_vector(secret: bytes, move: int, bound: int) -> dict[str, Any]:
    """Return the first draw of a move below a bound, with the numbers that were thrown away before it."""
    chance = SeededChance(secret, move)
    value = chance.below(bound)
    (drawn,) = chance.draws
    return {
        "secret": secret.hex(),
        "move": move,
        "bound": str(bound),
        "thrown_away": [str(raw_draw(secret, move, number)) for number in range(drawn.number)],
        **_made(secret, drawn),
        "value": str(value),
    }


def _made(secret: bytes, drawn: Draw) -> dict[str, Any]:
    raw = raw_draw(secret, drawn.move, drawn.number)
    return {
        "draw": drawn.number,
        "message": draw_message(drawn.move, drawn.number).hex(),
        "raw": str(raw),
    }


def _edges(multiple: int) -> Iterator[dict[str, Any]]:
    """Yield a draw whose number is the first to be thrown away, and one whose number is the last that counts.

    `multiple` whole bounds fit below 2^64 in both: a number n is the first thrown away below n / multiple.
    """
    secret = SECRETS[0]
    least = SPAN * multiple // (multiple + 1) + multiple  # from here on no further bound fits
    move = next(
        number
        for number in range(1, 10_000)
        if raw_draw(secret, number, 0) > least and raw_draw(secret, number, 0) % multiple == 0
    )
    yield {"rejects": True, **draw_vector(secret, move, raw_draw(secret, move, 0) // multiple)}
    move = next(
        number
        for number in range(1, 10_000)
        if raw_draw(secret, number, 0) > least and (raw_draw(secret, number, 0) + 1) % multiple == 0
    )
    yield {"rejects": False, **draw_vector(secret, move, (raw_draw(secret, move, 0) + 1) // multiple)}


def shuffle_vector(secret: bytes, move: int, count: int) -> dict[str, Any]:
    """Return the order in which the items 0, 1, 2, … come out."""
    return {
        "secret": secret.hex(),
        "move": move,
        "items": count,
        "shuffled": list(SeededChance(secret, move).shuffled(range(count))),
    }


def boxes() -> dict[str, Any]:
    """Return what is drawn from, by game, in the order draws count it."""
    return {
        "al_rashid": {
            "setup_crises": [tile.id for tile in SETUP_CRISES],
            "turn_crises": [tile.id for tile in TURN_CRISES],
            "tile_values": list(TILE_VALUES),
        },
        "river_of_gold": {
            "era_1": list(tiles_of(BuildingSet.ERA_1)),
            "era_2": list(tiles_of(BuildingSet.ERA_2)),
            "markets": list(tiles_of(BuildingSet.IMPERIAL_MARKET)),
            "starting": list(tiles_of(BuildingSet.STARTING)),
            "patrons": [list(patrons_of(clan)) for clan in CLANS],
            "clans": list(CLANS),
            "region_tiles": list(RegionTileId),
            "masteries": list(MasteryId),
            "customers": list(CustomerId),
        },
    }


def written(content: dict[str, Any]) -> str:
    """Return a file's text: one line for each vector, one for each box."""
    parts = []
    for name, value in content.items():
        lines = value.items() if isinstance(value, dict) else ()
        if isinstance(value, dict):
            inner = ",\n    ".join(f"{json.dumps(key)}: {json.dumps(kept)}" for key, kept in lines)
            parts.append(f"  {json.dumps(name)}: {{\n    {inner}\n  }}")
        elif isinstance(value, list):
            inner = ",\n    ".join(json.dumps(kept) for kept in value)
            parts.append(f"  {json.dumps(name)}: [\n    {inner}\n  ]")
        else:
            parts.append(f"  {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    VECTORS.write_text(written(vectors()), encoding="utf-8")
    BOXES.write_text(written(boxes()), encoding="utf-8")


if __name__ == "__main__":
    main()
