"""The built files of the front end, as they are committed: current, small, and free of what must not be in them.

`make web` builds them. No test of this file needs node; `tests/conformance/test_web.py` builds them again and compares.
"""

from __future__ import annotations

import gzip
import json
import re
from functools import cache
from typing import Any

import pytest

from gateway.http.pages.front_end import BUILT, PAGE
from tests.support.web_sources import WEB, digest_of_sources

SHELL, GAME, EVERYTHING = 20_000, 12_000, 150_000
"""Bytes, gzipped as they are sent."""
STATIC_IMPORT = re.compile(r'(?:\bfrom|\bimport)"\./([^"]+)"')
LATER_IMPORT = re.compile(r'\bimport\("\./([^"]+)"\)')
LINK_OF_PAGE = re.compile(r'(?:href|src)="/web/([^"]+\.(?:css|js))"')
RUNS_TEXT = re.compile(r"\beval\s*\(|\bFunction\s*\(")
PARSES_HTML = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|SetInnerHTML|document\.write|__html")
OF_PREACT = re.compile(
    r'\w+=="dangerouslySetInnerHTML"\?\w+=\w+:'
    r"|\w+\.__html==\w+\.__html\|\|\w+\.__html==\w+\.innerHTML\)\|\|\(\w+\.innerHTML=\w+\.__html\)"
)
"""How preact obeys `dangerouslySetInnerHTML`. Our sources never say it, so this code never runs."""
ADDRESS = re.compile(r"https?:(?://|\\/)(?!www\.w3\.org/)")
"""Of anything but one of XML's vocabularies."""


@cache
def contents() -> dict[str, str]:
    """Return every file by its name."""
    assert BUILT.is_dir(), "gateway/web/built is missing: make web"
    return {path.name: path.read_text() for path in sorted(BUILT.iterdir())}


def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(contents()["manifest.json"])
    return read


def packed(*names: str) -> int:
    return sum(len(gzip.compress(contents()[name].encode(), mtime=0)) for name in names)


def needed_by(name: str) -> set[str]:
    """Name a script and all that it imports before it runs."""
    found, waiting = set(), [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += STATIC_IMPORT.findall(contents()[one])
    return found


def test_they_were_built_from_the_present_sources() -> None:
    assert contents()["sources.sha256"].strip() == digest_of_sources(), "the sources have changed: make web"


def test_the_manifest_names_what_the_page_loads_at_first() -> None:
    """So that no part of the shell escapes its budget."""
    linked = LINK_OF_PAGE.findall(contents()[PAGE])
    assert manifest()["entry"] in linked
    styles = {name for name in linked if name.endswith(".css")}
    scripts = {part for name in linked if name.endswith(".js") for part in needed_by(name)}
    assert len(styles) == 1
    assert set(manifest()["shell"]) == {PAGE} | styles | scripts


def test_no_file_is_left_of_an_earlier_build() -> None:
    """Each script and style is named by the page or by another script."""
    text = "".join(contents()[name] for name in contents() if name != "manifest.json")
    assert [name for name in contents() if name.endswith((".js", ".css")) and name not in text] == []


def test_every_game_is_loaded_when_it_is_needed_and_not_before() -> None:
    games = set(manifest()["games"].values())
    assert {name for name in contents() if name.startswith("game-")} == games
    assert {path.name for path in (WEB / "src" / "games").iterdir() if path.is_dir()} == manifest()[
        "games"
    ].keys()
    assert not games & set(manifest()["shell"])
    later = {name for text in contents().values() for name in LATER_IMPORT.findall(text)}
    assert games <= later


def test_the_shell_is_small() -> None:
    assert packed(*manifest()["shell"]) <= SHELL


def test_every_game_is_small() -> None:
    sizes = {game: packed(name) for game, name in manifest()["games"].items()}
    assert {game: size for game, size in sizes.items() if size > GAME} == {}


def test_all_files_together_are_small() -> None:
    assert packed(*contents()) <= EVERYTHING


def test_no_file_runs_text_as_a_program() -> None:
    assert [name for name, text in contents().items() if RUNS_TEXT.search(text)] == []


def test_no_file_makes_html_of_text() -> None:
    for name, text in contents().items():
        assert PARSES_HTML.findall(OF_PREACT.sub("", text)) == [], name
    sources = [path for path in (WEB / "src").rglob("*") if path.suffix in {".ts", ".tsx", ".html"}]
    assert [path.name for path in sources if PARSES_HTML.search(path.read_text())] == []
    assert len(sources) > 10


def test_no_file_names_another_place() -> None:
    """What a browser must never load there, the policy forbids as well."""
    assert [name for name, text in contents().items() if ADDRESS.search(text)] == []


def test_no_file_names_a_path_of_the_machine_that_built_it() -> None:
    machine = re.compile(r"/(?:home|root|Users|tmp)/|node_modules|sourceMappingURL")
    assert [name for name, text in contents().items() if machine.search(text)] == []


def test_the_page_has_no_script_or_style_of_its_own() -> None:
    """The policy would block them."""
    page = contents()[PAGE]
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", page) == []


def test_every_package_in_them_comes_with_its_licence() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    shipped = {
        place.rpartition("node_modules/")[2]: package["version"]
        for place, package in packages.items()
        if place and not package.get("dev")
    }
    notices = contents()["LICENSES.txt"]
    assert shipped.keys() == {"preact"}, "build.mjs writes the notice of preact alone"
    assert [name for name, version in shipped.items() if f"{name} {version}:" not in notices] == []
    assert "Permission is hereby granted, free of charge" in notices


@pytest.mark.parametrize(
    "text",
    [
        "x.innerHTML=y",
        "x={dangerouslySetInnerHTML:{__html:t}}",
        "a.insertAdjacentHTML('x',y)",
        "a.innerHTML=b.__html",
    ],
)
def test_what_makes_html_of_text_would_be_found(text: str) -> None:
    assert PARSES_HTML.search(OF_PREACT.sub("", text))


@pytest.mark.parametrize(
    "text", ["https://fonts.example/a.css", 'fetch("http://a.example")', "http:\\/\\/a.example"]
)
def test_another_place_would_be_found(text: str) -> None:
    assert ADDRESS.search(text)
