"""Where a match is: a file, an id, an address."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import typer

from services.cli.matches import place as match_place
from services.cli.matches.place import MatchAddress, place_of

ID = UUID("01940000-0000-7000-8000-000000000001")
HERE = "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("what", "place"),
    [
        pytest.param(str(ID), MatchAddress(HERE, ID), id="an id"),
        pytest.param(f"http://games.example/v1/matches/{ID}", MatchAddress("http://games.example", ID), id="an address"),
        pytest.param(f"https://games.example:444/v1/matches/{ID}/export?audience=public", MatchAddress("https://games.example:444", ID), id="of its export"),
        pytest.param(f"https://games.example/table/v1/matches/{ID}/", MatchAddress("https://games.example/table", ID), id="behind a path"),
        pytest.param("match.json", Path("match.json"), id="a file"),
        pytest.param("-", Path("-"), id="standard input"),
        pytest.param("x" * 5000, Path("x" * 5000), id="a name too long for any file"),
    ],
)  # fmt: skip
def test_a_file_an_id_and_an_address_are_distinguished(what: str, place: Any) -> None:
    assert place_of(what, HERE) == place


def test_a_file_with_the_name_of_an_id_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(str(ID)).write_text("{}")
    assert place_of(str(ID), HERE) == Path(str(ID))


@pytest.mark.parametrize(
    "what",
    [
        "http://games.example/v1/matches",
        f"http:///v1/matches/{ID}",
        "http://games.example/v1/matches/------------------------------------",
        f"http://[/v1/matches/{ID}",
        "https://",
    ],
)
def test_an_address_of_no_match_is_refused(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as ended:
        place_of(what, HERE)
    assert ended.value.exit_code == 2
    assert "is not the address of a match" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "verify", "export"])
def test_an_id_needs_a_key_and_a_gateway(
    foldtable: Any, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_place, "RETRY_SECONDS", 0.1)
    without = foldtable(command, ID, FOLDTABLE_KEY="")
    assert without.exit_code == 2
    assert "a key is needed" in without.stderr
    nobody = foldtable(command, ID, "--url", "http://127.0.0.1:1", "--key", "ft_dev_x")
    assert nobody.exit_code == 1
    assert f"/v1/matches/{ID}/export" in nobody.stderr
    assert len(nobody.stderr.splitlines()) == 1
    assert "ft_dev_x" not in nobody.output
