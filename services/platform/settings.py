"""What the environment says to the platform service. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from services.rpc.settings import RpcSettings


class PlatformSettings(RpcSettings):
    """Settings of a platform service."""

    listen: str = "127.0.0.1:7200"
    token_public_key_file: Path
    """Ed25519 public keys (PEM, one or several) that match tokens are checked with; this process signs none."""
    webhook_key_file: Path
    """The keys that secrets of webhook endpoints are sealed with (services/webhooks/vault.py)."""
    webhook_lanes: int = Field(default=32, ge=0, le=1_000)
    """Webhooks this process sends at the same time; 0: it sends none, and leaves them to others."""
    webhook_lease_seconds: float = Field(default=60, ge=2, le=3_600)
    """How long a process that died holds up what it was sending."""
    webhook_loopback: bool = False
    """For development: webhooks may go to this machine, and without TLS. Nobody else should be able to set a URL then."""
    event_days: int = Field(default=30, ge=1, le=3_650)
    """How long events are kept, for the feed and for sending again."""
