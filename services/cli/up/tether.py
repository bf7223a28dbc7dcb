"""Run a module that ends when its starter has ended: `python -m services.cli.up.tether services.rules`.

The starter holds the other end of standard input. However it ends, even by kill -9, the pipe closes
and this process stops itself, as if by SIGTERM. So no server is ever left behind.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading


def end_with_starter() -> None:
    """Wait for the end of standard input, then stop this process."""
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    module = sys.argv[1]
    sys.argv = sys.argv[1:]
    threading.Thread(target=end_with_starter, name="tether", daemon=True).start()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
