"""Coverage-guided fuzzing of every decoder, with atheris; without it, by chance alone.

`python -m tests.proofs.hostile.fuzz --seconds 60 payloads` fuzzes one family. What it finds is kept in the
corpus, under the decoder's name, and played back by `make test` from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from tests.proofs.hostile.decoders import FAMILIES, members
from tests.proofs.hostile.decoding import CHOICE_BYTES, CORPUS, Decoder, chosen
from tests.proofs.hostile.strategies import NASTY_BYTES, NASTY_VALUES, spoiled

MAX_BYTES: Final = 65_536
_INPUT_SECONDS: Final = 20
_MEMORY_MB: Final = 2_048
_EXECUTED: Final = re.compile(r"number_of_executed_units: (\d+)")
_COVERED: Final = re.compile(r"cov: (\d+)")
_FAULT: Final = "FOLDTABLE-FAULT"
"""As guided.py writes it."""


@dataclass
class Fuzzed:
    """What came of a family."""

    family: str
    decoders: int
    inputs: int = 0
    covered: int = 0
    """Edges of our code; 0 without atheris."""
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.family:24}{self.decoders:9}{self.inputs:11}{self.covered:9}{len(self.findings):10}"


HEAD: Final = f"{'family':24}{'decoders':>9}{'inputs':>11}{'edges':>9}{'findings':>10}"


def is_guided() -> bool:
    """Return whether atheris is here."""
    return importlib.util.find_spec("atheris") is not None


def fuzz(family: str, seconds: float, seed: int = 1, *, guided: bool = True) -> Fuzzed:
    """Fuzz a family for some seconds; by chance where it shall not be guided, or cannot be."""
    return (_guided if guided and is_guided() else _by_chance)(family, seconds, seed)


# ── by chance ──────────────────────────────────────────────────────────────────────────────────────


def _by_chance(family: str, seconds: float, seed: int) -> Fuzzed:
    found = members(family)
    result = Fuzzed(family, len(found))
    chance, until = Random(f"{seed} {family}"), time.monotonic() + seconds
    while time.monotonic() < until:
        decoder = chance.choice(found)
        data = spoiled(chance.randrange, decoder.seeds)
        result.inputs += 1
        try:
            decoder.feed(data)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            result.findings.append(f"{decoder.name}: {type(error).__name__} (kept in {keep(decoder, data)})")
    return result


# ── guided: a process of its own, since libFuzzer ends it ──────────────────────────────────────────


def _guided(family: str, seconds: float, seed: int) -> Fuzzed:
    found = members(family)
    result = Fuzzed(family, len(found))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write_seeds(found, folder / "seeds")
        (folder / "words").write_text(_dictionary())
        options = [
            f"-max_total_time={max(1, round(seconds))}",
            f"-seed={seed}",
            f"-max_len={MAX_BYTES}",
            f"-timeout={_INPUT_SECONDS}",
            f"-rss_limit_mb={_MEMORY_MB}",
            f"-artifact_prefix={folder}/found-",
            f"-dict={folder / 'words'}",
            "-print_final_stats=1",
        ]
        command = [sys.executable, "-m", "tests.proofs.hostile.guided", family, *options, folder / "seeds"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        told = done.stdout + done.stderr
        result.inputs = int(max(_EXECUTED.findall(told), default="0", key=int))
        result.covered = int(max(_COVERED.findall(told), default="0", key=int))
        for artifact in sorted(folder.glob("found-*")):
            decoder, data = chosen(found, artifact.read_bytes())
            why = next((line for line in told.splitlines() if _FAULT in line), artifact.name.split("-")[1])
            result.findings.append(f"{decoder.name}: {why} (kept in {keep(decoder, data)})")
        if done.returncode and not result.findings:
            result.findings.append(f"{family}: the fuzzer ended with {done.returncode}: {told[-500:]}")
    return result


def keep(decoder: Decoder, data: bytes) -> str:
    """Keep an input in the corpus; give where."""
    path = CORPUS / decoder.name / hashlib.sha256(data).hexdigest()[:16]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path.relative_to(CORPUS))


def _write_seeds(found: list[Decoder], folder: Path) -> None:
    folder.mkdir()
    for number, decoder in enumerate(found):
        choice = number.to_bytes(CHOICE_BYTES, "big")
        for other, seed in enumerate(decoder.seeds):
            if len(seed) < MAX_BYTES - CHOICE_BYTES:
                (folder / f"{number}-{other}").write_bytes(choice + seed)


def _dictionary() -> str:
    words = [word for word in (*NASTY_VALUES, *NASTY_BYTES) if len(word) <= 40]
    return "".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in words)


def run(seconds: float, families: tuple[str, ...] = tuple(FAMILIES), *, guided: bool = True) -> list[Fuzzed]:
    """Fuzz families one after the other, so many seconds in all."""
    way = "guided by coverage (atheris)" if guided and is_guided() else "by chance"
    print(f"decoders fuzzed {way}\n{HEAD}", flush=True)
    results = []
    for family in families:
        results.append(fuzz(family, seconds / len(families), guided=guided))
        print(results[-1], flush=True)
    return results


def main() -> int:
    """Return 0 if nothing was found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="*", choices=[[], *FAMILIES], help="all, if none is given")
    parser.add_argument("--seconds", type=float, default=120, help="for all of them together")
    asked = parser.parse_args()
    findings = [
        one
        for result in run(asked.seconds, tuple(asked.families) or tuple(FAMILIES))
        for one in result.findings
    ]
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
