"""Settings of every gRPC process from the environment. Every name begins with FOLDTABLE_."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.postgres.database import DatabaseSettings
from services.postgres.sessions import Pooler
from services.process.structured_logs import LogFormat
from services.rpc.tls import ServerTls, server_tls


class RpcSettings(BaseSettings):
    """Settings that every process shares."""

    model_config = SettingsConfigDict(env_prefix="FOLDTABLE_", hide_input_in_errors=True)

    listen: str
    """Address of the gRPC port; port 0 takes any free one."""
    database_url: str = Field(min_length=1)
    """Address of Postgres, or of a pooler in front of it."""
    database_direct_url: str = ""
    """Address of Postgres itself, if `database_url` is a pooler's; a pooler in transaction mode needs it."""
    database_pooler: Pooler = Pooler.NONE
    """What answers at `database_url`: `none` for Postgres itself, or a pooler in mode `session` or `transaction`."""
    database_readers: int = Field(default=8, ge=1, le=200)
    """Most connections of this process for everything but moves."""
    database_writers: int = Field(default=2, ge=1, le=16)
    """Most connections of this process for moves: how many batches of moves can be written at once."""
    metrics_listen: str = ""
    """Address of the Prometheus endpoint; empty: none."""
    health_listen: str = ""
    """Address where only health answers, without TLS, for probes that do not speak TLS; empty: none."""
    tls_certificate_file: Path | None = None
    """The server's certificate (PEM), followed by the intermediate certificates; none: no TLS."""
    tls_key_file: Path | None = None
    """The certificate's key (PEM, not encrypted)."""
    tls_client_ca_file: Path | None = None
    """Certificate authorities (PEM), for mutual TLS: callers need a certificate of one of them. None: callers need none."""
    reflection: bool = True
    log_level: str = "info"
    log_format: LogFormat = LogFormat.JSON
    drain_seconds: float = Field(default=10, ge=0, le=300)

    @property
    def database(self) -> DatabaseSettings:
        """Return how to reach the database. Raises ValueError for an address that cannot be used."""
        return DatabaseSettings(
            self.database_url,
            direct_url=self.database_direct_url,
            pooler=self.database_pooler,
            readers=self.database_readers,
            writers=self.database_writers,
        )

    @property
    def tls(self) -> ServerTls | None:
        """Return the TLS files; None: no TLS."""
        return server_tls(self.tls_certificate_file, self.tls_key_file, self.tls_client_ca_file)

    @model_validator(mode="after")
    def _whole_tls(self) -> Self:
        """Raises ValueError if some of the TLS settings are missing beside the others."""
        _ = self.tls
        return self
