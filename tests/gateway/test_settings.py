"""What the environment says, and what stops the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from gateway.settings import Settings

MINIMUM = {"FOLDTABLE_RULES": "river_dragons=127.0.0.1:7100", "FOLDTABLE_TOKEN_PUBLIC_KEY_FILE": "public.pem"}


def settings(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Settings:
    for name, value in (
        MINIMUM | {f"FOLDTABLE_{key.upper()}": value for key, value in environment.items()}
    ).items():
        monkeypatch.setenv(name, value)
    return Settings()  # type: ignore[call-arg]


def test_two_settings_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch)
    assert read.rules == {"river_dragons": "127.0.0.1:7100"}
    assert read.token_public_key_file == Path("public.pem")
    assert (read.host, read.port, read.cors_origins) == ("127.0.0.1", 8080, ())


def test_several_games_may_live_at_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, rules="river_dragons=rules:7100, al_rashid=rules:7100,")
    assert read.rules == {"river_dragons": "rules:7100", "al_rashid": "rules:7100"}


def test_a_game_may_have_several_replicas(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, rules="river_dragons=10.0.0.5:7100|10.0.0.6:7100,al_rashid=rules:7100")
    assert read.rules == {"river_dragons": "10.0.0.5:7100|10.0.0.6:7100", "al_rashid": "rules:7100"}


def test_an_address_without_a_game_serves_the_games_that_have_none_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = settings(monkeypatch, games="al_rashid, river_dragons,ladders", rules="rules:7100")
    assert read.rules == {"al_rashid": "rules:7100", "river_dragons": "rules:7100", "ladders": "rules:7100"}
    read = settings(
        monkeypatch,
        games="al_rashid,river_dragons",
        rules="river_dragons=dragons:7100,10.0.0.5:7100|10.0.0.6:7100,ladders=ladders:7100",
    )
    assert read.rules == {
        "river_dragons": "dragons:7100",
        "ladders": "ladders:7100",
        "al_rashid": "10.0.0.5:7100|10.0.0.6:7100",
    }


@pytest.mark.parametrize(
    ("games", "rules", "why"),
    [
        (
            "",
            "rules:7100",
            "'rules:7100' serves no game: FOLDTABLE_GAMES must name one that has no address of its own here",
        ),
        (
            "ladders",
            "rules:7100,ladders=ladders:7100",
            "'rules:7100' serves no game: FOLDTABLE_GAMES must name one that has no address of its own here",
        ),
        (
            "ladders,go",
            "ladders=ladders:7100",
            "there is no address for go of FOLDTABLE_GAMES: add one without a game, such as rules:7100",
        ),
        (
            "ladders",
            "a:7100,b:7100",
            "only one address may be without a game, and 'a:7100' and 'b:7100' are; replicas of one server are separated by |",
        ),
    ],
)
def test_games_and_addresses_that_do_not_fit_together_are_explained(
    monkeypatch: pytest.MonkeyPatch, games: str, rules: str, why: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        settings(monkeypatch, games=games, rules=rules)
    assert [(one["loc"], one["msg"]) for one in refused.value.errors()] == [
        (("rules",), f"Value error, {why}")
    ]


def test_an_ipv6_address_has_brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, http_listen="[::1]:0")
    assert (read.host, read.port) == ("::1", 0)


def test_origins_are_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, cors_origins="https://a.example, https://b.example")
    assert read.cors_origins == ("https://a.example", "https://b.example")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rules", ""),
        ("rules", "river_dragons"),
        ("rules", "river_dragons="),
        ("rules", "river_dragons=7100"),
        ("rules", "river_dragons=rules:7100|other:7100"),
        ("rules", "River Dragons=rules:7100"),
        ("rules", "a=rules:7100,a=rules:7101"),
        ("games", "Ladders"),
        ("games", "ladders,ladders"),
        ("http_listen", "8080"),
        ("http_listen", "127.0.0.1:99999"),
        ("log_level", "loud"),
        ("drain_seconds", "-1"),
        ("move_deadline_seconds", "0"),
    ],
)
def test_a_malformed_setting_stops_the_start(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    with pytest.raises(ValidationError) as refused:
        settings(monkeypatch, **{name: value})
    assert [error["loc"] for error in refused.value.errors()] == [(name,)]
