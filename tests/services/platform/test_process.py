"""The platform service as a process: settings, health, reflection, drain."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.support.deployment import Deployment
from tests.support.processes import Process, refused

pytestmark = pytest.mark.slow

SERVICE = "foldtable.platform.v1.PlatformService"
WEBHOOKS = "foldtable.platform.v1.WebhookService"


@pytest.fixture
def service(tmp_path: Path, database_url: str) -> Iterator[Process]:
    settings = Deployment.new(tmp_path, database_url).platform()
    with Process("services.platform", tmp_path / "log", **settings) as process:
        yield process


def test_it_says_it_serves_and_stops_when_asked_to(service: Process) -> None:
    with grpc.insecure_channel(service.start()) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", SERVICE, WEBHOOKS):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        (listed,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
            iter([request]), timeout=5
        )
        assert SERVICE in {service.name for service in listed.list_services_response.service}
    service.send(signal.SIGTERM)
    assert service.wait() == 0


@pytest.mark.parametrize(
    ("changed", "culprit"),
    [
        pytest.param({"database_url": ""}, "FOLDTABLE_DATABASE_URL", id="no database"),
        pytest.param({"drain_seconds": "soon"}, "FOLDTABLE_DRAIN_SECONDS", id="no number"),
        pytest.param({"token_public_key_file": "/dev/null"}, "no public key", id="no key"),
        pytest.param({"webhook_key_file": "/dev/null"}, "holds no key", id="no webhook key"),
    ],
)
def test_settings_that_do_not_fit_are_named(service: Process, changed: dict[str, str], culprit: str) -> None:
    service.set(**changed)
    errors = refused(service)
    assert culprit in errors
    assert "Traceback" not in errors


def test_a_private_key_is_not_taken_for_a_public_one(service: Process, tmp_path: Path) -> None:
    service.set(token_public_key_file=str(tmp_path / "token_private.pem"))
    assert "token_private.pem" in refused(service)


def test_a_database_that_was_not_migrated_is_refused(service: Process, empty_database_url: str) -> None:
    service.set(database_url=empty_database_url)
    assert "migrate" in refused(service)
