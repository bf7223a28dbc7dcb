/** Replays of a match: every version with what a page draws of it, put together from what has changed. */

import { patched } from "./patches.js";
import { problemOf } from "./problems.js";
import { PASSING, Pauses, type Query, type Sender } from "./sending.js";
import { linesOf, QUIET } from "./streams.js";
import type { ReplayedVersion, ReplayStep, ReplayTable } from "./types.js";

/**
 * Give every version as it arrives; after an interruption go on where it was cut off.
 *
 * Throws ProblemError for a refusal, Unreachable if no connection brings a version, and the signal's reason when it is aborted.
 */
export async function* replayed(
  sender: Sender,
  path: string,
  query: Query,
  signal?: AbortSignal,
): AsyncGenerator<ReplayedVersion, void, undefined> {
  const pauses = new Pauses(sender.retryFor);
  let last = 0;
  for (;;) {
    // The last version comes again, because the first step of an answer has the whole table.
    const asked = { ...query, from: last || query["from"] };
    try {
      for await (const step of drawn(lines(sender, path, asked, signal))) {
        if (step.version <= last) continue;
        yield step;
        signal?.throwIfAborted();
        last = step.version;
        pauses.beginAgain();
      }
      return;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await pauses.wait(`GET ${path}: ${error.message}`, error.retryAfter);
    }
  }
}

/** Give the versions of one answer. What has not changed is shared by their tables. */
async function* drawn(answer: AsyncIterable<string>): AsyncGenerator<ReplayedVersion, void, undefined> {
  let table: ReplayTable | undefined;
  for await (const line of answer) {
    const step = JSON.parse(line) as Required<ReplayStep>;
    table = table === undefined ? step.table : patched(table, step.patch);
    yield { version: step.version, move: step.move, table };
  }
}

/** The connection broke, or the API said "later". */
class Interrupted extends Error {
  constructor(
    trouble: string,
    readonly retryAfter: string | null = null,
  ) {
    super(trouble);
  }
}

/** Give the lines of one answer, as they arrive. */
async function* lines(
  sender: Sender,
  path: string,
  query: Query,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  signal?.throwIfAborted();
  const connection = new AbortController();
  const abort = () => connection.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  const arrives = async <Part>(part: Promise<Part>): Promise<Part> => {
    const timer = setTimeout(() => connection.abort(), QUIET); // only while this waits: its caller may take its time
    try {
      return await part;
    } catch (error) {
      signal?.throwIfAborted();
      throw new Interrupted(String(error));
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const headers = { Accept: "application/x-ndjson" };
    const response = await arrives(sender.open("GET", path, { query, headers }, connection.signal));
    if (PASSING.has(response.status)) throw new Interrupted(String(response.status), response.headers.get("Retry-After"));
    if (!response.ok) throw problemOf(response.status, await arrives(response.text()));
    if (response.body !== null) yield* linesOf(chunks(response.body, arrives));
  } finally {
    signal?.removeEventListener("abort", abort);
    connection.abort();
  }
}

async function* chunks(
  body: ReadableStream<Uint8Array>,
  arrives: <Part>(part: Promise<Part>) => Promise<Part>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await arrives(reader.read());
    if (done) return;
    yield value;
  }
}
