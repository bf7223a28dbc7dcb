"""What the environment says to every gRPC process. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.structured_logs import LogFormat


class RpcSettings(BaseSettings):
    """Settings that every process has."""

    model_config = SettingsConfigDict(env_prefix="FOLDTABLE_", hide_input_in_errors=True)

    listen: str
    """Address of the gRPC port; port 0 takes any free one."""
    database_url: str = Field(min_length=1)
    metrics_listen: str = ""
    """Address of the Prometheus endpoint; empty: none."""
    reflection: bool = True
    log_level: str = "info"
    log_format: LogFormat = LogFormat.JSON
    drain_seconds: float = Field(default=10, ge=0, le=300)
