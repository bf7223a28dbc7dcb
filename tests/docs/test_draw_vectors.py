"""docs/draw-vectors.json: what the engine draws, the page's own Python draws, and the JavaScript verifier draws."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.kernel.chance import SeededChance, commitment
from tests.docs.draw_vectors import BOXES, SPAN, VECTORS, boxes, vectors, written
from tests.support.documents import ROOT, blocks
from tests.support.independent_verifier import WHY_NOT, run

FILE: dict[str, Any] = json.loads(VECTORS.read_text())
DRAWS = [*FILE["draws"], *FILE["edges"]]


@pytest.fixture(scope="module")
def of_the_page() -> dict[str, Any]:
    """The functions that docs/trust/verify.md tells people to write."""
    page = blocks(ROOT / "docs/trust/verify.md")
    (block,) = [one for one in page if one.is_run and "def shuffled" in one.content]
    names: dict[str, Any] = {}
    exec(block.content, names)
    return names


def test_the_vectors_and_the_boxes_are_written_from_the_code() -> None:
    assert VECTORS.read_text() == written(vectors()), "run `make docs`"
    assert BOXES.read_text() == written(boxes()), "run `make docs`"


def test_the_engine_draws_them() -> None:
    for vector in DRAWS:
        chance = SeededChance(bytes.fromhex(vector["secret"]), vector["move"])
        assert chance.below(int(vector["bound"])) == int(vector["value"])
        assert chance.draws[-1].number == vector["draw"] == len(vector["thrown_away"])
    for vector in FILE["shuffles"]:
        chance = SeededChance(bytes.fromhex(vector["secret"]), vector["move"])
        assert list(chance.shuffled(range(vector["items"]))) == vector["shuffled"]
    for vector in FILE["commitments"]:
        assert commitment(bytes.fromhex(vector["secret"])).hex() == vector["commitment"]


def test_the_python_of_the_page_draws_them(of_the_page: dict[str, Any]) -> None:
    for vector in DRAWS:
        secret = bytes.fromhex(vector["secret"])
        value, following = of_the_page["below"](secret, vector["move"], 0, int(vector["bound"]))
        assert (value, following) == (int(vector["value"]), vector["draw"] + 1)
        assert of_the_page["raw"](secret, vector["move"], vector["draw"]) == int(vector["raw"])
    for vector in FILE["shuffles"]:
        letters = [chr(ord("A") + number) for number in range(vector["items"])]
        expected = "".join(letters[number] for number in vector["shuffled"])
        assert of_the_page["shuffled"](bytes.fromhex(vector["secret"]), vector["move"], letters) == expected


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_the_verifier_in_javascript_draws_them() -> None:
    drawn = run("draw_all.mjs", VECTORS.read_bytes())
    for kind in ("draws", "edges"):
        assert drawn[kind] == [{"value": vector["value"], "draw": vector["draw"]} for vector in FILE[kind]], (
            kind
        )
    assert drawn["shuffles"] == [vector["shuffled"] for vector in FILE["shuffles"]]


def test_the_first_number_of_the_unfair_rest_is_thrown_away_and_the_last_before_it_is_not() -> None:
    """At the very limit, where one, two and three whole bounds fit below 2^64."""
    for vector in FILE["edges"]:
        bound = int(vector["bound"])
        fair = SPAN - SPAN % bound
        first = int(vector["thrown_away"][0]) if vector["rejects"] else int(vector["raw"])
        assert first == (fair if vector["rejects"] else fair - 1)
    assert [SPAN // int(vector["bound"]) for vector in FILE["edges"]] == [1, 1, 2, 2, 3, 3]
