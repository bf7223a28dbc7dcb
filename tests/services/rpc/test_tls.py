"""A server that speaks TLS: who is answered, who is not, and what it says of a certificate it cannot use."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pydantic import ValidationError
from throwaway_ca import LOOPBACK, Certified, ThrowawayCa

from services.cli.up.ports import free_port
from services.rpc.server import RpcServer
from services.rpc.settings import RpcSettings
from services.rpc.tls import TlsUnusable

SECONDS = 5
NOBODY = "failed to connect to all addresses"


@pytest.fixture
def ca(tmp_path: Path) -> ThrowawayCa:
    return ThrowawayCa(tmp_path)


@pytest.fixture
def stranger(tmp_path: Path) -> ThrowawayCa:
    """An authority nobody here trusts."""
    return ThrowawayCa(tmp_path, "stranger")


def settings(shown: Certified | None = None, **more: Any) -> RpcSettings:
    files = {} if shown is None else {"tls_certificate_file": shown.certificate, "tls_key_file": shown.key}
    return RpcSettings(
        listen=f"{LOOPBACK}:0", database_url="unused", reflection=False, drain_seconds=0, **files, **more
    )


@asynccontextmanager
async def serving(wanted: RpcSettings) -> AsyncIterator[str]:
    server = RpcServer(wanted, [])
    try:
        yield await server.start()
    finally:
        await server.stop()


def trusting(ca: ThrowawayCa, shown: Certified | None = None) -> grpc.ChannelCredentials:
    if shown is None:
        return grpc.ssl_channel_credentials(ca.file.read_bytes())
    return grpc.ssl_channel_credentials(
        ca.file.read_bytes(), shown.key.read_bytes(), shown.certificate.read_bytes()
    )


async def ask(address: str, credentials: grpc.ChannelCredentials | None) -> Any:
    """Ask for the server's health, over TLS or without."""
    channel = (
        grpc.aio.insecure_channel(address)
        if credentials is None
        else grpc.aio.secure_channel(address, credentials)
    )
    async with channel:
        return (
            await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        ).status


async def refused(address: str, credentials: grpc.ChannelCredentials | None) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as failure:
        await ask(address, credentials)
    assert failure.value.code() is grpc.StatusCode.UNAVAILABLE
    details = failure.value.details() or ""
    assert NOBODY in details
    return details


async def test_a_caller_who_trusts_the_authority_is_answered_and_who_speaks_no_tls_is_not(
    ca: ThrowawayCa, stranger: ThrowawayCa
) -> None:
    async with serving(settings(ca.certify("rules"))) as address:
        assert await ask(address, trusting(ca)) == health_pb2.HealthCheckResponse.SERVING
        await refused(address, None)
        assert "CERTIFICATE_VERIFY_FAILED" in await refused(address, trusting(stranger))


async def test_a_certificate_for_another_host_is_not_believed(ca: ThrowawayCa) -> None:
    async with serving(settings(ca.certify("rules", "10.0.0.5"))) as address:
        assert "Hostname Verification" in await refused(address, trusting(ca))


async def test_with_mutual_tls_only_certified_callers_are_answered(
    ca: ThrowawayCa, stranger: ThrowawayCa
) -> None:
    wanted = settings(ca.certify("rules"), tls_client_ca_file=ca.file)
    async with serving(wanted) as address:
        assert (
            await ask(address, trusting(ca, ca.certify("gateway"))) == health_pb2.HealthCheckResponse.SERVING
        )
        await refused(address, trusting(ca))
        await refused(address, None)
        await refused(address, trusting(ca, stranger.certify("a_strangers_gateway")))
        await refused(address, trusting(ca, ca.certify("an_old_gateway", ended=timedelta(minutes=1))))


async def test_a_server_whose_certificate_has_expired_is_not_believed(ca: ThrowawayCa) -> None:
    """The server itself would not start with it; this one was started before."""
    old = ca.certify("rules", ended=timedelta(minutes=1))
    server = grpc.aio.server()
    pair = (old.key.read_bytes(), old.certificate.read_bytes())
    port = server.add_secure_port(f"{LOOPBACK}:0", grpc.ssl_server_credentials([pair]))
    await server.start()
    assert "CERTIFICATE_VERIFY_FAILED" in await refused(f"{LOOPBACK}:{port}", trusting(ca))
    await server.stop(0)


