/** Replays of a match: every version with what a page draws of it, put together from what has changed. */

import { Interrupted, linesOf } from "./arriving.js";
import { patched } from "./patches.js";
import { Pauses, type Query, type Sender } from "./sending.js";
import type { ReplayedVersion, ReplayStep, ReplayTable } from "./types.js";

const LINES = { Accept: "application/x-ndjson" };

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
      for await (const step of drawn(linesOf(sender, path, asked, LINES, () => {}, signal))) {
        if (step.version <= last) continue;
        yield step;
        signal?.throwIfAborted();
        last = step.version;
        pauses.beginAgain();
      }
      return;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await pauses.wait(`GET ${path}: ${error.message}`, error, signal);
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
