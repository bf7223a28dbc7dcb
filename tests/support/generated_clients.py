"""Clients that generators make, in Java, Go and Python: generated, compiled and run. For tests; used by name.

The commands and the programs are those of docs/play/clients.md. What Java and Go need comes from Debian: there is no other
place to have their libraries from that is reached everywhere. Jackson is in the generator's own jar.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.support import java
from tests.support.documents import ROOT, Block, blocks

PAGE: Final = ROOT / "docs" / "play" / "clients.md"
VALIDATOR: Final = Path("/usr/share/gocode/src/gopkg.in/validator.v2")
ANNOTATIONS: Final = Path("/usr/share/java/geronimo-annotation-1.3-spec.jar")
"""javax.annotation, which generated Java code of all kinds uses."""
QUICKLY: Final = "-XX:TieredStopAtLevel=1"
"""Programs that run for seconds do not earn back what the second compiler costs: measured, a third of the time."""


@cache
def why_not(language: str) -> str:
    """Return what is missing to generate and run a client; nothing, if it can be done."""
    if language == "python":
        missing = find_spec("datamodel_code_generator") is None
        return "needs datamodel-code-generator: make prepare installs it" if missing else ""
    if find_spec("openapi_generator_cli") is None:
        return "needs openapi-generator-cli: make prepare installs it"
    if java.why_not():
        return java.why_not()
    if language == "java":
        return "" if ANNOTATIONS.exists() else f"needs {ANNOTATIONS} (libgeronimo-annotation-1.3-spec-java)"
    if shutil.which("go") is None:
        return "needs go, 1.18 or newer"
    return "" if VALIDATOR.is_dir() else f"needs {VALIDATOR} (golang-gopkg-validator.v2-dev)"


def generate(language: str, folder: Path, url: str) -> None:
    """Run the commands of the page that generate a client in `folder`. AssertionError if one is refused."""
    generator = "datamodel-codegen " if language == "python" else f"--generator-name {language} "
    (command,) = [block for block in _blocks("sh") if generator in block.content]
    run(
        "sh", "-ec", _without_installing(command.content), folder=folder, FOLDTABLE_URL=url, JAVA_OPTS=QUICKLY
    )


def compile_java(folder: Path) -> list[str]:
    """Compile the client and the program of the page; return the command that runs it."""
    (folder / "Play.java").write_text(program("java"))
    sources = [str(path) for path in (folder / "java" / "src" / "main").rglob("*.java")]
    spec = find_spec("openapi_generator_cli")
    assert spec is not None
    assert spec.origin is not None
    jar = Path(spec.origin).parent / "openapi-generator.jar"
    libraries = f"{jar}:{ANNOTATIONS}"
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
    run("javac", *options, "Play.java", *sources, folder=folder)
    return ["java", QUICKLY, "-cp", f"classes:{libraries}", "Play"]


def compile_go(folder: Path) -> list[str]:
    """Compile the client and the program of the page; return the command that runs it."""
    module = folder / "go"
    (module / "play").mkdir()
    (module / "play" / "main.go").write_text(program("go"))
    copy = folder / "validator"
    shutil.copytree(VALIDATOR, copy, ignore=shutil.ignore_patterns("*_test.go"))
    (copy / "go.mod").write_text("module gopkg.in/validator.v2\n")
    run("go", "mod", "edit", f"-replace=gopkg.in/validator.v2={copy}", folder=module)
    run("go", "build", "-o", folder / "play", "./play", folder=module)
    return [str(folder / "play")]


def compile_python(folder: Path) -> list[str]:
    """Write the program of the page; return the command that runs it."""
    (folder / "play.py").write_text(program("python"))
    return [sys.executable, "play.py"]


def program(language: str) -> str:
    """Return the program of the page that plays with a generated client."""
    (block,) = [
        block for block in _blocks(language) if language != "python" or "foldtable_models" in block.content
    ]
    return block.content


def run(*command: str | Path, folder: Path, seconds: int = 400, **environment: str) -> str:
    """Run a command; return what it prints. AssertionError unless it ends with 0."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env={
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "GOFLAGS": "-mod=mod",
            "GOPROXY": "off",  # nothing is fetched while tests run
            "GOCACHE": str(folder / "go-cache"),
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    named = " ".join(str(word) for word in command)[:400]
    assert done.returncode == 0, f"{named}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def _blocks(language: str) -> list[Block]:
    return [block for block in blocks(PAGE) if block.language == language]


def _without_installing(commands: str) -> str:
    """Leave out `pip install`: tests use what is pinned."""
    return "\n".join(line for line in commands.splitlines() if not line.startswith("pip install "))