async def test_a_renewed_certificate_is_shown_without_a_restart(
    ca: ThrowawayCa, stranger: ThrowawayCa, caplog: pytest.LogCaptureFixture
) -> None:
    files = ca.certify("rules")
    async with serving(settings(files)) as address:
        assert await ask(address, trusting(ca)) == health_pb2.HealthCheckResponse.SERVING
        files.key.write_text("half a key")
        assert await ask(address, trusting(ca)) == health_pb2.HealthCheckResponse.SERVING
        stranger.certify("rules", replacing=files)
        assert await ask(address, trusting(stranger)) == health_pb2.HealthCheckResponse.SERVING
        await refused(address, trusting(ca))


async def test_a_renewed_authority_of_callers_is_trusted_without_a_restart(
    ca: ThrowawayCa, stranger: ThrowawayCa
) -> None:
    files = ca.certify("rules")
    authority = files.key.with_name("authority_of_callers.pem")
    authority.write_bytes(ca.file.read_bytes())
    known, new = trusting(ca, ca.certify("gateway")), trusting(ca, stranger.certify("gateway"))
    async with serving(settings(files, tls_client_ca_file=authority)) as address:
        assert await ask(address, known) == health_pb2.HealthCheckResponse.SERVING
        await refused(address, new)
        authority.write_bytes(stranger.file.read_bytes())
        assert await ask(address, new) == health_pb2.HealthCheckResponse.SERVING
        await refused(address, known)


async def test_probes_without_tls_have_a_port_where_nothing_but_health_answers(ca: ThrowawayCa) -> None:
    probed = f"{LOOPBACK}:{free_port()}"
    wanted = settings(ca.certify("rules"), tls_client_ca_file=ca.file, health_listen=probed)
    async with serving(wanted) as address:
        assert await ask(probed, None) == health_pb2.HealthCheckResponse.SERVING
        await refused(address, None)
        async with grpc.aio.insecure_channel(probed) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as failure:
                await channel.unary_unary("/foldtable.matches.v1.MatchService/GetMatch")(b"", timeout=SECONDS)
        assert failure.value.code() is grpc.StatusCode.UNIMPLEMENTED


def unreadable(files: Certified, ca: ThrowawayCa) -> None:
    files.key.unlink()


def no_pem(files: Certified, ca: ThrowawayCa) -> None:
    files.key.write_text("open-sesame")


def no_certificate(files: Certified, ca: ThrowawayCa) -> None:
    files.certificate.write_text("open-sesame")


def of_another(files: Certified, ca: ThrowawayCa) -> None:
    files.key.write_bytes(ca.certify("another").key.read_bytes())


def expired(files: Certified, ca: ThrowawayCa) -> None:
    ca.certify("rules", ended=timedelta(days=2), replacing=files)


def no_authority(files: Certified, ca: ThrowawayCa) -> None:
    ca.file.write_text("open-sesame")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (unreadable, r"^FOLDTABLE_TLS_KEY_FILE: .* cannot be read: No such file"),
        (no_pem, r"^FOLDTABLE_TLS_KEY_FILE holds no private key"),
        (no_certificate, r"^FOLDTABLE_TLS_CERTIFICATE_FILE holds no certificates"),
        (of_another, r"^FOLDTABLE_TLS_KEY_FILE is not the key of the certificate in FOLDTABLE_TLS_CERT"),
        (expired, r"^FOLDTABLE_TLS_CERTIFICATE_FILE expired on \d{4}-\d\d-\d\d$"),
        (no_authority, r"^FOLDTABLE_TLS_CLIENT_CA_FILE holds no certificates"),
    ],
)
async def test_what_cannot_be_used_is_named_when_the_server_starts_and_nothing_of_it_is_quoted(
    ca: ThrowawayCa, spoil: Callable[[Certified, ThrowawayCa], None], told: str
) -> None:
    files = ca.certify("rules")
    spoil(files, ca)
    with pytest.raises(TlsUnusable, match=told) as failure:
        async with serving(settings(files, tls_client_ca_file=ca.file)):
            pass
    assert "open-sesame" not in str(failure.value)
    assert "BEGIN" not in str(failure.value)


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ("tls_certificate_file", "FOLDTABLE_TLS_KEY_FILE is missing beside FOLDTABLE_TLS_CERTIFICATE_FILE"),
        ("tls_key_file", "FOLDTABLE_TLS_CERTIFICATE_FILE is missing beside FOLDTABLE_TLS_KEY_FILE"),
        (
            "tls_client_ca_file",
            "FOLDTABLE_TLS_CERTIFICATE_FILE is missing beside FOLDTABLE_TLS_CLIENT_CA_FILE",
        ),
    ],
)
def test_half_of_tls_is_a_mistake(given: str, missing: str) -> None:
    """Otherwise a forgotten line would turn it off."""
    with pytest.raises(ValidationError, match=missing):
        settings(**{given: "some.pem"})
