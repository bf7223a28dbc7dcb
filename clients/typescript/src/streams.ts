/**
 * Follows server-sent events with `fetch`, and comes back with `Last-Event-ID` wherever it was cut off.
 *
 * The browser's own EventSource cannot send an `Authorization` header; this can, so no ticket is needed.
 */

import { Interrupted, linesOf } from "./arriving.js";
import { Pauses, type Query, type Sender } from "./sending.js";

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
    let over = false;
    let held = false;
    let trouble = new Interrupted("the stream ended", null);
    const arrived = ({ status }: Response) => {
      over = status === 204;
      held = true;
    };
    try {
      const headers = { Accept: "text/event-stream", ...(lastId === "" ? {} : { "Last-Event-ID": lastId }) };
      for await (const event of serverEvents(linesOf(sender, path, query, headers, arrived, signal))) {
        lastId = event.id || lastId;
        yield event;
      }
      if (over) return;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      trouble = error;
    }
    if (held) pauses.beginAgain(); // from now on: a slow reader or a silent connection may outlast the patience
    await pauses.wait(`GET ${path}: ${trouble.message}`, trouble, signal);
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
