"""Is there a secret in a file that others get: in the repository, in its history, in the image?

Looks for what secrets look like: our own kinds, private keys, other people's tokens, addresses with passwords, and long
strings that look like chance. What tests are made of is allowed by place and kind, with a reason.
"""

from __future__ import annotations

import math
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Final, NamedTuple

from services.identity.key_format import is_well_formed
from tests.proofs.dependencies.pins import ROOT


class HistoryCutError(Exception):
    """The clone is shallow: what was committed before is not here to be looked at."""


class Finding(NamedTuple):
    """Something that looks like a secret. The secret itself is not told."""

    place: str
    line: int
    kind: str


KINDS: Final = {
    "API key of ours": re.compile(r"ft_[a-z]{2,8}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}"),
    "webhook secret": re.compile(r"whsec_[A-Za-z0-9+/]{32,}={0,2}"),
    "private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\s)+[A-Za-z0-9+/]{16}"),
    "signed token": re.compile(r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{20,}"),
    "token of AWS": re.compile(r"AKIA[0-9A-Z]{16}"),
    "token of GitHub": re.compile(r"gh[pousr]_[A-Za-z0-9]{36}"),
    "token of npm": re.compile(r"npm_[A-Za-z0-9]{36}"),
    "token of PyPI": re.compile(r"pypi-AgE[A-Za-z0-9_-]{20}"),
    "address with a password": re.compile(r"://[^\s/:@'\"<>{}$]+:(?P<secret>[^\s/@'\"<>{}$]{6,})@"),
    "string of chance": re.compile(r"[A-Za-z0-9_+/-]{32,}={0,2}"),
}
"""Each begins with letters of its own: so a search over everything takes a second and not ten."""
MIN_ENTROPY: Final = 4.3
"""Bits per character. Words and paths have less; 32 characters of 62 kinds have more, nearly always."""
EXAMPLE_PASSWORDS: Final = frozenset({"password", "secret", "geheim"})

SECRET_FILES: Final = (
    *(".foldtable/*", "*/.foldtable/*", "*.pem", "*.key", "*development_key", "*bots_key", "*webhook_key"),
    *(".env", "*/.env", "*.p12", "*.pfx", "*id_rsa*", "*id_ed25519*", "*.npmrc", "*.pypirc", "*.netrc"),
)
"""Files whose name says enough, whatever is in them."""

ALLOWED: Final = (
    ("tests/proofs/dependencies/test_secrets_in_files.py", "*", "planted there, to be found"),
    (
        "tests/migrations/samples/*/told.json",
        "*",
        "a key of a database that is thrown away: the test comes in with it",
    ),
    ("tests/migrations/samples/*/rows.jsonl", "*", "rows of that database; endpoint secrets are sealed"),
    ("tests/conformance/.npmrc", "file that holds secrets", "settings of npm, and no token"),
    ("gateway/web/.npmrc", "file that holds secrets", "likewise"),
    ("k8s/base/kustomization.yaml", "address with a password", "REPLACE-ME, as README.md there says"),
    (
        "tests/services/cli/test_migrate.py",
        "address with a password",
        "of no database: that it is not shown is tested",
    ),
    ("tests/services/movelog/test_postgres_log.py", "address with a password", "likewise"),
    ("gateway/schemas/signing_keys.py", "string of chance", "the public key of RFC 8037, A.2, and its id"),
    (
        "tests/services/movelog/test_export_signature.py",
        "string of chance",
        "the key of RFC 8037, A.1, which everybody has",
    ),
    ("*/package-lock.json", "string of chance", "checksums of npm packages"),
    (
        "tests/proofs/hostile/corpus/*",
        "string of chance",
        "inputs that a fuzzer made of our examples, whose key is the public one of RFC 8037",
    ),
)
"""Where something may look like a secret: files, kind, and why it opens nothing."""


