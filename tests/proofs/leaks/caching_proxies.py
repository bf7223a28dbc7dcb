"""Caching proxies in front of a gateway, as people set them up: nginx with `proxy_cache`, and Varnish."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from tests.support.deployment import free_addresses

NGINX: Final = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin") or ""
VARNISH: Final = shutil.which("varnishd") or shutil.which("varnishd", path="/usr/sbin:/usr/local/sbin") or ""
START_SECONDS: Final = 60.0

NGINX_CONFIGURATIONS: Final = {
    "nginx": "",
    "nginx, valid": "proxy_cache_valid 200 302 10m; proxy_cache_valid 404 1m;",
    "nginx, any": (
        "proxy_cache_valid any 1m; proxy_cache_revalidate on; proxy_cache_lock on; "
        "proxy_cache_use_stale error timeout updating; proxy_cache_background_update on;"
    ),
    "nginx, gzip": (
        'proxy_cache_valid 200 1m; proxy_set_header Accept-Encoding ""; '
        "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 0; gzip_vary on;"
    ),
}
"""What stands beside `proxy_cache` in the location."""
_NGINX: Final = """
daemon off;
{user}
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off;
  client_body_temp_path {folder}/bodies;
  proxy_temp_path {folder}/proxied;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  proxy_cache_path {folder}/cache levels=1:2 keys_zone=api:4m max_size=64m inactive=60m use_temp_path=off;
  server {{
    listen {listen};
    location / {{
      proxy_pass {gateway};
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      {cache}
      {more}
      add_header X-Cache-Status $upstream_cache_status;
    }}
  }}
}}
"""
VARNISH_CONFIGURATIONS: Final = {
    "varnish": "",
    "varnish, hash": (
        'sub vcl_recv {{ if (req.method == "GET" || req.method == "HEAD") {{ return (hash); }} return (pass); }}'
    ),
}
"""The built-in rules, by which requests with a credential pass; and rules that look all reads up."""
_VARNISH: Final = """
vcl 4.1;
backend default {{ .host = "{host}"; .port = "{port}"; }}
"""


@contextmanager
def proxy(name: str, gateway: str, *, caching: bool = True) -> Iterator[str]:
    """Start the proxy of a configuration in front of a gateway; give its address, and stop it in the end.

    `caching`: whether nginx caches; if it does, it asks without the conditions of its clients.
    """
    (listen,) = free_addresses(1)
    with tempfile.TemporaryDirectory(prefix="proxy") as place:
        folder = Path(place)
        if name in NGINX_CONFIGURATIONS:
            cache = "proxy_cache api;" if caching else ""
            command = _nginx(folder, listen, gateway, NGINX_CONFIGURATIONS[name], cache)
        else:
            command = _varnish(folder, listen, gateway, VARNISH_CONFIGURATIONS[name])
        with (
            (folder / "output").open("wb") as output,
            subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT) as process,
        ):
            try:
                _wait(f"http://{listen}", process, folder)
                yield f"http://{listen}"
            finally:
                process.terminate()
                process.wait(20)


def _nginx(folder: Path, listen: str, gateway: str, more: str, cache: str) -> list[str]:
    user = "user root;" if os.geteuid() == 0 else ""
    configuration = folder / "nginx.conf"
    configuration.write_text(
        _NGINX.format(user=user, folder=folder, listen=listen, gateway=gateway, more=more, cache=cache)
    )
    return [NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(configuration)]


def _varnish(folder: Path, listen: str, gateway: str, more: str) -> list[str]:
    url = httpx.URL(gateway)
    rules = folder / "rules.vcl"
    rules.write_text((_VARNISH + more).format(host=url.host, port=url.port))
    state = folder / "state"
    return [
        *(VARNISH, "-F", "-j", "none", "-a", listen, "-f", str(rules), "-n", str(state)),
        *("-s", "malloc,64m", "-T", "none"),
    ]


def _wait(url: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{url}/livez", trust_env=False).status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"the proxy did not start:\n{(folder / 'output').read_text()[-4000:]}")
