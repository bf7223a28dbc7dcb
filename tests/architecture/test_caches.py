"""What a cache keeps is bounded in number, and where its keys come from outside, in their length too.

A new cache fails these tests until it is bounded, or listed here with the reason why its keys are few.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from gateway.http import kept_answers
from gateway.http.compression.negotiation import Wish, gzip_wish
from gateway.http.kept_answers import MAX_CHARACTERS, MAX_KEPT, keeping_short
from gateway.http.languages import negotiated

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "gateway", "services", "clients/python/src")

FEW_KEYS = {
    "engine/al_rashid/agents/action_space.py:action_space": "options and numbers of seats",
    "engine/al_rashid/agents/features.py:features": "options and numbers of seats",
    "engine/kernel/action_space.py:_defaults": "types of ours",
    "engine/registry.py:_loaded": "ids of games; an unknown one raises, and errors are not kept",
    "engine/river_dragons/agents/action_space.py:action_space": "options and numbers of seats",
    "engine/river_dragons/agents/features.py:features": "options and numbers of seats",
    "engine/river_dragons/box/board.py:_reaches_squared": "sums of two radii",
    "engine/river_dragons/layout/pieces.py:_ring": "numbers of seats",
    "engine/river_of_gold/agents/action_space.py:action_space": "options and numbers of seats",
    "engine/river_of_gold/agents/evaluation.py:_owner_worth": "buildings in the box",
    "engine/river_of_gold/agents/evaluation.py:_visitor_worth": "buildings in the box",
    "engine/river_of_gold/agents/features.py:features": "options and numbers of seats",
    "engine/river_of_gold/box/buildings.py:tiles_of": "sets in the box",
    "gateway/http/queries.py:_without_parameters": "models of ours",
    "gateway/openapi/comments.py:_comments": "nothing",
    "gateway/openapi/comments.py:_constants": "nothing",
    "gateway/middleware.py:_metrics": "methods, routes and statuses of ours; an unknown method is `other`",
    "services/batch/installation.py:installed": "nothing",
    "services/cli/replay/recorded_match.py:lru_cache": "moves of the one match that a program of the user's replays",
    "services/kit/contracts/docstrings.py:_in_file": "files of a package that is built; a server never runs it",
    "services/kit/records/imports.py:offered": "nothing",
    "services/rules/match/snapshots.py:shape_of": "games",
    "services/rules/wire/contract.py:_import_what_it_needs": "packages",
    "services/rules/wire/contract.py:_load": "packages",
    "services/rules/wire/contract.py:descriptors_from_outside": "packages",
    "services/rules/wire/contract.py:descriptors_of": "packages",
    "services/rules/wire/contract.py:message_class": "packages and names of ours",
    "services/rules/wire/contract.py:server_descriptors": "nothing",
    "services/rules/wire/contract_comments.py:_server": "nothing",
    "services/rules/wire/contract_comments.py:contract_comments": "packages",
    "services/rules/wire/game_schemas.py:game_schema": "types of ours",
    "services/rules/wire/payloads.py:payloads_of": "games",
}
"""Caches without a bound on their number, and what their keys are."""

SHORT_KEYS = {
    "gateway/http/kept_answers.py:lru_cache": f"at most {MAX_CHARACTERS} characters",
    "services/kit/rules/attempts.py:attempts": "the game that is checked, in a program of its author's",
    "services/identity/match_tokens.py:lru_cache": "valid tokens of at most MAX_TOKEN: a refusal is not kept",
    "services/texts/formatting.py:_compiled": "messages of the games' own catalogues",
}
"""Caches of the processes with a bound on their number, and what bounds the length of their keys."""


class Cache(NamedTuple):
    place: str
    bounded: bool


@cache
def caches() -> list[Cache]:
    """Return every use of functools' caches, as a decorator by the function's name, else by its own."""
    return list(_caches())


def _caches() -> Iterator[Cache]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if "/template/" in name or "node_modules" in name:
                continue
            for used, bounded in _used_in(ast.parse(path.read_text())):
                yield Cache(f"{name}:{used}", bounded)


def _used_in(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    decorated = {
        decorator: node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for decorator in node.decorator_list
    }
    called = {node: "lru_cache" for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node, name in {**called, **decorated}.items():
        if (bounded := _bounded(node)) is not None:
            yield name, bounded


def _bounded(node: ast.expr) -> bool | None:
    """Return whether a cache has a bound; None: the expression is no cache."""
    called = node.func if isinstance(node, ast.Call) else node
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    if name == "cache":
        return False
    if name != "lru_cache":
        return None
    sizes = [one.value for one in getattr(node, "keywords", ()) if one.arg == "maxsize"]
    return not (sizes and isinstance(sizes[0], ast.Constant) and sizes[0].value is None)


def test_a_cache_without_a_bound_has_few_keys() -> None:
    assert {one.place for one in caches() if not one.bounded} == set(FEW_KEYS)


def test_the_keys_of_every_other_cache_are_short() -> None:
    """The engine's are parts of states, whose shapes the games' own types fix."""
    found = {one.place for one in caches() if one.bounded and not one.place.startswith("engine/")}
    assert found == set(SHORT_KEYS)


def test_the_walk_finds_the_caches_of_the_engine() -> None:
    assert sum(one.bounded and one.place.startswith("engine/") for one in caches()) > 10


@pytest.mark.parametrize("long", ["x" * (MAX_CHARACTERS + 1), "it" + ",y" * 40_000])
def test_a_long_header_is_read_and_not_kept(long: str) -> None:
    asked = []

    @keeping_short
    def length(value: str) -> int:
        asked.append(value)
        return len(value)

    assert [length(long) for _ in range(2)] == [len(long)] * 2
    assert [length("short") for _ in range(2)] == [5, 5]
    assert asked == [long, long, "short"]
    assert MAX_KEPT * kept_answers.MAX_CHARACTERS < 1024 * 1024


def test_long_headers_mean_the_same_as_short_ones() -> None:
    padding = "," + "y" * 60_000
    assert negotiated("it, en;q=0.5" + padding) == negotiated("it, en;q=0.5") == "it"
    assert gzip_wish(b"gzip" + padding.encode()) is gzip_wish(b"gzip") is Wish.WELCOME
