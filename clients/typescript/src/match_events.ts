/** What happens in matches, as their streams tell it. */

import { patched } from "./patches.js";
import type { Query, Sender } from "./sending.js";
import { follow, type ServerEvent } from "./streams.js";
import type { MatchEvent, Table } from "./types.js";

const TOLD: ReadonlySet<string> = new Set([
  "snapshot", "move.applied", "table", "table.patched", "seats.updated", "revoked", "match.ended",
]);

/** Give what happens in matches, to the end of each; the stream's own control events are left out. */
export async function* matchEvents(
  sender: Sender,
  path: string,
  matches: readonly string[],
  query: Query,
  signal?: AbortSignal,
): AsyncGenerator<MatchEvent, void, undefined> {
  const versions = new Map(matches.map((match) => [match, Number(query["after_version"] ?? 0)]));
  const ended = new Set<string>();
  const lost = new Set<string>();
  for await (const event of follow(sender, path, query, signal)) {
    const read = readEvent(event, matches);
    if (read === undefined || ended.has(read.match_id)) continue; // after an interruption, ends are told again
    if (read.event === "match.ended") ended.add(read.match_id);
    if (read.event === "revoked") {
      lost.add(read.match_id);
    } else {
      lost.delete(read.match_id); // it may be read again
      versions.set(read.match_id, read.version);
    }
    yield read;
    if (ended.size === versions.size) return;
  }
  // Where the stream was cut right before the end, the server only says 204. It says so, too, when no match may be read any more.
  for (const [match_id, version] of versions) {
    if (!ended.has(match_id) && !lost.has(match_id)) yield { event: "match.ended", match_id, version, status: "ended" };
  }
}

/**
 * Give an event of a match, undefined for another. The stream of a single match does not name it; without access to its match,
 * such a stream is refused when it is opened again, which says why.
 */
function readEvent({ kind, data }: ServerEvent, matches: readonly string[]): MatchEvent | undefined {
  const isOnlyOne = matches.length === 1;
  if (!TOLD.has(kind)) return undefined;
  const told = JSON.parse(data) as { match_id?: string; version: number };
  if (kind === "revoked" && told.match_id === undefined) return undefined;
  const match_id = isOnlyOne ? matches[0]! : told.match_id!;
  if (kind === "table") return { event: kind, match_id, version: told.version, table: told as Table };
  return { ...told, event: kind, match_id } as MatchEvent;
}

/**
 * Give the newest table of each match after each change; `read` reads the last one where the stream was cut between the last
 * move and the table: then it is not opened again.
 */
export async function* newestTables(
  events: AsyncIterable<MatchEvent>,
  read: (match: string) => Promise<Table>,
): AsyncGenerator<Table, void, undefined> {
  const known = new Map<string, Table>();
  for await (const told of events) {
    const before = known.get(told.match_id);
    let table: Table;
    if (told.event === "table") table = told.table;
    else if (told.event === "table.patched" && before !== undefined) table = patched(before, told.patch);
    else if (told.event === "match.ended" && before?.match.status !== "ended") table = await read(told.match_id);
    else continue;
    known.set(told.match_id, table);
    // After an interruption, the same one is sent again.
    if (before === undefined || JSON.stringify(table) !== JSON.stringify(before)) yield table;
  }
}
