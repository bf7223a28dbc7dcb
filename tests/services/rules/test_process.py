"""The rules server as a process: settings, health, reflection, drain."""

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


@pytest.fixture
def server(tmp_path: Path, database_url: str) -> Iterator[Process]:
    settings = Deployment.new(tmp_path, database_url).rules()
    with Process("services.rules", tmp_path / "log", **settings) as process:
        yield process


def test_it_says_it_serves_each_service_and_stops_when_asked_to(server: Process) -> None:
    with grpc.insecure_channel(server.start()) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for name in ("", "foldtable.rules.v1.RulesService", "foldtable.matches.v1.MatchService"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5)
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        newer = channel.stream_stream(
            "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        assert list(newer(iter([request]), timeout=5)) == list(
            reflection.ServerReflectionInfo(iter([request]), timeout=5)
        )
        (listed,) = reflection.ServerReflectionInfo(iter([request]), timeout=5)
        names = {service.name for service in listed.list_services_response.service}
        assert {"foldtable.rules.v1.RulesService", "foldtable.matches.v1.MatchService"} <= names
    server.send(signal.SIGTERM)
    assert server.wait() == 0


@pytest.mark.parametrize(
    ("changed", "culprit"),
    [
        pytest.param({"games": "chess"}, "chess", id="an unknown game"),
        pytest.param({"database_url": ""}, "FOLDTABLE_DATABASE_URL", id="no database"),
        pytest.param({"seat_token_hours": "soon"}, "FOLDTABLE_SEAT_TOKEN_HOURS", id="no number"),
    ],
)
def test_settings_that_do_not_fit_are_named(server: Process, changed: dict[str, str], culprit: str) -> None:
    server.set(**changed)
    errors = refused(server)
    assert culprit in errors
    assert "Traceback" not in errors


def test_a_database_that_was_not_migrated_is_refused(server: Process, empty_database_url: str) -> None:
    server.set(database_url=empty_database_url)
    errors = refused(server)
    assert "migrat" in errors
    assert "Traceback" not in errors
