/** Answers that are read as they arrive: one connection, ended by the caller's signal or by silence. */

import { problemOf } from "./problems.js";
import { PASSING, type Query, type Sender } from "./sending.js";

/** Three missed pings: the connection is dead. */
export const QUIET = 45_000;

/** The connection broke, or the API said "later". */
export class Interrupted extends Error {
  constructor(
    trouble: string,
    readonly retryAfter: string | null,
    override readonly cause?: unknown,
  ) {
    super(trouble);
  }
}

/**
 * Give the lines of an answer, cut at LF or CR LF. `arrived` is called when it is there and with each part of it.
 *
 * Throws ProblemError for a refusal, Interrupted for what may be tried again, and the signal's reason when it is aborted.
 */
export async function* linesOf(
  sender: Sender,
  path: string,
  query: Query,
  headers: Record<string, string>,
  arrived: (response: Response) => void,
  signal?: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  signal?.throwIfAborted();
  const connection = new AbortController();
  const abort = () => connection.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  const arrives = async <Part>(part: Promise<Part>): Promise<Part> => {
    const timer = setTimeout(abort, QUIET); // only while this waits: its caller may take its time
    try {
      return await part;
    } catch (error) {
      signal?.throwIfAborted();
      throw new Interrupted(String(error), null, error);
    } finally {
      clearTimeout(timer);
    }
  };
  try {
    const response = await arrives(sender.open("GET", path, { query, headers }, connection.signal));
    if (PASSING.has(response.status)) throw new Interrupted(String(response.status), response.headers.get("Retry-After"));
    if (!response.ok) throw problemOf(response.status, await arrives(response.text()));
    arrived(response);
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const part = await arrives(reader?.read() ?? Promise.resolve(undefined));
      if (!part?.value) return;
      arrived(response);
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    connection.abort();
  }
}
