"""grpc-java: stubs made of the served contracts, and the platform of docs/build/embed-the-rules.md, as it stands there."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from tests.support import java
from tests.support.documents import ROOT, agrees, blocks
from tests.support.generated_clients import ANNOTATIONS, QUICKLY, run
from tests.support.several_of_each import Several

PAGE = ROOT / "docs" / "build" / "embed-the-rules.md"
JARS = Path("/usr/share/java")
LIBRARIES = [
    *(
        f"grpc-{name}.jar"
        for name in ("api", "context", "core", "netty", "protobuf", "protobuf-lite", "stub")
    ),
    *(
        f"netty-{name}.jar"
        for name in ("buffer", "codec", "codec-http", "codec-http2", "codec-socks", "common")
    ),
    *(f"netty-{name}.jar" for name in ("handler", "handler-proxy", "resolver", "transport")),
    *("netty-transport-native-unix-common.jar", "perfmark-api.jar", "perfmark-impl.jar"),
    *("guava.jar", "protobuf.jar", ANNOTATIONS.name),
]
"""Debian's: there is no other place to have Java's libraries from that is reached everywhere."""


@cache
def why_not() -> str:
    """Return what is missing; nothing, if the program can be compiled and run."""
    programs = [name for name in ("protoc", "grpc_java_plugin") if shutil.which(name) is None]
    missing = [*programs, *(name for name in LIBRARIES if not (JARS / name).exists())]
    return java.why_not() or (f"needs {', '.join(missing)}" if missing else "")


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "grpc-java is here")
@pytest.mark.timeout(400)  # compiles the stubs, also on a busy machine
def test_the_platform_of_the_page_plays_a_match_and_folds_its_log(stack: Several, tmp_path: Path) -> None:
    found = blocks(PAGE)
    (program,) = [number for number, block in enumerate(found) if block.language == "java"]
    settings = {"FOLDTABLE_URL": stack.urls[0], "FOLDTABLE_GRPC": stack.rules_addresses[0]}
    (generate,) = [block for block in found if block.language == "sh" and "protoc " in block.content]
    run("sh", "-ec", generate.content, folder=tmp_path, **settings)
    (tmp_path / "Platform.java").write_text(found[program].content)
    libraries = ":".join(str(JARS / name) for name in LIBRARIES)
    stubs = (tmp_path / "stubs").rglob("*.java")
    options = [
        f"-J{QUICKLY}",
        "-encoding",
        "UTF-8",
        "-proc:none",
        "-nowarn",
        "-d",
        "classes",
        "-cp",
        libraries,
    ]
    run("javac", *options, "Platform.java", *stubs, folder=tmp_path)
    printed = run("java", QUICKLY, "-cp", f"classes:{libraries}", "Platform", folder=tmp_path, **settings)
    assert agrees(found[program + 1].content, printed), printed
