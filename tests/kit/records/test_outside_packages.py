"""A game that uses the interface alone, the template of `foldtable new-game`, passes; stale descriptors are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from engine import registry
from services.cli import new_game
from services.kit.building.contract import ContractRefused
from services.kit.check import Check
from services.kit.records import descriptors
from services.kit.records.descriptors import DESCRIPTORS
from services.kit.records.every_check import RECORD_CHECKS
from services.kit.records.paragraphs import PARAGRAPHS
from services.kit.running import run
from services.kit.subject import Subject
from tests.kit.records.planted import faults

TEMPLATE = Path(new_game.__file__).parent / "template"
NAME = "example_game"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Subject:
    """The template, as if it were installed."""
    monkeypatch.syspath_prepend(TEMPLATE)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    package = __import__(f"{NAME}.package", fromlist=["PACKAGE"]).PACKAGE
    monkeypatch.setitem(registry.GAMES, NAME, package)
    monkeypatch.setitem(registry._FOUND, NAME, registry._Found(package, "example 0.1"))
    return Subject(NAME, matches=4)


@pytest.mark.parametrize("check", RECORD_CHECKS, ids=lambda check: check.name)
def test_the_template_passes(example: Subject, check: Check) -> None:
    result = run(check, example)
    assert [(fault.where, fault.what) for fault in result.faults] == []
    assert (result.skipped, result.checked != "nothing") == ("", True)


def test_descriptors_that_are_not_those_of_the_files_are_a_fault(
    example: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = descriptors.compiled(example.package)
    file = next(one for one in stale.file if one.name.endswith("events.proto"))
    del file.message_type[0].field[0]
    monkeypatch.setattr(descriptors, "descriptors_of", lambda _: stale)
    assert faults(DESCRIPTORS, example) == [f"{example.package.descriptors} is not what {file.name} says"]


def test_files_that_protoc_refuses_are_a_fault(example: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(package):
        raise ContractRefused("protoc refuses the contract")

    monkeypatch.setattr(descriptors, "compiled", refuses)
    assert faults(DESCRIPTORS, example) == ["protoc refuses the contract"]


def test_without_a_compiler_nothing_is_compared(example: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descriptors, "compiled", lambda package: None)
    assert DESCRIPTORS.run(example).skipped == "grpcio-tools is not installed"
    example.package = replace(example.package, game="engine.al_rashid.game:GAME")
    assert DESCRIPTORS.run(example).skipped == "the package ships no .proto files"


def test_paragraphs_that_are_not_those_of_the_docstrings_are_a_fault(
    example: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = replace(example.game.texts)
    stored = dict(texts.paragraphs)
    stored["1"] = structs.replace(stored["1"], text="Another rule.")
    vars(texts)["paragraphs"] = stored
    example.game = replace(example.game, texts=texts)
    assert faults(PARAGRAPHS, example) == ["text/paragraphs.json is not what is written of paragraph 1"]
