"""The platform service as a process: settings, health, reflection, drain."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from services.platform.signing_keys import write_key_pair
from services.webhooks.vault import write_webhook_key

SERVICE = "foldtable.platform.v1.PlatformService"
WEBHOOKS = "foldtable.platform.v1.WebhookService"


def environment(folder: Path, database_url: str, **more: str) -> dict[str, str]:
    public = folder / "public.pem"
    if not public.exists():
        write_key_pair(folder / "private.pem", public)
        write_webhook_key(folder / "webhook_key")
    return {
        **os.environ,
        "FOLDTABLE_DATABASE_URL": database_url,
        "FOLDTABLE_TOKEN_PUBLIC_KEY_FILE": str(public),
        "FOLDTABLE_WEBHOOK_KEY_FILE": str(folder / "webhook_key"),
        "FOLDTABLE_LISTEN": "127.0.0.1:0",
        **more,
    }


def start(settings: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "services.platform"], env=settings, stderr=subprocess.PIPE, text=True
    )


def test_it_says_it_serves_and_stops_when_told(tmp_path: Path, database_url: str) -> None:
    process = start(environment(tmp_path, database_url))
    assert process.stderr is not None
    try:
        serving = json.loads(process.stderr.readline())
        assert serving["event"] == "serving"
        with grpc.insecure_channel(serving["address"]) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            for name in ("", SERVICE, WEBHOOKS):
                answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5)
                assert answer.status == health_pb2.HealthCheckResponse.SERVING
            request = reflection_pb2.ServerReflectionRequest(list_services="")
            (listed,) = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
                iter([request]), timeout=5
            )
            assert SERVICE in {service.name for service in listed.list_services_response.service}
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait(10)
        process.stderr.close()


@pytest.mark.parametrize(
    ("changed", "culprit"),
    [
        pytest.param({"FOLDTABLE_DATABASE_URL": ""}, "database_url", id="no database"),
        pytest.param({"FOLDTABLE_DRAIN_SECONDS": "soon"}, "drain_seconds", id="no number"),
        pytest.param({"FOLDTABLE_TOKEN_PUBLIC_KEY_FILE": "/dev/null"}, "no public key", id="no key"),
        pytest.param({"FOLDTABLE_WEBHOOK_KEY_FILE": "/dev/null"}, "holds no key", id="no webhook key"),
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


def test_a_private_key_is_not_taken_for_a_public_one(tmp_path: Path, database_url: str) -> None:
    settings = environment(tmp_path, database_url)
    settings["FOLDTABLE_TOKEN_PUBLIC_KEY_FILE"] = str(tmp_path / "private.pem")
    process = start(settings)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "private.pem" in errors


def test_a_database_that_was_not_migrated_is_refused(tmp_path: Path, empty_database_url: str) -> None:
    process = start(environment(tmp_path, empty_database_url))
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "migrate" in errors
