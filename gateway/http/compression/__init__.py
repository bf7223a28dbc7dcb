"""Compression of JSON responses and event streams, and what was decided about it.

**gzip only.** It is the one coding that every HTTP client can decode, and zlib is part of Python. A replay of 200 versions
of River of Gold shrinks to 3.3 % with it (`tests/bench/bench_bytes.py`); brotli or zstd would save some of the rest, and
would each be one more native library in the process that faces the internet.

**What.** JSON and NDJSON (`application/json`, `application/…+json`, `application/x-ndjson`) of at least a KiB, for clients
whose `Accept-Encoding` prefers gzip to `identity`. Each chunk of a streamed response is flushed, so a client reads a line as early
as it would uncompressed; that costs a sixth of the compressed size. Event streams are compressed in the same way once they have
left HTTP, with a bound on the memory of all of them (`event_streams.py`).

**Entity tags.** A strong tag names one sequence of bytes (RFC 9110 §8.8.3), so a compressed response has another:
`"v:12;a=3fa9c1d2e4b5-gzip"`, as Apache does it. Whatever reads tags of requests takes it with any such suffix
(`gateway/http/entity_tags.py`), so both name the same.

**Lengths reveal** (BREACH): whoever can make a victim repeat a request with a part of their own in it, and watch the lengths of the
encrypted responses, can guess a secret in the same response byte by byte. So no response with a credential in it is
compressed (`credentials.py`; a test finds the operations), and the gzip header of every other one is padded by up to
a hundred bytes, as Django does ("Heal the BREACH"). How many depends on the body and a secret of the process: random numbers could
be averaged away by asking often, and would give one entity tag to different bytes. Two gateways still pad differently; that would
matter only to ranges, which are not served. Hidden cards are in no response to anybody who may not see them.

**Processor time.** Compression takes at most the share of one core that FOLDTABLE_COMPRESSION_SHARE sets (`allowance.py`).
When it is used up, responses are sent as they are, even in the middle of a stream. Long bodies are compressed in a thread,
since zlib lets other threads run meanwhile.
"""
