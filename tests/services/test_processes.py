"""Rules servers and the platform service as processes: settings, health, reflection, drain."""

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

SERVICES = {
    "rules": {"foldtable.rules.v1.RulesService", "foldtable.matches.v1.MatchService"},
    "platform": {"foldtable.platform.v1.PlatformService", "foldtable.platform.v1.WebhookService"},
}


@pytest.fixture(params=SERVICES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def service(kind: str, tmp_path: Path, database_url: str) -> Iterator[Process]:
    deployment = Deployment.new(tmp_path, database_url)
    settings = deployment.rules() if kind == "rules" else deployment.platform()
    with Process(f"services.{kind}", tmp_path / "log", **settings) as process:
        yield process


def test_it_says_it_serves_each_service_and_stops_when_asked_to(kind: str, service: Process) -> None:
    with grpc.insecure_channel(service.start()) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", *SERVICES[kind]):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        newer = channel.stream_stream(
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        (listed,) = reflection.ServerReflectionInfo(iter([request]), timeout=5)
        assert list(newer(iter([request]), timeout=5)) == [listed]
        assert {service.name for service in listed.list_services_response.service} >= SERVICES[kind]
    service.send(signal.SIGTERM)
    assert service.wait() == 0


@pytest.mark.parametrize(
    ("kind", "changed", "culprit"),
    [
        pytest.param("rules", {"games": "chess"}, "chess", id="an unknown game"),
        pytest.param("rules", {"database_url": ""}, "FOLDTABLE_DATABASE_URL", id="no database"),
        pytest.param("rules", {"seat_token_hours": "soon"}, "FOLDTABLE_SEAT_TOKEN_HOURS", id="no number"),
        pytest.param("platform", {"database_url": ""}, "FOLDTABLE_DATABASE_URL", id="platform: no database"),
        pytest.param(
            "platform", {"drain_seconds": "soon"}, "FOLDTABLE_DRAIN_SECONDS", id="platform: no number"
        ),
        pytest.param("platform", {"token_public_key_file": "/dev/null"}, "no public key", id="no key"),
        pytest.param("platform", {"webhook_key_file": "/dev/null"}, "holds no key", id="no webhook key"),
    ],
    indirect=["kind"],
)
def test_settings_that_do_not_fit_are_named(service: Process, changed: dict[str, str], culprit: str) -> None:
    service.set(**changed)
    errors = refused(service)
    assert culprit in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("kind", ["platform"], indirect=True)
def test_a_private_key_is_not_taken_for_a_public_one(service: Process, tmp_path: Path) -> None:
    service.set(token_public_key_file=str(tmp_path / "token_private.pem"))
    assert "token_private.pem" in refused(service)


def test_a_database_that_was_not_migrated_is_refused(service: Process, empty_database_url: str) -> None:
    service.set(database_url=empty_database_url)
    errors = refused(service)
    assert "migrat" in errors
    assert "Traceback" not in errors
