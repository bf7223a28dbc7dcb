"""Whatever bytes a decoder is given, it reads them or says no, in time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.proofs.hostile.decoders import FAMILIES, decoders, members
from tests.proofs.hostile.decoders_of_gateway import bodies, modules
from tests.proofs.hostile.decoders_of_platform import SERVICES, messages, methods
from tests.proofs.hostile.decoders_of_rules import GAME_IDS
from tests.proofs.hostile.decoding import CORPUS
from tests.proofs.hostile.strategies import hostile
from tests.support.documents import ROOT

EXAMPLES = int(os.environ.get("FOLDTABLE_HOSTILE_EXAMPLES", "5"))
HUGE = 100_000
"""Bytes beyond which a seed is left to the long run."""
PLAYED_BACK = [
    pytest.param(name, path, id=f"{name}/{path.name}")
    for name, decoder in decoders().items()
    for path in decoder.corpus
]


@pytest.mark.parametrize("name", decoders())
def test_a_good_input_is_read_or_refused(name: str) -> None:
    decoder = decoders()[name]
    assert decoder.seeds or name.startswith("message.")
    assert [seed for seed in decoder.seeds if decoder.feed(seed)] or name in _NEVER_ACCEPTED


@pytest.mark.parametrize("name", decoders())
def test_a_bad_input_is_refused_and_nothing_else_happens(name: str) -> None:
    decoder = decoders()[name]
    seeds = tuple(seed for seed in decoder.seeds if len(seed) < HUGE)

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=hostile(seeds))
    def feed(data: bytes) -> None:
        decoder.feed(data)

    feed()


@pytest.mark.parametrize(("name", "path"), PLAYED_BACK)
def test_what_was_found_once_stays_mended(name: str, path: Path) -> None:
    decoders()[name].feed(path.read_bytes())


_NEVER_ACCEPTED = frozenset({"ticket.sealed"})
"""What opens a ticket is not to be had without the ticket."""


# ── nothing is forgotten ───────────────────────────────────────────────────────────────────────────


def test_every_body_a_route_reads_has_a_decoder_here() -> None:
    """Found by name in the routes' modules, or by signature; this counts how often bodies are read there."""
    written = [Path(str(module.__file__)).read_text() for module in modules()]
    reading = sum(text.count("Decoder(") + text.count("body: Annotated[") for text in written)
    assert len(bodies()) == reading > 30


def test_every_rpc_of_the_protos_has_a_decoder_here() -> None:
    written = [path.read_text() for path in (ROOT / "proto" / "foldtable").rglob("*_service.proto")]
    assert len(methods()) == len(messages()) == sum(text.count("\n  rpc ") for text in written)
    assert len(SERVICES) == len(written)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_game_has_its_decoders_here(game_id: str) -> None:
    named = {name for name in decoders() if f".{game_id}." in name}
    assert len(named) == 11, "three kinds of payload in two forms, and five calls of the pure rules service"


def test_every_decoder_is_of_one_family() -> None:
    counted = [decoder.name for family in FAMILIES for decoder in members(family)]
    assert sorted(counted) == sorted(decoders())


def test_every_folder_of_the_corpus_is_of_a_decoder() -> None:
    assert {path.name for path in CORPUS.iterdir() if path.is_dir()} <= decoders().keys()