def in_text(place: str, text: str) -> Iterator[Finding]:
    """Find secrets in a file's text."""
    for kind, pattern in KINDS.items():
        for found in pattern.finditer(text):
            if _is_one(kind, found) and not _is_allowed(place, kind):
                yield Finding(place, text.count("\n", 0, found.start()) + 1, kind)


def in_name(place: str) -> Iterator[Finding]:
    """Find a file that should not be here at all."""
    kind = "file that holds secrets"
    if any(fnmatch(place, pattern) for pattern in SECRET_FILES) and not _is_allowed(place, kind):
        yield Finding(place, 0, kind)


def in_repository(root: Path = ROOT) -> tuple[int, list[Finding]]:
    """Look at every file git knows; give how many, and what was found."""
    names = _git(root, "ls-files", "-z").split("\0")
    return _in_files(root, [root / name for name in names if name])


def in_image(root: Path = ROOT) -> tuple[int, list[Finding]]:
    """Look at every file that an image would be built from, whether git knows it or not."""
    return _in_files(root, image_files(root))


def in_history(root: Path = ROOT) -> tuple[int, list[Finding]]:
    """Look at every version of every file that was ever committed, on any branch; give how many, and what was found.

    HistoryCutError: a shallow clone has only the end of it.
    """
    if _git(root, "rev-parse", "--is-shallow-repository").strip() == "true":
        raise HistoryCutError
    listed = _git(root, "rev-list", "--objects", "--all").splitlines()
    named = dict(line.split(" ", 1) for line in listed if " " in line)
    wanted = "\n".join(named).encode()
    done = subprocess.run(
        ["git", "-C", str(root), "cat-file", "--batch"], input=wanted, capture_output=True, check=True
    ).stdout
    findings, seen, at = [], 0, 0
    while at < len(done):
        end = done.index(b"\n", at)
        name, kind, size = done[at:end].decode().split(" ")
        content = done[end + 1 : end + 1 + int(size)]
        at = end + 2 + int(size)
        if kind == "blob":
            seen += 1
            findings += [*in_name(named[name]), *in_text(named[name], content.decode(errors="replace"))]
    return seen, findings


def image_files(root: Path = ROOT) -> list[Path]:
    """Return what .dockerignore lets through to a build."""
    lines = (root / ".dockerignore").read_text().split()
    let_in = [line[1:] for line in lines if line.startswith("!")]
    left_out = [line for line in lines if line[0] not in "#!*"]
    caches = {line.removeprefix("**/") for line in lines if line.startswith("**/")}
    files = [
        path
        for name in let_in
        for path in ([root / name] if (root / name).is_file() else sorted((root / name).rglob("*")))
        if path.is_file() and caches.isdisjoint(path.parts)
    ]
    return [path for path in files if not any(path.is_relative_to(root / name) for name in left_out)]


def _in_files(root: Path, files: Iterable[Path]) -> tuple[int, list[Finding]]:
    seen, findings = 0, []
    for path in files:
        seen += 1
        place = str(path.relative_to(root))
        findings += [*in_name(place), *in_text(place, path.read_text(errors="replace"))]
    return seen, findings


def _is_one(kind: str, found: re.Match[str]) -> bool:
    match kind:
        case "API key of ours":
            return is_well_formed(found[0])
        case "address with a password":
            return found["secret"] not in EXAMPLE_PASSWORDS
        case "string of chance":
            return _looks_like_chance(found[0])
        case _:
            return True


def _looks_like_chance(text: str) -> bool:
    """Capitals, small letters and digits, mixed, and hardly any of them twice."""
    mixed = all(re.search(kind, text) for kind in ("[a-z]", "[A-Z]", "[0-9]"))
    counts = Counter(text).values()
    return mixed and -sum(n / len(text) * math.log2(n / len(text)) for n in counts) >= MIN_ENTROPY


def _is_allowed(place: str, kind: str) -> bool:
    return any(fnmatch(place, files) and fnmatch(kind, kinds) for files, kinds, _ in ALLOWED)


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=True, text=True).stdout
