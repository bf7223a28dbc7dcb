/**
 * Follows server-sent events with `fetch`, and comes back with `Last-Event-ID` wherever it was cut off.
 *
 * The browser's own EventSource cannot send an `Authorization` header; this can, so no ticket is needed.
 */

import { problemOf } from "./problems.js";
import { PASSING, Pauses, type Query, type Sender } from "./sending.js";

/** Three missed pings: the connection is dead. */
export const QUIET = 45_000;
/** At most this long a pause before a stream that had been there is opened again; not all clients at once. */
const RETURN = 1_000;

/** One event as the HTML standard tells it (§9.2). */
export interface ServerEvent {
  kind: string;
  id: string;
  data: string;
}

/**
 * Give every event, over as many connections as it takes; return when the server says there is no more (204).
 *
 * Throws ProblemError if a connection is refused, Unreachable if none holds, and the signal's reason when it is aborted.
 */
export async function* follow(
  sender: Sender,
  path: string,
  query: Query,
  signal?: AbortSignal,
): AsyncGenerator<ServerEvent, void, undefined> {
  const pauses = new Pauses(sender.retryFor, RETURN);
  let lastId = "";
  for (;;) {
    signal?.throwIfAborted();
    const connection = new Connection(signal);
    let trouble = "the stream ended";
    let retryAfter: string | null = null;
    try {
      const headers = { Accept: "text/event-stream", ...(lastId === "" ? {} : { "Last-Event-ID": lastId }) };
      const response = await sender.open("GET", path, { query, headers }, connection.signal);
      if (response.status === 204) return;
      if (response.ok && response.body !== null) {
        pauses.beginAgain();
        for await (const event of serverEvents(linesOf(connection.chunks(response.body)))) {
          lastId = event.id || lastId;
          yield event;
        }
        pauses.beginAgain();
      } else if (PASSING.has(response.status)) {
        [trouble, retryAfter] = [String(response.status), response.headers.get("Retry-After")];
      } else {
        throw new Refused(response.status, await response.text());
      }
    } catch (error) {
      if (error instanceof Refused) throw problemOf(error.status, error.body);
      signal?.throwIfAborted();
      trouble = String(error);
      if (connection.held) pauses.beginAgain();
    } finally {
      connection.close();
    }
    await pauses.wait(`GET ${path}: ${trouble}`, retryAfter);
  }
}

class Refused extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super();
  }
}

/** One connection, ended by the caller's signal or by silence. */
class Connection {
  /** Did anything arrive? */
  held = false;
  private readonly controller = new AbortController();
  private readonly abort = () => this.controller.abort();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly outer?: AbortSignal) {
    outer?.addEventListener("abort", this.abort);
    this.hear();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  async *chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.held = true;
      this.hear();
      yield value;
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.abort);
    this.abort();
  }

  private hear(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.abort, QUIET);
  }
}

/** Cut bytes into lines, at LF or CR LF. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
}

/** Put lines together to events; comments and unknown fields are passed over. */
async function* serverEvents(lines: AsyncIterable<string>): AsyncGenerator<ServerEvent, void, undefined> {
  let [kind, id] = ["", ""];
  let data: string[] = [];
  for await (const line of lines) {
    if (line === "") {
      if (data.length > 0) yield { kind: kind || "message", id, data: data.join("\n") };
      [kind, data] = ["", []];
      continue;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") kind = value;
    else if (name === "id") id = value;
    else if (name === "data") data.push(value);
  }
}
