"""As much of curl as our documents use, for machines that have none: -s -i -N -X -H -d -o --max-time URL."""

from __future__ import annotations

import argparse
import sys

import httpx

LINGER_SECONDS = 600.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="curl")
    parser.add_argument("url")
    parser.add_argument("-s", "--silent", action="store_true")
    parser.add_argument("-N", "--no-buffer", action="store_true")
    parser.add_argument("-i", "--include", action="store_true")
    parser.add_argument("-X", "--request", default="")
    parser.add_argument("-H", "--header", action="append", default=[])
    parser.add_argument("-d", "--data", default=None)
    parser.add_argument("-o", "--output", default="")
    parser.add_argument("--max-time", type=float, default=LINGER_SECONDS)
    wanted = parser.parse_args()
    method = wanted.request or ("GET" if wanted.data is None else "POST")
    headers = dict(line.split(": ", 1) for line in wanted.header)
    with open(wanted.output, "wb") if wanted.output else sys.stdout.buffer as out:  # noqa: PTH123 - as curl has it
        try:
            with httpx.stream(
                method,
                wanted.url,
                headers=headers,
                content=wanted.data,
                timeout=wanted.max_time,
                trust_env=False,
            ) as answer:
                if wanted.include:
                    out.write(f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}\r\n".encode())
                    out.write("".join(f"{n}: {v}\r\n" for n, v in answer.headers.items()).encode() + b"\r\n")
                for chunk in answer.iter_bytes():
                    out.write(chunk)
                    out.flush()
        except httpx.ReadTimeout:
            sys.exit(28)


if __name__ == "__main__":
    main()
