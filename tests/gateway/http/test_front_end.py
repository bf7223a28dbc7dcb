"""The reference front end: what browsers get at `/`, and the files that its page loads."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
from structlog.testing import capture_logs

from gateway import app
from gateway.http.pages.accept import prefers_html
from gateway.http.pages.front_end import BUILT, FOR_A_WHILE, FOR_GOOD, PAGE, POLICY, FrontEnd, read_front_end
from gateway.settings import Settings
from tests.gateway.conftest import World
from tests.support.processes import Process

CHROMIUM = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
BROWSER = {"accept": CHROMIUM}
NAMES = sorted(path.name for path in BUILT.iterdir()) if BUILT.is_dir() else []
RECORDS = {PAGE, "manifest.json", "sources.sha256"}
"""What is built, and not served below /web: the page is at `/`, and the others are for tests."""
ASSETS = sorted(set(NAMES) - RECORDS)


@contextmanager
def gateway(world: World, folder: Path, **settings: str) -> Iterator[httpx.Client]:
    """Start one more gateway, with other settings."""
    shared = world.gateway_settings(world.rules_address)
    with Process("gateway", folder / "gateway.log", **{**shared, **settings}) as process:
        with httpx.Client(base_url=process.start(), timeout=30) as client:
            yield client
        assert process.stop() == 0


def varies_by(answer: httpx.Response) -> set[str]:
    """Return the names of headers that decide about an answer; `Origin` does everywhere."""
    return {name.strip().lower() for name in answer.headers.get("vary", "").split(",")} - {"origin"}


@pytest.mark.parametrize(
    "accept", [CHROMIUM, FIREFOX, "text/html", "application/json;q=0.5, TEXT/HTML ;q=0.7"]
)
def test_a_browser_gets_the_page(anybody: httpx.Client, accept: str) -> None:
    page = anybody.get("/", headers={"accept": accept})
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert page.content == (BUILT / PAGE).read_bytes()
    assert page.headers["cache-control"] == "no-cache"
    assert varies_by(page) == {"accept", "accept-encoding"}


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/json", "application/json, text/html", "text/html;q=0"]
)
def test_everybody_else_gets_the_index(anybody: httpx.Client, accept: str) -> None:
    index = anybody.get("/", headers={"accept": accept})
    assert index.json()["name"] == "Foldtable"
    assert "accept" in varies_by(index), "a cache must not show it to a browser"
    assert "content-security-policy" not in index.headers


@pytest.mark.parametrize(
    ("accept", "wanted"),
    [
        ("text/html", True),
        ("text/*", True),
        ("text/*;q=0.2, */*;q=0.1", True),
        ("application/json;q=0.9, */*", True),
        ("text/html;level=1;q=0.8, application/json;q=0.7", True),
        ("", False),
        ("*/*", False),
        ("text/html, application/json", False),
        ("text/html;q=0.1, */*;q=0.2", False),
        ("text/html;q=0, text/*, application/json;q=0.1", False),
        ("text/html;q=2", False),
        ("text/html;q=high", False),
        ("text/html;q=nan", False),
        ("image/png", False),
    ],
)
def test_what_a_client_prefers_is_read_from_the_weights(accept: str, wanted: bool) -> None:
    assert prefers_html(accept) is wanted


PAGES = ("/", "/docs", "/problems", "/problems/VERSION_CONFLICT", "/v1/games/river_dragons/rules")
ADDED = ("utm_source=x", "lang=it", "fbclid=1&fbclid=2", "%ff=%", "a=1&" * 40)
"""What links have in their queries when they were passed on by others, or typed by hand."""


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("query", ADDED)
def test_people_get_the_page_whatever_a_link_has_in_its_query(
    anybody: httpx.Client, path: str, query: str
) -> None:
    for method in ("GET", "HEAD"):
        page = anybody.request(method, f"{path}?{query}", headers=BROWSER)
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert anybody.get(f"{path}?{query}", headers=BROWSER).text == anybody.get(path, headers=BROWSER).text


@pytest.mark.parametrize("path", ["/docs/swagger-ui.css", "/web/icon.svg"])
def test_what_pages_load_is_there_whatever_is_in_the_query(anybody: httpx.Client, path: str) -> None:
    assert anybody.get(f"{path}?v=3").content == anybody.get(path).content


@pytest.mark.parametrize("path", ["/", "/problems", "/v1/games/river_dragons/rules", "/v1/games"])
def test_programs_are_told_what_is_not_known(anybody: httpx.Client, path: str) -> None:
    refused = anybody.get(f"{path}?utm_source=x")
    assert (refused.status_code, refused.json()["errors"][0]["parameter"]) == (400, "utm_source")


def test_page_and_index_have_tags_of_their_own(anybody: httpx.Client) -> None:
    tags = set()
    for accept in (CHROMIUM, "application/json"):
        first = anybody.get("/", headers={"accept": accept})
        again = anybody.get("/", headers={"accept": accept, "if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        for name in ("etag", "cache-control"):
            assert again.headers[name] == first.headers[name]
        assert "accept" in varies_by(again)
        tags.add(first.headers["etag"])
    index = anybody.get("/", headers={"accept": "application/json"})
    other = anybody.get("/", headers={**BROWSER, "if-none-match": index.headers["etag"]})
    assert (other.status_code, len(tags)) == (200, 2), "the tag of the index is not the page's"


def test_everything_that_the_page_loads_is_there_and_nothing_from_elsewhere(anybody: httpx.Client) -> None:
    """Also what scripts import, at once or later."""
    waiting, seen = ["/"], {"/"}
    while waiting:
        answer = anybody.get(waiting.pop(), headers=BROWSER)
        assert answer.status_code == 200, answer.url
        named = re.findall(r'(?:href|src|content)="(/web/[^"]+)"', answer.text)
        named += [f"/web/{name}" for name in re.findall(r'(?:from|import\(?)"\./([^"]+)"', answer.text)]
        waiting += [link for link in named if link not in seen]
        seen.update(named)
    unused = {f"/web/{name}" for name in ASSETS} - seen
    assert unused == {"/web/LICENSES.txt"}


def test_page_and_files_bind_the_browser_strictly(anybody: httpx.Client) -> None:
    for path in ("/", *(f"/web/{name}" for name in ASSETS)):
        answer = anybody.get(path, headers=BROWSER)
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"


def test_the_policy_allows_only_what_comes_from_here() -> None:
    directives = dict(one.strip().split(" ", 1) for one in POLICY.split(";"))
    assert directives["default-src"] == "'none'"
    assert set(directives.values()) == {"'none'", "'self'"}
    mine = {name for name, sources in directives.items() if sources == "'self'"}
    assert mine == {"script-src", "style-src", "connect-src", "img-src", "worker-src"}
    assert {"base-uri", "form-action", "frame-ancestors"} <= directives.keys() - mine


def test_a_file_has_its_type_and_stays_in_caches_if_its_name_tells_its_contents(
    anybody: httpx.Client,
) -> None:
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain"}
    for name in ASSETS:
        answer = anybody.get(f"/web/{name}")
        assert answer.headers["content-type"].partition(";")[0] == kinds[Path(name).suffix]
        is_for_good = Path(name).suffix in {".js", ".css"}
        assert answer.headers["cache-control"] == (FOR_GOOD if is_for_good else FOR_A_WHILE)
        again = anybody.get(f"/web/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.headers["etag"]) == (304, answer.headers["etag"])
        assert varies_by(answer) == varies_by(again) == {"accept-encoding"}
        head = anybody.head(f"/web/{name}")
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == answer.headers["content-length"]


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("br, gzip;q=0.5", True),
        ("identity;q=0, *", True),
        ("identity", False),
        ("gzip;q=0", False),
    ],
)
def test_a_file_is_compressed_for_whom_accepts_it(
    anybody: httpx.Client, accepted: str, *, is_packed: bool
) -> None:
    name = json.loads((BUILT / "manifest.json").read_text())["entry"]
    for path, file in (("/", PAGE), (f"/web/{name}", name)):
        contents = (BUILT / file).read_bytes()
        with anybody.stream("GET", path, headers={**BROWSER, "accept-encoding": accepted}) as answer:
            body = b"".join(answer.iter_raw())
        assert ("content-encoding" in answer.headers) is is_packed
        assert answer.headers["etag"].endswith('-gzip"') is is_packed
        assert len(body) == int(answer.headers["content-length"])
        assert (gzip.decompress(body) if is_packed else body) == contents
        assert (len(body) < len(contents)) is is_packed


@pytest.mark.parametrize(
    "name",
    [
        *sorted(RECORDS),
        "main.js",
        "..%2fbuild.mjs",
        "%2e%2e%2f%2e%2e%2fsettings.py",
        "..%5cbuild.mjs",
        "icon.svg%00",
        "icon.svg/",
        "ICON.SVG",
        ".",
        "",
        "x" * 300,
    ],
)
def test_what_is_no_file_of_the_front_end_is_not_found(anybody: httpx.Client, name: str) -> None:
    answer = anybody.get(f"/web/{name}")
    assert (answer.status_code, answer.json()["reason"]) == (404, "ROUTE_NOT_FOUND")


def test_the_files_are_compressed_although_nothing_else_is(world: World, tmp_path: Path) -> None:
    """The allowance of the middleware bounds what it compresses itself; these files were compressed at the start."""
    with gateway(world, tmp_path, compression_share="0") as client:
        assert client.get("/", headers=BROWSER).headers["content-encoding"] == "gzip"
        assert "content-encoding" not in client.get("/v1/games/river_dragons").headers


def test_many_browsers_behind_one_address_get_every_file(world: World, tmp_path: Path) -> None:
    with gateway(world, tmp_path, rate_limits="address.anonymous=3/60") as client:
        for _ in range(3):
            for name in ASSETS:
                answer = client.get(f"/web/{name}")
                assert (answer.status_code, "ratelimit" in answer.headers) == (200, False)
        assert client.get("/web/main.js").status_code == 404
        policies = [client.get("/", headers=BROWSER).headers["ratelimit-policy"] for _ in range(3)]
        assert policies == ['"anonymous";q=3;w=60'] * 3
        assert client.get("/", headers=BROWSER).status_code == 429, "the page counts"


def test_it_can_be_switched_off(world: World, tmp_path: Path) -> None:
    with gateway(world, tmp_path, web="off") as client:
        index = client.get("/", headers=BROWSER)
        assert index.json()["name"] == "Foldtable"
        assert "accept" in varies_by(index)
        for name in ASSETS:
            assert client.get(f"/web/{name}").json()["reason"] == "ROUTE_NOT_FOUND"
    assert "not built" not in (tmp_path / "gateway.log").read_text()


@pytest.fixture
def front_end_of(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FrontEnd]:
    """Return what a gateway has, by its settings and by the folder with the built files."""
    for name, value in world.gateway_settings(world.rules_address).items():
        monkeypatch.setenv(f"FOLDTABLE_{name.upper()}", value)

    def read(folder: Path, **settings: str) -> FrontEnd:
        monkeypatch.setattr(app, "read_front_end", partial(read_front_end, folder))
        return app.front_end_of(Settings(**settings))  # type: ignore[arg-type]

    return read


def test_a_gateway_without_the_built_files_says_so_in_one_line(
    front_end_of: Callable[..., FrontEnd], tmp_path: Path
) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with capture_logs() as lines:
            assert front_end_of(folder) == FrontEnd()
        assert [(line["log_level"], line["event"]) for line in lines] == [
            ("warning", "the front end is not built")
        ]
    with capture_logs() as lines:
        assert front_end_of(tmp_path, web="off") == FrontEnd()
    assert lines == [], "nobody wants it"
