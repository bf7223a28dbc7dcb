"""The gateway's settings, read from environment variables whose names begin with FOLDTABLE_."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from gateway.access.rate_limits import DEFAULTS, Limits, read_limits
from gateway.server.deadlines import Times
from gateway.upstream.targets import read_target
from gateway.upstream.tls import SERVER_NAME, ClientTls, TlsUnusable, read_client_tls
from services.process.structured_logs import LogFormat

_GAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LISTEN: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\s]+):(?P<port>\d{1,5})")


def _split(value: Any) -> Any:
    """Return the parts of a text such as `a, b`."""
    if isinstance(value, str):
        return [part for part in (piece.strip() for piece in value.split(",")) if part]
    return value


def _check_games(value: Any) -> Any:
    """Return the ids in `river_dragons, ladders`."""
    games = _split(value)
    if isinstance(value, str):
        for game in games:
            if not _GAME.fullmatch(game):
                raise ValueError(f"{game!r} is not the id of a game")
            if games.count(game) > 1:
                raise ValueError(f"{game} is named twice")
    return games


def _read_rules(value: Any, given: ValidationInfo) -> Any:
    """Return the address of each game, of `game=host:port, host:port, …`. One address may serve several games; `|` separates
    replicas. One without a game serves those of `games` that are not named with an address of their own.
    """
    if not isinstance(value, str):
        return value
    rules: dict[str, str] = {}
    shared: list[str] = []
    for part in _split(value):
        game, separator, address = (piece.strip() for piece in part.partition("="))
        if not separator:
            read_target(part)
            shared.append(part)
            continue
        if not _GAME.fullmatch(game) or not address:
            raise ValueError(f"{part!r} is not of the form game=host:port")
        if game in rules:
            raise ValueError(f"{game} is named twice")
        read_target(address)
        rules[game] = address
    if "games" not in given.data:  # it is malformed, and reported by itself
        return rules or dict.fromkeys(shared, "")
    return rules | _shared(shared, [game for game in given.data["games"] if game not in rules])


def _shared(addresses: list[str], games: list[str]) -> dict[str, str]:
    """Return the address of the games that have none of their own. Raises ValueError if games and addresses do not fit together."""
    if len(addresses) > 1:
        raise ValueError(
            f"only one address may be without a game, and {' and '.join(map(repr, addresses))} are; "
            "replicas of one server are separated by |"
        )
    if games and not addresses:
        raise ValueError(
            f"there is no address for {', '.join(games)} of FOLDTABLE_GAMES: add one without a game, such as rules:7100"
        )
    if addresses and not games:
        raise ValueError(
            f"{addresses[0]!r} serves no game: FOLDTABLE_GAMES must name one that has no address of its own here"
        )
    return dict.fromkeys(games, *addresses)


def _check_target(value: str) -> str:
    read_target(value)
    return value


def _read_limits(value: Any) -> Any:
    return read_limits(value) if isinstance(value, str) else value


def _check_listen(value: Any) -> Any:
    if isinstance(value, str):
        found = _LISTEN.fullmatch(value)
        if found is None or int(found["port"]) > 65535:
            raise ValueError(f"{value!r} is not of the form host:port")
    return value


def _check_optional_listen(value: Any) -> Any:
    return value if value == "" else _check_listen(value)


class Settings(BaseSettings):
    """The gateway's settings. If one is missing or malformed, the process does not start and names it."""

    model_config = SettingsConfigDict(env_prefix="FOLDTABLE_", frozen=True, extra="ignore")

    games: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_check_games)] = ()
    """Ids of the games that the address without a game in `rules` serves; the rules server reads the same variable."""
    rules: Annotated[dict[str, str], NoDecode, BeforeValidator(_read_rules), Field(min_length=1)]
    """Address of the rules servers: `127.0.0.1:7100` for the games of `games`, `river_dragons=127.0.0.1:7101` for one game, or
    both, separated by commas. Replicas are `127.0.0.1:7100|127.0.0.1:7101`, or a DNS name with several addresses."""
    rules_streams: Annotated[int, Field(ge=0, le=64)] = 0
    """Number of long streams of each kind to the rules servers of a game, over which its matches are spread; 0: one for
    each listed address, and a few for a DNS name."""
    platform: Annotated[str, AfterValidator(_check_target)] = "127.0.0.1:7200"
    """Address of the platform service; replicas as for `rules`."""
    tls_ca_file: Path | None = None
    """PEM file with the certificate authorities of our services, which are then reached over TLS. None: without TLS."""
    tls_certificate_file: Path | None = None
    """PEM file with the gateway's own certificate, for services that require one."""
    tls_key_file: Path | None = None
    """PEM file with its key, not encrypted."""
    tls_server_name: str = ""
    """The name in the services' certificates; empty: the host of each address. Required for replicas listed by IP address."""
    token_public_key_file: Path
    """PEM file with the Ed25519 public keys that verify match tokens: one, or several while keys are rotated."""
    export_public_key_file: Path | None = None
    """PEM file with the Ed25519 public keys that verify exports, to be published; None: none."""
    http_listen: Annotated[str, BeforeValidator(_check_listen)] = "127.0.0.1:8080"
    """Address to listen on; port 0: any free one."""
    metrics_listen: Annotated[str, BeforeValidator(_check_optional_listen)] = ""
    """Address of the Prometheus endpoint, for operators only; port 0: any free one. Empty: none."""
    cors_origins: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ()
    """Origins whose pages may call from a browser; `*`: any. None by default."""
    compression_share: Annotated[float, Field(ge=0, le=1)] = 0.25
    """The part of one core that compressing responses and event streams may take on average; 0: none is compressed."""
    web: Literal["on", "off"] = "on"
    """Whether browsers get the reference front end at `/`; `off`: everybody gets JSON there."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: LogFormat = LogFormat.JSON
    drain_seconds: Annotated[float, Field(ge=0, le=600)] = 10
    """How long open requests may take after SIGTERM."""
    move_deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 2
    read_deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 5
    heavy_read_deadline_seconds: Annotated[float, Field(gt=0, le=600)] = 30
    """Deadline of reads of whole matches and of earlier states, which first wait for their turn at the rules server."""
    max_heavy_reads: Annotated[int, Field(ge=1)] = 256
    """Bound on such reads under way in this process; more are refused with 503."""
    max_heavy_reads_per_key: Annotated[int, Field(ge=1)] = 64
    """Bound on such reads of one API key under way here; more are refused with 429."""
    max_heavy_reads_per_token: Annotated[int, Field(ge=1)] = 16
    """Bound on such reads of one seat or one watch token under way here; more are refused with 429."""
    max_open_moves: Annotated[int, Field(ge=1)] = 4_096
    """Bound on moves waiting for one rules server; more are refused with 503."""
    rate_limits: Annotated[Limits, NoDecode, BeforeValidator(_read_limits)] = DEFAULTS
    """Quotas that differ from the defaults, `key.moves=6000/60,token.moves=600/60`: requests per seconds, for each
    holder and each process."""
    trusted_proxies: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)] = ()
    """Addresses or networks whose `X-Forwarded-For` is trusted; none by default."""
    max_connections: Annotated[int, Field(ge=1)] = 16_384
    """Open connections of this process, event streams among them; more are refused with 503."""
    head_seconds: Annotated[float, Field(ge=1, le=600)] = Times.head
    """How long a client may take to send a request's head."""
    body_seconds: Annotated[float, Field(ge=1, le=600)] = Times.body
    """How long a client may take to send a request's body."""
    stall_seconds: Annotated[float, Field(ge=1, le=600)] = Times.stall
    """How long a client may stop reading a response."""
    max_streams: Annotated[int, Field(ge=0)] = 10_000
    """Open event streams of this process, long polls among them; more are refused with 429."""
    max_stream_histories: Annotated[int, Field(ge=0)] = 1_000
    """How many event streams may be compressed by what they sent before, which takes 40 KiB each; 0: no stream is compressed."""
    max_streams_per_credential: Annotated[int, Field(ge=1)] = 2_500
    """Open event streams of one key, or of one watch token; more are refused with 429."""
    max_streams_per_seat: Annotated[int, Field(ge=1)] = 100
    """Open event streams with the tokens of one seat; more are refused with 429."""

    @property
    def times(self) -> Times:
        """The deadlines of connections."""
        return Times(head=self.head_seconds, body=self.body_seconds, stall=self.stall_seconds)

    @property
    def host(self) -> str:
        return self.http_listen.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        return int(self.http_listen.rpartition(":")[2])

    def read_tls(self) -> ClientTls | None:
        """Return how services are reached over TLS; None: without TLS. Raises TlsUnusable if the settings do not fit together."""
        tls = read_client_tls(
            self.tls_ca_file, self.tls_certificate_file, self.tls_key_file, self.tls_server_name
        )
        if tls is not None and not tls.server_name:
            for address in (*self.rules.values(), self.platform):
                if (read_target(address).addresses or 0) > 1:
                    raise TlsUnusable(f"{SERVER_NAME} is missing: {address} has no one name to be certified")
        return tls
