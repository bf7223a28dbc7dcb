"""What the programs of the fault runs have in common: words of the command line, a folder, and how they stop."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import signal
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import uvloop

from tests.proofs.faults.session import Result


def parser(
    program: str, doc: str | None, epilog: str = "", *, folder: str = "faults"
) -> argparse.ArgumentParser:
    """Return what may be said to each of them; `folder` is the proof's."""
    made = argparse.ArgumentParser(
        prog=f"python -m tests.proofs.{folder}.{program}".removesuffix("."),
        description=doc,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--seed", type=int, default=1, help="of every choice that is made here (%(default)s)")
    made.add_argument("--matches", type=int, default=9, help="under way at once (%(default)s)")
    made.add_argument("--gateways", type=int, default=2, help="how many (%(default)s)")
    made.add_argument("--keep", type=Path, help="keep notes and logs in this folder, which must not exist")
    return made


def judged(keep: Path | None, run: Callable[[Path], Coroutine[Any, Any, Result]]) -> int:
    """Run in a folder that is removed unless it is kept, print what came of it, and give the exit code."""
    folder = keep or Path(tempfile.mkdtemp(prefix="foldtable-faults-"))
    folder.mkdir(parents=True, exist_ok=keep is None)
    try:
        result = uvloop.run(_until_told(run(folder)))
    except asyncio.CancelledError:
        raise SystemExit("stopped; nothing was judged") from None
    finally:
        if keep is None:
            shutil.rmtree(folder)
    print(result)
    return bool(result.violations)


async def _until_told(running: Coroutine[Any, Any, Result]) -> Result:
    """Run; when told to stop, stop everything that was started."""
    task = asyncio.ensure_future(running)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task
