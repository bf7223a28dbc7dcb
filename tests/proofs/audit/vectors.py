"""docs/draw-vectors.json: the engine and the verifier in JavaScript draw what stands there."""

from __future__ import annotations

import json
import sys
from typing import Any

from engine.kernel.chance import SeededChance
from tests.docs.draw_vectors import VECTORS
from tests.proofs.audit.rows import Row, program, say
from tests.support.independent_verifier import WHY_NOT, run


def prove(_short: bool) -> Row:
    """Draw them all, twice. Without node there is no second opinion, which counts as a violation."""
    wanted = json.loads(VECTORS.read_text())
    draws = [*wanted["draws"], *wanted["edges"]]
    wrong = sum(_drawn(vector) != (int(vector["value"]), vector["draw"]) for vector in draws)
    wrong += sum(_shuffled(vector) != vector["shuffled"] for vector in wanted["shuffles"])
    if WHY_NOT:
        judges = f"the engine alone: {WHY_NOT}"
        wrong += 1
    else:
        judges = "the engine and node agree"
        drawn = run("draw_all.mjs", VECTORS.read_bytes())
        found = [(int(one["value"]), one["draw"]) for one in (*drawn["draws"], *drawn["edges"])]
        wrong += sum(
            one != (int(vector["value"]), vector["draw"]) for one, vector in zip(found, draws, strict=True)
        )
        shuffles = zip(drawn["shuffles"], wanted["shuffles"], strict=True)
        wrong += sum(one != vector["shuffled"] for one, vector in shuffles)
    count = len(draws) + len(wanted["shuffles"])
    say(f"{count} vectors: {judges}")
    return Row(proof="luck", what=f"published test vectors, {judges}", count=count, violations=wrong)


def _drawn(vector: dict[str, Any]) -> tuple[int, int]:
    chance = SeededChance(bytes.fromhex(vector["secret"]), vector["move"])
    value = chance.below(int(vector["bound"]))
    return value, chance.draws[-1].number


def _shuffled(vector: dict[str, Any]) -> list[int]:
    return list(
        SeededChance(bytes.fromhex(vector["secret"]), vector["move"]).shuffled(range(vector["items"]))
    )


if __name__ == "__main__":
    sys.exit(program(__doc__, prove))
