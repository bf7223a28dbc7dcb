"""A gateway that reaches its services over TLS, and shows a certificate of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from throwaway_ca import LOOPBACK, Certified, ThrowawayCa

from gateway.settings import Settings
from gateway.upstream.tls import TlsUnusable, read_client_tls
from tests.gateway.conftest import World
from tests.gateway.table import PROGRAM, Platform
from tests.support.processes import Process

PLAIN = "plain text"


@dataclass(frozen=True)
class Guarded:
    """Services that answer certified callers only."""

    ca: ThrowawayCa
    folder: Path
    rules: str
    platform: str

    def gateway(self, world: World, name: str, **tls: Path | str) -> Process:
        """Return a gateway that knows where they are."""
        settings = world.gateway_settings(self.rules) | {"platform": self.platform}
        files = {key: str(value) for key, value in tls.items()}
        return Process("gateway", self.folder / f"{name}.log", **settings, **files)


@pytest.fixture(scope="module")
def guarded(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    folder = tmp_path_factory.mktemp("tls")
    ca = ThrowawayCa(folder)
    shown = ca.certify("services")
    tls = {
        "tls_certificate_file": str(shown.certificate),
        "tls_key_file": str(shown.key),
        "tls_client_ca_file": str(ca.file),
    }
    with (
        Process("services.rules", folder / "rules.log", **world.rules_settings(), **tls) as rules,
        Process("services.platform", folder / "platform.log", **world.platform_settings(), **tls) as platform,
    ):
        yield Guarded(ca, folder, rules.start(), platform.start())


def test_a_match_is_played_and_listed_over_mutual_tls(world: World, guarded: Guarded) -> None:
    shown = guarded.ca.certify("gateway")
    gateway = guarded.gateway(
        world,
        "gateway",
        tls_ca_file=guarded.ca.file,
        tls_certificate_file=shown.certificate,
        tls_key_file=shown.key,
    )
    with gateway, Platform(gateway.start(), world.key) as platform:
        table = platform.new_table()
        body = {"action": PROGRAM, "expected_version": 1, "seat": 0}
        assert platform.post(f"{table.path}/moves", json=body).json()["version"] == 2
        assert platform.get(f"{table.path}/view").status_code == 200
        assert platform.get("/v1/matches").status_code == 200, "the platform service as well"


@pytest.mark.parametrize(
    "shown", [PLAIN, "no certificate", "a stranger's certificate", "trust in a stranger"]
)
def test_whoever_cannot_show_what_is_asked_for_reaches_no_service(
    world: World, guarded: Guarded, shown: str, tmp_path: Path
) -> None:
    stranger = ThrowawayCa(tmp_path, "stranger")
    theirs = stranger.certify("gateway")
    ours = guarded.ca.certify("gateway")
    tls: dict[str, Any] = {
        PLAIN: {},
        "no certificate": {"tls_ca_file": guarded.ca.file},
        "a stranger's certificate": {"tls_ca_file": guarded.ca.file, **_shown(theirs)},
        "trust in a stranger": {"tls_ca_file": stranger.file, **_shown(ours)},
    }[shown]
    gateway = guarded.gateway(world, shown.replace(" ", "_"), **tls)
    with gateway, Platform(gateway.start(), world.key) as platform:
        answer = platform.create()
        assert (answer.status_code, answer.json()["reason"]) == (503, "RULES_UNAVAILABLE")
        assert "ssl" not in answer.text.lower(), "how our services are reached is nobody's business"
        told = [line["message"] for line in gateway.lines() if line["event"] == "rules server failed"]
        assert any("last error" in text for text in told)
    log = gateway.log.read_text()
    assert "PRIVATE KEY" not in log
    assert "BEGIN CERTIFICATE" not in log


def _shown(files: Certified) -> dict[str, Path]:
    return {"tls_certificate_file": files.certificate, "tls_key_file": files.key}


def test_a_gateway_does_not_start_with_a_certificate_it_cannot_use(world: World, guarded: Guarded) -> None:
    gateway = guarded.gateway(world, "spoilt", tls_ca_file=guarded.folder / "nowhere.pem")
    with (
        gateway,
        pytest.raises(AssertionError, match=r"FOLDTABLE_TLS_CA_FILE: .* cannot be read: No such file"),
    ):
        gateway.start()


def test_what_cannot_be_used_is_named_and_nothing_of_it_is_quoted(tmp_path: Path) -> None:
    ca = ThrowawayCa(tmp_path)
    ours, other = ca.certify("gateway"), ca.certify("another")
    old = ca.certify("old", ended=timedelta(days=2))
    nonsense = tmp_path / "nonsense.pem"
    nonsense.write_text("open-sesame")
    for files, told in (
        ((nonsense, ours.certificate, ours.key), "FOLDTABLE_TLS_CA_FILE holds no certificates"),
        ((ca.file, nonsense, ours.key), "FOLDTABLE_TLS_CERTIFICATE_FILE holds no certificates"),
        ((ca.file, ours.certificate, nonsense), "FOLDTABLE_TLS_KEY_FILE holds no private key"),
        ((ca.file, ours.certificate, other.key), "FOLDTABLE_TLS_KEY_FILE is not the key"),
        ((ca.file, old.certificate, old.key), "FOLDTABLE_TLS_CERTIFICATE_FILE expired on"),
        ((ca.file, ours.certificate, None), "FOLDTABLE_TLS_KEY_FILE is missing"),
        ((ca.file, None, ours.key), "FOLDTABLE_TLS_CERTIFICATE_FILE is missing"),
        ((None, ours.certificate, ours.key), "FOLDTABLE_TLS_CA_FILE is missing"),
    ):
        with pytest.raises(TlsUnusable, match=told) as failure:
            read_client_tls(*files)
        assert "open-sesame" not in str(failure.value)


def test_what_was_read_is_not_shown(tmp_path: Path) -> None:
    ca = ThrowawayCa(tmp_path)
    ours = ca.certify("gateway")
    tls = read_client_tls(ca.file, ours.certificate, ours.key, "rules")
    assert repr(tls) == "ClientTls(server_name='rules')"


def test_replicas_named_by_address_need_one_name_to_be_certified(tmp_path: Path) -> None:
    several = {"river_dragons": f"{LOOPBACK}:7100|{LOOPBACK}:7101"}
    more: dict[str, Any] = {
        "token_public_key_file": tmp_path / "unused",
        "tls_ca_file": ThrowawayCa(tmp_path).file,
    }
    with pytest.raises(TlsUnusable, match="FOLDTABLE_TLS_SERVER_NAME is missing"):
        Settings(rules=several, **more).read_tls()
    assert Settings(rules=several, tls_server_name="rules", **more).read_tls() is not None
    assert Settings(rules={"river_dragons": "rules:7100"}, **more).read_tls() is not None


def test_without_settings_there_is_no_tls() -> None:
    assert read_client_tls(None, None, None) is None
