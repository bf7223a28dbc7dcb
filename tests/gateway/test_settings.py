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
