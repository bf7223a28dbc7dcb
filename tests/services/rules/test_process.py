"""The rules server as a process: settings, health, reflection, drain."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.platform.signing_keys import write_key_pair


def environment(folder: Path, database_url: str, **more: str) -> dict[str, str]:
    private = folder / "private.pem"
    if not private.exists():
        write_key_pair(private, folder / "public.pem")
    return {
        **os.environ,
        "FOLDTABLE_DATABASE_URL": database_url,
        "FOLDTABLE_TOKEN_PRIVATE_KEY_FILE": str(private),
        "FOLDTABLE_LISTEN": "127.0.0.1:0",
        **more,
    }


def start(settings: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "services.rules"], env=settings, stderr=subprocess.PIPE, text=True
    )


@pytest.fixture
def server(tmp_path: Path, database_url: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = start(environment(tmp_path, database_url))
    assert process.stderr is not None
    serving = json.loads(process.stderr.readline())
    assert serving["event"] == "serving"
    yield process, serving["address"]
    if process.poll() is None:
        process.kill()
    process.wait(10)
    process.stderr.close()


def test_it_says_it_serves_each_service_and_stops_when_told(
    server: tuple[subprocess.Popen[str], str],
) -> None:
    process, address = server
    with grpc.insecure_channel(address) as channel:
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
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0


@pytest.mark.parametrize(
    ("changed", "culprit"),
    [
        pytest.param({"FOLDTABLE_GAMES": "chess"}, "chess", id="an unknown game"),
        pytest.param({"FOLDTABLE_DATABASE_URL": ""}, "database_url", id="no database"),
        pytest.param({"FOLDTABLE_SEAT_TOKEN_HOURS": "soon"}, "seat_token_hours", id="no number"),
    ],
)
def test_settings_that_do_not_fit_are_named(
    tmp_path: Path, database_url: str, changed: dict[str, str], culprit: str
) -> None:
    process = start(environment(tmp_path, database_url, **changed))
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert culprit in errors
    assert "Traceback" not in errors


def test_a_database_that_was_not_migrated_is_refused(tmp_path: Path, empty_database_url: str) -> None:
    process = start(environment(tmp_path, empty_database_url))
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "migrat" in errors
    assert "Traceback" not in errors
